"""A Grew request as a tree: its blocks, items, comments, lexicons and quoted values."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from fictdsl.translate.writer import NoEquivalentError, regex

QUOTED_VALUE = re.compile(
    r're"(?P<str_regex>(?:[^"\\]|\\.)*)"(?P<str_flag>i?)|'
    r'/(?P<slash_regex>(?:[^/\\\n]|\\.)*)/(?P<flag>i?)|"(?P<string>(?:[^"\\]|\\.)*)"',
    re.DOTALL,
)
_LAST_ANCHOR = re.compile(r"(?<!\\)((?:\\\\)*)\$$")
_ENDS_OF_GROUPS = re.compile(r"(?:\\\))*(?:$|\\\|)")


@dataclass(frozen=True, slots=True)
class RegexText:
    """A regular expression in the syntax of filters."""

    text: str
    ignore_case: bool = False

    def literal(self) -> str:
        """Return the expression between slashes. Raises NoEquivalentError for unsupported syntax."""
        return regex(self.text, ignore_case=self.ignore_case)


Values: TypeAlias = tuple[str | RegexText, ...]


def quoted_value(match: re.Match[str]) -> str | RegexText:
    """Return the value of a match of `QUOTED_VALUE`. Raises NoEquivalentError for unsupported regular expressions."""
    if match["string"] is not None:
        return _unescaped(match["string"])
    if match["str_regex"] is not None:
        return RegexText(_StrRegex(_unescaped(match["str_regex"])).translated(), bool(match["str_flag"]))
    text = _LAST_ANCHOR.sub(r"\1", match["slash_regex"]).removeprefix("^")
    return RegexText(text, bool(match["flag"]))


def _unescaped(text: str) -> str:
    """Return the text between quotation marks as Grew reads it: other backslashes than these are characters."""
    return re.sub(r'\\(["\\])', r"\1", text)


class _StrRegex:
    """A regular expression of OCaml's Str, which must match a whole value. Its operators are `\\(`, `\\|` and `\\)`.

    Source: https://ocaml.org/api/Str.html
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.starts = [True]  # for each open group, and for the whole: whether it begins where the value does

    def translated(self) -> str:
        """Return the expression in the syntax of filters. Raises NoEquivalentError if there is none."""
        atoms: list[str] = []
        at_start, at_branch = True, True
        while self.position < len(self.text):
            char = self.text[self.position]
            self.position += 1
            if char == "^":
                if not at_start:
                    raise _unsupported("an anchor within the value")
                continue
            if char == "$":
                self._check_last_anchor()
                continue
            if char == "\\":
                atom = self._escape()
            elif char == "[":
                atom = self._char_class()
            elif char in "*+?":
                atom = f"\\{char}" if at_branch else char
            else:
                atom = f"\\{char}" if char in "(){}|/]" else char
            if atom == "(":
                self.starts.append(at_start)
            elif atom == ")" and len(self.starts) > 1:
                self.starts.pop()
            at_branch = atom in ("(", "|")
            at_start = self.starts[-1] if at_branch else False
            atoms.append(atom)
        return "".join(atoms)

    def _check_last_anchor(self) -> None:
        end = _ENDS_OF_GROUPS.match(self.text, self.position)
        is_last = end is not None and (end.end() == len(self.text) or len(self.starts) == 1)
        if not is_last:
            raise _unsupported("an anchor within the value")

    def _escape(self) -> str:
        char = self.text[self.position : self.position + 1]
        self.position += 1
        if char in ("(", "|", ")"):
            return char
        if char == "b":
            raise _unsupported("word boundaries")
        if char.isdigit():
            raise _unsupported(f"the back-reference `\\{char}`")
        if char.isalpha():
            raise _unsupported(f"`\\{char}` is the letter `{char}` in Grew's `re`")
        return f"\\{char or chr(92)}" if not char.isspace() else char

    def _char_class(self) -> str:
        """Return a class. In Str, a backslash in a class is a character, and a first `]` too."""
        match = re.compile(r"(?P<negated>\^?)(?P<members>\]?[^\]]*)\]", re.DOTALL).match(self.text, self.position)
        if match is None or not match["members"]:
            raise _unsupported("`[` without its `]`")
        self.position = match.end()
        members = re.findall(r".-.|.", match["members"], re.DOTALL)
        return f"[{match['negated']}{''.join(map(_member, members))}]"


