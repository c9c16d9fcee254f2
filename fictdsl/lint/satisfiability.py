"""Decide whether tests are satisfiable together, and whether a test follows from others.

A solver enumerates the values a word can have, as far as the tests distinguish them: for each attribute, absence and
one value for each way to pass or fail the tests on it. Regular expressions, phrases and substrings are free boolean
variables. The answer is therefore incomplete: "unsatisfiable" and "follows" are certain, their opposites are not.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, islice, pairwise, product
from math import ceil, floor
from typing import TypeAlias, assert_never

from fictdsl.schema import Kind
from fictdsl.semantics.check_attributes import ATTRIBUTES, is_number, kind_of
from fictdsl.semantics.scopes import Resolution
from fictdsl.syntax import nodes
from fictdsl.syntax.nodes import ORDER_OPERATORS, SUBSTRING_OPERATORS
from fictdsl.syntax.walk import Level, SimpleTest, simple_tests

MAX_ASSIGNMENTS = 5_000
_MAX_TESTS = 64  # of one attribute
_MAX_VALUES = 10_000  # of one test
_MAX_JOINT_VALUES = 3  # values that a word may have for one attribute; one for each test is enough
_OTHER = "\0other"  # a value that no test names
_SUBTYPE = ":\0"  # the end of a subtype that no test names

_ORDERINGS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}

Key: TypeAlias = Hashable  # of an attribute or a boolean variable
Content: TypeAlias = "frozenset[str] | int | bool | None"  # of an attribute: strings, a number or a flag; None: absent
Assignment: TypeAlias = Mapping[Key, Content]


class _UnknownError(Exception):
    """Raised if there are too many assignments to enumerate, and caught in this module."""


@dataclass(frozen=True)
class Solver:
    """Decides satisfiability and implication of tests of words, or of the sentence, in one file."""

    resolution: Resolution
    level: Level
    text: Callable[[nodes.Atom], str]
    # Caches, keyed by `id` of tests. The tests are stored too, so that no `id` is reused.
    _satisfiable_cache: dict[frozenset[int], tuple[Sequence[nodes.Test], bool]] = field(
        default_factory=dict, compare=False
    )
    _negation_cache: dict[int, nodes.Not] = field(default_factory=dict, compare=False)
    _literal_cache: dict[int, tuple[nodes.Test, frozenset[str]]] = field(default_factory=dict, compare=False)

    def is_satisfiable(self, tests: Sequence[nodes.Test]) -> bool:
        """Return False if it is certain that no word passes all the tests."""
        key = frozenset(map(id, tests))
        if key not in self._satisfiable_cache:
            self._satisfiable_cache[key] = tuple(tests), all(self._is_satisfiable(group) for group in _connected(tests))
        return self._satisfiable_cache[key][1]

    def _is_satisfiable(self, tests: Sequence[nodes.Test]) -> bool:
        try:
            assignments = self._assignments(tests)
            return any(all(self._holds(test, assignment) for test in tests) for assignment in assignments)
        except _UnknownError:
            return True

    def follows(self, test: nodes.Test, premises: Sequence[nodes.Test]) -> bool:
        """Return True if it is certain that every word that passes the premises passes the test."""
        negation = self._negation_cache.setdefault(id(test), nodes.Not(test, span=test.span))
        return not self.is_satisfiable([*premises, negation])

    # --- assignments --------------------------------------------------------------------------------

    def _assignments(self, tests: Sequence[nodes.Test]) -> Iterator[Assignment]:
        by_key: dict[Key, list[SimpleTest]] = {}
        for test in tests:
            for simple_test in simple_tests(test):
                by_key.setdefault(_key(simple_test.attribute), []).append(simple_test)
        choices: dict[Key, list[Content]] = {}
        for key, group in by_key.items():
            if len(group) > _MAX_TESTS:
                raise _UnknownError
            choices[key] = self._contents(group)
            for simple_test in group:
                choices |= {variable: [False, True] for variable in self._free_variables(simple_test)}
        count = 1
        for contents in choices.values():
            count *= len(contents)
        if count > MAX_ASSIGNMENTS:
            raise _UnknownError
        return (dict(zip(choices, combination, strict=True)) for combination in product(*choices.values()))

    def _contents(self, tests: Sequence[SimpleTest]) -> list[Content]:
        attribute = tests[0].attribute
        kind = kind_of(attribute, self.level)
        assert kind is not None
        entry = ATTRIBUTES[self.level].get(attribute.full_name)
        absence = [] if entry is not None and entry.required else [None]
        if kind is Kind.PHRASE:
            return [None]
        if kind is Kind.FLAG:
            return [False, True]
        if kind is Kind.NUMBER:
            least = None if entry is None else entry.least
            numbers = {number for text in self._all_literals(tests) for number in _neighbours(text)} | {least or 0}
            return [*absence, *sorted(number for number in numbers if least is None or number >= least)]
        values = self._representatives(tests, kind)
        if kind not in (Kind.FEATURE, Kind.STRING_OR_NUMBER):
            return [*absence, *(frozenset({value}) for value in values)]
        if len(tests) > _MAX_JOINT_VALUES:
            raise _UnknownError
        sets = (combinations(values, size) for size in range(1, _MAX_JOINT_VALUES + 1))
        return [None, *(frozenset(chosen) for group in sets for chosen in group)]

    def _representatives(self, tests: Sequence[SimpleTest], kind: Kind) -> list[str]:
        """Return one value for each subset of the tests that a value can pass. Regexes are not evaluated."""
        compares_numbers = any(isinstance(test, nodes.Compare) and test.op in ORDER_OPERATORS for test in tests)
        if kind is not Kind.LABEL and not compares_numbers:
            return self._representatives_by_membership(tests)
        literals = set(self._all_literals(tests))
        candidates = {_OTHER} | literals
        if kind is Kind.LABEL:
            candidates |= {text + _SUBTYPE for text in literals}
        if compares_numbers:
            candidates |= _numbers_around(literals)
        representatives: dict[tuple[bool, ...], str] = {}
        for value in sorted(candidates):
            assignment: Assignment = {_key(tests[0].attribute): frozenset({value})}
            representatives.setdefault(tuple(self._simple_holds(test, assignment) for test in tests), value)
        return list(representatives.values())

    def _representatives_by_membership(self, tests: Sequence[SimpleTest]) -> list[str]:
        """Return the representatives if a value passes or fails a test only by being one of its literals."""
        if len(tests) == 1:
            return [*islice(self._literals(tests[0]), 1), _OTHER]
        mask_of: dict[str, int] = dict.fromkeys(self._all_literals(tests), 0) | {_OTHER: 0}
        for index, test in enumerate(tests):
            for text in self._literals(test):
                mask_of[text] += 1 << index
        return list({mask: text for text, mask in mask_of.items()}.values())

    def _all_literals(self, tests: Iterable[SimpleTest]) -> Iterator[str]:
        for test in tests:
            if len(self._literals(test)) > _MAX_VALUES:
                raise _UnknownError
            yield from self._literals(test)

    def _iter_literals(self, test: SimpleTest) -> Iterator[str]:
        match test:
            case nodes.Compare(op=op) if op in SUBSTRING_OPERATORS:
                pass
            case nodes.Compare(values=values):
                yield from (self.text(value) for value in values if not isinstance(value, nodes.RegexValue))
            case nodes.Member(values=nodes.ListLiteral(values=literals)):
                yield from (self.text(value) for value in literals)
            case nodes.Member(values=nodes.ListRef() as reference):
                yield from self.resolution.entries(reference) or ()
            case nodes.Has() | nodes.Flag():
                pass

    def _literals(self, test: SimpleTest) -> frozenset[str]:
        if id(test) not in self._literal_cache:
            self._literal_cache[id(test)] = test, frozenset(self._iter_literals(test))
        return self._literal_cache[id(test)][1]

    def _free_variables(self, test: SimpleTest) -> list[Key]:
        """Return the boolean variables of a test: one for each regex, or one for a phrase or substring test."""
        if test.attribute.name == "phrase" and self.level == "word":
            return [("phrase", test.attribute.lower, self._literals(test))]
        if isinstance(test, nodes.Compare) and test.op in SUBSTRING_OPERATORS:
            return [
                (
                    _key(test.attribute),
                    test.op,
                    *(value.text for value in test.values if isinstance(value, nodes.Value)),
                )
            ]
        if isinstance(test, nodes.Compare):
            regexes = (value for value in test.values if isinstance(value, nodes.RegexValue))
            return [(_key(test.attribute), value.text, value.ignore_case) for value in regexes]
        return []

    # --- truth --------------------------------------------------------------------------------------

    def _holds(self, test: nodes.Test, assignment: Assignment) -> bool:
        match test:
            case nodes.And(tests=parts):
                return all(self._holds(part, assignment) for part in parts)
            case nodes.Or(tests=parts):
                return any(self._holds(part, assignment) for part in parts)
            case nodes.Not(test=negated_test):
                return not self._holds(negated_test, assignment)
            case nodes.Compare() | nodes.Member() | nodes.Has() | nodes.Flag():
                return self._simple_holds(test, assignment)
        assert_never(test)

    def _simple_holds(self, test: SimpleTest, assignment: Assignment) -> bool:
        content = assignment[_key(test.attribute)]
        match test:
            case nodes.Has():
                return content is not None
            case nodes.Flag():
                return content is True
            case nodes.Member(negated=negated):
                return self._equals(test, content, assignment) != negated
            case nodes.Compare(op=op) if op in SUBSTRING_OPERATORS:
                return content is not None and bool(assignment.get(self._free_variables(test)[0]))
            case nodes.Compare(op="="):
                return self._equals(test, content, assignment)
            case nodes.Compare(op="!="):
                return not self._equals(test, content, assignment)
            case nodes.Compare(op="=="):
                return isinstance(content, frozenset) and not content.isdisjoint(self._literals(test))
            case nodes.Compare(op=op):
                bounds = [Fraction(text) for text in self._literals(test)]
                return any(_ORDERINGS[op](number, bound) for number in _numbers(content) for bound in bounds)
        assert_never(test)

    def _equals(self, test: nodes.Compare | nodes.Member, content: Content, assignment: Assignment) -> bool:
        variables = self._free_variables(test)
        if test.attribute.name == "phrase" and self.level == "word":
            return bool(assignment.get(variables[0]))
        if content is None:
            return False
        literals = self._literals(test)
        if isinstance(content, int):
            return any(Fraction(text) == content for text in literals)
        if any(assignment.get(variable) for variable in variables) or not content.isdisjoint(literals):
            return True
        if kind_of(test.attribute, self.level) is not Kind.LABEL:
            return False
        return any(base in literals for value in content for base in _bases(value))


def _connected(tests: Sequence[nodes.Test]) -> list[list[nodes.Test]]:
    groups: list[tuple[set[Key], list[nodes.Test]]] = []
    for test in tests:
        keys, connected_tests = {_key(simple_test.attribute) for simple_test in simple_tests(test)}, [test]
        disjoint = []
        for group in groups:
            if keys.isdisjoint(group[0]):
                disjoint.append(group)
            else:
                keys, connected_tests = keys | group[0], group[1] + connected_tests
        groups = [*disjoint, (keys, connected_tests)]
    return [group for _, group in groups]


def _key(attribute: nodes.Attribute) -> Key:
    return (attribute.name, attribute.key, attribute.lower)


def _bases(label: str) -> Iterator[str]:
    parts = label.split(":")
    yield from (":".join(parts[:end]) for end in range(1, len(parts)))


def _neighbours(text: str) -> Iterator[int]:
    number = Fraction(text)
    yield from range(floor(number) - 1, ceil(number) + 2)


def _numbers_around(literals: Collection[str]) -> set[str]:
    """Return numbers equal to, between, below and above those of the literals, none spelt like a literal."""
    numbers = sorted({Fraction(text) for text in literals if is_number(text)})
    if not numbers:
        return set()
    between = [(number + next_number) / 2 for number, next_number in pairwise(numbers)]
    spellings = set()
    for number in (*numbers, *between, numbers[0] - 1, numbers[-1] + 1):
        text = _decimal_text(number)
        while text in literals:
            text += "0"
        spellings.add(text)
    return spellings


def _decimal_text(number: Fraction) -> str:
    """Return a number that has a finite decimal expansion as text, with at least one digit after the point."""
    places = number.denominator.bit_length()
    digits = f"{abs(number.numerator) * 10**places // number.denominator:0{places + 1}}"
    return f"{'-' * (number < 0)}{digits[:-places]}.{digits[-places:]}"


def _numbers(content: Content) -> Iterator[Fraction]:
    if isinstance(content, int):
        yield Fraction(content)
    elif isinstance(content, frozenset):
        yield from (Fraction(value) for value in content if is_number(value))
