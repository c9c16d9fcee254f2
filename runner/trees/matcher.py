"""Read sentences by templates: the cheapest derivation, none, or several.

A word is its set of tags, so that sentences that differ in words of the same tags are one to the matcher. What a symbol
may cover depends only on the words from its first to the end of the sentence: it is found once for all sentences that
end so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias, TypeVar

from runner.trees.templates import FILLER, GAP, HEAD, Rule, Templates

Node: TypeAlias = "int | None | tuple[Rule, tuple[Node, ...]]"  # a tag, the gap, or a rule with its parts
T = TypeVar("T")
Found: TypeAlias = dict[int, tuple[int, list[T]]]  # what is left of the sentence → cost, all that have this cost
Word: TypeAlias = frozenset[int]  # the tags that a word may have
_NOTHING = 0  # the end of the sentence, as what is left of it
_AT_GAP = -1


@dataclass(frozen=True, slots=True)
class Derivation:
    """For each word its tag, its head (from 1, 0 for the root) and its relation."""

    tags: tuple[int, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]


class Matcher:
    def __init__(self, templates: Templates) -> None:
        self._rules = templates.rules
        self._costs = [tag.cost for tag in templates.tags]
        self._columns = [(tag.upos, tag.xpos, tag.feats) for tag in templates.tags]
        self._tags: dict[str, list[int]] = {}
        for number, tag in enumerate(templates.tags):
            self._tags.setdefault(tag.symbol, []).append(number)
        self._first, self._wordless = _first_tags(self._rules, self._tags)
        self._ends: dict[tuple[Word, int], int] = {}
        self._words: list[tuple[Word, int]] = [(frozenset(), _NOTHING)]  # of an end of sentences: its first word, the rest
        self._found: dict[tuple[str, int], Found[Node]] = {}
        self._read: dict[tuple[str, int], list[Derivation]] = {}

    def read(self, symbol: str, words: Sequence[Word]) -> list[Derivation]:
        """Return the derivations of the lowest cost: one, none, or several."""
        end = _NOTHING
        for word in reversed(words):
            end = self._end(word, end)
        if (symbol, end) not in self._read:
            _, nodes = self._parts(symbol, end).get(_NOTHING, (0, []))
            trees = {self._analysis(tree): tree for tree in map(derivation_of, reversed(nodes))}
            self._read[symbol, end] = list(trees.values())
        return self._read[symbol, end]

    def _analysis(self, tree: Derivation) -> object:
        return tuple(self._columns[tag] for tag in tree.tags), tree.heads, tree.relations

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
            for tag in self._tags.get(symbol, ()):
                if tag in word:
                    _add(found, rest, self._costs[tag], [tag])
            for rule in self._rules.get(symbol, ()):
                if rule in self._wordless or not self._first[rule].isdisjoint(word):
                    for left, (cost, sequences) in self._sequences(rule, end).items():
                        _add(found, left, cost, [(rule, parts) for parts in sequences])
        return found

    def _sequences(self, rule: Rule, end: int) -> Found[tuple[Node, ...]]:
        states: Found[tuple[Node, ...]] = {end: (rule.cost, [()])}
        for element in rule.elements:
            longer: Found[tuple[Node, ...]] = {}
            for middle, (cost, sequences) in states.items():
                for left, (added, nodes) in self._parts(element.symbol, middle).items():
                    _add(longer, left, cost + added, [(*parts, node) for parts, node in product(sequences, nodes)])
            states = longer
        return states


def _add(found: Found[T], left: int, cost: int, nodes: list[T]) -> None:
    lowest, same_cost = found.get(left, (cost, []))
    if cost <= lowest:
        found[left] = (cost, same_cost + nodes if cost == lowest else nodes)


def _first_tags(
    rules: Mapping[str, Sequence[Rule]], tags: Mapping[str, Sequence[int]]
) -> tuple[dict[Rule, Word], frozenset[Rule]]:
    """Return the tags that the first word of a rule may have, and the rules that may have no word, but the gap."""
    of_symbol = {symbol: set(tags.get(symbol, ())) for symbol in (*rules, *tags, GAP)}
    of_rule: dict[Rule, Word] = {}
    wordless, wordless_rules = {GAP}, set[Rule]()
    grown = True
    while grown:
        grown = False
        for symbol, alternatives in rules.items():
            for rule in alternatives:
                first = set[int]()
                for element in rule.elements:
                    first |= of_symbol[element.symbol]
                    if element.symbol not in wordless:
                        break
                else:
                    grown = grown or symbol not in wordless
                    wordless.add(symbol)
                    wordless_rules.add(rule)
                of_rule[rule] = frozenset(first)
                grown = grown or not first <= of_symbol[symbol]
                of_symbol[symbol] |= first
    return of_rule, frozenset(wordless_rules)


def derivation_of(node: Node) -> Derivation:
    """Return the tree of a derivation. Raises ValueError if nothing fills its gap."""
    tags = list(_tags(node))
    head, _, arcs = _arcs(node, 0)
    if any(_AT_GAP in arc[:2] for arc in arcs):
        raise ValueError("nothing fills a gap")
    by_word = {word: (head_word + 1, relation) for word, head_word, relation in [*arcs, (head, -1, "root")]}
    ordered = [by_word[word] for word in range(len(tags))]
    return Derivation(tuple(tags), tuple(word for word, _ in ordered), tuple(relation for _, relation in ordered))


def _tags(node: Node) -> Iterator[int]:
    if isinstance(node, int):
        yield node
    elif node is not None:
        for part in node[1]:
            yield from _tags(part)


def _arcs(node: Node, start: int) -> tuple[int, int, list[tuple[int, int, str]]]:
    """Return the head word, the end, and arcs from words to their heads. Words count from 0, the gap is `_AT_GAP`."""
    if node is None:
        return _AT_GAP, start, []
    if isinstance(node, int):
        return start, start + 1, []
    rule, parts = node
    arcs: list[tuple[int, int, str]] = []
    heads: list[tuple[str, int]] = []
    for element, part in zip(rule.elements, parts, strict=True):
        head, start, below = _arcs(part, start)
        heads.append((element.relation, head))
        arcs += below
    main = next(head for relation, head in heads if relation == HEAD)
    arcs += [(head, main, relation) for relation, head in heads if relation not in (HEAD, FILLER)]
    for relation, filler in heads:
        if relation == FILLER:
            arcs = [(*(filler if word == _AT_GAP else word for word in arc[:2]), arc[2]) for arc in arcs]
    return main, start, arcs
