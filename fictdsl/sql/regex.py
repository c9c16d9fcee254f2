"""A regex tree to a pattern that RE2 and java.util.regex read alike: anchored, ASCII folding spelt out."""

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
_OTHER_PUNCTUATION = Category("P without the comma")  # stands alone, never in a class
_NOT_A_NEWLINE = CharClass((Char("\n"),), negated=True)


def pattern(regex: Regex, *, ignore_case: bool) -> str:
    """Matches a whole value, when searched for."""
    return rf"\A(?:{_emit(_plain(regex, ignore_case))})\z"


def part_pattern(regex: Regex, *, ignore_case: bool) -> str:
    """Matches a list of values joined by commas, of which one whole value matches, when searched for."""
    found = without_comma(_plain(regex, ignore_case))
    part = _NEVER if found is None else _emit(found)
    return rf"\A(?:[^\x{{A}}]*,)?(?:{part})(?:,[^\x{{A}}]*)?\z"


def _plain(regex: Regex, ignore_case: bool) -> Regex:
    """`.` as a class, and with `ignore_case` every ASCII letter as a class of its two forms."""
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
            return replace(regex, item=_plain(item, ignore_case))
        case Sequence(parts=parts):
            return Sequence(tuple(_plain(part, ignore_case) for part in parts))
        case Alternation(branches=branches):
            return Alternation(tuple(_plain(branch, ignore_case) for branch in branches))
    assert_never(regex)


def _folded(member: Char | CharRange | Category) -> tuple[Char | CharRange | Category, ...]:
    """The member, and what it stands for besides when the case of ASCII letters does not count."""
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
            others = []
            for first, last in (("a", "z"), ("A", "Z")):
                start, end = max(low, first), min(high, last)
                if start <= end:
                    others.append(CharRange(start.swapcase(), end.swapcase()))
            return (member, *others)
    assert_never(member)


def without_comma(regex: Regex) -> Regex | None:
    """The same expression over an alphabet that has no comma; None where it can match nothing then."""
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
            inner = without_comma(item)
            if inner is None:
                return Sequence(()) if low == 0 else None
            return replace(regex, item=inner)
        case Sequence(parts=parts):
            rest = [without_comma(part) for part in parts]
            found = tuple(part for part in rest if part is not None)
            return Sequence(found) if len(found) == len(rest) else None
        case Alternation(branches=branches):
            left = tuple(part for part in map(without_comma, branches) if part is not None)
            return Alternation(left) if left else None
    assert_never(regex)


def _class_without_comma(members: tuple[Char | CharRange | Category, ...]) -> Regex | None:
    kept: list[Char | CharRange | Category] = []
    branches: list[Regex] = []
    for member in members:
        match member:
            case Category(name="P"):
                branches.append(_OTHER_PUNCTUATION)
            case CharRange(low=low, high=high) if low <= "," <= high:
                kept += [CharRange(low, "+")] if low < "," else []
                kept += [CharRange("-", high)] if high > "," else []
            case _ if member != _COMMA:
                kept.append(member)
    if kept:
        branches.append(CharClass(tuple(kept), negated=False))
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
            return emitted + ("" if negated else _shield(members))
        case Repeat(item=item):
            return f"(?:{_emit(item)}){_bounds(regex)}"
        case Sequence(parts=parts):
            return "".join(_emit(part) for part in parts)
        case Alternation(branches=branches):
            return f"(?:{'|'.join(_emit(branch) for branch in branches)})"
    assert_never(regex)


def _shield(members: tuple[Char | CharRange | Category, ...]) -> str:
    """`{1}` after a class of just k and K, or s and S.

    RE2 reads such a class as one letter in either case, and where it merges that into an alternation it folds by
    Unicode, so that `[kK]|x` would match the Kelvin sign and `[sS]|x` the long s. A counted class it leaves alone.
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


def _bounds(repeat: Repeat) -> str:
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
    """A regular expression, of RE2 and of Java, that matches a text and nothing else."""
    return "".join(map(_escaped, text))


def _escaped(char: str) -> str:
    """The character as itself, inside a class or outside: anything but a letter, digit or space by its number."""
    if char.isascii() and not char.isalnum() and char != " ":
        return rf"\x{{{ord(char):X}}}"
    return char
