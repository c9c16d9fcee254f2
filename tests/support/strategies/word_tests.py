"""Tests of words and of sentences, each with values its attribute can have."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from hypothesis import strategies as st

from fictdsl.source import Span
from fictdsl.syntax.nodes import (
    And,
    Atom,
    Attribute,
    Compare,
    Has,
    ListLiteral,
    ListRef,
    Member,
    Not,
    Or,
    Param,
    RegexValue,
    Test,
    Value,
)
from fictdsl.syntax.regex import Regex
from fictdsl.syntax.regex_parse import parse_regex
from tests.support.strategies import vocabulary as v

NOWHERE = Span(0, 0)
_BARE = re.compile(r"(?!_$)[A-Za-z0-9_]+(:[A-Za-z0-9_]+)*")


@dataclass(frozen=True)
class Scope:
    """What a test may look at and name: `focus` picks from the kinds of simple tests (see `focuses`); the lists in
    sight; and the parameter of the family, if there is one."""

    focus: tuple[int, ...]
    lists: tuple[str, ...] = ()
    parameter: str | None = None


@dataclass(frozen=True)
class _Kind:
    """An attribute with values worth comparing it with."""

    attribute: Attribute
    values: tuple[str, ...]


def _attribute(name: str, key: str | None = None, *, lower: bool = False, quoted: bool = False) -> Attribute:
    return Attribute(name, key, lower, NOWHERE, quoted)


def keyed(name: str, key: str) -> Attribute:
    """`misc.key`, quoted where it must be."""
    return _attribute(name, key, quoted=_BARE.fullmatch(key) is None)


def feature(full: str) -> Attribute:
    """`Number`, `Number[psor]`."""
    name, _, layer = full.partition("[")
    return _attribute(name, layer.removesuffix("]") or None)


def _lowered(text: str) -> str:
    return unicodedata.normalize("NFC", text.lower())


LOWER_FORMS = tuple(sorted({_lowered(form) for form in v.FORMS}))
PLAIN_KINDS = (
    _Kind(_attribute("form"), v.COMMON_FORMS),
    _Kind(_attribute("form"), v.ODD_FORMS),
    _Kind(_attribute("lemma"), v.LEMMAS),
    _Kind(_attribute("upos"), v.UPOS),
    _Kind(_attribute("xpos"), v.XPOS),
    _Kind(_attribute("deprel"), v.DEPRELS),
    *(_Kind(feature(name), values) for name, values in v.FEATURES.items()),
    *(_Kind(keyed("misc", key), v.MISC_VALUES) for key in v.MISC_KEYS),
)
LOWER_KINDS = (
    _Kind(_attribute("form", lower=True), LOWER_FORMS),
    _Kind(_attribute("lemma", lower=True), tuple(_lowered(lemma) for lemma in v.LEMMAS)),
)
NUMBER_ATTRIBUTES = (_attribute("id"), _attribute("form", "length"), _attribute("lemma", "length"))
SENTENCE_KINDS = (
    _Kind(_attribute("text"), v.TEXTS),
    _Kind(_attribute("sent_id"), v.SENT_IDS),
    _Kind(_attribute("doc"), v.DOCS),
    *(_Kind(keyed("meta", key), v.META_VALUES) for key in (*v.META_KEYS, "sent_id")),
)
PIECES = (
    "a", "d", "e", "g", "o", "s", "t", "h", "T", "N", "S", "dog", "the", "at", "\\.", "\\|", "\\/", "é", "É",
    "'", '"', "_", "%", " ", ":", "\\$", "\\p{L}", "\\p{Lu}", "\\p{Ll}", "\\p{N}", "\\p{P}", "\\d", ".",
    "[a-m]", "[^a-m]", "[dDt]", "[^\\p{Ll}]", "[\\d_'é]", "[A-Z]", "[a\\-]",
)  # fmt: skip


def values(texts: tuple[str, ...]) -> st.SearchStrategy[Value]:
    """A literal, bare where it may be, or quoted."""
    return st.builds(
        lambda text, quoted: Value(text, quoted or _BARE.fullmatch(text) is None, NOWHERE),
        st.sampled_from(texts),
        st.booleans(),
    )


def atoms(texts: tuple[str, ...], scope: Scope) -> st.SearchStrategy[Atom]:
    """A literal or, in a family, its parameter."""
    if scope.parameter is None:
        return values(texts)
    return values(texts) | st.just(Param(scope.parameter, NOWHERE))


@st.composite
def regex_texts(draw: st.DrawFn, depth: int = 2) -> str:
    """The text of a regular expression of the declared subset."""
    if depth == 0 or draw(st.booleans()):
        piece = draw(st.sampled_from(PIECES))
    else:
        branches = draw(st.lists(regex_texts(depth=depth - 1), min_size=1, max_size=3))
        piece = "(" + "|".join(branches) + ")"
    if piece.startswith(("(", "[", "\\", ".")) or len(piece) == 1:
        piece += draw(st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "{0}"]))
    return piece + (draw(regex_texts(depth=depth - 1)) if depth and draw(st.booleans()) else "")


@st.composite
def regex_values(draw: st.DrawFn) -> RegexValue:
    """`/re/` or `/re/i`."""
    text = draw(regex_texts())
    parsed = parse_regex(text, 0)
    assert isinstance(parsed, Regex), f"/{text}/ is in the subset: {parsed}"
    return RegexValue(text, draw(st.booleans()), parsed, NOWHERE)


@st.composite
def string_tests(draw: st.DrawFn, kind: _Kind, scope: Scope) -> Test:
    """One test of a string attribute."""
    lower, deprel = kind.attribute.lower, kind.attribute.name == "deprel"
    atom = values(kind.values) if lower else atoms(kind.values, scope)
    form = draw(st.sampled_from(["compare", "compare", "compare", "regex", "member", "list", "has"]))
    match form:
        case "compare":
            op = draw(st.sampled_from(["=", "!=", "=="] if deprel else ["=", "!="]))
            return Compare(kind.attribute, op, tuple(draw(st.lists(atom, min_size=1, max_size=3))), NOWHERE)
        case "regex":
            options = draw(st.lists(regex_values(), min_size=1, max_size=2))
            extra = draw(st.lists(atom, max_size=1))
            return Compare(kind.attribute, draw(st.sampled_from(["=", "!="])), (*extra, *options), NOWHERE)
        case "list" if scope.lists:
            ref = ListRef(draw(st.sampled_from(scope.lists)), NOWHERE)
            return Member(kind.attribute, draw(st.booleans()), ref, NOWHERE)
        case "has" if not lower:
            return Has(kind.attribute, NOWHERE)
        case _:
            literal = ListLiteral(tuple(draw(st.lists(atom, max_size=3))), NOWHERE)
            return Member(kind.attribute, draw(st.booleans()), literal, NOWHERE)


@st.composite
def phrase_tests(draw: st.DrawFn, scope: Scope) -> Test:
    """`phrase = …`, `lower(phrase) in …`."""
    lower = draw(st.booleans())
    attribute = _attribute("phrase", lower=lower)
    texts = tuple(sorted({_lowered(p) for p in v.PHRASES})) if lower else v.PHRASES
    if scope.lists and draw(st.booleans()):
        return Member(attribute, draw(st.booleans()), ListRef(draw(st.sampled_from(scope.lists)), NOWHERE), NOWHERE)
    chosen = tuple(draw(st.lists(values(texts), min_size=1, max_size=3)))
    if draw(st.booleans()):
        return Compare(attribute, draw(st.sampled_from(["=", "!="])), chosen, NOWHERE)
    return Member(attribute, draw(st.booleans()), ListLiteral(chosen, NOWHERE), NOWHERE)


@st.composite
def number_tests(draw: st.DrawFn, attributes: tuple[Attribute, ...]) -> Test:
    """Comparison with a whole number, or with a decimal one where the attribute is a text that reads as one."""
    attribute = draw(st.sampled_from(attributes))
    if attribute.name in {"misc", "meta"}:
        op, texts = draw(st.sampled_from(["<", "<=", ">", ">="])), v.NUMBERS
    else:
        op, texts = draw(st.sampled_from(["=", "!=", "<", "<=", ">", ">="])), ("1", "2", "3", "4", "5", "7")
    size = draw(st.integers(1, 2)) if op in {"=", "!="} else 1
    return Compare(attribute, op, tuple(draw(values(texts)) for _ in range(size)), NOWHERE)


FOCI = len(PLAIN_KINDS) + len(LOWER_KINDS) + 6


def focuses() -> st.SearchStrategy[tuple[int, ...]]:
    """A few of the kinds of simple tests, so that a project asks about one thing in several ways."""
    return st.lists(st.integers(0, FOCI - 1), min_size=2, max_size=4, unique=True).map(tuple)


def word_tests(scope: Scope, depth: int = 2) -> st.SearchStrategy[Test]:
    """What stands between the brackets of a node."""
    return _combined(st.sampled_from(scope.focus).flatmap(lambda number: _simple(number, scope)), depth)


def _simple(number: int, scope: Scope) -> st.SearchStrategy[Test]:
    if number < len(PLAIN_KINDS):
        return string_tests(PLAIN_KINDS[number], scope)
    number -= len(PLAIN_KINDS)
    if number < len(LOWER_KINDS):
        return string_tests(LOWER_KINDS[number], Scope(scope.focus, scope.lists))
    match number - len(LOWER_KINDS):
        case 0 | 1 | 2:
            return phrase_tests(scope)
        case 3 | 4:
            return number_tests(NUMBER_ATTRIBUTES)
    return number_tests(tuple(keyed("misc", key) for key in v.MISC_KEYS))


def sentence_tests(scope: Scope, depth: int = 1) -> st.SearchStrategy[Test]:
    """What stands between the brackets of `sentence[…]`."""
    plain = st.sampled_from(SENTENCE_KINDS).flatmap(lambda kind: string_tests(kind, scope))
    meta = tuple(keyed("meta", key) for key in v.META_KEYS)
    return _combined(st.one_of(plain, number_tests((_attribute("length"),)), number_tests(meta)), depth)


@st.composite
def _combined(draw: st.DrawFn, simple: st.SearchStrategy[Test], depth: int) -> Test:
    shape = draw(st.sampled_from(["simple"] * 5 + ["not", "or", "and"])) if depth else "simple"
    if shape == "simple":
        return draw(simple)
    if shape == "not":
        return Not(draw(_combined(simple, depth - 1)), NOWHERE)
    parts = tuple(draw(st.lists(_combined(simple, depth - 1), min_size=2, max_size=3)))
    return Or(parts, NOWHERE) if shape == "or" else And(parts, NOWHERE)
