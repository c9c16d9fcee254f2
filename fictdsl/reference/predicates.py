"""Build the predicates of tests, comparisons and relations for the reference interpreter."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import assert_never

from fictdsl.reference.automaton import Automaton
from fictdsl.reference.sentences import Sentence, Word, decimal, number_of, runs, values_of
from fictdsl.syntax import nodes
from fictdsl.syntax.load import Module


@dataclass(frozen=True)
class Names:
    """The lists and patterns that a file can use: its own, and the ones in files that it names in `use`.

    `lists` maps a name to its entries. `patterns` maps a name to its definition and to the module that resolves the
    names in that definition.
    """

    lists: dict[str, tuple[str, ...]]
    patterns: dict[str, tuple[nodes.PatternDef, Module]]


def names_of(module: Module) -> Names:
    """Return the names of a file. `use` is not transitive."""
    names = Names({}, {})
    for item in module.file.items:
        if isinstance(item, nodes.Use):
            _define(module.uses[item.path.text], names)
    _define(module, names)
    return names


def _define(module: Module, names: Names) -> None:
    for item in module.file.items:
        if isinstance(item, nodes.ListDef):
            entries = module.entries(item)
            assert entries is not None, item.name.text
            names.lists[item.name.text] = entries
        elif isinstance(item, nodes.PatternDef):
            names.patterns[item.name.text] = (item, module)


WordTest = Callable[[Sentence, Word | None], bool]  # None in the tests of `sentence[…]`
PairTest = Callable[[Sentence, Word, Word], bool]  # of the words left and right of a relation or comparison
Ordering = Callable[[int | Fraction, int | Fraction], bool]

ORDERINGS: dict[str, Ordering] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


_SUBSTRINGS: dict[str, Callable[[str, str], bool]] = {
    "contains": lambda value, part: part in value,
    "starts": str.startswith,
    "ends": str.endswith,
}


@dataclass(frozen=True)
class PredicateBuilder:
    names: Names
    family_value: str | None

    def text(self, atom: nodes.Atom) -> str:
        if isinstance(atom, nodes.Param):
            assert self.family_value is not None, f"${atom.name} is outside a family"
            return self.family_value
        return atom.text

    def test(self, test: nodes.Test) -> WordTest:
        """Return the predicate of a test. Logic is two-valued: a test is true or false of every word."""
        match test:
            case nodes.Not(negated_test):
                holds = self.test(negated_test)
                return lambda sentence, word: not holds(sentence, word)
            case nodes.Or(tests):
                alternatives = [self.test(part) for part in tests]
                return lambda sentence, word: any(part(sentence, word) for part in alternatives)
            case nodes.And(tests):
                conjuncts = [self.test(part) for part in tests]
                return lambda sentence, word: all(part(sentence, word) for part in conjuncts)
            case nodes.Has(attribute):
                return _presence(attribute)
            case nodes.Flag():
                return lambda sentence, _: not any(cross(a, b) for a in sentence.words for b in sentence.words)
            case nodes.Member(attribute, negated, values):
                if isinstance(values, nodes.ListRef):
                    entries = self.names.lists[values.name]
                else:
                    entries = tuple(self.text(value) for value in values.values)
                if number_of(attribute) is not None:
                    is_member = _number_test(attribute, "=", entries)
                else:
                    is_member = _equality(attribute, entries, (), exact=False)
                return _negate(is_member, negated)
            case nodes.Compare():
                return self._compare(test)
        assert_never(test)

    def _compare(self, test: nodes.Compare) -> WordTest:
        strings = tuple(self.text(value) for value in test.values if not isinstance(value, nodes.RegexValue))
        regexes = tuple(value for value in test.values if isinstance(value, nodes.RegexValue))
        if number_of(test.attribute) is not None or test.op in {"<", "<=", ">", ">="}:
            return _number_test(test.attribute, test.op, strings)
        if test.op in _SUBSTRINGS:
            values, holds = values_of(test.attribute), _SUBSTRINGS[test.op]
            return lambda sentence, word: any(holds(value, strings[0]) for value in values(sentence, word))
        positive = _equality(test.attribute, strings, regexes, exact=test.op == "==")
        return _negate(positive, test.op == "!=")

    def in_rows(self, clause: nodes.TupleMember) -> Callable[..., bool]:
        """Return the predicate `holds(sentence, *words)` of a tuple of attributes in a list with columns."""
        rows = {tuple(row.split("\t")) for row in self.names.lists[clause.values.name]}
        columns = [values_of(side.attribute) for side in clause.attributes]

        def holds(sentence: Sentence, *words: Word) -> bool:
            values = [column(sentence, word) for column, word in zip(columns, words, strict=True)]
            return any(row in rows for row in product(*values)) != clause.negated

        return holds

    def labels(self, labels: nodes.Labels | None) -> Callable[[str | None], bool]:
        """Return the predicate of labels, or of any label. It is called with None for an edge without one."""
        if labels is None:
            return lambda _: True
        label_tests = [self._label(label_test) for label_test in labels.labels]

        @lru_cache(maxsize=10_000)
        def fits(label: str | None) -> bool:
            is_in_list = label is not None and any(is_listed(label) for is_listed in label_tests)
            return is_in_list != labels.negated

        return fits

    def _label(self, label_test: nodes.LabelTest) -> Callable[[str], bool]:
        if isinstance(label_test.label, nodes.RegexValue):
            return Automaton(label_test.label.regex, ignore_case=label_test.label.ignore_case).matches
        relation = self.text(label_test.label)
        return (lambda label: label == relation) if label_test.exact else (lambda label: is_a(label, relation))


def is_a(label: str, relation: str) -> bool:
    """Return whether a label is that relation or a subtype of it: `nsubj:pass` is an `nsubj`."""
    return label == relation or label.startswith(f"{relation}:")


def cross(left: Word, right: Word) -> bool:
    """Return whether the edges into two words cross. Edges with a common end do not, and the root has no edge."""
    if 0 in (left.head, right.head):
        return False
    (a, b), (c, d) = sorted((left.id, left.head)), sorted((right.id, right.head))
    return a < c < b < d or c < a < d < b


def _negate(holds: WordTest, negated: bool) -> WordTest:
    return (lambda sentence, word: not holds(sentence, word)) if negated else holds


def _presence(attribute: nodes.Attribute) -> WordTest:
    values = values_of(attribute) if number_of(attribute) is None else _numbers_of(attribute)
    return lambda sentence, word: bool(values(sentence, word))


def _equality(
    attribute: nodes.Attribute, strings: tuple[str, ...], regexes: tuple[nodes.RegexValue, ...], *, exact: bool
) -> WordTest:
    """Return the positive test: a value of the word is one of the strings or matches one of the regexes.

    Unless `exact`, a value of `deprel` may also be a subtype of one of the strings.
    """
    expected = frozenset(strings)
    if attribute.name == "phrase":
        max_length = max(map(len, expected), default=0)
        return lambda sentence, word: (
            word is not None
            and bool(expected)
            and any(run in expected for run in runs(sentence, word, max_length, attribute.lower))
        )
    automata = [Automaton(regex.regex, ignore_case=regex.ignore_case) for regex in regexes]
    include_subtypes = attribute.name == "deprel" and not exact

    @lru_cache(maxsize=100_000)
    def fits(value: str) -> bool:
        if value in expected or (include_subtypes and any(is_a(value, relation) for relation in expected)):
            return True
        return any(automaton.matches(value) for automaton in automata)

    values = values_of(attribute)
    return lambda sentence, word: any(fits(value) for value in values(sentence, word))


def _number_test(attribute: nodes.Attribute, op: str, strings: tuple[str, ...]) -> WordTest:
    """Return a comparison of numbers. If the value is absent or not a number, `!=` is true and all others are false."""
    bounds = [bound for bound in map(decimal, strings) if bound is not None]
    if op == "!=":
        return _negate(_number_test(attribute, "=", strings), True)
    numbers, compare = _numbers_of(attribute), ORDERINGS[op]
    return lambda sentence, word: any(compare(number, bound) for number in numbers(sentence, word) for bound in bounds)


def _number_comparison(
    left: nodes.Attribute, op: str, right: nodes.Attribute
) -> Callable[[Sentence, Word, Word], bool]:
    """Return the comparison of two attributes as numbers. It holds if it holds for some number of each."""
    left_numbers, right_numbers, compare = _numbers_of(left), _numbers_of(right), ORDERINGS[op]
    return lambda sentence, a, b: any(
        compare(x, y) for x in left_numbers(sentence, a) for y in right_numbers(sentence, b)
    )


def _numbers_of(attribute: nodes.Attribute) -> Callable[[Sentence, Word | None], list[int | Fraction]]:
    if (number := number_of(attribute)) is not None:
        return lambda sentence, word: [value for value in (number(sentence, word),) if value is not None]
    values = values_of(attribute)
    return lambda sentence, word: [value for value in map(decimal, values(sentence, word)) if value is not None]


def comparison(clause: nodes.AttributeComparison) -> PairTest:
    """Return the comparison of two words' attributes. Strings are equal if the words share a value."""
    left, right = clause.left.attribute, clause.right.attribute
    if clause.op == "!=":
        equal = comparison(nodes.AttributeComparison(clause.left, "=", clause.right, span=clause.span))
        return lambda sentence, a, b: not equal(sentence, a, b)
    if clause.op != "=" or number_of(left) is not None:
        return _number_comparison(left, clause.op, right)
    values_left, values_right = values_of(left), values_of(right)
    return lambda sentence, a, b: not set(values_left(sentence, a)).isdisjoint(values_right(sentence, b))


