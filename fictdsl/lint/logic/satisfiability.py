"""Tests into whether they can hold together, and whether some follow from others.

Every way a word could be, as far as the tests at hand can tell, is tried: for each attribute, absence and one value
for each way to pass or fail the tests on it. What a regular expression or a phrase finds is left open, so the answer
"never" or "always" is certain, and no answer means little.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, islice, product
from math import ceil, floor
from typing import TypeAlias, assert_never

from fictdsl.semantics.check.attributes import Kind, kind_of
from fictdsl.semantics.check.check_tests import is_number
from fictdsl.semantics.resolve.resolution import Resolution
from fictdsl.semantics.walk import Level, simple
from fictdsl.syntax import nodes

MAX_WORLDS = 5_000
_MAX_TESTS = 64  # of one attribute
_MAX_VALUES = 10_000
_MAX_TOGETHER = 3  # values of one attribute at once
_OTHER = "\0other"
_SUBTYPE = ":\0"
_ALWAYS_THERE = ("form", "id", "length")

Key: TypeAlias = Hashable
Content: TypeAlias = "frozenset[str] | int | bool | None"
World: TypeAlias = Mapping[Key, Content]


class _UnknownError(Exception):
    """Too much to try; carried inside this module only."""


@dataclass(frozen=True)
class Logic:
    """Reasons about tests of one place in one file; `text` says what a literal or a parameter stands for."""

    resolution: Resolution
    place: Level
    text: Callable[[nodes.Atom], str]
    # Answers by the identity of the tests, which are kept, so that their identities stay their own.
    _answers: dict[frozenset[int], tuple[Sequence[nodes.Test], bool]] = field(default_factory=dict, compare=False)
    _negations: dict[int, nodes.Not] = field(default_factory=dict, compare=False)
    _known: dict[int, tuple[nodes.Test, frozenset[str]]] = field(default_factory=dict, compare=False)

    def can_hold(self, tests: Sequence[nodes.Test]) -> bool:
        """False if no word passes all the tests. Tests that share no attribute are tried apart."""
        key = frozenset(map(id, tests))
        if key not in self._answers:
            self._answers[key] = tuple(tests), all(self._can_hold(group) for group in _connected(tests))
        return self._answers[key][1]

    def _can_hold(self, tests: Sequence[nodes.Test]) -> bool:
        try:
            return any(all(self._holds(test, world) for test in tests) for world in self._worlds(tests))
        except _UnknownError:
            return True

    def follows(self, test: nodes.Test, premises: Sequence[nodes.Test]) -> bool:
        """True if every word that passes the premises passes the test."""
        negation = self._negations.setdefault(id(test), nodes.Not(test, test.span))
        return not self.can_hold([*premises, negation])

    # --- worlds -------------------------------------------------------------------------------------

    def _worlds(self, tests: Sequence[nodes.Test]) -> Iterator[World]:
        parts = [part for test in tests for part in simple(test)]
        by_key: dict[Key, list[nodes.Compare | nodes.Member | nodes.Has]] = {}
        for part in parts:
            by_key.setdefault(_key(part.attribute), []).append(part)
        choices: dict[Key, list[Content]] = {}
        for key, group in by_key.items():
            if len(group) > _MAX_TESTS:
                raise _UnknownError
            choices[key] = self._contents(group)
            for part in group:
                choices |= {switch: [False, True] for switch in self._switches(part)}
        number = 1
        for found in choices.values():
            number *= len(found)
        if number > MAX_WORLDS:
            raise _UnknownError
        return (dict(zip(choices, chosen, strict=True)) for chosen in product(*choices.values()))

    def _contents(self, tests: Sequence[nodes.Compare | nodes.Member | nodes.Has]) -> list[Content]:
        attribute = tests[0].attribute
        kind = kind_of(attribute, self.place)
        assert kind is not None
        absent = [] if attribute.name in _ALWAYS_THERE else [None]
        if kind is Kind.PHRASE:
            return [None]
        if kind is Kind.NUMBER:
            numbers = sorted({near for text in self._mentioned(tests) for near in _near(text)} | {1})
            return [*absent, *numbers]
        values = self._representatives(tests, kind)
        if kind not in (Kind.FEATURE, Kind.TEXT_OR_NUMBER):
            return [*absent, *(frozenset({value}) for value in values)]
        if len(tests) > _MAX_TOGETHER:
            raise _UnknownError
        sets = (combinations(values, size) for size in range(1, _MAX_TOGETHER + 1))
        return [None, *(frozenset(chosen) for group in sets for chosen in group)]

    def _representatives(self, tests: Sequence[nodes.Compare | nodes.Member | nodes.Has], kind: Kind) -> list[str]:
        """One value for each way to pass some of the tests and fail the others, regexes left out."""
        if kind not in (Kind.LABEL, Kind.TEXT_OR_NUMBER):
            return self._by_mention(tests)
        candidates = {_OTHER}
        for text in self._mentioned(tests):
            candidates.add(text)
            if kind is Kind.LABEL:
                candidates.add(text + _SUBTYPE)
            elif is_number(text):
                candidates |= {str(near) for near in _near(text, low=None)}
        found: dict[tuple[bool, ...], str] = {}
        for value in sorted(candidates):
            alone: World = {_key(tests[0].attribute): frozenset({value})}
            found.setdefault(tuple(self._simple(test, alone) for test in tests), value)
        return list(found.values())

    def _by_mention(self, tests: Sequence[nodes.Compare | nodes.Member | nodes.Has]) -> list[str]:
        """The same where a value passes or fails a test only by being named in it, or not."""
        if len(tests) == 1:
            return [*islice(self._texts(tests[0]), 1), _OTHER]
        named_in: dict[str, int] = dict.fromkeys(self._mentioned(tests), 0) | {_OTHER: 0}
        for place, test in enumerate(tests):
            for text in self._texts(test):
                named_in[text] += 1 << place
        return list({where: text for text, where in named_in.items()}.values())

    def _mentioned(self, tests: Iterable[nodes.Compare | nodes.Member | nodes.Has]) -> Iterator[str]:
        for test in tests:
            if len(self._texts(test)) > _MAX_VALUES:
                raise _UnknownError
            yield from self._texts(test)

    def _literals(self, test: nodes.Compare | nodes.Member | nodes.Has) -> Iterator[str]:
        match test:
            case nodes.Compare(values=values):
                yield from (self.text(value) for value in values if not isinstance(value, nodes.RegexValue))
            case nodes.Member(values=nodes.ListLiteral(values=literals)):
                yield from (self.text(value) for value in literals)
            case nodes.Member(values=nodes.ListRef() as reference):
                yield from self.resolution.entries(reference) or ()
            case nodes.Has():
                pass

    def _texts(self, test: nodes.Compare | nodes.Member | nodes.Has) -> frozenset[str]:
        """The literals as a set, made once for each test."""
        if id(test) not in self._known:
            self._known[id(test)] = test, frozenset(self._literals(test))
        return self._known[id(test)][1]

    def _switches(self, test: nodes.Compare | nodes.Member | nodes.Has) -> list[Key]:
        """What of the test is left open: one switch for each regular expression, one for a phrase."""
        if test.attribute.name == "phrase" and self.place == "word":
            return [("phrase", test.attribute.lower, self._texts(test))]
        if isinstance(test, nodes.Compare):
            regexes = (value for value in test.values if isinstance(value, nodes.RegexValue))
            return [(_key(test.attribute), value.text, value.ignore_case) for value in regexes]
        return []

    # --- truth --------------------------------------------------------------------------------------

    def _holds(self, test: nodes.Test, world: World) -> bool:
        match test:
            case nodes.And(tests=parts):
                return all(self._holds(part, world) for part in parts)
            case nodes.Or(tests=parts):
                return any(self._holds(part, world) for part in parts)
            case nodes.Not(test=inner):
                return not self._holds(inner, world)
            case nodes.Compare() | nodes.Member() | nodes.Has():
                return self._simple(test, world)
        assert_never(test)

    def _simple(self, test: nodes.Compare | nodes.Member | nodes.Has, world: World) -> bool:
        content = world[_key(test.attribute)]
        match test:
            case nodes.Has():
                return content is not None
            case nodes.Member(negated=negated):
                return self._equals(test, content, world) != negated
            case nodes.Compare(op="="):
                return self._equals(test, content, world)
            case nodes.Compare(op="!="):
                return not self._equals(test, content, world)
            case nodes.Compare(op="=="):
                return isinstance(content, frozenset) and not content.isdisjoint(self._texts(test))
            case nodes.Compare(op=op):
                return any(
                    _ordered(number, op, Fraction(text)) for number in _numbers(content) for text in self._texts(test)
                )
        assert_never(test)

    def _equals(self, test: nodes.Compare | nodes.Member, content: Content, world: World) -> bool:
        switches = self._switches(test)
        if test.attribute.name == "phrase" and self.place == "word":
            return bool(world.get(switches[0]))
        if content is None:
            return False
        literals = self._texts(test)
        if isinstance(content, int):
            return any(Fraction(text) == content for text in literals)
        if any(world.get(switch) for switch in switches) or not content.isdisjoint(literals):
            return True
        if kind_of(test.attribute, self.place) is not Kind.LABEL:
            return False
        return any(base in literals for value in content for base in _bases(value))


def _connected(tests: Sequence[nodes.Test]) -> list[list[nodes.Test]]:
    groups: list[tuple[set[Key], list[nodes.Test]]] = []
    for test in tests:
        keys, joined = {_key(part.attribute) for part in simple(test)}, [test]
        apart = []
        for group in groups:
            if keys.isdisjoint(group[0]):
                apart.append(group)
            else:
                keys, joined = keys | group[0], group[1] + joined
        groups = [*apart, (keys, joined)]
    return [group for _, group in groups]


def _key(attribute: nodes.Attribute) -> Key:
    return (attribute.name, attribute.key, attribute.lower)


def _bases(label: str) -> Iterator[str]:
    """The relations that a label is a subtype of."""
    parts = label.split(":")
    yield from (":".join(parts[:end]) for end in range(1, len(parts)))


def _near(text: str, low: int | None = 1) -> Iterator[int]:
    number = Fraction(text)
    for near in range(floor(number) - 1, ceil(number) + 2):
        if low is None or near >= low:
            yield near


def _numbers(content: Content) -> Iterator[Fraction]:
    if isinstance(content, int):
        yield Fraction(content)
    elif isinstance(content, frozenset):
        yield from (Fraction(value) for value in content if is_number(value))


def _ordered(number: Fraction, op: str, bound: Fraction) -> bool:
    match op:
        case "<":
            return number < bound
        case "<=":
            return number <= bound
        case ">":
            return number > bound
        case _:
            return number >= bound
