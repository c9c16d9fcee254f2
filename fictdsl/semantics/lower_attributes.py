"""Lower tests: resolve attributes, expand lists, and make relation subtypes and negation explicit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, assert_never, cast

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.schema import COMPUTED, KEYED, LOWERED, Kind
from fictdsl.semantics import ir
from fictdsl.semantics.check_attributes import ATTRIBUTES, is_feature
from fictdsl.semantics.expand import Frame, LimitError
from fictdsl.syntax import nodes
from fictdsl.syntax.nodes import SUBSTRING_OPERATORS
from fictdsl.syntax.regex import Alternation, AnyChar, Category, Char, CharClass, CharRange, Regex, Repeat, Sequence
from fictdsl.syntax.walk import Level, named_labels

MAX_SIZE = 200_000  # instructions; RE2 as configured by DuckDB fails at about 350,000
# Instructions that match one character of a category in UTF-8, rounded up.
_CATEGORY_SIZES = {"d": 1, "L": 800, "Lu": 500, "Ll": 500, "N": 400, "P": 400}


def size(regex: Regex) -> int:
    """Return an upper estimate of the number of instructions of the compiled regex."""
    match regex:
        case Char():
            return 4
        case AnyChar():
            return 12
        case Category(name=name):
            return _CATEGORY_SIZES[name]
        case CharClass(members=members):
            return 12 + sum(_member_size(member) for member in members)
        case Repeat(item=item, low=low, high=high):
            return 2 + (size(item) + 1) * max(low, 1 if high is None else high)
        case Sequence(parts=parts) | Alternation(branches=parts):
            return 1 + sum(size(part) + 1 for part in parts)
    assert_never(regex)


def _member_size(member: Char | CharRange | Category) -> int:
    match member:
        case Category(name=name):
            return _CATEGORY_SIZES[name]
        case Char():
            return 8
        case CharRange():
            return 24
    assert_never(member)


MAX_PHRASE_SPACES = 64


def lower_test(test: nodes.Test, frame: Frame, level: Level) -> ir.Test:
    match test:
        case nodes.And(tests=tests):
            return ir.All(tuple(lower_test(part, frame, level) for part in tests))
        case nodes.Or(tests=tests):
            return ir.Any(tuple(lower_test(part, frame, level) for part in tests))
        case nodes.Not(test=negated_test):
            return ir.Not(lower_test(negated_test, frame, level))
        case nodes.Has(attribute=attribute):
            return _presence_test(attribute, level)
        case nodes.Flag():
            return ir.Projective()
        case nodes.Member(attribute=attribute, negated=negated, values=values):
            member = _equality_test(attribute, _list_texts(values, frame), frame, level)
            return ir.Not(member) if negated else member
        case nodes.Compare():
            return _comparison_test(test, frame, level)
    assert_never(test)


def upos_test(upos: tuple[nodes.Atom, ...], frame: Frame) -> ir.Test:
    return ir.OneOf(ir.Column("upos"), _sorted_unique(frame.text(atom) for atom in upos))


def lower_labels(labels: nodes.Labels | None, frame: Frame) -> ir.Labels | None:
    if labels is None:
        return None
    labels_with_items = list(named_labels(labels))
    plain = _sorted_unique(frame.text(name) for name, label_test in labels_with_items if not label_test.exact)
    exact = _sorted_unique(frame.text(name) for name, label_test in labels_with_items if label_test.exact)
    regexes = (label_test.label for label_test in labels.labels if isinstance(label_test.label, nodes.RegexValue))
    patterns = dict.fromkeys(_pattern(regex, frame) for regex in regexes)
    return ir.Labels(plain, exact, labels.negated, tuple(patterns))


def string_attribute(attribute: nodes.Attribute, level: Level) -> ir.Strings:
    name, key = attribute.name, attribute.key
    if is_feature(name):
        return ir.Feature(name if key is None else f"{name}[{key}]")
    if name in KEYED and key is not None:
        return ir.Misc(key) if name == "misc" else ir.Meta(key)
    if name in COMPUTED:
        return ir.Computed(name)
    column = ATTRIBUTES[level][name].column
    assert column is not None, name
    if level == "sentence":
        return ir.SentenceColumn(column)
    return ir.Column(LOWERED[column] if attribute.lower else column)


def number_column(attribute: nodes.Attribute, level: Level) -> ir.NumberColumn | None:
    entry = ATTRIBUTES[level].get(attribute.full_name)
    if entry is None or entry.kind is not Kind.NUMBER:
        return None
    assert entry.column is not None, attribute.name
    return ir.NumberColumn(entry.column)


def _comparison_test(test: nodes.Compare, frame: Frame, level: Level) -> ir.Test:
    if test.op == "!=":
        return ir.Not(_comparison_test(nodes.Compare(test.attribute, "=", test.values, span=test.span), frame, level))
    atoms = [value for value in test.values if not isinstance(value, nodes.RegexValue)]
    texts = [frame.text(atom) for atom in atoms]
    if test.op in SUBSTRING_OPERATORS:
        position = cast('Literal["contains", "starts", "ends"]', test.op)
        return ir.Contains(string_attribute(test.attribute, level), position, texts[0])
    number = number_column(test.attribute, level)
    if test.op not in ("=", "=="):
        op = cast("ir.Comparison", test.op)
        attribute = number or string_attribute(test.attribute, level)
        return _any_of([ir.Compares(attribute, op, canonical_number(text)) for text in texts])
    if test.op == "==":
        return ir.Bears(ir.Labels((), _sorted_unique(texts)))
    tests: list[ir.Test] = [_equality_test(test.attribute, texts, frame, level)] if texts else []
    tests += [
        _regex_test(test.attribute, value, frame, level) for value in test.values if isinstance(value, nodes.RegexValue)
    ]
    return _any_of(tests)


def _regex_test(attribute: nodes.Attribute, value: nodes.RegexValue, frame: Frame, level: Level) -> ir.Test:
    pattern = _pattern(value, frame)
    return ir.Matches(string_attribute(attribute, level), pattern.regex, pattern.ignore_case)


def _pattern(value: nodes.RegexValue, frame: Frame) -> ir.Pattern:
    if size(value.regex) > MAX_SIZE:
        raise LimitError(diagnostic("FICT408", frame.module.source, value.span, text=value.text))
    return ir.Pattern(value.regex, value.ignore_case)


def _equality_test(attribute: nodes.Attribute, values: Iterable[str], frame: Frame, level: Level) -> ir.Test:
    number = number_column(attribute, level)
    if number is not None:
        return _any_of([ir.Compares(number, "=", canonical_number(value)) for value in _sorted_unique(values)])
    if level == "word" and attribute.name == "phrase":
        return _phrase_test(attribute, _sorted_unique(values), frame)
    if level == "word" and attribute.name == "deprel":
        return ir.Bears(ir.Labels(_sorted_unique(values), ()))
    return ir.OneOf(string_attribute(attribute, level), _sorted_unique(values))


def _phrase_test(attribute: nodes.Attribute, values: tuple[str, ...], frame: Frame) -> ir.Test:
    for value in values:
        if value.count(" ") > MAX_PHRASE_SPACES:
            raise LimitError(
                diagnostic("FICT405", frame.module.source, attribute.span, start=value[:40], limit=MAX_PHRASE_SPACES)
            )
    return ir.Phrase(values, attribute.lower)


def _presence_test(attribute: nodes.Attribute, level: Level) -> ir.Test:
    if number_column(attribute, level) is None:
        return ir.Present(string_attribute(attribute, level))
    is_required = ATTRIBUTES[level][attribute.full_name].required
    # a number computed from another attribute is absent where that attribute is
    return ir.All(()) if is_required else ir.Present(string_attribute(replace(attribute, key=None), level))


def _list_texts(values: nodes.ListLiteral | nodes.ListRef, frame: Frame) -> Iterable[str]:
    match values:
        case nodes.ListLiteral(values=atoms):
            return [frame.text(atom) for atom in atoms]
        case nodes.ListRef():
            return frame.list_values(values)
    assert_never(values)


def _any_of(tests: list[ir.Test]) -> ir.Test:
    return tests[0] if len(tests) == 1 else ir.Any(tuple(tests))


def _sorted_unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(values)))


def canonical_number(text: str) -> str:
    """Return a decimal number in canonical form: `+07.50` becomes `7.5`."""
    sign = "-" if text.startswith("-") else ""
    integer, _, fraction = text.lstrip("+-").partition(".")
    integer, fraction = integer.lstrip("0") or "0", fraction.rstrip("0")
    absolute = f"{integer}.{fraction}" if fraction else integer
    return absolute if absolute == "0" else sign + absolute
