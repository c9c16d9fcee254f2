"""Describe tests of a word or of the sentence as clauses of English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from fictdsl.english import attributes
from fictdsl.english.names import Names
from fictdsl.english.phrases import article, joined, labels, listed, quoted
from fictdsl.english.phrases import regex as regex_phrase
from fictdsl.glossary.attributes import ALL, KEYED
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.word_lists import TAB

_MAX_SHOWN = 6  # entries of a list
_AMOUNTS = {"=": "exactly", "<": "fewer than", "<=": "at most", ">": "more than", ">=": "at least"}
_SUBSTRING_VERBS = {
    "contains": ("contains", "does not contain"),
    "starts": ("begins with", "does not begin with"),
    "ends": ("ends with", "does not end with"),
}
_ORDER = {"=": "", "<": "less than ", "<=": "at most ", ">": "greater than ", ">=": "at least "}


def describe_test(test: nodes.Test, subject: str, names: Names, *, negated: bool = False) -> str:
    """Describe a test of a word or of the sentence; if `negated`, its negation."""
    match test:
        case nodes.Not(test=negated_test):
            return describe_test(negated_test, subject, names, negated=not negated)
        case nodes.And(tests=tests) | nodes.Or(tests=tests):
            word = "and" if isinstance(test, nodes.And) != negated else "or"
            return joined([_parenthesized(part, subject, names, negated=negated) for part in tests], word)
        case nodes.Flag():
            return f"{'two' if negated else 'no two'} edges of the tree cross"
        case nodes.Has(attribute=attribute):
            return _presence(attribute, subject, negated=negated)
        case nodes.Member(attribute=attribute, negated=excluded, values=values):
            return _membership(attribute, values, subject, names, negated=excluded != negated)
        case nodes.Compare():
            return _comparison(test, subject, names, negated=negated)
    assert_never(test)


def describe_tags(tags: Sequence[str], subject: str, *, negated: bool = False) -> str:
    """Describe a test of UPOS tags: `S is a NOUN or a VERB`."""
    verb = "is not" if negated else "is"
    return f"{subject} {verb} {listed([article(tag) for tag in tags], 'or')}"


def _parenthesized(test: nodes.Test, subject: str, names: Names, *, negated: bool) -> str:
    text = describe_test(test, subject, names, negated=negated)
    while isinstance(test, nodes.Not):
        test = test.test
    return f"({text})" if isinstance(test, nodes.And | nodes.Or) else text


def _presence(attribute: nodes.Attribute, subject: str, *, negated: bool) -> str:
    verb = "does not have" if negated else "has"
    noun = attributes.noun_phrase(attribute)
    is_column = attribute.name in ALL and attribute.name not in KEYED
    return f"{subject} {verb} {article(noun.removeprefix('the ')) if is_column else noun}"


def _comparison(test: nodes.Compare, subject: str, names: Names, *, negated: bool) -> str:
    attribute = test.attribute
    values = [names.value(value) for value in test.values if not isinstance(value, nodes.RegexValue)]
    regexes = [value for value in test.values if isinstance(value, nodes.RegexValue)]
    if attributes.is_number(attribute) or test.op in ("<", "<=", ">", ">="):
        op, negated = ("=", not negated) if test.op == "!=" else (test.op, negated)
        return _number_comparison(attribute, op, values, subject, negated=negated)
    if test.op in _SUBSTRING_VERBS:
        verb, absence = _SUBSTRING_VERBS[test.op][negated], _absence_note(attribute, negated=negated)
        return f"{attributes.phrase_of(attribute, subject)} {verb} {quoted(values)[0]}{absence}"
    negated = negated != (test.op == "!=")
    parts = [_equality(attribute, values, subject, negated=negated, exact=test.op == "==")] if values else []
    parts += [_regex_match(attribute, regex, subject, negated=negated) for regex in regexes]
    return parts[0] if len(parts) == 1 else joined(parts, "and" if negated else "or")


def _number_comparison(
    attribute: nodes.Attribute, op: str, values: Sequence[str], subject: str, *, negated: bool
) -> str:
    value = listed(values, "or")
    if attribute.name == "length":
        return f"{subject} {'does not have' if negated else 'has'} {_amount(op, value, 'word')}"
    if attributes.has_length(attribute):
        verb = "does not have" if negated else "has"
        return f"the {attribute.name} of {subject} {verb} {_amount(op, value, 'character')}"
    number = "" if attributes.is_number(attribute) else "a number that is "
    return f"{attributes.phrase_of(attribute, subject)} is {'not ' if negated else ''}{number}{_ORDER[op]}{value}"


def _amount(op: str, value: str, noun: str) -> str:
    return f"{_AMOUNTS[op]} {value} {noun}{'' if value == '1' else 's'}"


def _equality(attribute: nodes.Attribute, values: Sequence[str], subject: str, *, negated: bool, exact: bool) -> str:
    not_ = "not " if negated else ""
    if attribute.name == "upos":
        return describe_tags(values, subject, negated=negated)
    if attribute.name == "deprel":
        relations = labels([], values) if exact else labels(values, [])
        return f"{subject} {'does not have' if negated else 'has'} the relation {relations}"
    if attributes.is_feature(attribute):
        feature_values = [f"{attributes.feature_name(attribute)}={value}" for value in values]
        return f"{subject} {'does not have' if negated else 'has'} {listed(feature_values, 'or')}"
    alternatives = listed(quoted(values), "or")
    if attribute.name == "phrase":
        return _phrase(attribute, alternatives, subject, negated=negated)
    return (
        f"{attributes.phrase_of(attribute, subject)} is {not_}{alternatives}{_absence_note(attribute, negated=negated)}"
    )


def _phrase(attribute: nodes.Attribute, alternatives: str, subject: str, *, negated: bool) -> str:
    subject_phrase = "no run of words" if negated else "a run of one or more words"
    case = ", in lower case," if attribute.lower else ""
    return f"{subject_phrase} that begins with {subject}{case} is {alternatives}"


def _regex_match(attribute: nodes.Attribute, regex: nodes.RegexValue, subject: str, *, negated: bool) -> str:
    verb = "does not match" if negated else "matches"
    absence = _absence_note(attribute, negated=negated)
    return f"the whole of {attributes.phrase_of(attribute, subject)} {verb} {regex_phrase(regex)}{absence}"


def _absence_note(attribute: nodes.Attribute, *, negated: bool) -> str:
    return " (or is absent)" if negated and attributes.mentions_absence(attribute) else ""


def _membership(
    attribute: nodes.Attribute,
    values: nodes.ListLiteral | nodes.ListRef,
    subject: str,
    names: Names,
    *,
    negated: bool,
) -> str:
    entries = _entries(values, names)
    if isinstance(values, nodes.ListLiteral) and 0 < len(entries) <= _MAX_SHOWN:
        if attributes.is_number(attribute):
            return _number_comparison(attribute, "=", entries, subject, negated=negated)
        return _equality(attribute, entries, subject, negated=negated, exact=False)
    alternatives = _list_phrase(values, entries)
    if attribute.name == "phrase":
        return _phrase(attribute, alternatives, subject, negated=negated)
    subtypes = " (or a subtype of one)" if attribute.name == "deprel" else ""
    verb = "is not" if negated else "is"
    absence = _absence_note(attribute, negated=negated)
    return f"{attributes.phrase_of(attribute, subject)} {verb} {alternatives}{subtypes}{absence}"


def describe_tuple(clause: nodes.TupleMember, names: Names) -> str:
    """Describe a tuple of attributes in a list: `the pair of the lemma of V and the lemma of P is one of …`."""
    attribute_phrases = [
        attributes.phrase_of(attribute.attribute, names.name(attribute.node.text)).rstrip(",")
        for attribute in clause.attributes
    ]
    rows = [f"({row.replace(TAB, ', ')})" for row in names.entries(clause.values.name)]
    noun = {2: "pair", 3: "triple"}.get(len(attribute_phrases), "row")
    verb = "is not" if clause.negated else "is"
    may_be_absent = clause.negated and any(attributes.mentions_absence(part.attribute) for part in clause.attributes)
    absent = ", or one of these is absent" if may_be_absent else ""
    return f"the {noun} of {listed(attribute_phrases)} {verb} {_list_phrase(clause.values, rows)}{absent}"


def _entries(values: nodes.ListLiteral | nodes.ListRef, names: Names) -> list[str]:
    if isinstance(values, nodes.ListRef):
        return names.entries(values.name)
    return [names.value(atom) for atom in values.values]


def _list_phrase(values: nodes.ListLiteral | nodes.ListRef, entries: Sequence[str]) -> str:
    name = f"@{values.name}" if isinstance(values, nodes.ListRef) else ""
    if not entries:
        return f"in {name}, which is empty" if name else "in the empty list"
    shown = ", ".join(entries[:_MAX_SHOWN]) + (", …" if len(entries) > _MAX_SHOWN else "")
    if not name:
        return f"one of the {len(entries):,} values {shown}"
    return f"{f'one of the {len(entries):,} entries' if len(entries) > 1 else 'the one entry'} of {name} ({shown})"
