"""Find all bindings of the nodes of a scene by backtracking.

Nodes with the fewest candidates are bound first, and each condition is checked as soon as its nodes are bound.
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
    def own(self) -> frozenset[Node]:
        """The nodes that belong to this block and not to an enclosing one."""
        return self.scene.nodes - self.outer

    @cached_property
    def outer_conditions(self) -> tuple[Condition, ...]:
        """The conditions on outer nodes and on the sentence only."""
        return tuple(c for c in self.scene.conditions if self.own.isdisjoint(c.nodes))

    @cached_property
    def single_conditions(self) -> dict[Node, tuple[Condition, ...]]:
        """The conditions on a single own node, by node; nodes with conditions come first."""
        by_node = {node: tuple(c for c in self.scene.conditions if c.nodes == (node,)) for node in sorted(self.own)}
        return dict(sorted(by_node.items(), key=lambda item: not item[1]))

    @cached_property
    def joint_conditions(self) -> tuple[Condition, ...]:
        """The conditions on an own node and other nodes."""
        return tuple(c for c in self.scene.conditions if len(c.nodes) > 1 and not self.own.isdisjoint(c.nodes))

    @cached_property
    def inner(self) -> tuple[tuple[InnerBlock, tuple[Search, ...]], ...]:
        """The inner blocks, each with the searches of its scenes."""
        bound_nodes = self.outer | self.own
        return tuple((block, tuple(Search(scene, bound_nodes) for scene in block.scenes)) for block in self.scene.inner)

    def bindings(self, sentence: Sentence, bound: Binding) -> Iterator[Binding]:
        """Yield every extension of `bound` by the own nodes that satisfies the scene."""
        if not all(_holds(condition, sentence, bound) for condition in self.outer_conditions):
            return
        candidates: dict[Node, list[Word]] = {}
        for node, conditions in self.single_conditions.items():
            words = [w for w in sentence.words if all(c.holds(sentence, w) for c in conditions)]
            if not words:
                return
            candidates[node] = words
        order = self._order(candidates, bound)
        for binding in self._extend(sentence, dict(bound), order, candidates, 0):
            if all(self._inner_holds(block, sentence, binding) for block in self.inner):
                yield binding

    def _order(self, candidates: dict[Node, list[Word]], bound: Binding) -> list[tuple[Node, tuple[Condition, ...]]]:
        """Return the order of binding, each node with the conditions that can be checked once it is bound.

        Nodes that share a condition with a bound node come first, then nodes with the fewest candidates.
        """
        order: list[tuple[Node, tuple[Condition, ...]]] = []
        bound_nodes = set(bound)
        waiting = list(self.joint_conditions)
        while len(order) < len(self.own):
            linked = {n for c in self.joint_conditions if not bound_nodes.isdisjoint(c.nodes) for n in c.nodes}
            node = min(
                (n for n in candidates if n not in bound_nodes),
                key=lambda n: (n not in linked and bool(bound_nodes), len(candidates[n])),
            )
            bound_nodes.add(node)
            ready = tuple(c for c in waiting if bound_nodes.issuperset(c.nodes))
            waiting = [c for c in waiting if c not in ready]
            order.append((node, ready))
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
        """Return whether a node can be bound to a word: no other node is, except one that may coincide with it."""
        return all(
            other_word.id != word.id or frozenset({node, other}) in self.scene.may_coincide
            for other, other_word in binding.items()
        )

    def _inner_holds(self, block: tuple[InnerBlock, tuple[Search, ...]], sentence: Sentence, binding: Binding) -> bool:
        inner, searches = block
        if inner.counted is None:
            return not any(True for search in searches for _ in search.bindings(sentence, binding))
        words = {extended[inner.counted].id for search in searches for extended in search.bindings(sentence, binding)}
        return inner.low <= len(words) <= inner.high


def _holds(condition: Condition, sentence: Sentence, binding: Binding) -> bool:
    return condition.holds(sentence, *(binding[node] for node in condition.nodes))
