"""Restrict the values of a part of a Grew label to the characters that the part can contain."""

from __future__ import annotations

import re
from typing import assert_never

from fictdsl.syntax.grammar.regex_parse import parse_regex
from fictdsl.syntax.regex import AnyChar, Category, Char, CharClass, CharRange
from fictdsl.translate.grew_values import RegexText, Values
from fictdsl.translate.writer import NoEquivalentError

# The separators that end a part: 1 (the relation) ends at `:` or `@`, 2 (its subtype) at `@`.
_SEPARATORS = {"1": ":@", "2": "@", "deep": ""}
_ATOM = re.compile(r"\\p\{\w*\}|\\.|\[(?:\\.|[^\]\\])*\]|.", re.DOTALL)


def part_values(part: str, values: Values) -> Values:
    """Return the values of a part, with regular expressions that match no separator that ends the part.

    Raises NoEquivalentError if a value contains such a separator.
    """
    restricted: list[str | RegexText] = []
    for part_value in values:
        if isinstance(part_value, RegexText):
            atoms = _ATOM.findall(part_value.text)
            text = "".join(_without_separators(atom, _SEPARATORS[part]) for atom in atoms)
            restricted.append(RegexText(text, part_value.ignore_case))
            continue
        for separator in _SEPARATORS[part]:
            if separator in part_value:
                raise _separator_error(separator)
        restricted.append(part_value)
    return tuple(restricted)


def _without_separators(atom: str, separators: str) -> str:
    """Return an atom of a regular expression that matches the same characters except the separators."""
    regex = parse_regex(atom, 0)
    match regex:
        case AnyChar():
            return f"[^{separators}]" if separators else atom
        case CharClass(members=members, negated=True):
            added = "".join(
                separator for separator in separators if not any(_contains(member, separator) for member in members)
            )
            content = atom.removeprefix("[^")
            escape = "\\" if added and content.startswith("-") else ""  # else it would be a range from the separator
            return f"[^{added}{escape}{content}"
        case CharClass(members=members):
            pass
        case Char() | Category():
            members = (regex,)
        case _:  # an operator
            return atom
    for separator in separators:
        if any(_contains(member, separator) for member in members):
            raise _separator_error(separator)
    return atom


def _contains(member: Char | CharRange | Category, separator: str) -> bool:
    match member:
        case Char(char=char):
            return char == separator
        case CharRange(low=low, high=high):
            return low <= separator <= high
        case Category(name=name):
            return name == "P"  # `:` and `@` are punctuation
    assert_never(member)


def _separator_error(separator: str) -> NoEquivalentError:
    return NoEquivalentError(f"`{separator}` ends the part of a label")
