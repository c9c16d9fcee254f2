"""The keys by which matches are counted or sorted: parsing, SQL of metadata, and filter clauses for values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from fictdsl.compiler import recompile
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.schema import (
    COMPUTED,
    LOWERED,
    SENTENCE_KEYS,
    SENTENCE_NUMBERS,
    SENTENCE_STRINGS,
    WORD_NUMBERS,
    WORD_STRINGS,
)
from fictdsl.source import Source
from fictdsl.syntax import nodes
from fictdsl.syntax.grammar import lexemes
from fictdsl.syntax.parse import parse
from runner.corpus.run_query import fetch_rows
from runner.corpus.store import Store
from runner.errors import InputError

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter


# The first value of a key in a sentence, or all values, sorted and joined by commas.
MetadataAggregate: TypeAlias = Literal["first", "all"]

WORD_COLUMNS = {**{name: name for name in (*WORD_STRINGS, *LOWERED.values())}, **WORD_NUMBERS}
GENRE = ("genre", "meta::genre")  # comments for the genre; GUM has the second
DOCUMENT_PREFIX = "meta::"  # prefix of GUM's comments on a whole document

# not `first(value)`: threads read row groups in any order, and a sentence may have comments in two of them
_AGGREGATES: dict[MetadataAggregate, str] = {
    "first": "arg_min(value, position)",
    "all": "string_agg(value, ',' ORDER BY value)",
}
# a document without a name is called SOURCE-NUMBER
_NAME_PREFIX = (
    "CASE WHEN starts_with(s.doc, s.source || '-') THEN NULL ELSE nullif(regexp_extract(s.doc, '^[^-_]+'), '') END"
)


def metadata_query(key: str, aggregate: MetadataAggregate = "first") -> tuple[str, list[str]]:
    """Return a query for the columns `sid` and `value`, and its parameters.

    A sentence without a value has no row, or NULL. The value of a sentence is a column (`SENTENCE_STRINGS`), or the
    value of its own comment. The keys `meta::…` describe documents: a sentence without the comment gets the value of
    the first sentence of its document that has the comment. The key `genre` stands for the keys of `GENRE`, and its
    default is the part of the document's name before the first `-` or `_`, unless the document has no name of its own.
    """
    if key in SENTENCE_STRINGS:
        return f"SELECT sid, {SENTENCE_STRINGS[key]} AS value FROM sentences", []  # noqa: S608
    if key == "genre":
        return _document_query(GENRE, aggregate, _NAME_PREFIX)
    if key.startswith(DOCUMENT_PREFIX):
        return _document_query((key,), aggregate)
    return sentence_metadata_query(key, aggregate=aggregate)


def sentence_metadata_query(*keys: str, aggregate: MetadataAggregate = "first") -> tuple[str, list[str]]:
    """Return the query of `metadata_query` for each sentence's own comments with one of `keys`."""
    placeholders = ", ".join("?" for _ in keys)
    query = f"SELECT sid, {_AGGREGATES[aggregate]} AS value FROM meta WHERE key IN ({placeholders}) GROUP BY sid"  # noqa: S608
    return query, list(keys)


def _document_query(
    keys: tuple[str, ...], aggregate: MetadataAggregate, default: str = "NULL"
) -> tuple[str, list[str]]:
    query, parameters = sentence_metadata_query(*keys, aggregate=aggregate)
    return (
        f"WITH own AS ({query}), "  # noqa: S608
        "whole AS (SELECT source, doc, arg_min(value, sid) AS value FROM own JOIN sentences USING (sid) "
        "WHERE doc IS NOT NULL GROUP BY source, doc) "
        f"SELECT s.sid, coalesce(own.value, whole.value, {default}) AS value "
        "FROM sentences AS s LEFT JOIN own ON own.sid = s.sid "
        "LEFT JOIN whole ON whole.source = s.source AND whole.doc = s.doc"
    ), parameters


Aggregate: TypeAlias = Literal["min", "max", "mean"]
AGGREGATES: tuple[Aggregate, ...] = ("min", "max", "mean")


@dataclass(frozen=True, slots=True)
class SentenceAttribute:
    attribute: str


@dataclass(frozen=True, slots=True)
class WordAttribute:
    """The first of `attributes` that the word bound to `name` has."""

    attributes: tuple[str, ...]
    name: str


