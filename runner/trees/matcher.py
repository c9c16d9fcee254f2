"""Read sentences by templates: the cheapest derivation, none, or several.

A word is the set of slots that it may fill, so that sentences that differ in words of the same slots are one to the
matcher. What a symbol may cover depends only on the words from its first to the end of the sentence: it is found once
for all sentences that end so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from runner.trees.templates import FILLER, GAP, HEAD, Rule, Templates

Node: TypeAlias = "int | tuple[Rule, tuple[Node, ...]] | None"  # a slot, a rule with its parts, or the gap
T = TypeVar("T")
Found: TypeAlias = dict[int, tuple[int, list[T]]]  # what is left of the sentence → cost, all that have this cost
Arc: TypeAlias = tuple[int, int, str]  # from a word to its head, counted from 0; its relation
Word: TypeAlias = frozenset[int]  # the slots that a word may fill
_NOTHING = 0  # the end of the sentence, as what is left of it
_AT_GAP = -1


@dataclass(frozen=True, slots=True)
class Derivation:
    """For each word its slot, its head (from 1, 0 for the root) and its relation."""

    slots: tuple[int, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]


class Matcher:
    def __init__(self, templates: Templates) -> None:
        self._slots: dict[str, list[tuple[int, int]]] = {}  # number and cost
        for number, (symbol, cost) in enumerate(templates.slots):
            self._slots.setdefault(symbol, []).append((number, cost))
        self._rules = _rules_by_first_slots(templates.rules, self._slots)
        self._ends: dict[tuple[Word, int], int] = {}
        self._words: list[tuple[Word, int]] = [(frozenset(), _NOTHING)]  # first word and rest of an end of sentences
        self._found: dict[tuple[str, int], Found[Node]] = {}
        self._fitting: dict[tuple[str, Word], list[Rule]] = {}
        self._read: dict[tuple[str, int], list[Derivation]] = {}

    def read(self, symbol: str, words: Sequence[Word]) -> list[Derivation]:
        """Return the derivations of the lowest cost: one, none, or several."""
        end = _NOTHING
        for word in reversed(words):
            end = self._end(word, end)
        if (symbol, end) not in self._read:
            _, nodes = self._parts(symbol, end).get(_NOTHING, (0, []))
            self._read[symbol, end] = list(dict.fromkeys(map(derivation_of, nodes)))
        return self._read[symbol, end]

    def _end(self, word: Word, rest: int) -> int:
        if (word, rest) not in self._ends:
            self._ends[word, rest] = len(self._words)
            self._words.append((word, rest))
        return self._ends[word, rest]

    def _parts(self, symbol: str, end: int) -> Found[Node]:
        if symbol == GAP:
            return {end: (0, [None])}
        found = self._found.get((symbol, end))
        if found is None:
            found = self._found[symbol, end] = {}
            word, rest = self._words[end]
            for slot, cost in self._slots.get(symbol, ()):
                if slot in word:
                    word_node: Node = slot
                    _add(found, rest, cost, [word_node])
            for rule in self._fitting_rules(symbol, word):
                for left, (cost, sequences) in self._sequences(rule, end).items():
                    nodes: list[Node] = [(rule, parts) for parts in sequences]
                    _add(found, left, cost, nodes)
        return found

    def _fitting_rules(self, symbol: str, word: Word) -> list[Rule]:
        rules = self._fitting.get((symbol, word))
        if rules is None:
            alternatives = self._rules.get(symbol, ())
            rules = [rule for rule, first in alternatives if first is None or not first.isdisjoint(word)]
            self._fitting[symbol, word] = rules
        return rules

    def _sequences(self, rule: Rule, end: int) -> Found[tuple[Node, ...]]:
        states: Found[tuple[Node, ...]] = {end: (rule.cost, [()])}
        for element in rule.elements:
            longer: Found[tuple[Node, ...]] = {}
            for middle, (cost, sequences) in states.items():
                for left, (added, nodes) in self._parts(element.symbol, middle).items():
                    _add(longer, left, cost + added, [(*parts, node) for parts in sequences for node in nodes])
            if not longer:
                return longer
            states = longer
        return states


def _add(found: Found[T], left: int, cost: int, nodes: list[T]) -> None:
    lowest, same_cost = found.get(left, (cost, []))
    if cost <= lowest:
        found[left] = (cost, same_cost + nodes if cost == lowest else nodes)


def _rules_by_first_slots(
    rules: Mapping[str, Sequence[Rule]], slots: Mapping[str, Sequence[tuple[int, int]]]
) -> dict[str, list[tuple[Rule, Word | None]]]:
    """Return each rule with the slots that its first word may fill, or None if it may have no word, but the gap."""
    first = {symbol: {number for number, _ in slots.get(symbol, ())} for symbol in (*rules, *slots, GAP)}
    wordless = {GAP}

    def first_of(rule: Rule) -> tuple[set[int], bool]:
        found = set[int]()
        for element in rule.elements:
            found |= first[element.symbol]
            if element.symbol not in wordless:
                return found, False
        return found, True

    size = -1
    while size != (size := len(wordless) + sum(map(len, first.values()))):
        for symbol, alternatives in rules.items():
            for rule in alternatives:
                found, empty = first_of(rule)
                first[symbol] |= found
                wordless |= {symbol} if empty else set()
    return {
        symbol: [(rule, None if empty else frozenset(found)) for rule in each for found, empty in [first_of(rule)]]
        for symbol, each in rules.items()
    }


def derivation_of(node: Node) -> Derivation:
    """Return the tree of a derivation. Raises ValueError if nothing fills its gap."""
    slots: list[int] = []
    arcs: list[Arc] = []
    head = _read_tree(node, slots, arcs)
    if any(_AT_GAP in arc[:2] for arc in arcs):
        raise ValueError("nothing fills a gap")
    heads, relations = [0] * len(slots), ["root"] * len(slots)
    for word, head_word, relation in arcs:
        heads[word], relations[word] = head_word + 1, relation
    assert heads[head] == 0
    return Derivation(tuple(slots), tuple(heads), tuple(relations))


def _read_tree(node: Node, slots: list[int], arcs: list[Arc]) -> int:
    """Append the slots and arcs of a tree, and return its head: the number of a word, or `_AT_GAP`."""
    if node is None:
        return _AT_GAP
    if isinstance(node, int):
        slots.append(node)
        return len(slots) - 1
    rule, parts = node
    begin = len(arcs)
    heads = [_read_tree(part, slots, arcs) for part in parts]
    main = heads[rule.head]
    filler = _AT_GAP
    for element, head in zip(rule.elements, heads, strict=True):
        if element.relation == FILLER:
            filler = head
        elif element.relation != HEAD:
            arcs.append((head, main, element.relation))
    if filler != _AT_GAP:
        moved = {_AT_GAP: filler}
        arcs[begin:] = [(moved.get(word, word), moved.get(head, head), name) for word, head, name in arcs[begin:]]
    return main
