"""Regular expressions of the supported subset: their syntax tree and their parser."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Any, NoReturn, TypeAlias

from fictdsl.installation import shipped
from fictdsl.source import Span


@dataclass(frozen=True, slots=True)
class Char:
    char: str


@dataclass(frozen=True, slots=True)
class AnyChar:
    """`.`: any character except a newline."""


@dataclass(frozen=True, slots=True)
class Category:
    """`\\d` (`name` is "d": ASCII 0–9) or `\\p{…}` (`name` is the Unicode general category L, Lu, Ll, N or P)."""

    name: str


@dataclass(frozen=True, slots=True)
class CharRange:
    """`a-z` in a class, both ends included."""

    low: str
    high: str


@dataclass(frozen=True, slots=True)
class CharClass:
    members: tuple[Char | CharRange | Category, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Repeat:
    """`x*`, `x+`, `x?`, `x{m}`, `x{m,}`, `x{m,n}`. `high` is None if unbounded."""

    item: Regex
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Sequence:
    """The concatenation of its parts. Without parts it matches the empty string."""

    parts: tuple[Regex, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    branches: tuple[Regex, ...]


Regex: TypeAlias = Char | AnyChar | Category | CharClass | Repeat | Sequence | Alternation


MISTAKES = "grammar/mistakes.toml"
MAX_BOUND = 100
MAX_PRODUCT = 1_000
MAX_GROUPS = 64
CATEGORIES = ("L", "Lu", "Ll", "N", "P")

_BOUNDS = re.compile(r"\{([0-9]*)(?:(,)([0-9]*))?\}")
_ANCHORED = "a regular expression always matches the whole value"


@cache
def mistake_tables() -> dict[str, Any]:
    """Return the tables of `grammar/mistakes.toml`."""
    import tomllib  # late: few files have mistakes

    return tomllib.loads(shipped(MISTAKES).read_text(encoding="utf-8"))


def _hints() -> dict[str, dict[str, str]]:
    hints: dict[str, dict[str, str]] = mistake_tables()["regex"]
    return hints


@dataclass(frozen=True, slots=True)
class RegexProblem:
    """Why a regex cannot be parsed: a diagnostic code and its parameter, the span, and a hint."""

    code: str
    problem: str
    span: Span
    hint: str | None = None


def parse_regex(text: str, offset: int) -> Regex | RegexProblem:
    """Parse the text between the slashes. `offset` is its position in the source. Never raises."""
    regex_parser = _RegexParser(text, offset)
    try:
        regex = regex_parser.alternation(0)
        if regex_parser.position < len(text):
            regex_parser.fail("FICT131", "`)` without its `(`", 1, "a literal bracket is written `\\)`")
    except _StopError as stop:
        return stop.problem
    return regex


class _StopError(Exception):
    """Raised to abort the parse, and caught in this module."""

    def __init__(self, problem: RegexProblem) -> None:
        super().__init__(problem.problem)
        self.problem = problem


class _RegexParser:
    """Recursive descent parser of a regex. `MAX_GROUPS` limits the nesting of groups, and thereby the recursion."""

    def __init__(self, text: str, offset: int) -> None:
        self.text = text
        self.offset = offset
        self.position = 0

    def fail(self, code: str, problem: str, length: int, hint: str | None = None) -> NoReturn:
        start = self.offset + self.position
        end = min(start + length, self.offset + len(self.text))
        raise _StopError(RegexProblem(code, problem, Span(start, max(start, end)), hint))

    def looking_at(self, sign: str) -> bool:
        return self.text.startswith(sign, self.position)

    def alternation(self, depth: int) -> Regex:
        branches = [self.sequence(depth)]
        while self.looking_at("|"):
            self.position += 1
            branches.append(self.sequence(depth))
        return branches[0] if len(branches) == 1 else Alternation(tuple(branches))

    def sequence(self, depth: int) -> Regex:
        parts: list[Regex] = []
        while self.position < len(self.text) and self.text[self.position] not in "|)":
            parts.append(self.repetition(depth))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def repetition(self, depth: int) -> Regex:
        start = self.position
        item = self.atom(depth)
        bounds = self.bounds()
        if bounds is None:
            return item
        repeat = Repeat(item, *bounds)
        if _product(repeat) > MAX_PRODUCT:
            end, self.position = self.position, start
            self.fail("FICT132", f"multiplies to more than {MAX_PRODUCT:,}", end - start)
        if self.position < len(self.text) and self.text[self.position] in "*+?{":
            sign = self.text[self.position]
            hint = {
                "?": "lazy repetition makes no difference where the whole value must match: leave the `?` out",
                "+": "possessive repetition makes no difference that a filter could see: leave the `+` out",
            }.get(sign, "a repetition of a repetition is written with brackets: `(a*)*`")
            self.fail("FICT131", f"`{sign}` right after a repetition", 1, hint)
        return repeat

    def bounds(self) -> tuple[int, int | None] | None:
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.looking_at(sign):
                self.position += 1
                return bounds
        if not self.looking_at("{"):
            return None
        match = _BOUNDS.match(self.text, self.position)
        if match is None or not match[1]:
            length = len(match[0]) if match else 1
            example = f"`{{0,{match[3]}}}`" if match and match[3] else "`{2}`, `{2,}` or `{2,3}`"
            hint = f"write {example}; a literal bracket is written `\\{{`"
            self.fail("FICT131", "`{` without a repeat count", length, hint)
        low, high = _number(match[1]) or 0, _number(match[3] or "")
        if max(low, high or 0) > MAX_BOUND:
            self.fail("FICT132", f"repeats more than {MAX_BOUND} times", len(match[0]))
        if high is not None and low > high:
            self.fail(
                "FICT131", f"`{match[0]}` has its bounds in the wrong order", len(match[0]), f"write `{{{high},{low}}}`"
            )
        self.position = match.end()
        return low, high if match[2] else low

    def atom(self, depth: int) -> Regex:
        char = self.text[self.position]
        match char:
            case "(":
                return self.group(depth)
            case "[":
                return self.char_class()
            case ".":
                self.position += 1
                return AnyChar()
            case "\\":
                return self.escape()
            case "^" | "$":
                hint = f"{_ANCHORED}, so it needs no anchor; the literal character is written `\\{char}`"
                self.fail("FICT130", f"the anchor `{char}`", 1, hint)
            case "*" | "+" | "?" | "{":
                hint = f"the literal character is written `\\{char}`"
                self.fail("FICT131", f"`{char}` has nothing before it to repeat", 1, hint)
            case "]" | "}":
                self.fail("FICT131", f"`{char}` is unbalanced", 1, f"the literal character is written `\\{char}`")
            case _:
                self.position += 1
        return Char(char)

    def group(self, depth: int) -> Regex:
        for opening, hint in _hints()["groups"].items() if self.looking_at("(?") else ():
            if self.looking_at(opening):
                self.fail("FICT130", f"`{opening}`", len(opening), hint)
        if depth >= MAX_GROUPS:
            self.fail("FICT132", f"nests more than {MAX_GROUPS} groups", 1)
        start = self.position
        self.position += 1
        alternatives = self.alternation(depth + 1)
        if not self.looking_at(")"):
            self.position = start
            self.fail("FICT131", "`(` without its `)`", 1, "a literal bracket is written `\\(`")
        self.position += 1
        return alternatives

    def escape(self, *, in_class: bool = False) -> Char | Category:
        escaped = self.text[self.position + 1 : self.position + 2]
        if escaped == "d":
            self.position += 2
            return Category("d")
        if escaped == "p":
            return self.category()
        if escaped.isascii() and escaped.isdigit():
            hint = "write the alternatives out, such as `(aa|bb)`"
            self.fail("FICT130", f"the back-reference `\\{escaped}`", 2, hint)
        if escaped.isascii() and escaped.isalpha() and escaped in _hints()["escapes"]:
            in_class_hint = _hints()["class_escapes"].get(escaped) if in_class else None
            self.fail("FICT130", f"`\\{escaped}`", 2, in_class_hint or _hints()["escapes"][escaped])
        if not escaped or unicodedata.category(escaped)[0] not in "PS":
            hint = "only punctuation is escaped; write the character itself"
            self.fail("FICT130", f"`\\{escaped}`", 2, hint)
        self.position += 2
        return Char(escaped)

    def category(self) -> Category:
        match = re.compile(r"\\p(?:\{(\w*)\}|(\w?))").match(self.text, self.position)
        name = match[1] if match else None
        if match is None or name not in CATEGORIES:
            written = match[0] if match else "\\p"
            choices = ", ".join(f"`\\p{{{category_name}}}`" for category_name in CATEGORIES)
            self.fail("FICT130", f"`{written}`", len(written), f"there are {choices}")
        self.position = match.end()
        return Category(name)

    def char_class(self) -> CharClass:
        start = self.position
        negated = self.looking_at("[^")
        self.position += 2 if negated else 1
        members: list[Char | CharRange | Category] = []
        while not self.looking_at("]"):
            if self.position >= len(self.text):
                self.position = start
                self.fail("FICT131", "`[` without its `]`", 1, "a literal bracket is written `\\[`")
            members.append(self.member(not members))
        if not members:
            written = self.text[start : self.position + 1]
            self.position = start
            hint = "a literal bracket in a class is written `\\]`"
            self.fail("FICT131", f"the class `{written}` is empty", len(written), hint)
        self.position += 1
        return CharClass(tuple(members), negated)

    def member(self, is_first: bool) -> Char | CharRange | Category:
        start = self.position
        low = self.class_char()
        if (
            isinstance(low, Category)
            or not self.looking_at("-")
            or self.text[self.position + 1 : self.position + 2] in ("]", "")
        ):
            if (
                low == Char("-")
                and self.text[start] == "-"
                and not is_first
                and self.position < len(self.text)
                and not self.looking_at("]")
            ):
                self.position = start
                self.fail(
                    "FICT131",
                    "`-` between characters that do not form a range",
                    1,
                    "the literal character is written `\\-`",
                )
            return low
        self.position += 1
        high = self.class_char()
        if isinstance(high, Category) or low.char > high.char:
            end, self.position = self.position, start
            written = self.text[start:end]
            self.fail("FICT131", f"`{written}` is not a range", end - start, "the literal character is written `\\-`")
        return CharRange(low.char, high.char)

    def class_char(self) -> Char | Category:
        char = self.text[self.position]
        if char == "\\":
            return self.escape(in_class=True)
        if char == "[":
            hint = "classes do not nest; the literal character is written `\\[`"
            self.fail("FICT130", "`[` inside a class", 1, hint)
        if self.looking_at("&&"):
            self.fail("FICT130", "`&&` inside a class", 2, "write two tests joined by `,`")
        self.position += 1
        return Char(char)


def _number(digits: str) -> int | None:
    """Return the number, truncated to four digits (which exceed every limit), or None if there are no digits."""
    return int(digits.lstrip("0")[:4] or "0") if digits else None


def _product(regex: Regex) -> int:
    """Return the largest product of nested repetition bounds, where `*`, `+` and `?` count as one."""
    match regex:
        case Repeat(item, low, high):
            return max(1, low, high or 0) * _product(item)
        case Sequence(parts) | Alternation(parts):
            return max((_product(part) for part in parts), default=1)
        case _:
            return 1
