"""Read a Semgrex pattern: nodes, relations between them, and their combinations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NoReturn, TypeAlias

from fictdsl.source import Source
from fictdsl.translate.writer import QueryError

_TOKEN = re.compile(
    r"\s*(?:(?P<flags>\(\?[a-z]+:)|(?P<node>\{(?:[^{}/]|/(?:\\[^\n]|[^/\\\n])*/|\{[^{}]*\})*\})"
    r"|(?P<relation>>\+\+|>--|<\+\+|<--|\$\+\+|\$--|\$\+|\$-|>>|<<|<>|==|\.\.|--|[<>.@]|-)"
    r"|(?P<regex>/(?:\\[^\n]|[^/\\\n])*/)|(?P<sign>::|[()\[\]|&!?:,=~])|(?P<word>[^\s(/|@!#%&)=?\[\]><~.,$:;{}+]+))"
)
_DISTANCE = re.compile(r"[0-9]{1,9}")
_MAX_DEPTH = 64  # of parentheses and brackets


@dataclass(frozen=True, slots=True)
class Node:
    """A node: the text between its braces, its name, and the relations of which it is the first node.

    `ignore_case` is True within `(?i: … )`. `alternatives` are the nodes in brackets; `tests` is then empty.
    """

    tests: str
    negated: bool
    name: str | None
    relations: Relations | None
    ignore_case: bool
    alternatives: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """`label` is None, a name or `/re/`. `names` follow `~` and `=`. `low` and `high` are of the distance."""

    sign: str
    label: str | None
    low: int | None
    high: int | None
    target: Node
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Negated:
    sign: str
    inner: Relations


@dataclass(frozen=True, slots=True)
class All:
    parts: tuple[Relations, ...]


@dataclass(frozen=True, slots=True)
class Any:
    parts: tuple[Relations, ...]


Relations: TypeAlias = Relation | Negated | All | Any


@dataclass(frozen=True, slots=True)
class Pattern:
    """Nodes that must all match, and the text after `::` (`after`)."""

    nodes: tuple[Node, ...]
    after: str


@dataclass
class _Token:
    kind: str
    text: str
    start: int


@dataclass
class _PatternParser:
    source: Source
    tokens: list[_Token]
    position: int = 0
    depth: int = 0  # open parentheses and brackets
    ignore_case: list[bool] = field(default_factory=lambda: [False])  # the last is for the innermost `(?flags:`

    @property
    def token(self) -> _Token:
        return self.tokens[self.position]

    def looking_at(self, *texts: str) -> bool:
        return self.token.kind in ("sign", "relation") and self.token.text in texts

    def accept(self, *texts: str) -> bool:
        if self.looking_at(*texts):
            self.position += 1
            return True
        return False

    def open(self, text: str) -> bool:
        """Return whether an opening parenthesis or bracket is next, and accept it. Fail if too many are open."""
        is_open = self.looking_at(text)
        if is_open:
            self.deepen()
        return is_open

    def deepen(self) -> None:
        if self.depth == _MAX_DEPTH:
            self.fail(f"at most {_MAX_DEPTH} nested parentheses and brackets")
        self.depth += 1
        self.position += 1

    def close(self, text: str) -> None:
        if not self.accept(text):
            self.fail(f"`{text}`")
        self.depth -= 1

    def word(self) -> str:
        if self.token.kind != "word":
            self.fail("a name")
        self.position += 1
        return self.tokens[self.position - 1].text

    def fail(self, expected: str) -> NoReturn:
        found, start = self.token.text or "the end", self.token.start
        raise QueryError(self.source, start, len(self.token.text), "Semgrex pattern", found, expected)

    def pattern(self) -> Pattern:
        nodes = [self.sub_pattern()]
        while self.accept(":"):
            nodes.append(self.sub_pattern())
        text_after = (
            " ".join(token.text for token in self.tokens[self.position + 1 :]).strip() if self.looking_at("::") else ""
        )
        if not text_after and self.token.kind != "end":
            self.fail("a relation, `:` or the end")
        return Pattern(tuple(nodes), text_after)

    def sub_pattern(self) -> Node:
        if self.token.kind == "flags":
            if self.token.text != "(?i:":
                self.fail("`(?i:`, the only flag that a filter has")
            self.deepen()
            self.ignore_case.append(True)
            node = self.sub_pattern()
            self.ignore_case.pop()
            self.close(")")
            return self.with_relations(node)
        return self.with_relations(self.target())

    def with_relations(self, node: Node) -> Node:
        further = self.relations()
        if further is None:
            return node
        combined = further if node.relations is None else All((node.relations, further))
        return replace(node, relations=combined)

    def node(self) -> Node:
        negated = self.accept("!")
        if self.open("["):
            alternatives = [self.node()]
            while self.accept("|"):
                alternatives.append(self.node())
            self.close("]")
            return Node("", negated, self.name(), None, self.ignore_case[-1], tuple(alternatives))
        if self.token.kind != "node":
            self.fail("a node `{…}`")
        self.position += 1
        tests = self.tokens[self.position - 1].text[1:-1].strip()
        return Node(tests, negated, self.name(), None, self.ignore_case[-1])

    def name(self) -> str | None:
        return self.word() if self.accept("=") else None

    def relations(self) -> Relations | None:
        if not self.begins_relation():
            return None
        parts = [self.conjunction()]
        while self.accept("|"):
            parts.append(self.conjunction())
        return parts[0] if len(parts) == 1 else Any(tuple(parts))

    def conjunction(self) -> Relations:
        parts = [self.modified_relation()]
        while self.begins_relation() or self.looking_at("&"):
            self.accept("&")
            parts.append(self.modified_relation())
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def begins_relation(self) -> bool:
        is_distance = self.token.kind == "word" and _DISTANCE.fullmatch(self.token.text) is not None
        return self.token.kind == "relation" or self.looking_at("!", "?", "[") or is_distance

    def modified_relation(self) -> Relations:
        for sign in ("!", "?"):
            if self.accept(sign):
                return Negated(sign, self.bracketed_relations())
        return self.bracketed_relations()

    def bracketed_relations(self) -> Relations:
        if self.open("["):
            relations = self.relations()
            if relations is None:
                self.fail("a relation")
            self.close("]")
            return relations
        return self.relation()

    def relation(self) -> Relation:
        low = high = None
        if self.token.kind == "word" and _DISTANCE.fullmatch(self.token.text):
            low = high = int(self.word())
            if self.accept(","):
                if _DISTANCE.fullmatch(self.token.text) is None:
                    self.fail("a number")
                high = int(self.word())
        if self.token.kind != "relation":
            self.fail("a relation such as `>nsubj`")
        sign = self.token.text
        self.position += 1
        label, names = None, []
        if self.token.kind in ("word", "regex"):
            label = self.token.text
            self.position += 1
            while self.accept(":") and self.token.kind == "word":
                label += f":{self.word()}"
        while self.accept("~", "="):
            names.append(self.word())
        return Relation(sign, label, low, high, self.target(), tuple(names))

    def target(self) -> Node:
        if self.open("("):
            node = self.sub_pattern()
            self.close(")")
            return node
        return self.node()


def read_pattern(source: Source, start: int, text: str) -> Pattern:
    """Read the pattern `text` at an offset of a source. Raises QueryError (FICT294) if the text is not a pattern."""
    return _PatternParser(source, list(_tokens(source, start, text))).pattern()


def _tokens(source: Source, start: int, text: str) -> Iterator[_Token]:
    position = 0
    while position < len(text.rstrip()):
        match = _TOKEN.match(text, position)
        kind = match.lastgroup if match else None
        if match is None or kind is None:
            raise QueryError(source, start + position, 1, "Semgrex pattern", text[position], "a node or a relation")
        yield _Token(kind, match[kind], start + match.start(kind))
        position = match.end()
    yield _Token("end", "", start + len(text.rstrip()))
