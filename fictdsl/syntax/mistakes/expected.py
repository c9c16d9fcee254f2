"""Describe the terminals that the parser accepts, for messages."""

from __future__ import annotations

from functools import cache

from fictdsl.syntax.grammar.grammar import parser
from fictdsl.syntax.vocabulary import REWRITINGS

# Names for groups of terminals. In order, a group applies if all its members are expected and not covered yet.
_GROUPS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"->", "->>", "<-", "<", "<<", "~"}), "a relation"),
    (frozenset({"without", "either", "exactly", "at", "sentence", "lower", "a name", "_"}), "a clause"),
    (frozenset({"has", "not", "lower", "phrase", "a name", "("}), "a test"),
    (frozenset({"has", "lower", "phrase", "a name"}), "a test"),
    (frozenset({"lower", "phrase", "a name"}), "an attribute"),
    (frozenset({"phrase", "a name"}), "an attribute"),
    (frozenset({"=", "!=", "==", "<=", ">=", "<", ">", "in", "not"}), "a comparison (`=`, `!=`, `in`, …)"),
    (frozenset({"=", "!=", "<=", ">=", "<", ">"}), "a comparison"),
    (frozenset({"remove", "keep", "mask", "count"}), "an action (`remove`, `keep`, `mask`, `count`)"),
    (frozenset(REWRITINGS), "an action (`delete`, `move`, `swap`, …)"),
    (frozenset({"about", "source", "note", "targets", "as-is", "match"}), "`match` or metadata (`about`, `source`, …)"),
    (frozenset({"about", "source", "note", "targets", "match"}), "`match` or metadata (`about`, `source`, …)"),
    (frozenset({"a name", "_"}), "a node"),
    (frozenset({"a value", "a string", "a parameter", "a regular expression"}), "a value"),
    (frozenset({"a value", "a string", "a parameter"}), "a value"),
    (frozenset({"a label", "a string", "a parameter"}), "a label"),
    (frozenset({"a value", "a string"}), "a value"),
)
# Further terminals that the name of a group covers.
_EXTRAS = {"a label": {"=", "a regular expression"}, "a relation": {"-", "=", "==>"}, "a clause": {";", "(", "."}}
_TERMINALS = {
    "NAME": "a name",
    "FILTER_NAME": "a filter's name",
    "OWNER": "a node's attribute, such as `X.form`",
    "LOWER_OF": "`lower(…)`",
    "UPPER_OF": "`upper(…)`",
    "CAPITAL_OF": "`capital(…)`",
    "INFLECT_OF": "`inflect(…)`",
    "ANY": "_",
    "TARGET": "a name such as `blimp/passive_1`",
    "CHOICE": "a value",
    "WORD": "a value",
    "LABEL": "a label",
    "STRING": "a string",
    "PARAM": "a parameter",
    "REGEX": "a regular expression",
    "LIST_REF": "`@` and a list's name",
    "INT": "a number",
    "VERSION": "a version number",
    "$END": "the end of the item",
}


@cache
def _display_names() -> dict[str, str]:
    """Return the display name of each terminal: a keyword or sign as written, or a phrase."""
    patterns = {terminal.name: terminal.pattern.value for terminal in parser().terminals}
    literals = {name: value.removesuffix("(?!\\w)").replace("\\", "") for name, value in patterns.items()}
    return literals | _TERMINALS


def keywords(terminals: frozenset[str]) -> tuple[str, ...]:
    """Return the keywords among terminals, in alphabetical order."""
    names = _display_names()
    return tuple(
        sorted(names[terminal] for terminal in terminals if terminal not in _TERMINALS and names[terminal].isalpha())
    )


def signs(terminals: frozenset[str]) -> frozenset[str]:
    """Return the signs among terminals, such as `->`."""
    names = _display_names()
    return frozenset(names[terminal] for terminal in terminals if terminal not in _TERMINALS) - set(keywords(terminals))


def describe(terminals: frozenset[str]) -> str:
    """Return what was expected as a phrase: “a relation, a clause or `}`”."""
    remaining = {_display_names()[terminal] for terminal in terminals}
    phrases: list[str] = []
    for members, name in _GROUPS:
        if members <= remaining:
            remaining -= members | _EXTRAS.get(name, set())
            phrases.append(name)
    quoted_names = (name if " " in name or name.startswith("`") else f"`{name}`" for name in remaining)
    phrases += sorted(quoted_names, key=lambda name: (name.startswith("`"), name))
    if len(phrases) > 1:
        return ", ".join(phrases[:-1]) + " or " + phrases[-1]
    return phrases[0] if phrases else "nothing"
