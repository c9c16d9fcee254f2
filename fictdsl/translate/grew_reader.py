"""Read the text of a Grew request.

Source: the lexer and the parser of grewlib, https://github.com/grew-nlp/grewlib. An item that does not follow the
grammar becomes `Unreadable`, with the reason; the items beside it are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import NoReturn

from fictdsl.source import Source
from fictdsl.translate import grew_request as grew
from fictdsl.translate.grew_request import QUOTED_VALUE, nodes_of, quoted_value
from fictdsl.translate.writer import NoEquivalentError, QueryError
from fictdsl.words import inflected

_KINDS = ("pattern", "match", "with", "without", "global")
_RESERVED = ("meta", "global")  # since Grew 1.18
_LEXICON = re.compile(r"^#BEGIN[ \t]*(?P<name>\w*)[^\n]*\n(?P<body>.*?)^#END[^\n]*$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"%[^\n]*|/\*.*?\*/", re.DOTALL)
_SPACES = re.compile(r"\s+")
_LINE_BREAK = re.compile(r"\s*\n\s*")
_QUOTED = r'"(?:[^"\\]|\\.)*"|(?<=[=>|\[^])\s*/(?!\*)(?:[^/\\\n]|\\.)+/'
_QUOTED_OR_SPACES = re.compile(rf"(?P<quoted>{_QUOTED})|(?:\s|{_COMMENT.pattern})+", re.DOTALL)
_REST_OF_ITEM = re.compile(rf'(?:{_QUOTED}|{_COMMENT.pattern}|[^;}}"])*', re.DOTALL)

_OPENING = re.compile(r"(?P<kind>\w+)\s*\{")
_NAME = re.compile(r"[A-Za-z_][\w']*\$?")
_FEATURE = re.compile(r"\w+")
_KEY = re.compile(r"\w+(?:[:-]+\w+)*")
_NUMBER = re.compile(r"-?\d{1,9}(?![\w.])")
# An unquoted value or label ends at the signs of the syntax.
_WORD = re.compile(r"""(?:[^\s\[\]{}()<>=|,;!^"/*%#&?\\-]|-(?![>\[]))+""")
_LABEL_WORD = re.compile(r"""(?:[^\s\[\]{}()<>=|,;!^"%#&?\\-]|-(?![>\[]))+""")
_POINTED = re.compile(r"(?P<owner>[A-Za-z_][\w']*\$?)\.(?P<name>\w+(?:/\w+)*)")
_EQUALITY = re.compile(r"<>|=(?!=)")
_COMPARISON = re.compile(r"<=|>=|<>|=(?!=)|<|>")
_ORDER = re.compile(r"<<|>>|><|<>|<(?!-)|>")
_ARROW = re.compile(r"->>|->|-\[|<-\[|<-")
_LABEL_PARTS = re.compile(r"!|\w+\s*(?:=|<>|,)|(?:1|2|enhanced)\s*(?=\]|$)")


def read_request(source: Source) -> grew.Request:
    """Read a request. Raises QueryError (FICT294) if the text is not a request."""
    lexicons = {match["name"]: _read_lexicon(source, match.span("body")) for match in _LEXICON.finditer(source.text)}
    text = _LEXICON.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source.text)
    reader = _Reader(source, text, lexicons)
    blocks: list[grew.Block] = []
    while not reader.at_end():
        blocks.append(reader.block())
    reader.check_owners(blocks)
    return grew.Request(tuple(reader.comments), tuple(blocks), lexicons)


