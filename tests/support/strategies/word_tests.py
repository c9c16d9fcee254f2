"""Tests of words and of sentences, with values that their attributes can have."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

from fictdsl.schema import SENTENCE, WORD, AttributeEntry, Kind
from fictdsl.source import Span
from fictdsl.syntax.nodes import (
    And,
    Atom,
    Attribute,
    Compare,
    Flag,
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
from fictdsl.syntax.regex import Regex, parse_regex
from tests.support.strategies import vocabulary as v
from tests.support.strategies.rng import Rng, strategy

NOWHERE = Span(0, 0)
_BARE_LABEL = re.compile(r"\w+([:@]\w+)*")
_BARE = re.compile(r"(?!_$)[A-Za-z0-9_]+(:[A-Za-z0-9_]+)*")


@dataclass(frozen=True)
class Scope:
    """What a test may use.

    `focus` selects kinds of simple tests (see `focus`); `lists` are the visible lists of words, `feats_lists` those of
    FEATS, `tables` those of two columns; `parameter` is that of the family, if there is one.
    """

    focus: tuple[int, ...]
    lists: tuple[str, ...] = ()
    parameter: str | None = None
    tables: tuple[str, ...] = ()
    feats_lists: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Kind:
    """An attribute with values to compare it with."""

    attribute: Attribute
    values: tuple[str, ...]


def _attribute(name: str, key: str | None = None, *, lower: bool = False, quoted: bool = False) -> Attribute:
    return Attribute(name, key, lower, span=NOWHERE, key_quoted=quoted)


def keyed(name: str, key: str) -> Attribute:
    """Return `misc.key`, quoted if necessary."""
    return _attribute(name, key, quoted=_BARE.fullmatch(key) is None)


def feature(full: str) -> Attribute:
    """Return a feature: `Number`, `Number[psor]`."""
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
    _Kind(_attribute("token"), v.TOKENS),
    _Kind(_attribute("feats"), v.FEATS),
    *(_Kind(feature(name), values) for name, values in v.FEATURES.items()),
    *(_Kind(keyed("misc", key), v.MISC_VALUES) for key in v.MISC_KEYS),
)
LOWER_KINDS = (
    _Kind(_attribute("form", lower=True), LOWER_FORMS),
    _Kind(_attribute("lemma", lower=True), tuple(_lowered(lemma) for lemma in v.LEMMAS)),
)
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


FOCI = len(PLAIN_KINDS) + len(LOWER_KINDS) + 6
NUMBERS = Scope((FOCI - 3,))  # tests of numbers only


def value(rng: Rng, texts: tuple[str, ...]) -> Value:
    """Draw a literal, bare if possible, or quoted."""
    text = rng.pick(texts)
    return Value(text, rng.flag() or _BARE.fullmatch(text) is None, span=NOWHERE)


def atom(rng: Rng, texts: tuple[str, ...], scope: Scope) -> Atom:
    """Draw a literal or, in a family, its parameter."""
    if scope.parameter is not None and rng.flag():
        return Param(scope.parameter, span=NOWHERE)
    return value(rng, texts)


def number_attributes(entries: Mapping[str, AttributeEntry] = WORD) -> list[Attribute]:
    """Return the numbers of words, or of sentences, that the table has at the time of the call."""
    names = (name.partition(".") for name, entry in entries.items() if entry.kind is Kind.NUMBER)
    return [_attribute(name, key or None) for name, _, key in names]


def label(rng: Rng, scope: Scope) -> Atom:
    """Draw a label in an arrow, where `@` needs no quotes."""
    drawn = atom(rng, v.DEPRELS, scope)
    bare = isinstance(drawn, Value) and _BARE_LABEL.fullmatch(drawn.text) is not None
    return Value(drawn.text, rng.flag(), span=NOWHERE) if bare and isinstance(drawn, Value) else drawn


def label_regex(rng: Rng) -> RegexValue:
    """Draw a regular expression that the labels of the generator often match, or any other."""
    texts = ("nsubj.*", "obl:.*", ".*:.+", "n?mod(:poss)?", "[a-z]+@x", "acl|obj", "NSUBJ.*", "[^:]+")
    return regex_value(rng) if not rng.between(0, 3) else _parsed(rng, rng.pick(texts))


def regex_text(rng: Rng, depth: int = 2) -> str:
    """Draw the text of a regular expression of the supported subset."""
    if depth == 0 or rng.flag():
        piece = rng.pick(PIECES)
    else:
        piece = "(" + "|".join(regex_text(rng, depth - 1) for _ in range(rng.between(1, 3))) + ")"
    if piece.startswith(("(", "[", "\\", ".")) or len(piece) == 1:
        piece += rng.pick(["", "", "", "*", "+", "?", "{2}", "{1,}", "{2,}", "{0,2}", "{0}"])
    return piece + (regex_text(rng, depth - 1) if depth and rng.flag() else "")


def regex_texts() -> st.SearchStrategy[str]:
    """Return the strategy of `regex_text`."""
    return strategy(regex_text)


def regex_value(rng: Rng) -> RegexValue:
    """Draw `/re/` or `/re/i`."""
    return _parsed(rng, regex_text(rng))


def _parsed(rng: Rng, text: str) -> RegexValue:
    parsed = parse_regex(text, 0)
    assert isinstance(parsed, Regex), f"/{text}/ is in the subset: {parsed}"
    return RegexValue(text, rng.flag(), parsed, span=NOWHERE)


def focus(rng: Rng) -> tuple[int, ...]:
    """Draw a few kinds of simple tests, so that a project tests one thing in several ways."""
    return tuple(rng.different(range(FOCI), 2, 4))


def focuses() -> st.SearchStrategy[tuple[int, ...]]:
    """Return the strategy of `focus`."""
    return strategy(focus)


def sentence_tests() -> st.SearchStrategy[Test]:
    """Return the strategy of `sentence_test`."""
    return strategy(lambda rng: sentence_test(rng, Scope(())))


def word_tests(scope: Scope) -> st.SearchStrategy[Test]:
    """Return the strategy of `word_test`."""
    return strategy(lambda rng: word_test(rng, scope))


def word_test(rng: Rng, scope: Scope, depth: int = 2) -> Test:
    """Draw the test between the brackets of a node."""
    return _combined(rng, lambda: _simple(rng, scope), depth)


def sentence_test(rng: Rng, scope: Scope, depth: int = 2) -> Test:
    """Draw the test between the brackets of `sentence[…]`."""

    def simple() -> Test:
        match rng.below(8):
            case 0:
                return Flag(_attribute("projective"), span=NOWHERE)
            case 1 | 2 | 3 | 4 | 5:
                return _string_test(rng, rng.pick(SENTENCE_KINDS), scope)
            case 6:
                return _number_test(rng, rng.pick(number_attributes(SENTENCE)))
        return _number_test(rng, keyed("meta", rng.pick(v.META_KEYS)))

    return _combined(rng, simple, depth)


def _simple(rng: Rng, scope: Scope) -> Test:
    number = rng.pick(scope.focus)
    if number < len(PLAIN_KINDS):
        return _string_test(rng, PLAIN_KINDS[number], scope)
    number -= len(PLAIN_KINDS)
    if number < len(LOWER_KINDS):
        return _string_test(rng, LOWER_KINDS[number], scope)
    match number - len(LOWER_KINDS):
        case 0 | 1 | 2:
            return _phrase_test(rng, scope)
        case 3 | 4:
            return _number_test(rng, rng.pick(number_attributes()))
    return _number_test(rng, keyed("misc", rng.pick(v.MISC_KEYS)))


def _string_test(rng: Rng, kind: _Kind, scope: Scope) -> Test:
    lower, deprel, feats = kind.attribute.lower, kind.attribute.name == "deprel", kind.attribute.name == "feats"
    checked = lower or feats  # not every value of a parameter is allowed
    lists = scope.feats_lists if feats else scope.lists

    def atoms(low: int, high: int) -> tuple[Atom, ...]:
        size = rng.between(low, high)
        return tuple(value(rng, kind.values) if checked else atom(rng, kind.values, scope) for _ in range(size))

    match rng.pick(
        ["compare", "compare", "compare", "regex", "substring", "substring", "order", "member", "list", "list", "has"]
    ):
        case "compare":
            return Compare(
                kind.attribute, rng.pick(["=", "!=", "=="] if deprel else ["=", "!="]), atoms(1, 3), span=NOWHERE
            )
        case "order":
            number = value(rng, (*v.NUMBERS, *v.WHOLE_NUMBERS))
            return Compare(kind.attribute, rng.pick(["<", "<=", ">", ">="]), (number,), span=NOWHERE)
        case "substring":
            return Compare(kind.attribute, rng.pick(["contains", "starts", "ends"]), (_part(rng, kind),), span=NOWHERE)
        case "regex":
            regexes = tuple(regex_value(rng) for _ in range(rng.between(1, 2)))
            return Compare(kind.attribute, rng.pick(["=", "!="]), (*atoms(0, 1), *regexes), span=NOWHERE)
        case "list" if lists:
            return Member(kind.attribute, rng.flag(), ListRef(rng.pick(lists), span=NOWHERE), span=NOWHERE)
        case "has" if not lower:
            return Has(kind.attribute, span=NOWHERE)
    return Member(kind.attribute, rng.flag(), ListLiteral(atoms(0, 3), span=NOWHERE), span=NOWHERE)


def _part(rng: Rng, kind: _Kind) -> Value:
    """Draw a part of a value that the attribute can have; rarely the empty string, or one with a comma."""
    text = rng.pick(kind.values)
    begin = rng.pick([0, 0, *range(len(text))])
    part = text[begin : rng.pick([len(text), begin + 1, begin + 2])]
    return Value(rng.pick([part] * 8 + ["", f"{part},"]), True, span=NOWHERE)


def _phrase_test(rng: Rng, scope: Scope) -> Test:
    lower = rng.flag()
    attribute = _attribute("phrase", lower=lower)
    if scope.lists and rng.flag():
        return Member(attribute, rng.flag(), ListRef(rng.pick(scope.lists), span=NOWHERE), span=NOWHERE)
    texts = tuple(sorted({_lowered(phrase) for phrase in v.PHRASES})) if lower else v.PHRASES
    chosen = tuple(value(rng, texts) for _ in range(rng.between(1, 3)))
    if rng.flag():
        return Compare(attribute, rng.pick(["=", "!="]), chosen, span=NOWHERE)
    return Member(attribute, rng.flag(), ListLiteral(chosen, span=NOWHERE), span=NOWHERE)


def _number_test(rng: Rng, attribute: Attribute) -> Test:
    """Draw a comparison with numbers; those that are not ordered are whole, since no id has a decimal point."""
    if attribute.name in {"misc", "meta"}:
        return Compare(attribute, rng.pick(["<", "<=", ">", ">="]), (value(rng, v.NUMBERS),), span=NOWHERE)
    op = rng.pick(["=", "!=", "<", "<=", ">", ">=", "in", "not in"])
    if op in {"in", "not in"}:
        numbers = tuple(value(rng, v.WHOLE_NUMBERS) for _ in range(rng.between(0, 3)))
        return Member(attribute, op == "not in", ListLiteral(numbers, span=NOWHERE), span=NOWHERE)
    if op in {"=", "!="}:
        numbers = tuple(value(rng, v.WHOLE_NUMBERS) for _ in range(rng.between(1, 2)))
        return Compare(attribute, op, numbers, span=NOWHERE)
    return Compare(attribute, op, (value(rng, (*v.WHOLE_NUMBERS, *v.NUMBERS)),), span=NOWHERE)


def _combined(rng: Rng, simple: Callable[[], Test], depth: int) -> Test:
    shape = rng.pick(["simple"] * 5 + ["not", "or", "and"]) if depth else "simple"
    if shape == "simple":
        return simple()
    if shape == "not":
        return Not(_combined(rng, simple, depth - 1), span=NOWHERE)
    parts = tuple(_combined(rng, simple, depth - 1) for _ in range(rng.between(2, 3)))
    return Or(parts, span=NOWHERE) if shape == "or" else And(parts, span=NOWHERE)