def _member(member: str) -> str:
    ends = [f"\\{char}" if char in "\\[]^-&/" else char for char in (member[0], member[-1])]
    return "-".join(ends) if len(member) == 3 else ends[0]


def _unsupported(what: str) -> NoEquivalentError:
    return NoEquivalentError(f"in the regular expression: {what}")


@dataclass(frozen=True, slots=True)
class _Item:
    """An item of a block; `text` is the item as written."""

    text: str = field(default="", kw_only=True)


@dataclass(frozen=True, slots=True)
class Comment(_Item):
    """A comment in a block."""


@dataclass(frozen=True, slots=True)
class Unreadable(_Item):
    """An item that does not follow the grammar, and the reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class AttributeTest:
    """A test of an attribute of a node, or of metadata: of the first of `names` that is present.

    `op` is `!` (absent), `*` (present) or a sign between attribute and values. `lexicon` is the lexicon and the field
    that stand for the values, or None.
    """

    names: tuple[str, ...]
    op: str
    values: Values = ()
    lexicon: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Node(_Item):
    name: str
    alternatives: tuple[tuple[AttributeTest, ...], ...]


@dataclass(frozen=True, slots=True)
class LabelPart:
    """A condition on a part of a label, such as `1=nsubj`. `op` is `=`, `<>`, `!` (absent) or `*` (present)."""

    text: str
    key: str
    op: str
    values: Values = ()


@dataclass(frozen=True, slots=True)
class Label:
    """The text between the brackets of an edge: labels (`values`), or conditions on `parts`, or neither."""

    negated: bool = False
    values: Values = ()
    parts: tuple[LabelPart, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge(_Item):
    """An edge, or with `dominance`, a path. `name` is the name of the edge, or None. An end may be `*`."""

    name: str | None
    head: str
    dependent: str
    label: Label
    dominance: bool


@dataclass(frozen=True, slots=True)
class Order(_Item):
    """An order of two nodes or edges, such as `X << Y`; with `by_id`, of two nodes, such as `id(X) < id(Y)`."""

    left: str
    op: str
    right: str
    by_id: bool = False


@dataclass(frozen=True, slots=True)
class Distance(_Item):
    """A comparison of `length(…)` or `delta(…)` with a number. `ends` are two nodes, or one edge."""

    function: str
    ends: tuple[str, ...]
    op: str
    number: int


@dataclass(frozen=True, slots=True)
class Comparison(_Item):
    """A test of an attribute of a node or an edge (`owner`) outside of brackets."""

    owner: str
    test: AttributeTest


@dataclass(frozen=True, slots=True)
class TwoAttributes(_Item):
    """A comparison of two attributes, each given by its node or edge, and its name."""

    left: tuple[str, str]
    op: str
    right: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Metadata(_Item):
    test: AttributeTest


@dataclass(frozen=True, slots=True)
class Property(_Item):
    name: str


Item: TypeAlias = (
    Comment | Unreadable | Node | Edge | Order | Distance | Comparison | TwoAttributes | Metadata | Property
)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a request. `kind` is `pattern`, `with`, `without` or `global`."""

    kind: str
    items: tuple[Item, ...]

    def nodes(self) -> set[str]:
        return {name for item in self.items for name in nodes_of(item)}


@dataclass(frozen=True, slots=True)
class Lexicon:
    fields: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Request:
    """A request: comments outside blocks, blocks in order, and lexicons by name."""

    comments: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    lexicons: dict[str, Lexicon] = field(default_factory=dict)


def nodes_of(item: Item) -> set[str]:
    match item:
        case Node(name=name):
            return {name}
        case Edge(head=head, dependent=dependent):
            return {head, dependent} - {"*"}
    return set()