def pair_test(relation: nodes.Relation, builder: PredicateBuilder) -> PairTest:
    match relation:
        case nodes.Next():
            return lambda _, left, right: right.id == left.id + 1
        case nodes.Before(bounds):
            low, high = limits(bounds)
            return lambda _, left, right: low <= right.id - left.id <= high
        case nodes.Siblings():
            return lambda _, left, right: left.head == right.head != 0
        case nodes.Path(labels, bounds):
            low, high = limits(bounds)
            return _path(builder.labels(labels), low, high)
        case nodes.Edge(labels, from_dependent, enhanced):
            label_fits = builder.labels(labels)
            edge = _enhanced(label_fits) if enhanced else _basic(label_fits)
            return (lambda sentence, left, right: edge(sentence, right, left)) if from_dependent else edge
    assert_never(relation)


def limits(bounds: nodes.Bounds | None) -> tuple[int, float]:
    """Return the lowest and the highest distance allowed; by default, one or more."""
    if bounds is None:
        return 1, float("inf")
    return 1 if bounds.low is None else bounds.low, float("inf") if bounds.high is None else bounds.high


def _basic(label_fits: Callable[[str | None], bool]) -> PairTest:
    return lambda _, head, dependent: dependent.head == head.id and label_fits(dependent.deprel)


