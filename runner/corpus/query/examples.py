"""Select a few matching sentences as examples, with bound words marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from fictdsl.draw.tree import words as read_words
from runner.corpus.sentences.common_size import sentence_ranks
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

if TYPE_CHECKING:
    import duckdb


def example_sentences(
    store: Store, matches: pa.Table, names: Sequence[str], count: int, seed: str
) -> list[dict[str, Any]]:
    """Return up to `count` matching sentences, selected by pseudo-random rank, in corpus order.

    Each has the keys `sent_id`, `source`, `number` and `words`. A word has the keys `form`, `space_after` (whether a
    space follows) and `node`: the names bound to it in the first match of the sentence, joined by ", ", or None.
    """
    first_matches = _first_matches(matches)
    if not first_matches or count == 0:
        return []

    def work(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
        connection.register("wanted", pa.table({"sid": pa.array(sorted(first_matches), pa.int64())}))
        return connection.execute(
            "SELECT s.sid, s.source, s.number, s.sent_id, r.conllu FROM sentences s JOIN raw r USING (sid) "
            "WHERE s.sid IN (SELECT sid FROM wanted) ORDER BY s.sid"
        ).fetchall()

    rows = run_query(store, work)
    ranks = sentence_ranks(seed, [row[1] for row in rows], [row[2] for row in rows])
    selected = sorted(np.argsort(ranks, kind="stable")[:count].tolist())
    return [_example(rows[i], first_matches[rows[i][0]], names) for i in selected]


def _first_matches(matches: pa.Table) -> dict[int, list[int | None]]:
    columns = [matches[name].to_pylist() for name in matches.column_names]
    first_matches: dict[int, list[int | None]] = {}
    for sid, *words in zip(*columns, strict=True):
        first_matches.setdefault(sid, words)
    return first_matches


def _example(row: tuple[Any, ...], bound_words: Sequence[int | None], names: Sequence[str]) -> dict[str, Any]:
    _, source, number, sent_id, conllu = row
    nodes: dict[int, str] = {}
    for word, name in zip(bound_words, names, strict=True):
        if word is not None:
            nodes[word] = f"{nodes[word]}, {name}" if word in nodes else name
    words = [{"form": word.form, "space_after": word.space, "node": nodes.get(word.id)} for word in read_words(conllu)]
    return {"sent_id": sent_id, "source": source, "number": number, "words": words}
