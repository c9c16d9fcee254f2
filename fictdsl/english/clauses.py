"""Describe tests of words and sentences, and relations between words, as clauses of English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from fictdsl.attributes import ALL, KEYED
from fictdsl.english import nouns
from fictdsl.english.nouns import Names, joined, labels, quoted, regex
from fictdsl.english.nouns import labels as describe_labels
from fictdsl.english.nouns import regex as regex_phrase
from fictdsl.semantics.walk import named_labels
from fictdsl.syntax import nodes
from fictdsl.syntax.word_lists import TAB
from fictdsl.words import article, listed

_ORDER = {"<": "less than", "<=": "at most", ">": "greater than", ">=": "at least"}
_COMPARED = {"=": "is", "!=": "is not", **{op: f"is {words}" for op, words in _ORDER.items()}}


def describe_relation(relation: nodes.Relation, left: str, right: str, names: Names) -> str:
    match relation:
        case nodes.Edge(from_dependent=from_dependent):
            head, dependent = (right, left) if from_dependent else (left, right)
            return _edge(relation, head, dependent, names)
        case nodes.Path(labels=labels, bounds=bounds):
            return _path(bounds, left, right, "" if labels is None else _each_step(labels, bounds, names))
        case nodes.Next():
            return f"{right} is the word right after {left}"
        case nodes.Before(bounds=bounds):
            if bounds is not None and _limits(bounds) == (1, 1):
                return f"{right} is the word right after {left}"
            distance = "" if bounds is None or _limits(bounds) == (1, None) else f"{_range(*_limits(bounds), 'place')} "
            return f"{left} is {distance}before {right}"
        case nodes.Siblings():
            return f"{left} and {right} have the same head"
    assert_never(relation)


def describe_comparison(clause: nodes.AttributeComparison, names: Names) -> str:
    first, second = clause.left.attribute, clause.right.attribute
    left, right = (names.name(side.node.text) for side in (clause.left, clause.right))
    if clause.op in _ORDER:
        if first.name == second.name == "id" and clause.op in "<>":
            return f"{left} is {'before' if clause.op == '<' else 'after'} {right}"
        as_numbers = "" if nouns.is_number(first) and nouns.is_number(second) else ", as numbers"
        order = _ORDER[clause.op]
        return f"{nouns.phrase_of(first, left)} is {order} {nouns.phrase_of(second, right)}{as_numbers}"
    is_equality = clause.op == "="
    may_be_absent = not is_equality and any(nouns.mentions_absence(part) for part in (first, second))
    lacking, absent = (", or one of them lacks it", ", or one of these is absent") if may_be_absent else ("", "")
    if any(nouns.is_feature(part) or part.name == "misc" for part in (first, second)):
        share_phrase = f"share {'a' if is_equality else 'no'} value"
        if (first.name, first.key) == (second.name, second.key) and left != right:
            return f"{left} and {right} {share_phrase} of {nouns.noun_phrase(first)}{lacking}"
        return f"{nouns.phrase_of(first, left)} and {nouns.phrase_of(second, right)} {share_phrase}{absent}"
    same_attribute = (first.name, first.key, first.lower) == (second.name, second.key, second.lower)
    if same_attribute and left != right and not nouns.is_number(first):
        noun = nouns.noun_phrase(first).removeprefix("the ")
        case = ", in lower case" if first.lower else ""
        return f"{left} and {right} {'have' if is_equality else 'do not have'} the same {noun}{case}{lacking}"
    verb = "is" if is_equality else "is not"
    compared = f"{verb} the same as {nouns.phrase_of(second, right).rstrip(',')}"
    return f"{nouns.phrase_of(first, left)} {compared}{absent}"


def describe_sums(clause: nodes.SumComparison, names: Names) -> str:
    left, right = (_sum(side, names) for side in (clause.left, clause.right))
    return f"{left} {_COMPARED[clause.op]} {right}"


def _sum(summands: Sequence[nodes.Summand], names: Names) -> str:
    first, *others = summands
    added = (f" {'minus' if summand.negated else 'plus'} {_number(summand.number, names)}" for summand in others)
    return f"{'−' if first.negated else ''}{_number(first.number, names)}{''.join(added)}"


def _number(number: nodes.Measure | int, names: Names) -> str:
    if isinstance(number, int):
        return str(number)
    words = [names.name(name.text) for name in number.nodes]
    match number.kind:
        case "subtree":
            return f"the number of words of the subtree of {words[0]}"
        case "span":
            return f"the number of words of the span from {words[0]} to {words[1]}"
    return f"the distance of {words[0]} and {words[1]}"


def may_be_one_word(block: nodes.Block) -> bool:
    """Return whether a `->>{0..}` or `A may be B` in the block itself allows two of its nodes to be the same word."""
    if any(isinstance(clause, nodes.Coincide) for clause in block.clauses):
        return True
    chains = (clause for clause in block.clauses if isinstance(clause, nodes.Chain))
    relations = (link.relation for chain in chains for link in chain.links)
    return any(
        isinstance(relation, nodes.Path) and relation.bounds is not None and relation.bounds.low == 0
        for relation in relations
    )


def _edge(edge: nodes.Edge, head: str, dependent: str, names: Names) -> str:
    if edge.labels is None:
        return f"{dependent} depends on {head}{' in the enhanced graph' if edge.enhanced else ''}"
    label = _labels(edge.labels, names)
    if not edge.enhanced:
        return f"{dependent} depends on {head}{', but not' if edge.labels.negated else ''} as {label}"
    if edge.labels.negated:
        return f"in the enhanced graph some relation other than {label} goes from {head} to {dependent}"
    return f"{dependent} depends on {head} in the enhanced graph as {label}"


def _labels(labels: nodes.Labels, names: Names) -> str:
    labels_with_items = list(named_labels(labels))
    by_exactness = {
        exact: [names.value(name) for name, item in labels_with_items if item.exact == exact] for exact in (0, 1)
    }
    patterns = [item.label for item in labels.labels if isinstance(item.label, nodes.RegexValue)]
    return describe_labels(by_exactness[0], by_exactness[1], [regex(pattern) for pattern in patterns])


def _each_step(labels: nodes.Labels, bounds: nodes.Bounds | None, names: Names) -> str:
    if bounds is not None and _limits(bounds) == (0, 0):
        return ""
    return f", {'no' if labels.negated else 'each'} step as {_labels(labels, names)}"


def _path(bounds: nodes.Bounds | None, above: str, below: str, labels: str) -> str:
    low, high = (1, None) if bounds is None else _limits(bounds)
    if high == 0:
        return f"{below} is {above} itself"
    itself = f"{above} itself, or " if low == 0 else ""
    low = max(low, 1)
    distance = "somewhere" if (low, high) == (1, None) else _range(low, high, "step")
    return f"{below} is {itself}{distance} below {above} in the tree{labels}"


def _limits(bounds: nodes.Bounds) -> tuple[int, int | None]:
    return 1 if bounds.low is None else bounds.low, bounds.high


def _range(low: int, high: int | None, noun: str) -> str:
    if high is None:
        return f"{low} or more {noun}s"
    if low == high:
        return f"{low} {noun}{'' if low == 1 else 's'}"
    return f"{low} {'or' if high == low + 1 else 'to'} {high} {noun}s"


_MAX_SHOWN = 6  # entries of a list
_AMOUNTS = {"=": "exactly", "<": "fewer than", "<=": "at most", ">": "more than", ">=": "at least"}
_SUBSTRING_VERBS = {
    "contains": ("contains", "does not contain"),
    "starts": ("begins with", "does not begin with"),
    "ends": ("ends with", "does not end with"),
}
_TESTS_ORDER = {"=": "", "<": "less than ", "<=": "at most ", ">": "greater than ", ">=": "at least "}


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
    return f"{subject} {verb} {listed([f'{article(tag)} {tag}' for tag in tags], 'or')}"


def _parenthesized(test: nodes.Test, subject: str, names: Names, *, negated: bool) -> str:
    text = describe_test(test, subject, names, negated=negated)
    while isinstance(test, nodes.Not):
        test = test.test
    return f"({text})" if isinstance(test, nodes.And | nodes.Or) else text


def _presence(attribute: nodes.Attribute, subject: str, *, negated: bool) -> str:
    verb = "does not have" if negated else "has"
    noun = nouns.noun_phrase(attribute)
    is_column = attribute.name in ALL and attribute.name not in KEYED
    if is_column:
        noun = noun.removeprefix("the ")
        noun = f"{article(noun)} {noun}"
    return f"{subject} {verb} {noun}"


def _comparison(test: nodes.Compare, subject: str, names: Names, *, negated: bool) -> str:
    attribute = test.attribute
    values = [names.value(value) for value in test.values if not isinstance(value, nodes.RegexValue)]
    regexes = [value for value in test.values if isinstance(value, nodes.RegexValue)]
    if nouns.is_number(attribute) or test.op in ("<", "<=", ">", ">="):
        op, negated = ("=", not negated) if test.op == "!=" else (test.op, negated)
        return _number_comparison(attribute, op, values, subject, negated=negated)
    if test.op in _SUBSTRING_VERBS:
        verb, absence = _SUBSTRING_VERBS[test.op][negated], _absence_note(attribute, negated=negated)
        return f"{nouns.phrase_of(attribute, subject)} {verb} {quoted(values)[0]}{absence}"
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
    if nouns.has_length(attribute):
        verb = "does not have" if negated else "has"
        return f"the {attribute.name} of {subject} {verb} {_amount(op, value, 'character')}"
    number = "" if nouns.is_number(attribute) else "a number that is "
    return f"{nouns.phrase_of(attribute, subject)} is {'not ' if negated else ''}{number}{_TESTS_ORDER[op]}{value}"


def _amount(op: str, value: str, noun: str) -> str:
    return f"{_AMOUNTS[op]} {value} {noun}{'' if value == '1' else 's'}"


def _equality(attribute: nodes.Attribute, values: Sequence[str], subject: str, *, negated: bool, exact: bool) -> str:
    not_ = "not " if negated else ""
    if attribute.name == "upos":
        return describe_tags(values, subject, negated=negated)
    if attribute.name == "deprel":
        relations = labels([], values) if exact else labels(values, [])
        return f"{subject} {'does not have' if negated else 'has'} the relation {relations}"
    if nouns.is_feature(attribute):
        feature_values = [f"{nouns.feature_name(attribute)}={value}" for value in values]
        return f"{subject} {'does not have' if negated else 'has'} {listed(feature_values, 'or')}"
    alternatives = listed(quoted(values), "or")
    if attribute.name == "phrase":
        return _phrase(attribute, alternatives, subject, negated=negated)
    return f"{nouns.phrase_of(attribute, subject)} is {not_}{alternatives}{_absence_note(attribute, negated=negated)}"


def _phrase(attribute: nodes.Attribute, alternatives: str, subject: str, *, negated: bool) -> str:
    subject_phrase = "no run of words" if negated else "a run of one or more words"
    case = ", in lower case," if attribute.lower else ""
    return f"{subject_phrase} that begins with {subject}{case} is {alternatives}"


def _regex_match(attribute: nodes.Attribute, regex: nodes.RegexValue, subject: str, *, negated: bool) -> str:
    verb = "does not match" if negated else "matches"
    absence = _absence_note(attribute, negated=negated)
    return f"the whole of {nouns.phrase_of(attribute, subject)} {verb} {regex_phrase(regex)}{absence}"


def _absence_note(attribute: nodes.Attribute, *, negated: bool) -> str:
    return " (or is absent)" if negated and nouns.mentions_absence(attribute) else ""


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
        if nouns.is_number(attribute):
            return _number_comparison(attribute, "=", entries, subject, negated=negated)
        return _equality(attribute, entries, subject, negated=negated, exact=False)
    alternatives = _list_phrase(values, entries)
    if attribute.name == "phrase":
        return _phrase(attribute, alternatives, subject, negated=negated)
    subtypes = " (or a subtype of one)" if attribute.name == "deprel" else ""
    verb = "is not" if negated else "is"
    absence = _absence_note(attribute, negated=negated)
    return f"{nouns.phrase_of(attribute, subject)} {verb} {alternatives}{subtypes}{absence}"


def describe_tuple(clause: nodes.TupleMember, names: Names) -> str:
    """Describe a tuple of attributes in a list: `the pair of the lemma of V and the lemma of P is one of …`."""
    attribute_phrases = [
        nouns.phrase_of(attribute.attribute, names.name(attribute.node.text)).rstrip(",")
        for attribute in clause.attributes
    ]
    rows = [f"({row.replace(TAB, ', ')})" for row in names.entries(clause.values.name)]
    noun = {2: "pair", 3: "triple"}.get(len(attribute_phrases), "row")
    verb = "is not" if clause.negated else "is"
    may_be_absent = clause.negated and any(nouns.mentions_absence(part.attribute) for part in clause.attributes)
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