@dataclass
class _Reader:
    """A recursive descent parser. Comments are spaces; `comments` has those that no block has taken."""

    source: Source
    text: str
    lexicons: dict[str, grew.Lexicon]
    position: int = 0
    comments: list[str] = field(default_factory=list)
    attributes: list[tuple[int, re.Match[str]]] = field(default_factory=list)  # `Y.name` after a sign, and its offset

    # --- characters ---------------------------------------------------------------------------------

    def skip_spaces(self) -> None:
        while True:
            if comment := _COMMENT.match(self.text, self.position):
                self.comments.append(comment[0].removeprefix("/*").removesuffix("*/").lstrip("%").strip())
            skipped = comment or _SPACES.match(self.text, self.position)
            if skipped is None:
                return
            self.position = skipped.end()

    def at_end(self) -> bool:
        self.skip_spaces()
        return self.position == len(self.text)

    def looking_at(self, *signs: str) -> bool:
        self.skip_spaces()
        return self.text.startswith(signs, self.position)

    def accept(self, sign: str) -> bool:
        is_next = self.looking_at(sign)
        self.position += len(sign) if is_next else 0
        return is_next

    def require(self, sign: str) -> None:
        if not self.accept(sign):
            self.refuse(f"`{sign}`")

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self.skip_spaces()
        match = pattern.match(self.text, self.position)
        self.position = match.end() if match else self.position
        return match

    def take(self, pattern: re.Pattern[str], expected: str) -> str:
        match = self.match(pattern)
        return match[0] if match else self.refuse(expected)

    def refuse(self, expected: str) -> NoReturn:
        self.skip_spaces()
        found = re.compile(r"\w+|\S").match(self.text, self.position)
        raise NoEquivalentError(f"found {f'`{found[0]}`' if found else 'the end'}, expected {expected}")

    # --- blocks -------------------------------------------------------------------------------------

    def block(self) -> grew.Block:
        start = self.position
        opening = self.match(_OPENING)
        if opening is None or opening["kind"] not in _KINDS:
            found = re.compile(r"\w+|.").match(self.text, start)
            expected = "`pattern`, `with`, `without` or `global`, and `{`"
            raise _error(self.source, start, found[0] if found else "", expected)
        outer_comments, self.comments = self.comments, []
        kind = "pattern" if opening["kind"] == "match" else opening["kind"]
        items: list[grew.Item] = []
        while not self.accept("}"):
            if self.at_end():
                raise _error(self.source, start, opening["kind"], "`}` that closes this block")
            item = [] if self.accept(";") else [self.item(kind)]
            items += [*self.taken_comments(), *item]
        items += self.taken_comments()
        self.comments = outer_comments
        return grew.Block(kind, tuple(items))

    def taken_comments(self) -> list[grew.Item]:
        comments: list[grew.Item] = [grew.Comment(text=text) for text in self.comments]
        self.comments.clear()
        return comments

    def item(self, kind: str) -> grew.Item:
        start = self.position
        try:
            item = self.global_item() if kind == "global" else self.pattern_item()
            end = self.position
            if not self.looking_at(";", "}") and not self.at_end():
                self.refuse("`;`")
        except NoEquivalentError as reason:
            rest = _REST_OF_ITEM.match(self.text, self.position)
            self.position = rest.end() if rest else self.position
            if self.looking_at('"'):
                raise _error(self.source, self.position, '"', 'another `"` that closes the text') from reason
            return grew.Unreadable(str(reason), text=self.text_between(start, self.position))
        return replace(item, text=self.text_between(start, end))

    def text_between(self, start: int, end: int) -> str:
        """Return text without comments and line breaks, and with one space where there are several outside strings."""
        return _QUOTED_OR_SPACES.sub(
            lambda match: " " if match["quoted"] is None else _LINE_BREAK.sub(" ", match[0]), self.text[start:end]
        ).strip()

    def check_owners(self, blocks: list[grew.Block]) -> None:
        """Raise QueryError if an attribute is compared with one of an owner that is no node, edge or lexicon."""
        items = [item for block in blocks for item in block.items]
        owners = {name for item in items for name in nodes_of(item)}
        owners |= {item.name for item in items if isinstance(item, grew.Edge) and item.name}
        for start, attribute in self.attributes:
            if attribute["owner"] not in owners and not any(isinstance(item, grew.Unreadable) for item in items):
                raise self.no_lexicon(start, attribute)

    def no_lexicon(self, start: int, attribute: re.Match[str]) -> QueryError:
        expected = f"a lexicon `{attribute['owner']}` (`#BEGIN {attribute['owner']}` … `#END`), or quotation marks"
        return _error(self.source, start, attribute[0], expected)

    # --- items --------------------------------------------------------------------------------------

    def pattern_item(self) -> grew.Item:
        if self.accept("!"):
            name = self.take(_NAME, "a node")
            self.require(".")
            return self.attribute_item(name, absent=True)
        if self.looking_at("*"):
            return self.edge(None)
        name = self.take(_NAME, "a node, an edge or a test")
        if self.looking_at("(") and name in ("length", "delta"):
            return self.distance(name)
        if self.looking_at("(") and name == "id":
            return self.identifiers()
        if self.accept("."):
            return self.attribute_item(name)
        if self.accept(":"):
            return self.edge(name)
        if name in _RESERVED:
            raise NoEquivalentError(f"`{name}` is not the name of a node since Grew 1.18")
        if self.looking_at("["):
            return self.node(name)
        if order := self.match(_ORDER):
            return grew.Order(name, order[0], self.take(_NAME, "a node or an edge"))
        return self.edge(None, name)

    def node(self, name: str) -> grew.Node:
        alternatives = [self.node_tests()]
        while self.accept("|"):
            alternatives.append(self.node_tests())
        return grew.Node(name, tuple(alternatives))

    def node_tests(self) -> tuple[grew.AttributeTest, ...]:
        self.require("[")
        tests: list[grew.AttributeTest] = []
        while not self.accept("]"):
            tests.append(self.attribute_test())
            if not self.accept(",") and not self.looking_at("]"):
                self.refuse("`,` or `]`")
        return tuple(tests)

    def attribute_test(self) -> grew.AttributeTest:
        if self.accept("!"):
            return grew.AttributeTest(self.features(), "!")
        return self.comparison(self.features(), _EQUALITY)

    def features(self) -> tuple[str, ...]:
        names = [self.take(_FEATURE, "a feature")]
        while self.accept("/"):
            names.append(self.take(_FEATURE, "a feature"))
        return tuple(names)

    def comparison(self, names: tuple[str, ...], signs: re.Pattern[str]) -> grew.AttributeTest:
        sign = self.match(signs)
        if sign is None or (sign[0] == "=" and self.accept("*")):
            return grew.AttributeTest(names, "*")
        self.skip_spaces()
        start = self.position
        pointed = self.match(_POINTED)
        if pointed is None or _WORD.match(self.text, pointed.end()):
            self.position = start
            return grew.AttributeTest(names, sign[0], self.values(_WORD))
        if pointed["owner"] not in self.lexicons:
            raise self.no_lexicon(start, pointed)
        return grew.AttributeTest(names, sign[0], (), (pointed["owner"], pointed["name"]))

    def values(self, word: re.Pattern[str]) -> grew.Values:
        values: list[str | grew.RegexText] = []
        while not values or self.accept("|"):
            quoted = self.match(QUOTED_VALUE)
            values.append(quoted_value(quoted) if quoted else self.take(word, "a value"))
        return tuple(values)

    def attribute_item(self, owner: str, *, absent: bool = False) -> grew.Item:
        if owner == "global" and not absent:
            return grew.Property(self.take(_FEATURE, "a property such as `is_projective`"))
        if owner == "meta":
            key = (self.take(_KEY, "a key of metadata"),)
            return grew.Metadata(grew.AttributeTest(key, "!") if absent else self.comparison(key, _COMPARISON))
        names = self.features()
        if absent:
            return grew.Comparison(owner, grew.AttributeTest(names, "!"))
        start = self.position
        sign = self.match(_COMPARISON)
        self.skip_spaces()
        attribute_start = self.position
        attribute = self.match(_POINTED) if sign else None
        if sign and attribute and attribute["owner"] not in self.lexicons:
            if attribute["owner"] in _RESERVED:
                raise NoEquivalentError("an attribute is not compared with metadata")
            self.attributes.append((attribute_start, attribute))
            return grew.TwoAttributes((owner, "/".join(names)), sign[0], (attribute["owner"], attribute["name"]))
        self.position = start
        return grew.Comparison(owner, self.comparison(names, _COMPARISON))

    def global_item(self) -> grew.Item:
        if self.accept("!"):
            return grew.Metadata(grew.AttributeTest((self.take(_KEY, "a key of metadata"),), "!"))
        key = self.take(_KEY, "a property such as `is_projective`, or a key of metadata")
        if key in _RESERVED and self.accept("."):
            return self.attribute_item(key)
        if key.startswith("is_") and self.looking_at(";", "}"):
            return grew.Property(key)
        return grew.Metadata(self.comparison((key,), _COMPARISON))

    def edge(self, name: str | None, first: str | None = None) -> grew.Edge:
        first = first or self.end_of_edge()
        arrow = self.take(_ARROW, "`[`, `.`, an edge such as `-[nsubj]->` or an order such as `<<`")
        label = self.label() if arrow.endswith("[") else grew.Label()
        if arrow.endswith("["):
            self.require("]-" if arrow == "<-[" else "]->")
        second = self.end_of_edge()
        head, dependent = (second, first) if arrow.startswith("<") else (first, second)
        return grew.Edge(name, head, dependent, label, arrow == "->>")

    def end_of_edge(self) -> str:
        return "*" if self.accept("*") else self.take(_NAME, "a node or `*`")

    def label(self) -> grew.Label:
        if self.looking_at("]") or self.at_end():
            return grew.Label()
        negated = self.accept("^")
        self.skip_spaces()
        if not _LABEL_PARTS.match(self.text, self.position):
            return grew.Label(negated, self.values(_LABEL_WORD))
        if negated:
            raise NoEquivalentError("`^` stands before labels, not before parts of a label")
        parts = [self.label_part()]
        while self.accept(","):
            parts.append(self.label_part())
        return grew.Label(parts=tuple(parts))

    def label_part(self) -> grew.LabelPart:
        self.skip_spaces()
        start, absent = self.position, self.accept("!")
        key = self.take(_FEATURE, "a part of a label such as `1`")
        sign = None if absent else self.match(_EQUALITY)
        if sign is None or (sign[0] == "=" and self.accept("*")):
            return grew.LabelPart(self.text_between(start, self.position), key, "!" if absent else "*")
        values = self.values(_LABEL_WORD)
        return grew.LabelPart(self.text_between(start, self.position), key, sign[0], values)

    def distance(self, function: str) -> grew.Distance:
        self.require("(")
        ends = [self.take(_NAME, "a node or an edge")]
        if self.accept(","):
            ends.append(self.take(_NAME, "a node"))
        self.require(")")
        sign = self.take(_COMPARISON, "a comparison such as `<=`")
        number = self.take(_NUMBER, "a whole number of at most nine digits")
        return grew.Distance(function, tuple(ends), sign, int(number))

    def identifiers(self) -> grew.Order:
        left = self.identified_node()
        sign = self.take(re.compile("[<>]"), "`<` or `>`")
        self.require("id")
        return grew.Order(left, sign, self.identified_node(), by_id=True)

    def identified_node(self) -> str:
        self.require("(")
        name = self.take(_NAME, "a node")
        self.require(")")
        return name


def _read_lexicon(source: Source, span: tuple[int, int]) -> grew.Lexicon:
    rows: list[tuple[str, ...]] = []
    for line in re.compile(r"[^\n]+").finditer(source.text, *span):
        if not line[0].strip() or line[0].startswith("%"):
            continue
        row = tuple(cell.strip() for cell in line[0].split("\t"))
        if rows and len(row) != len(rows[0]):
            cells = inflected(len(rows[0]), "value", "values separated by tabs")
            raise _error(source, line.start(), line[0].strip(), f"{len(rows[0])} {cells}")
        rows.append(row)
    return grew.Lexicon(rows[0] if rows else (), tuple(rows[1:]))


def _error(source: Source, position: int, found: str, expected: str) -> QueryError:
    return QueryError(source, position, len(found), "Grew request", found, expected)
