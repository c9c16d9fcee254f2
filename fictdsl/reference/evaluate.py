"""Evaluate a filter on a sentence by interpreting its syntax tree, as docs/reference.md defines it.

This is the oracle for tests of the compiler. It follows the reference page closely, shares no code with the compiler,
and prefers clarity to speed. All bindings of the nodes of a scene are found by backtracking: of the nodes that share a
condition with a bound node, the one with the fewest candidates is bound next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from fictdsl.reference.predicates import PredicateBuilder, is_in_subtree, names_of
from fictdsl.reference.scenes import Condition, InnerBlock, Node, Scene, SceneBuilder
from fictdsl.reference.sentences import Sentence, Word
from fictdsl.syntax.load import Module
from fictdsl.syntax.nodes import Action, FilterDef

Binding = dict[Node, Word]


@dataclass(frozen=True)
class Search:
    """The search for the matches of a scene. `outer` are the nodes of enclosing blocks, which are already bound."""

    scene: Scene
    outer: frozenset[Node]

    @cached_property
    def own_nodes(self) -> frozenset[Node]:
        return self.scene.nodes - self.outer

    @cached_property
    def outer_conditions(self) -> tuple[Condition, ...]:
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
        return tuple(
            condition
            for condition in self.scene.conditions
            if len(condition.nodes) > 1 and not self.own_nodes.isdisjoint(condition.nodes)
        )

    @cached_property
    def inner_blocks(self) -> tuple[tuple[InnerBlock, tuple[Search, ...]], ...]:
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


Match = frozenset[tuple[str, int]]
Target = frozenset[int]  # the ids of the words that one application of an action affects


class Evaluator:
    def __init__(self, module: Module, filter_def: FilterDef, value: str | None = None) -> None:
        builder = SceneBuilder(PredicateBuilder(names_of(module), value))
        self._actions = filter_def.actions
        self._searches = tuple(Search(scene, frozenset()) for scene in builder.block(filter_def.match))

    def matches(self, sentence: Sentence) -> set[Match]:
        """Return sets of (name, word id) for nodes bound outside `without` and counting blocks."""
        return {
            frozenset((node, word.id) for node, word in binding.items() if "#" not in node)
            for search in self._searches
            for binding in search.bindings(sentence, {})
        }

    def holds(self, sentence: Sentence) -> bool:
        """Return whether the sentence matches. Faster than finding all matches."""
        return any(True for search in self._searches for _ in search.bindings(sentence, {}))

    def targets(self, sentence: Sentence, known_matches: set[Match] | None = None) -> tuple[frozenset[Target], ...]:
        """Return the distinct targets of each action, not widened to tokens. No actions mean `remove sentence`."""
        all_matches = self.matches(sentence) if known_matches is None else known_matches
        if not self._actions:
            return (frozenset({_all_words(sentence)} if all_matches else ()),)
        return tuple(
            frozenset(_target(action, dict(match), sentence) for match in all_matches) for action in self._actions
        )

    def action_words(self, sentence: Sentence) -> tuple[frozenset[int], ...]:
        """Return, for each action in order, the ids of the words in its targets."""
        return tuple(frozenset[int]().union(*targets) for targets in self.targets(sentence))


def matches(module: Module, filter_def: FilterDef, value: str | None, sentence: Sentence) -> set[Match]:
    return _evaluator(_Identity(module), _Identity(filter_def), value).matches(sentence)


def targets(
    module: Module,
    filter_def: FilterDef,
    value: str | None,
    sentence: Sentence,
    known_matches: set[Match] | None = None,
) -> tuple[frozenset[Target], ...]:
    return _evaluator(_Identity(module), _Identity(filter_def), value).targets(sentence, known_matches)


def _all_words(sentence: Sentence) -> Target:
    return frozenset(word.id for word in sentence.words)


def _target(action: Action, match: dict[str, int], sentence: Sentence) -> Target:
    ids = [match[name.text] for name in action.target.nodes]
    match action.target.kind:
        case "sentence":
            return _all_words(sentence)
        case "node":
            return frozenset(ids)
        case "span":
            return frozenset(range(min(ids), max(ids) + 1))
        case "subtree":
            return frozenset(word.id for word in sentence.words if is_in_subtree(sentence, word.id, ids[0]))
    raise AssertionError(f"no target {action.target.kind}")


class _Identity:
    """A cache key that compares a value by identity and keeps it alive. Hashing the value would be slow."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


@lru_cache(maxsize=256)
def _evaluator(module: _Identity, filter_def: _Identity, value: str | None) -> Evaluator:
    assert isinstance(module.value, Module)
    assert isinstance(filter_def.value, FilterDef)
    return Evaluator(module.value, filter_def.value, value)
