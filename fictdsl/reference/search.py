"""Find all bindings of the nodes of a scene by backtracking.

Of the nodes that share a condition with a bound node, the one with the fewest candidates is bound next. Each condition
is checked as soon as its nodes are bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fictdsl.reference.scenes import Condition, InnerBlock, Node, Scene
from fictdsl.reference.sentence import Sentence, Word

Binding = dict[Node, Word]


@dataclass(frozen=True)
class Search:
    """The search for the matches of a scene. `outer` are the nodes of enclosing blocks, which are already bound."""

    scene: Scene
    outer: frozenset[Node]

    @cached_property
    def own_nodes(self) -> frozenset[Node]:
        """The nodes that belong to this block and not to an enclosing block."""
        return self.scene.nodes - self.outer

    @cached_property
    def outer_conditions(self) -> tuple[Condition, ...]:
        """The conditions on outer nodes and on the sentence only."""
        return tuple(condition for condition in self.scene.conditions if self.own_nodes.isdisjoint(condition.nodes))

    @cached_property
    def single_conditions(self) -> dict[Node, tuple[Condition, ...]]:
        """The conditions on a single own node, by node; nodes with conditions come first."""
        by_node = {
            node: tuple(condition for condition in self.scene.conditions if condition.nodes == (node,))
            for node in sorted(self.own_nodes)
        }
        return dict(sorted(by_node.items(), key=lambda item: not item[1]))

    @cached_property
    def joint_conditions(self) -> tuple[Condition, ...]:
        """The conditions on an own node and other nodes."""
        return tuple(
            condition
            for condition in self.scene.conditions
            if len(condition.nodes) > 1 and not self.own_nodes.isdisjoint(condition.nodes)
        )

    @cached_property
    def inner_blocks(self) -> tuple[tuple[InnerBlock, tuple[Search, ...]], ...]:
        """The inner blocks, each with the searches of its scenes."""
        bound_nodes = self.outer | self.own_nodes
        return tuple((block, tuple(Search(scene, bound_nodes) for scene in block.scenes)) for block in self.scene.inner)

    def bindings(self, sentence: Sentence, bound: Binding) -> Iterator[Binding]:
        """Yield every extension of `bound` by the own nodes that satisfies the scene."""
        if not all(_holds(condition, sentence, bound) for condition in self.outer_conditions):
            return
        candidates: dict[Node, list[Word]] = {}
        for node, conditions in self.single_conditions.items():
            words = [
                word for word in sentence.words if all(condition.holds(sentence, word) for condition in conditions)
            ]
            if not words:
                return
            candidates[node] = words
        order = self._order(candidates, bound)
        for binding in self._extend(sentence, dict(bound), order, candidates, 0):
            if all(self._inner_holds(block, sentence, binding) for block in self.inner_blocks):
                yield binding

    def _order(self, candidates: dict[Node, list[Word]], bound: Binding) -> list[tuple[Node, tuple[Condition, ...]]]:
        """Return the order of binding, each node with the conditions that can be checked once it is bound.

        Nodes that share a condition with a bound node come first; among equals, the node with the fewest candidates.
        """
        order: list[tuple[Node, tuple[Condition, ...]]] = []
        bound_nodes = set(bound)
        unchecked = list(self.joint_conditions)
        while len(order) < len(self.own_nodes):
            linked_nodes = {
                linked_node
                for condition in self.joint_conditions
                if not bound_nodes.isdisjoint(condition.nodes)
                for linked_node in condition.nodes
            }
            node = min(
                (candidate for candidate in candidates if candidate not in bound_nodes),
                key=lambda candidate: (
                    candidate not in linked_nodes and bool(bound_nodes),
                    len(candidates[candidate]),
                ),
            )
            bound_nodes.add(node)
            checkable = tuple(condition for condition in unchecked if bound_nodes.issuperset(condition.nodes))
            unchecked = [condition for condition in unchecked if condition not in checkable]
            order.append((node, checkable))
        return order

    def _extend(
        self,
        sentence: Sentence,
        binding: Binding,
        order: list[tuple[Node, tuple[Condition, ...]]],
        candidates: dict[Node, list[Word]],
        depth: int,
    ) -> Iterator[Binding]:
        if depth == len(order):
            yield dict(binding)
            return
        node, conditions = order[depth]
        for word in candidates[node]:
            if not self._is_free(word, node, binding):
                continue
            binding[node] = word
            if all(_holds(condition, sentence, binding) for condition in conditions):
                yield from self._extend(sentence, binding, order, candidates, depth + 1)
            del binding[node]

    def _is_free(self, word: Word, node: Node, binding: Binding) -> bool:
        """Return whether a node can be bound to a word. Only nodes that may coincide are bound to the same word."""
        return all(
            other_word.id != word.id or frozenset({node, other}) in self.scene.may_coincide
            for other, other_word in binding.items()
        )

    def _inner_holds(self, block: tuple[InnerBlock, tuple[Search, ...]], sentence: Sentence, binding: Binding) -> bool:
        inner_block, searches = block
        if inner_block.counted is None:
            return not any(True for search in searches for _ in search.bindings(sentence, binding))
        words = {
            extended[inner_block.counted].id for search in searches for extended in search.bindings(sentence, binding)
        }
        return inner_block.low <= len(words) <= inner_block.high


def _holds(condition: Condition, sentence: Sentence, binding: Binding) -> bool:
    return condition.holds(sentence, *(binding[node] for node in condition.nodes))
