"""From a scene and the words already bound around it to every way of binding its own nodes.

Naive backtracking: fewest candidates first, and every condition asked as soon as its nodes are bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fictdsl.reference.scenes import Condition, Inner, Node, Scene
from fictdsl.reference.sentence import Sentence, Word

Binding = dict[Node, Word]


@dataclass(frozen=True)
class Search:
    """A scene in its place: `outer` are the nodes of the blocks around it, all bound before it is asked."""

    scene: Scene
    outer: frozenset[Node]

    @cached_property
    def own(self) -> frozenset[Node]:
        """The nodes that belong to this block: an outer name that recurs is the outer node."""
        return self.scene.nodes - self.outer

    @cached_property
    def given(self) -> tuple[Condition, ...]:
        """Conditions on outer nodes and on the sentence alone."""
        return tuple(c for c in self.scene.conditions if self.own.isdisjoint(c.nodes))

    @cached_property
    def single(self) -> dict[Node, tuple[Condition, ...]]:
        """Conditions on one own node; nodes with conditions come first."""
        found = {node: tuple(c for c in self.scene.conditions if c.nodes == (node,)) for node in sorted(self.own)}
        return dict(sorted(found.items(), key=lambda item: not item[1]))

    @cached_property
    def several(self) -> tuple[Condition, ...]:
        """Conditions on an own node and others."""
        return tuple(c for c in self.scene.conditions if len(c.nodes) > 1 and not self.own.isdisjoint(c.nodes))

    @cached_property
    def inner(self) -> tuple[tuple[Inner, tuple[Search, ...]], ...]:
        """The blocks inside, each with its scenes in their place."""
        around = self.outer | self.own
        return tuple((block, tuple(Search(scene, around) for scene in block.scenes)) for block in self.scene.inner)

    def bindings(self, sentence: Sentence, bound: Binding) -> Iterator[Binding]:
        """Every binding of the own nodes, together with `bound`, for which the scene holds."""
        if not all(_holds(condition, sentence, bound) for condition in self.given):
            return
        candidates: dict[Node, list[Word]] = {}
        for node, conditions in self.single.items():
            words = [w for w in sentence.words if all(c.holds(sentence, w) for c in conditions)]
            if not words:
                return
            candidates[node] = words
        order = self._order(candidates, bound)
        for binding in self._extend(sentence, dict(bound), order, candidates, 0):
            if all(self._inner_holds(block, sentence, binding) for block in self.inner):
                yield binding

    def _order(self, candidates: dict[Node, list[Word]], bound: Binding) -> list[tuple[Node, tuple[Condition, ...]]]:
        """Fewest candidates first, neighbours of what is bound before the rest; each node with the
        conditions that can be asked once it is bound."""
        order: list[tuple[Node, tuple[Condition, ...]]] = []
        known = set(bound)
        waiting = list(self.several)
        while len(order) < len(self.own):
            linked = {n for c in self.several if not known.isdisjoint(c.nodes) for n in c.nodes}
            node = min(
                (n for n in candidates if n not in known),
                key=lambda n: (n not in linked and bool(known), len(candidates[n])),
            )
            known.add(node)
            ready = tuple(c for c in waiting if known.issuperset(c.nodes))
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
        """Different nodes are different words, but for the two ends of a `->>{0..}` of this block."""
        return all(
            other_word.id != word.id or frozenset({node, other}) in self.scene.may_coincide
            for other, other_word in binding.items()
        )

    def _inner_holds(self, block: tuple[Inner, tuple[Search, ...]], sentence: Sentence, binding: Binding) -> bool:
        inner, searches = block
        if inner.counted is None:
            return not any(True for search in searches for _ in search.bindings(sentence, binding))
        words = {found[inner.counted].id for search in searches for found in search.bindings(sentence, binding)}
        return inner.low <= len(words) <= inner.high


def _holds(condition: Condition, sentence: Sentence, binding: Binding) -> bool:
    return condition.holds(sentence, *(binding[node] for node in condition.nodes))
