"""Tests of words and of sentences, with values that their attributes can have."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st

from fictdsl.source import Span
from fictdsl.syntax.grammar.regex_parse import parse_regex
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
from tests.support.strategies import vocabulary as v
from tests.support.strategies.dice import Dice, strategy

NOWHERE = Span(0, 0)
_BARE = re.compile(r"(?!_$)[A-Za-z0-9_]+(:[A-Za-z0-9_]+)*")


@dataclass(frozen=True)
class Scope:
    """What a test may use.

    `focus` selects kinds of simple tests (see `focus`); `lists` are the visible lists; `parameter` is that of the
    family, if there is one.
    """

    focus: tuple[int, ...]
    lists: tuple[str, ...] = ()
    parameter: str | None = None


@dataclass(frozen=True)
class _Kind:
    """An attribute with values to compare it with."""

    attribute: Attribute
    values: tuple[str, ...]


def _attribute(name: str, key: str | None = None, *, lower: bool = False, quoted: bool = False) -> Attribute:
    return Attribute(name, key, lower, NOWHERE, quoted)


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


FOCI = len(PLAIN_KINDS) + len(LOWER_KINDS) + 6


def value(dice: Dice, texts: tuple[str, ...]) -> Value:
    """Draw a literal, bare if possible, or quoted."""
    text = dice.pick(texts)
    return Value(text, dice.flag() or _BARE.fullmatch(text) is None, NOWHERE)


def atom(dice: Dice, texts: tuple[str, ...], scope: Scope) -> Atom:
    """Draw a literal or, in a family, its parameter."""
    if scope.parameter is not None and dice.flag():
        return Param(scope.parameter, NOWHERE)
    return value(dice, texts)


def regex_text(dice: Dice, depth: int = 2) -> str:
    """Draw the text of a regular expression of the supported subset."""
    if depth == 0 or dice.flag():
        piece = dice.pick(PIECES)
    else:
        piece = "(" + "|".join(regex_text(dice, depth - 1) for _ in range(dice.between(1, 3))) + ")"
    if piece.startswith(("(", "[", "\\", ".")) or len(piece) == 1:
        piece += dice.pick(["", "", "", "*", "+", "?", "{2}", "{1,}", "{2,}", "{0,2}", "{0}"])
    return piece + (regex_text(dice, depth - 1) if depth and dice.flag() else "")


def regex_texts() -> st.SearchStrategy[str]:
    """Return the strategy of `regex_text`."""
    return strategy(regex_text)


def regex_value(dice: Dice) -> RegexValue:
    """Draw `/re/` or `/re/i`."""
    text = regex_text(dice)
    parsed = parse_regex(text, 0)
    assert isinstance(parsed, Regex), f"/{text}/ is in the subset: {parsed}"
    return RegexValue(text, dice.flag(), parsed, NOWHERE)


def focus(dice: Dice) -> tuple[int, ...]:
    """Draw a few kinds of simple tests, so that a project tests one thing in several ways."""
    return tuple(dice.different(range(FOCI), 2, 4))


def focuses() -> st.SearchStrategy[tuple[int, ...]]:
    """Return the strategy of `focus`."""
    return strategy(focus)


def word_tests(scope: Scope) -> st.SearchStrategy[Test]:
    """Return the strategy of `word_test`."""
    return strategy(lambda dice: word_test(dice, scope))


def word_test(dice: Dice, scope: Scope, depth: int = 2) -> Test:
    """Draw the test between the brackets of a node."""
    return _combined(dice, lambda: _simple(dice, scope), depth)


def sentence_test(dice: Dice, scope: Scope, depth: int = 2) -> Test:
    """Draw the test between the brackets of `sentence[…]`."""

    def simple() -> Test:
        match dice.below(3):
            case 0:
                return _string_test(dice, dice.pick(SENTENCE_KINDS), scope)
            case 1:
                return _number_test(dice, _attribute("length"))
        return _number_test(dice, keyed("meta", dice.pick(v.META_KEYS)))

    return _combined(dice, simple, depth)


def _simple(dice: Dice, scope: Scope) -> Test:
    number = dice.pick(scope.focus)
    if number < len(PLAIN_KINDS):
        return _string_test(dice, PLAIN_KINDS[number], scope)
    number -= len(PLAIN_KINDS)
    if number < len(LOWER_KINDS):
        return _string_test(dice, LOWER_KINDS[number], scope)
    match number - len(LOWER_KINDS):
        case 0 | 1 | 2:
            return _phrase_test(dice, scope)
        case 3 | 4:
            return _number_test(dice, dice.pick(NUMBER_ATTRIBUTES))
    return _number_test(dice, keyed("misc", dice.pick(v.MISC_KEYS)))


def _string_test(dice: Dice, kind: _Kind, scope: Scope) -> Test:
    lower, deprel = kind.attribute.lower, kind.attribute.name == "deprel"

    def atoms(low: int, high: int) -> tuple[Atom, ...]:
        size = dice.between(low, high)
        return tuple(value(dice, kind.values) if lower else atom(dice, kind.values, scope) for _ in range(size))

    match dice.pick(["compare", "compare", "compare", "regex", "member", "list", "list", "has"]):
        case "compare":
            return Compare(
                kind.attribute, dice.pick(["=", "!=", "=="] if deprel else ["=", "!="]), atoms(1, 3), NOWHERE
            )
        case "regex":
            regexes = tuple(regex_value(dice) for _ in range(dice.between(1, 2)))
            return Compare(kind.attribute, dice.pick(["=", "!="]), (*atoms(0, 1), *regexes), NOWHERE)
        case "list" if scope.lists:
            return Member(kind.attribute, dice.flag(), ListRef(dice.pick(scope.lists), NOWHERE), NOWHERE)
        case "has" if not lower:
            return Has(kind.attribute, NOWHERE)
    return Member(kind.attribute, dice.flag(), ListLiteral(atoms(0, 3), NOWHERE), NOWHERE)


def _phrase_test(dice: Dice, scope: Scope) -> Test:
    lower = dice.flag()
    attribute = _attribute("phrase", lower=lower)
    if scope.lists and dice.flag():
        return Member(attribute, dice.flag(), ListRef(dice.pick(scope.lists), NOWHERE), NOWHERE)
    texts = tuple(sorted({_lowered(phrase) for phrase in v.PHRASES})) if lower else v.PHRASES
    chosen = tuple(value(dice, texts) for _ in range(dice.between(1, 3)))
    if dice.flag():
        return Compare(attribute, dice.pick(["=", "!="]), chosen, NOWHERE)
    return Member(attribute, dice.flag(), ListLiteral(chosen, NOWHERE), NOWHERE)


def _number_test(dice: Dice, attribute: Attribute) -> Test:
    """Draw a comparison with a whole number, or with a decimal one if the attribute is a text that can be one."""
    if attribute.name in {"misc", "meta"}:
        return Compare(attribute, dice.pick(["<", "<=", ">", ">="]), (value(dice, v.NUMBERS),), NOWHERE)
    op = dice.pick(["=", "!=", "<", "<=", ">", ">="])
    size = dice.between(1, 2) if op in {"=", "!="} else 1
    return Compare(attribute, op, tuple(value(dice, v.WHOLE_NUMBERS) for _ in range(size)), NOWHERE)


def _combined(dice: Dice, simple: Callable[[], Test], depth: int) -> Test:
    shape = dice.pick(["simple"] * 5 + ["not", "or", "and"]) if depth else "simple"
    if shape == "simple":
        return simple()
    if shape == "not":
        return Not(_combined(dice, simple, depth - 1), NOWHERE)
    parts = tuple(_combined(dice, simple, depth - 1) for _ in range(dice.between(2, 3)))
    return Or(parts, NOWHERE) if shape == "or" else And(parts, NOWHERE)
