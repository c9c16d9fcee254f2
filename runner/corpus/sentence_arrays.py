"""Read a store's sentences and their provenance as arrays in corpus order, and select some pseudo-randomly."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from fictdsl.draw.tree import words as read_words
from runner.corpus.match_keys import metadata_query
from runner.corpus.run_query import fetch_rows, fetch_table, run_query
from runner.corpus.sentence_texts import conllu_blocks, locate, sentence_texts
from runner.corpus.store import Store

if TYPE_CHECKING:
    import duckdb


Indices: TypeAlias = NDArray[np.int64]  # such as sentence ids (sid)


def sentence_ranks(seed: str, sources: Sequence[str], numbers: Sequence[int]) -> NDArray[Any]:
    """Return a pseudo-random rank for each sentence, (n,) of fixed-width bytes.

    It is the hexadecimal md5 of seed, source and number, joined by the unit separator, as computed in DuckDB and Spark.
    """
    digests = [
        hashlib.md5(f"{seed}\x1f{source}\x1f{number}".encode(), usedforsecurity=False).hexdigest()
        for source, number in zip(sources, numbers, strict=True)
    ]
    return np.array(digests, dtype="S32")


def first_by_rank(sids: Indices, ranks: NDArray[Any], sizes: NDArray[np.int64], max_size: int) -> Indices:
    """Return the sentences of lowest rank, up to a total size. A smaller `max_size` selects a subset."""
    order = np.argsort(ranks, kind="stable")
    selected = int(np.searchsorted(np.cumsum(sizes[order]), max_size, side="right"))
    return np.sort(sids[order[:selected]])


@dataclass(frozen=True)
class Sentences:
    sources: list[str]
    numbers: list[int]
    words: NDArray[np.int64]


def read_sentences(store: Store) -> Sentences:
    query = "SELECT source, number, length FROM sentences ORDER BY sid"
    table = fetch_table(store, query, ["sentences"])
    return Sentences(
        table["source"].to_pylist(), table["number"].to_pylist(), table["length"].to_numpy().astype(np.int64)
    )


def read_lines(store: Store, sids: NDArray[np.int64] | None = None) -> list[str]:
    """Return the original text of every sentence, or of `sids` (sorted), with line breaks replaced by spaces."""
    return [" ".join(text.splitlines()) for text in sentence_texts(store, sids)]


def read_values(
    store: Store, key: str, query_of: Callable[[str], tuple[str, list[str]]] = metadata_query
) -> list[str | None]:
    query, parameters = query_of(key)
    values = f"SELECT v.value FROM sentences s LEFT JOIN ({query}) v USING (sid) ORDER BY s.sid"  # noqa: S608
    return [value for (value,) in fetch_rows(store, values, parameters, ["sentences", "meta"])]


def read_tags(store: Store, columns: Sequence[str]) -> list[str]:
    def work(connection: duckdb.DuckDBPyConnection) -> set[str | None]:
        rows = (connection.sql("FROM tokens").project(column).distinct().fetchall() for column in columns)
        return {value for column_rows in rows for (value,) in column_rows}

    return sorted(value for value in run_query(store, work, tables=["tokens"]) if value not in (None, "_"))


def read_trees(store: Store) -> list[NDArray[np.int64]]:
    query = "SELECT sid, head, pre, last FROM tokens ORDER BY sid, id"
    table = fetch_table(store, query, ["tokens"])
    return [column.to_numpy() for column in table.columns]


def read_multiword_tokens(store: Store) -> list[tuple[int, int, int]]:
    query = (
        "SELECT sid, split_part(ids, '-', 1)::INTEGER, split_part(ids, '-', 2)::INTEGER FROM "
        r"(SELECT sid, unnest(regexp_extract_all(conllu, '(?m)^([0-9]+-[0-9]+)\t', 1)) AS ids FROM raw)"
    )
    return fetch_rows(store, query, tables=["raw"])


COMMENT = pa.struct([("key", pa.string()), ("value", pa.string())])
PROVENANCE = pa.schema(
    [
        ("source", pa.string()),
        ("number", pa.int64()),
        ("sent_id", pa.string()),
        ("document", pa.string()),
        ("metadata", pa.list_(COMMENT)),
    ]
)
_QUERY = """
SELECT s.source, s.number, s.sent_id, s.doc AS document, coalesce(m.metadata, []) AS metadata
FROM sentences AS s LEFT JOIN (
  SELECT sid, list({'key': key, 'value': coalesce(value, '')} ORDER BY key, value) AS metadata
  FROM meta WHERE key NOT IN ('sent_id', 'text', 'newdoc', 'newdoc id') GROUP BY sid
) AS m USING (sid)
ORDER BY s.sid
"""


def read_provenance(store: Store) -> pa.Table:
    """Return a row for each sentence. `metadata` has all comments but those of the other columns, sorted."""
    return fetch_table(store, _QUERY, ["sentences", "meta"]).cast(PROVENANCE)


def example_sentences(
    store: Store, matches: pa.Table, names: Sequence[str], count: int, seed: str
) -> list[dict[str, Any]]:
    """Return up to `count` matching sentences, selected by pseudo-random rank, in corpus order.

    Each has the keys `sent_id`, `source`, `number` and `words`. A word has the keys `form`, `space_after` (whether a
    space follows) and `node`: the names bound to it in the first match of the sentence, joined by ", ", or None.
    """
    if not count:
        return []
    sids, first_rows = np.unique(matches["sid"].to_numpy(), return_index=True)
    locations = list(locate(store, sids))
    ranks = sentence_ranks(seed, [each.source for each in locations], [each.number for each in locations])
    selected = np.sort(np.argsort(ranks, kind="stable")[:count])
    first_matches = matches.take(pa.array(first_rows[selected]))
    bound_words = zip(*(column.to_pylist() for column in first_matches.columns), strict=True)
    examples = []
    for index, (_, *bound), block in zip(
        selected.tolist(), bound_words, conllu_blocks(store, sids[selected]), strict=True
    ):
        nodes: dict[int | None, str] = {}
        for word, name in zip(bound, names, strict=True):
            nodes[word] = f"{nodes[word]}, {name}" if word in nodes else name
        words = [
            {"form": word.form, "space_after": word.space, "node": nodes.get(word.id)} for word in read_words(block)
        ]
        location = locations[index]
        example = {"sent_id": location.sent_id, "source": location.source, "number": location.number, "words": words}
        examples.append(example)
    return examples