@dataclass(frozen=True, slots=True)
class Order:
    """The bound names in the order of their words, such as `S V O`."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Distance:
    """The distance between two bound words: id(second) − id(first)."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class EdgeLabel:
    head: str
    dependent: str


@dataclass(frozen=True, slots=True)
class ClauseTest:
    """Whether additional clauses hold for a match. `extended` is the filter with these clauses."""

    extended: CompiledFilter


Value: TypeAlias = SentenceAttribute | WordAttribute | Order | Distance | EdgeLabel | ClauseTest


@dataclass(frozen=True, slots=True)
class GroupKey:
    """A key: a value, its bin of `width`, or an aggregate of it. `text` is the key as written."""

    text: str
    value: Value
    width: int | None = None
    aggregate: Aggregate | None = None


def is_whole(value: Value) -> bool:
    match value:
        case Distance():
            return True
        case SentenceAttribute(attribute=attribute):
            return attribute in SENTENCE_NUMBERS
        case WordAttribute(attributes=attributes):
            return set(attributes) <= set(WORD_NUMBERS)
    return False


def with_clauses(compiled: CompiledFilter, clauses: str) -> CompiledFilter:
    """Add `clauses`, a text in braces, to the `match` block of a filter. Raises InputError (FICT794)."""
    file, problems = parse(Source("--by", f"fict 1\nfilter by {{ match\n{clauses}\n}}"))
    errors = [problem for problem in problems if problem.severity.value == "error"]
    if not errors and file is not None:
        match file.items:
            case (nodes.FilterDef(metadata=(), actions=(), match=addition),):
                pass
            case _:
                reason = "a key consists of the clauses of one block"
                raise InputError.of("FICT794", key=clauses, reason=reason, hint=None, filter=compiled.name)
        old_match = compiled.definition.match
        block = nodes.Block((*old_match.clauses, *addition.clauses), span=old_match.span)
        compilation = recompile(compiled, replace(compiled.definition, match=block))
        if compilation.filters:
            return compilation.filters[0]
        errors = list(compilation.errors)
    first = errors[0]
    raise InputError.of("FICT794", key=clauses, reason=first.message, hint=first.hint, filter=compiled.name)


_LOWER = re.compile(r"lower\((.+)\)")
_BINNED = re.compile(r"(?P<key>.+\)|[^{}\"]+?)\s*:\s*(?P<width>[0-9]{1,9})", re.DOTALL)
_CALL = re.compile(r"(?P<function>order|distance|relation)\((?P<names>[^()]*)\)")
_AGGREGATED = re.compile(rf"(?P<aggregate>{'|'.join(AGGREGATES)})\((?P<key>.+)\)", re.DOTALL)
_WORD_KEY = re.compile(r"(?P<attributes>[^()]+)\((?P<name>\w+)\)|(?P<name2>[A-Za-z]\w*)\.(?P<attributes2>.+)")
_CLAUSES = re.compile(r"\{.*\}", re.DOTALL)


def parse_group_keys(text: str, compiled: CompiledFilter, store: Store) -> list[GroupKey]:
    """Parse keys separated by commas. Raises InputError (FICT775, 776, 794) if one is not valid for the filter."""
    parser = _Parser(compiled, store, comment_keys_of(store))
    return [parser.key(part.strip()) for part in _split(text)]


def _split(text: str) -> Iterator[str]:
    depth = start = position = 0
    while position < len(text):
        char = text[position]
        if char == "{":
            position = _end_of_clauses(text, position)
            continue
        depth += (char in "([") - (char in ")]")
        if char == "," and depth <= 0:
            yield text[start:position]
            start = position + 1
        position += 1
    yield text[start:]


def _end_of_clauses(text: str, start: int) -> int:
    depth = 0
    for lexeme in lexemes(text, start):  # a brace in a string or a regular expression closes nothing
        if lexeme.kind == "sign":
            depth += lexeme.text.endswith("{") - lexeme.text.endswith("}")
            if depth == 0:
                return lexeme.span.end
    return len(text)


