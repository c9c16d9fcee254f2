"""Emit regexes as anchored patterns with the same meaning in RE2 and java.util.regex."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from fictdsl.syntax.regex import (
    Alternation,
    AnyChar,
    Category,
    Char,
    CharClass,
    CharRange,
    Regex,
    Repeat,
    Sequence,
)

_COMMA = Char(",")
_NEVER = r"[^\x{0}-\x{10FFFF}]"
_OTHER_PUNCTUATION = Category("P without the comma")  # emitted alone, never inside a class
_NOT_A_NEWLINE = CharClass((Char("\n"),), negated=True)


def pattern(regex: Regex, *, ignore_case: bool) -> str:
    """Return a pattern that is found in a value if and only if the regex matches the whole value."""
    return rf"\A(?:{_emit(_normalized(regex, ignore_case))})\z"


def part_pattern(regex: Regex, *, ignore_case: bool) -> str:
    """Return a pattern that is found in a comma-separated list if and only if the regex matches one of its values."""
    restricted = without_comma(_normalized(regex, ignore_case))
    part = _NEVER if restricted is None else _emit(restricted)
    return rf"\A(?:[^\x{{A}}]*,)?(?:{part})(?:,[^\x{{A}}]*)?\z"


def matches_empty(regex: Regex) -> bool:
    match regex:
        case Repeat(item=item, low=low):
            return low == 0 or matches_empty(item)
        case Sequence(parts=parts):
            return all(map(matches_empty, parts))
        case Alternation(branches=branches):
            return any(map(matches_empty, branches))
        case Char() | AnyChar() | Category() | CharClass():
            return False
    assert_never(regex)


def _normalized(regex: Regex, ignore_case: bool) -> Regex:
    """Replace `.` by a class, and with `ignore_case`, every ASCII letter by a class of its two cases."""
    match regex:
        case AnyChar():
            return _NOT_A_NEWLINE
        case Char() | Category():
            members = _folded(regex) if ignore_case else (regex,)
            return regex if len(members) == 1 else CharClass(members, negated=False)
        case CharClass(members=members):
            if not ignore_case:
                return regex
            return replace(regex, members=tuple(part for member in members for part in _folded(member)))
        case Repeat(item=item):
            return replace(regex, item=_normalized(item, ignore_case))
        case Sequence(parts=parts):
            return Sequence(tuple(_normalized(part, ignore_case) for part in parts))
        case Alternation(branches=branches):
            return Alternation(tuple(_normalized(branch, ignore_case) for branch in branches))
    assert_never(regex)


def _folded(member: Char | CharRange | Category) -> tuple[Char | CharRange | Category, ...]:
    """Return the member, and the members to add if the case of ASCII letters is ignored."""
    match member:
        case Char(char=char):
            return (member, Char(char.swapcase())) if char.isascii() and char.isalpha() else (member,)
        case Category(name="Lu"):
            return (member, CharRange("a", "z"))
        case Category(name="Ll"):
            return (member, CharRange("A", "Z"))
        case Category():
            return (member,)
        case CharRange(low=low, high=high):
            other_ranges = []
            for first, last in (("a", "z"), ("A", "Z")):
                start, end = max(low, first), min(high, last)
                if start <= end:
                    other_ranges.append(CharRange(start.swapcase(), end.swapcase()))
            return (member, *other_ranges)
    assert_never(member)


def without_comma(regex: Regex) -> Regex | None:
    """Restrict a regex to texts without commas; None if it then matches nothing."""
    match regex:
        case Char():
            return None if regex == _COMMA else regex
        case CharClass(members=members, negated=True):
            return CharClass((*members, _COMMA), negated=True)
        case CharClass(members=members):
            return _class_without_comma(members)
        case AnyChar():
            return CharClass((Char("\n"), _COMMA), negated=True)
        case Category(name=name):
            return _OTHER_PUNCTUATION if name == "P" else regex
        case Repeat(item=item, low=low):
            restricted_item = without_comma(item)
            if restricted_item is None:
                return Sequence(()) if low == 0 else None
            return replace(regex, item=restricted_item)
        case Sequence(parts=parts):
            restricted = tuple(part for part in map(without_comma, parts) if part is not None)
            return Sequence(restricted) if len(restricted) == len(parts) else None
        case Alternation(branches=branches):
            restricted = tuple(part for part in map(without_comma, branches) if part is not None)
            return Alternation(restricted) if restricted else None
    assert_never(regex)


def _class_without_comma(members: tuple[Char | CharRange | Category, ...]) -> Regex | None:
    restricted: list[Char | CharRange | Category] = []
    branches: list[Regex] = []
    for member in members:
        match member:
            case Category(name="P"):
                branches.append(_OTHER_PUNCTUATION)
            case CharRange(low=low, high=high) if low <= "," <= high:
                restricted += [CharRange(low, "+")] if low < "," else []
                restricted += [CharRange("-", high)] if high > "," else []
            case _ if member != _COMMA:
                restricted.append(member)
    if restricted:
        branches.append(CharClass(tuple(restricted), negated=False))
    if len(branches) < 2:
        return branches[0] if branches else None
    return Alternation(tuple(branches))


def _emit(regex: Regex) -> str:
    match regex:
        case Char(char=char):
            return _escaped(char)
        case AnyChar():
            return r"[^\n]"
        case Category():
            return r"[^\P{P},]" if regex == _OTHER_PUNCTUATION else f"[{_category(regex)}]"
        case CharClass(members=members, negated=negated):
            emitted = f"[{'^' if negated else ''}{''.join(map(_member, members))}]"
            return emitted + ("" if negated else _folding_guard(members))
        case Repeat(item=item):
            return f"(?:{_emit(item)}){_quantifier(regex)}"
        case Sequence(parts=parts):
            return "".join(_emit(part) for part in parts)
        case Alternation(branches=branches):
            return f"(?:{'|'.join(_emit(branch) for branch in branches)})"
    assert_never(regex)


def _folding_guard(members: tuple[Char | CharRange | Category, ...]) -> str:
    """Return the quantifier `{1}` for a class of only k and K, or only s and S; otherwise an empty string.

    RE2 simplifies such a class to a case-insensitive letter. If it merges that into an alternation, it applies Unicode
    case folding, so that `[kK]|x` would match the Kelvin sign and `[sS]|x` the long s. A quantifier prevents this.
    """
    letters: set[str] = set()
    for member in members:
        match member:
            case Char(char=char):
                letters.add(char)
            case CharRange(low=low, high=high) if ord(high) - ord(low) < 2:
                letters |= {low, high}
            case _:
                return ""
    return "{1}" if letters in ({"k", "K"}, {"s", "S"}) else ""


def _member(member: Char | CharRange | Category) -> str:
    match member:
        case Char(char=char):
            return _escaped(char)
        case CharRange(low=low, high=high):
            return f"{_escaped(low)}-{_escaped(high)}"
        case Category():
            return _category(member)
    assert_never(member)


def _category(category: Category) -> str:
    return "0-9" if category.name == "d" else rf"\p{{{category.name}}}"


def _quantifier(repeat: Repeat) -> str:
    match repeat.low, repeat.high:
        case (0, None):
            return "*"
        case (1, None):
            return "+"
        case (0, 1):
            return "?"
        case (low, None):
            return f"{{{low},}}"
        case (low, high):
            return f"{{{low}}}" if low == high else f"{{{low},{high}}}"


def escape_literal(text: str) -> str:
    """Return a pattern for RE2 and Java that matches a text literally."""
    return "".join(map(_escaped, text))


def _escaped(char: str) -> str:
    """Escape a character for use inside or outside a class: ASCII punctuation and controls by code point."""
    if char.isascii() and not char.isalnum() and char != " ":
        return rf"\x{{{ord(char):X}}}"
    return char