def _enhanced(label_fits: Callable[[str | None], bool]) -> PairTest:
    def edge(_: Sentence, head: Word, dependent: Word) -> bool:
        head_id = str(head.id)
        return any(edge_head == head_id and label_fits(label) for edge_head, label in dependent.deps)

    return edge


def _path(label_fits: Callable[[str | None], bool], low: int, high: float) -> PairTest:
    """Return the predicate of `->>`: follow heads up from the lower word, without repeating a word."""

    def path(sentence: Sentence, upper: Word, lower: Word) -> bool:
        steps, word = 0, lower
        while word.id != upper.id:
            if word.head == 0 or not label_fits(word.deprel) or steps == len(sentence.words):
                return False
            word, steps = sentence.words[word.head - 1], steps + 1
        return low <= steps <= high

    return path


def sum_comparison(clause: nodes.SumComparison, names: tuple[str, ...]) -> Callable[..., bool]:
    """Return the predicate `holds(sentence, *words)` of a comparison of numbers of words; `names` are of the words."""
    compare = ORDERINGS[clause.op]

    def holds(sentence: Sentence, *words: Word) -> bool:
        bound = dict(zip(names, words, strict=True))
        left, right = (_total(side, bound, sentence) for side in (clause.left, clause.right))
        return compare(left, right)

    return holds


def _total(summands: tuple[nodes.Summand, ...], bound: dict[str, Word], sentence: Sentence) -> int:
    total = 0
    for summand in summands:
        number = summand.number
        value = number if isinstance(number, int) else _measured(number, bound, sentence)
        total += -value if summand.negated else value
    return total


def _measured(measure: nodes.Measure, bound: dict[str, Word], sentence: Sentence) -> int:
    words = [bound[name.text] for name in measure.nodes]
    if measure.kind == "subtree":
        return sum(is_in_subtree(sentence, word.id, words[0].id) for word in sentence.words)
    first, last = sorted(word.id for word in words)
    return len(range(first, last + 1)) if measure.kind == "span" else last - first


def is_in_subtree(sentence: Sentence, word_id: int, top_id: int) -> bool:
    """Return whether a path of heads leads from a word to the word `top_id`, or both are the same."""
    steps = 0
    while word_id not in (0, top_id) and steps < len(sentence.words):  # the heads may form a cycle without `top_id`
        word_id, steps = sentence.words[word_id - 1].head, steps + 1
    return word_id == top_id