@dataclass(frozen=True)
class _Parser:
    compiled: CompiledFilter
    store: Store
    comment_keys: Sequence[str]

    def key(self, text: str) -> GroupKey:
        if aggregated := _AGGREGATED.fullmatch(text):
            value = self._numeric(text, aggregated["key"].strip())
            return GroupKey(text, value, aggregate=cast("Aggregate", aggregated["aggregate"]))
        if (binned := _BINNED.fullmatch(text)) and text not in self.comment_keys and int(binned["width"]):
            return GroupKey(text, self._numeric(text, binned["key"].strip()), width=int(binned["width"]))
        return GroupKey(text, self._value(text))

    def _numeric(self, text: str, value_text: str) -> Value:
        value = self._value(value_text)
        strings = (*WORD_STRINGS, *COMPUTED)
        is_string = isinstance(value, WordAttribute) and not set(value.attributes).isdisjoint(strings)
        if is_string or isinstance(value, Order | EdgeLabel | ClauseTest):
            hint = "it takes a number: `length`, `distance(V,S)`, `id(X)`, `form.length(X)`, `misc.Key(X)`, a comment"
            raise InputError.of("FICT775", key=text, hint=hint)
        return value

    def _value(self, text: str) -> Value:
        if _CLAUSES.fullmatch(text):
            return ClauseTest(with_clauses(self.compiled, text))
        if call := _CALL.fullmatch(text):
            names = [self._checked_name(name.strip()) for name in call["names"].split(",")]
            return self._call(text, call["function"], names)
        lower = _LOWER.fullmatch(text)
        word_key = _WORD_KEY.fullmatch(lower[1] if lower else text)
        if word_key is None or (word_key["name2"] and word_key["name2"] not in self.compiled.names):
            self._check(text, text, list(dict.fromkeys(["doc", *SENTENCE_KEYS, "genre", *self.comment_keys])))
            return SentenceAttribute(text)
        attribute_text = word_key["attributes"] or word_key["attributes2"]
        name = self._checked_name(word_key["name"] or word_key["name2"])
        if lower:
            self._check(text, attribute_text, list(LOWERED))
            return WordAttribute((LOWERED[attribute_text],), name)
        attributes = [attribute.strip() for attribute in self._alternatives(attribute_text)]
        return WordAttribute(tuple(self._checked_attribute(text, attribute) for attribute in attributes), name)

    def _alternatives(self, attribute_text: str) -> list[str]:
        """Return the attributes between the slashes. A key of MISC may contain slashes itself."""
        key = attribute_text.removeprefix("misc.").strip('"')
        is_one = "/" in key and attribute_text.startswith("misc.") and key in misc_keys_of(self.store)
        return [attribute_text] if is_one else attribute_text.split("/")

    def _call(self, text: str, function: str, names: list[str]) -> Value:
        if function == "order" and len(names) > 1:
            return Order(tuple(names))
        if function != "order" and len(names) == 2:
            return Distance(*names) if function == "distance" else EdgeLabel(*names)
        order_hint = "`order(V,S,O)` takes two names or more"
        hint = order_hint if function == "order" else f"`{function}(A,B)` takes two names"
        raise InputError.of("FICT775", key=text, hint=hint)

    def _checked_attribute(self, text: str, attribute: str) -> str:
        if not attribute.startswith("misc."):
            self._check(text, attribute, [*WORD_STRINGS, *COMPUTED, *WORD_NUMBERS, *self.store.info.features])
        return attribute

    def _checked_name(self, name: str) -> str:
        if name not in self.compiled.names:
            hint = did_you_mean(name, self.compiled.names) or _names_hint(self.compiled.names)
            raise InputError.of("FICT776", filter=self.compiled.name, name=name, hint=hint)
        return name

    def _check(self, text: str, attribute: str, known: Sequence[str]) -> None:
        if attribute not in known:
            hint = did_you_mean(attribute, known) or _names_hint(known)
            raise InputError.of("FICT775", key=text, hint=hint)


def _names_hint(known: Sequence[str]) -> str | None:
    names = ", ".join(f"`{name}`" for name in known[:12])
    return f"there is {names}{' …' if len(known) > 12 else ''}" if known else None


def misc_keys_of(store: Store) -> set[str]:
    return {key for (key,) in fetch_rows(store, "SELECT DISTINCT key FROM misc", tables=["misc"])}


def comment_keys_of(store: Store) -> list[str]:
    return [key for (key,) in fetch_rows(store, "SELECT DISTINCT key FROM meta ORDER BY key", tables=["meta"])]
