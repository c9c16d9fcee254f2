"""Filters that take whole sentences, and a store, into the corpora that they leave: the text is read once for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from fictdsl.compiler import CompiledFilter
from runner.corpus.query.matches import in_parts, named, run_select
from runner.corpus.sentences.texts import TextFormat, drop_rows, formatted_texts
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import duckdb
    import numpy as np


@dataclass(slots=True)
class Left:
    """How many sentences each corpus is left with, and how many each action of each filter took, or counted."""

    kept: list[int]
    taken: Counter[tuple[int, int]] = field(default_factory=Counter)


def takes_sentences(compiled: CompiledFilter) -> bool:
    """Whether all that a filter does is done to whole sentences."""
    return all(action.target == "sentence" for action in compiled.ir.actions)


def leave(
    store: Store,
    filters: Sequence[CompiledFilter],
    corpora: Sequence[Sequence[int]],
    kind: TextFormat,
    out: Sequence[IO[bytes]],
) -> Left:
    """Write for each of the `corpora`, each given by the places of some filters, what these filters leave of a store.

    All filters take whole sentences. The corpora go to the files `out`, a chunk of the store at a time.
    """
    import numpy as np

    left = Left([0] * len(corpora))
    for chunk, matching in enumerate(_matching(store, filters)):
        own = store.sids([chunk])
        everything = np.arange(own.start, own.stop)
        gone = [
            _gone(left, place, compiled, sids, everything)
            for place, (compiled, sids) in enumerate(zip(filters, matching, strict=True))
        ]
        dropped = [np.unique(np.concatenate([gone[place] for place in corpus])) for corpus in corpora]
        for sids, texts in formatted_texts(store, kind, [chunk]):
            for number, file in enumerate(out):
                data, kept = drop_rows(sids, texts, dropped[number])
                file.write(data)
                left.kept[number] += kept
    return left


def _gone(left: Left, place: int, compiled: CompiledFilter, matching: np.ndarray, everything: np.ndarray) -> np.ndarray:
    """The sentences that a filter takes, counted by action."""
    import numpy as np

    others = np.setdiff1d(everything, matching, assume_unique=True) if compiled.keeps else matching[:0]
    found = [matching[:0]]
    for number, action in enumerate(compiled.ir.actions):
        taken = others if action.verb == "keep" else matching
        left.taken[place, number] += len(taken)
        if action.verb != "count":
            found.append(taken)
    return np.unique(np.concatenate(found))


def _matching(store: Store, filters: Sequence[CompiledFilter]) -> Iterator[list[np.ndarray]]:
    """For each chunk the sentences that each filter matches, sorted."""
    import numpy as np

    statements = [compiled.statement(layout=store.layout) for compiled in filters]
    features = {name for statement in statements for name in statement.features}
    tables = {table for statement in statements for table in named(statement.sentences)}

    def work(connection: duckdb.DuckDBPyConnection) -> list[np.ndarray]:
        return [run_select(connection, statement.sentences)["sid"].to_numpy() for statement in statements]

    for chunk in range(store.info.chunks):
        parts = list(in_parts(store, features, tables, work, [chunk]))
        yield [np.concatenate(found) for found in zip(*parts, strict=True)]
