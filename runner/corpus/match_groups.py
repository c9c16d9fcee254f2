"""Count or sort a filter's matches by keys. Keys of comments and MISC are parameters of the SQL, never its text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from fictdsl.schema import COMPUTED, DECIMAL, FEATURE_PREFIX, SENTENCE_KEYS, TABLES, identifier
from fictdsl.sql.statement import quoted
from runner.corpus.match_keys import (
    DOCUMENT_PREFIX,
    WORD_COLUMNS,
    ClauseTest,
    Distance,
    EdgeLabel,
    GroupKey,
    Order,
    SentenceAttribute,
    Value,
    WordAttribute,
    is_whole,
    metadata_query,
    parse_group_keys,
)
from runner.corpus.matches import match, match_in, run_select
from runner.corpus.run_query import fetch_rows, run_query
from runner.corpus.store import Store
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb

    from fictdsl.compiler import CompiledFilter


ABSENT, UNBOUND = "_", "(unbound)"


@dataclass
class QueryBuilder:
    """Collects the joins, parameters and columns that the values of keys need, for one query over matches.

    `key` and `number` return SQL that refers to the joins, so the text of the query is put together after the last
    call. The query names its rows `f`, with the columns `sid`, `m0`, `m1`, …; `parameters` are in the order of `joins`.
    """

    names: Sequence[str]
    joins: list[str] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    features: list[str] = field(default_factory=list)
    computed: set[str] = field(default_factory=set)
    extended_filters: dict[str, CompiledFilter] = field(default_factory=dict)  # by the name of the table of its matches
    reads_documents: bool = False  # whether the value of a sentence depends on other sentences of its document

    def key(self, key: GroupKey) -> str:
        """Return SQL for the value of a key as text, which is never NULL."""
        if isinstance(key.value, ClauseTest):
            return f"CASE WHEN {self._extended(key.value)}.sid IS NULL THEN 'no' ELSE 'yes' END"
        label = self._nullable_text(key.value) if key.width is None else self._bin(key.value, key.width)
        return f"CASE WHEN {self._unbound(key.value)} THEN '{UNBOUND}' ELSE coalesce({label}, '{ABSENT}') END"

    def _bin(self, value: Value, width: int) -> str:
        # a comment may contain a number of any size; a number beyond 128 bits counts as absent
        low = f"try_cast(floor({self.number(value)} / {width}) * {width} AS HUGEINT)"
        if is_whole(value):
            return f"{low}::VARCHAR" if width == 1 else f"{low} || '..' || {low} + {width - 1}"
        return f"{low} || '..<' || {low} + {width}"

    def number(self, value: Value) -> str:
        match value:
            case Distance(first=first, second=second):
                return f"({self._word(second)} - {self._word(first)})"
            case SentenceAttribute(attribute=attribute) if is_whole(value):
                return f"{self._joined('sentences')}.{SENTENCE_KEYS[attribute]}"
            case WordAttribute(attributes=(attribute,), name=name) if is_whole(value):
                return self._attribute(attribute, self._word(name))
        text = self._nullable_text(value)
        return f"CASE WHEN regexp_full_match({text}, '{DECIMAL}') THEN try_cast(ltrim({text}, '+') AS DOUBLE) END"

    def lowercase_form(self, word: str) -> str:
        return f"{self._joined('tokens', word)}.form_l"

    def _unbound(self, value: Value) -> str:
        match value:
            case WordAttribute(name=name):
                return f"{self._word(name)} IS NULL"
            case Distance(first=first, second=second) | EdgeLabel(head=first, dependent=second):
                return f"{self._word(first)} IS NULL OR {self._word(second)} IS NULL"
            case Order(names=names):
                return " AND ".join(f"{self._word(name)} IS NULL" for name in names)
        return "false"

    def _nullable_text(self, value: Value) -> str:
        match value:
            case SentenceAttribute(attribute=attribute) if attribute in SENTENCE_KEYS:
                return f"{self._joined('sentences')}.{SENTENCE_KEYS[attribute]}::VARCHAR"
            case SentenceAttribute(attribute=attribute):
                return self._comment(attribute)
            case WordAttribute(attributes=attributes, name=name):
                values = [f"{self._attribute(attribute, self._word(name))}::VARCHAR" for attribute in attributes]
                return f"coalesce({', '.join(values)})"
            case Distance(first=first, second=second):
                return f"({self._word(second)} - {self._word(first)})::VARCHAR"
            case Order(names=names):
                return self._order(names)
            case EdgeLabel(head=head, dependent=dependent):
                alias = self._joined("tokens", self._word(dependent))
                return f"CASE WHEN {alias}.head = {self._word(head)} THEN {alias}.deprel END"
        raise AssertionError(f"{value} has no text")

    def _order(self, names: Sequence[str]) -> str:
        pairs = [f"{{'word': {self._word(name)}, 'index': {index}}}" for index, name in enumerate(names)]
        bound = f"list_filter([{', '.join(pairs)}], lambda x: x.word IS NOT NULL)"
        texts = ", ".join(f"'{name}'" for name in names)  # names of nodes consist of letters, digits and _
        return f"array_to_string(list_transform(list_sort({bound}), lambda x: [{texts}][x.index + 1]), ' ')"

    def _word(self, name: str) -> str:
        return f"f.m{self.names.index(name)}"

    def _attribute(self, attribute: str, word: str) -> str:
        if attribute == "id":
            return word
        if attribute.startswith("misc."):
            self.parameters.append(attribute.removeprefix("misc.").strip('"'))
            entries = "SELECT sid, id, string_agg(value, ',' ORDER BY value) AS value FROM misc WHERE key = ?"
            return f"{self._joined(f'({entries} GROUP BY sid, id)', word)}.value"
        if attribute in COMPUTED:
            self.computed.add(attribute)
            return f"{self._joined(attribute, word)}.value"
        alias = self._joined("tokens", word)
        if attribute in WORD_COLUMNS:
            return f"{alias}.{WORD_COLUMNS[attribute]}"
        self.features.append(attribute)
        return f"{alias}.{quoted(identifier(f'{FEATURE_PREFIX}{attribute}'))}"

    def _joined(self, table: str, word: str | None = None) -> str:
        """Join a table by sentence and, if `word` is given, by word. Return its alias."""
        alias = f"t{len(self.joins)}"
        condition = "" if word is None else f" AND {alias}.id = {word}"
        self.joins.append(f"LEFT JOIN {table} AS {alias} ON {alias}.sid = f.sid{condition}")
        return alias

    def _comment(self, key: str) -> str:
        query, parameters = metadata_query(key, "all")
        self.reads_documents |= key == "genre" or key.startswith(DOCUMENT_PREFIX)
        self.parameters += parameters
        return f"{self._joined(f'({query})')}.value"

    def _extended(self, value: ClauseTest) -> str:
        table = f"extended{len(self.extended_filters)}"
        self.extended_filters[table] = value.extended
        columns = [f"m{index}" for index in range(len(self.names))]
        alias = self._joined(f"(SELECT DISTINCT {', '.join(['sid', *columns])} FROM {table})")  # noqa: S608
        self.joins[-1] += "".join(f" AND {alias}.{name} IS NOT DISTINCT FROM f.{name}" for name in columns)
        return alias


def words_by_values(store: Store, keys: Sequence[GroupKey]) -> dict[tuple[str, ...], int]:
    if not keys:
        return {(): store.info.words}
    builder = QueryBuilder(())
    values = ", ".join(builder.key(key) for key in keys)
    query = (
        f"SELECT {values}, sum(f.words) FROM (SELECT sid, length AS words FROM sentences) AS f "  # noqa: S608
        f"{' '.join(builder.joins)} GROUP BY ALL"
    )
    rows = fetch_rows(store, query, builder.parameters, ["sentences", "meta"])
    return {tuple(row[:-1]): int(row[-1]) for row in rows}


_FUNCTIONS = {"min": "min", "max": "max", "mean": "avg"}


@dataclass(frozen=True, slots=True)
class GroupCount:
    values: tuple[str, ...]
    matches: int
    share: float
    words: int  # of the sentences that have the values of the keys of sentences, such as `genre`
    aggregates: tuple[float | None, ...] = ()  # in the order of the keys; None if no match has a number

    @property
    def per_million_words(self) -> float:
        return 1e6 * self.matches / self.words


def _run(
    store: Store,
    builder: QueryBuilder,
    query: str,
    rows_of: Callable[[CompiledFilter], pa.Table],
    match_rows: pa.Table,
    sids: range | None = None,
) -> pa.Table:
    """Run a query over `match_rows`. `rows_of` returns the matches of the other filters that the builder needs."""
    tables = {"match_rows": match_rows}
    tables |= {table: rows_of(extended) for table, extended in builder.extended_filters.items()}

    def work(connection: duckdb.DuckDBPyConnection) -> pa.Table:
        for name, rows in tables.items():
            connection.register(name, rows)
        return run_select(connection, query, builder.parameters)

    return run_query(store, work, features=builder.features, sids=sids, tables=(*TABLES, *sorted(builder.computed)))


def count_groups(store: Store, compiled: CompiledFilter, keys: Sequence[GroupKey]) -> list[GroupCount]:
    """Return the counts, the highest first. A value is `_` if it is absent, and `(unbound)` if its name is."""
    builder, group_keys = QueryBuilder(compiled.names), [key for key in keys if key.aggregate is None]
    query = _query(builder, group_keys, [key for key in keys if key.aggregate is not None])
    result = _run(store, builder, query, lambda extended: match(store, extended), match(store, compiled))
    rows = list(zip(*(column.to_pylist() for column in result.columns), strict=True))
    total = sum(row[-1] for row in rows)
    sentence_keys = [index for index, key in enumerate(group_keys) if isinstance(key.value, SentenceAttribute)]
    words = words_by_values(store, [group_keys[index] for index in sentence_keys])
    return [
        GroupCount(
            row[: len(group_keys)],
            row[-1],
            row[-1] / total,
            words[tuple(row[index] for index in sentence_keys)],
            row[len(group_keys) : -1],
        )
        for row in rows
        if row[-1]
    ]


def counts_table(store: Store, compiled: CompiledFilter, keys: Sequence[GroupKey]) -> pa.Table:
    rows = [
        (*group.values, group.matches, group.share, group.per_million_words, *group.aggregates)
        for group in count_groups(store, compiled, keys)
    ]
    fields = [(key.text, pa.string()) for key in keys if key.aggregate is None]
    fields += [("matches", pa.int64()), ("share", pa.float64()), ("per_million_words", pa.float64())]
    fields += [(key.text, pa.float64()) for key in keys if key.aggregate is not None]
    columns = [pa.array([row[index] for row in rows], dtype) for index, (_, dtype) in enumerate(fields)]
    return pa.Table.from_arrays(columns, names=[name for name, _ in fields])


def _query(builder: QueryBuilder, groups: Sequence[GroupKey], aggregates: Sequence[GroupKey]) -> str:
    values = [f"{builder.key(key)} AS k{index}" for index, key in enumerate(groups)]
    values += [f"{builder.number(key.value)} AS a{index}" for index, key in enumerate(aggregates)]
    names = [f"k{index}" for index in range(len(groups))]
    columns = [*names, *(f"{_FUNCTIONS[str(key.aggregate)]}(a{i})::DOUBLE" for i, key in enumerate(aggregates))]
    grouping_clause = f"GROUP BY {', '.join(names)} ORDER BY n DESC, {', '.join(names)}" if names else ""
    rows = f"SELECT {', '.join(values)} FROM match_rows AS f {' '.join(builder.joins)}"  # noqa: S608
    return f"SELECT {', '.join(columns)}, count(*) AS n FROM ({rows}) {grouping_clause}"  # noqa: S608


SIDES = ("left", "right")  # of the bound words
_CONTEXT_WORDS = 3
_RANDOM = re.compile(r"random:(\d{1,9})")


def seed_of(key: str) -> int | None:
    found = _RANDOM.fullmatch(key)
    return int(found[1]) if found is not None else None


def sort_matches(
    store: Store, compiled: CompiledFilter, matches: pa.Table, key: str, offset: int, limit: int
) -> pa.Table:
    """Return up to `limit` of the matches, which are sorted by `sid`, from `offset`, by a key and then in corpus order.

    The key is text for `parse_group_keys`, `random:SEED`, or `left` or `right`: the three words before the first bound
    word, or after the last. Raises InputError (FICT775) for `left` and `right` without bound words, and for aggregates.
    """
    if (seed := seed_of(key)) is not None:
        return matches.take(np.random.default_rng(seed).permutation(matches.num_rows)[offset : offset + limit])
    builder = QueryBuilder(compiled.names)
    if key in SIDES:
        terms = list(_context(builder, key))
    else:
        terms = [_sorted_value(builder, group_key) for group_key in parse_group_keys(key, compiled, store)]
    ids = [f"m{index}" for index in range(len(compiled.names))]
    end_columns = f", least({', '.join(ids)}) AS first_word, greatest({', '.join(ids)}) AS last_word" if ids else ""
    columns = ", ".join(f"f.{name}" for name in ("sid", *ids))
    query = (
        f"SELECT {columns} FROM (SELECT *{end_columns} FROM match_rows) AS f {' '.join(builder.joins)} "  # noqa: S608
        f"ORDER BY {', '.join(f'{term} NULLS FIRST' for term in terms)}, {columns} LIMIT {limit} OFFSET {offset}"
    )
    sid_range = range(matches["sid"][0].as_py(), matches["sid"][-1].as_py() + 1) if matches.num_rows else range(0)
    sids_to_read = None if builder.reads_documents else sid_range  # a document may begin before the first match
    sids = matches["sid"].to_numpy()
    return _run(store, builder, query, lambda extended: match_in(store, extended, sids), matches, sids_to_read)


def _sorted_value(builder: QueryBuilder, key: GroupKey) -> str:
    if key.aggregate is not None:
        hint = f"`{key.aggregate}` has one value for all matches, which does not sort them"
        raise InputError.of("FICT775", key=key.text, hint=hint)
    return builder.number(key.value) if is_whole(key.value) else builder.key(key)


def _context(builder: QueryBuilder, side: str) -> Iterator[str]:
    """Yield SQL for the lowercase forms of the words on one side of the bound words, the nearest first."""
    if not builder.names:
        hint = f"`{side}` compares the words beside the bound words, and the filter binds none"
        raise InputError.of("FICT775", key=side, hint=hint)
    end_column, sign = ("first_word", "-") if side == "left" else ("last_word", "+")
    for distance in range(1, _CONTEXT_WORDS + 1):
        yield builder.lowercase_form(f"f.{end_column} {sign} {distance}")
