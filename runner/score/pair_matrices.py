"""The scores of minimal pairs in a run as matrices (cells, items) for each paradigm, and their tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from runner.errors import InputError
from runner.score.inference import Floats
from runner.score.measures import decisions, score_column

if TYPE_CHECKING:
    import pyarrow as pa


def require_columns(table: pa.Table, names: Iterable[str], path: object) -> None:
    """Raise InputError (FICT891) if a table lacks one of the columns. `path` is the file of the table."""
    missing = next((name for name in names if name not in table.column_names), None)
    if missing is not None:
        raise InputError.of("FICT891", path=str(path), reason=f"no column `{missing}`")


Ints = NDArray[np.int64]
TEXTS = ("condition", "model", "suite", "paradigm", "phenomenon", "field", "good", "bad")
NUMBERS = ("seed", "item", "unk_good", "unk_bad")
SCORES = ("score_good", "score_bad")
_NAMES = ("suite", "paradigm", "phenomenon", "field")
SUMS = ("logprob_good", "scored_good", "logprob_bad", "scored_bad")


@dataclass(frozen=True, slots=True, order=True)
class Score:
    """A condition, a model and a seed: one trained model or, with the seed −1, the unigram baseline."""

    condition: str
    model: str
    seed: int

    def __str__(self) -> str:
        return f"{self.condition}/{self.model}/{self.seed}"


@dataclass(frozen=True, slots=True)
class Paradigm:
    """The pairs of a paradigm with their scores, shape (cells, items). NaN marks pairs without scores."""

    suite: str
    name: str
    phenomenon: str
    field: str
    item: Ints
    good: tuple[str, ...]
    bad: tuple[str, ...]
    identical: NDArray[np.bool_]  # (cells, items): both sentences have the same token ids
    unknown: NDArray[np.bool_]  # (cells, items): an unknown word in either sentence
    uneven: NDArray[np.bool_]  # (cells, items): different numbers of unknown words
    cells: tuple[Score, ...]
    score_good: Floats
    score_bad: Floats
    sums: Floats | None = None  # (cells, 4): the columns of SUMS, summed over pairs
    per_token: Floats | None = None  # (cells,): accuracy of scores divided by length; ties count ½

    @property
    def key(self) -> str:
        return f"{self.suite}/{self.name}"

    @property
    def scored(self) -> tuple[Score, ...]:
        return self.cells

    def rows(self, condition: str, model: str) -> list[int]:
        return [i for i, cell in enumerate(self.cells) if (cell.condition, cell.model) == (condition, model)]

    def scores(self, condition: str, model: str) -> tuple[tuple[int, ...], Floats, Floats]:
        rows = self.rows(condition, model)
        return tuple(self.cells[i].seed for i in rows), self.score_good[rows], self.score_bad[rows]


def by_suite(table: pa.Table) -> Iterator[tuple[str, pa.Table, dict[Score, list[int]]]]:
    import pyarrow.compute as pc

    for suite in table["suite"].unique().to_pylist():
        rows = table.filter(pc.equal(table["suite"], suite))
        rows_by_cell: dict[Score, list[int]] = {}
        labels = zip(*(rows[column].to_pylist() for column in ("condition", "model", "seed")), strict=True)
        for index, label in enumerate(labels):
            rows_by_cell.setdefault(Score(*label), []).append(index)
        yield suite, rows, rows_by_cell


def without_items(suite: str, name: str, phenomenon: str, field: str, cells: Iterable[Score]) -> Paradigm:
    sorted_cells, item = tuple(sorted(cells)), np.zeros(0, dtype=np.int64)
    no_flags, no_scores = np.zeros((len(sorted_cells), 0), dtype=np.bool_), np.empty((len(sorted_cells), 0))
    flags = (no_flags, no_flags, no_flags)
    return Paradigm(suite, name, phenomenon, field, item, (), (), *flags, sorted_cells, no_scores, no_scores)


def items_of(table: pa.Table) -> tuple[Paradigm, ...]:
    """Return the paradigms of `items.parquet` in the order of appearance. Raises InputError (FICT892)."""
    if not table.num_rows:
        return ()
    table = table.unify_dictionaries()
    texts = {name: _encoded(table, name) for name in TEXTS}
    numbers = {name: np.asarray(table.column(name).to_numpy(), dtype=np.int64) for name in NUMBERS}
    scores = {name: score_column(table, name) for name in SCORES}
    sums = [score_column(table, name) for name in SUMS]
    identical = np.asarray(table.column("identical").to_numpy(), dtype=bool)
    unknown = numbers["unk_good"] + numbers["unk_bad"] > 0
    uneven = numbers["unk_good"] != numbers["unk_bad"]
    paradigm_codes = texts["suite"][0] * len(texts["paradigm"][1]) + texts["paradigm"][0]
    cells, cell_codes = _cells(texts, numbers["seed"])
    row_order = np.lexsort((numbers["item"], cell_codes, paradigm_codes))
    starts = np.flatnonzero(np.diff(paradigm_codes[row_order], prepend=-1))
    paradigms = []
    for rows in np.split(row_order, starts[1:]):
        grid = _grid(rows, cell_codes, cells, numbers["item"], texts)
        labels = {name: tuple(values[code] for code in codes[grid[0]]) for name, (codes, values) in texts.items()}
        suite, name, phenomenon, field = (labels[label][0] or "" for label in _NAMES)
        flags = (identical[grid], unknown[grid], uneven[grid])
        cells_of_paradigm = tuple(cells[code] for code in cell_codes[grid[:, 0]])
        matrices = (*(scores[side][grid] for side in SCORES), *_sums_and_per_token([column[grid] for column in sums]))
        items = (numbers["item"][grid[0]], labels["good"], labels["bad"])
        paradigms.append(Paradigm(suite, name, phenomenon, field, *items, *flags, cells_of_paradigm, *matrices))
    first_rows = np.minimum.reduceat(row_order, starts)  # the row in which each paradigm first appears
    return tuple(paradigms[i] for i in np.argsort(first_rows))


def _sums_and_per_token(columns: list[Floats]) -> tuple[Floats, Floats]:
    """Return sums over pairs, (cells, 4), and the accuracy of scores divided by length, (cells,)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        decided = decisions(columns[0] / columns[1], columns[2] / columns[3])
        applicable = (~np.isnan(decided)).sum(axis=1)
        per_token = np.nansum(decided, axis=1) / np.where(applicable, applicable, np.nan)
    return np.stack([np.nansum(column, axis=1) for column in columns], axis=1), per_token


def _encoded(table: pa.Table, name: str) -> tuple[Ints, list[Any]]:
    column = table.column(name).combine_chunks()
    is_encoded = str(column.type).startswith("dictionary")
    if is_encoded and column.null_count:
        column, is_encoded = column.dictionary_decode(), False
    if not is_encoded:
        column = column.dictionary_encode(null_encoding="encode")
    return np.asarray(column.indices.to_numpy(), dtype=np.int64), column.dictionary.to_pylist()


def _cells(texts: dict[str, tuple[Ints, list[Any]]], seeds: Ints) -> tuple[list[Score], Ints]:
    stacked = np.stack([texts["condition"][0], texts["model"][0], seeds], axis=1)
    distinct, inverse = np.unique(stacked, axis=0, return_inverse=True)
    conditions, models = texts["condition"][1], texts["model"][1]
    cells = [Score(conditions[condition], models[model], int(seed)) for condition, model, seed in distinct]
    order = sorted(range(len(cells)), key=cells.__getitem__)
    rank = np.empty(len(cells), dtype=np.int64)
    rank[order] = np.arange(len(cells))
    return [cells[i] for i in order], rank[inverse.reshape(-1)]


def _grid(
    rows: Ints, cell_codes: Ints, cells: list[Score], item: Ints, texts: dict[str, tuple[Ints, list[Any]]]
) -> NDArray[np.int64]:
    """Return the row indices of a paradigm, (cells, items). Raises InputError (FICT892) if pairs differ by cell."""
    codes, counts = np.unique(cell_codes[rows], return_counts=True)
    name = texts["paradigm"][1][texts["paradigm"][0][rows[0]]]
    if len(set(counts.tolist())) > 1:
        smallest, largest = cells[int(codes[counts.argmin()])], cells[int(codes[counts.argmax()])]
        reason = f"{name} has {counts.min()} pairs in {smallest} and {counts.max()} in {largest}"
        raise InputError.of("FICT892", reason=reason)
    grid = rows.reshape(len(codes), -1)
    if len(np.unique(item[grid[0]])) != grid.shape[1]:
        raise InputError.of("FICT892", reason=f"{name} has two pairs with the same number")
    for values in (item, texts["good"][0], texts["bad"][0]):
        differs = (values[grid] != values[grid[0]]).any(axis=1)
        if differs.any():
            different_cell, first_cell = (cells[int(codes[index])] for index in (int(differs.argmax()), 0))
            reason = f"{name} has different pairs in {different_cell} and in {first_cell}"
            raise InputError.of("FICT892", reason=reason)
    return np.asarray(grid, dtype=np.int64)


TOKEN_COLUMNS = ("condition", "model", "seed", "suite", "paradigm", "item", "side", "token", "logprob")


@dataclass(frozen=True, slots=True)
class Tokens:
    """Lists of (token, log-probability) by (paradigm, item) and side, for one condition, model and suite."""

    condition: str
    model: str
    suite: str
    pairs: dict[tuple[str, int], dict[str, list[tuple[str, float]]]] = field(default_factory=dict)


def tokens_of(table: pa.Table, path: Path) -> tuple[Tokens, ...]:
    require_columns(table, TOKEN_COLUMNS, path)
    tokens_by_key: dict[tuple[str, str, str], Tokens] = {}
    seeds: dict[tuple[str, str, str], int] = {}
    for row in table.select(TOKEN_COLUMNS).to_pylist():
        key = row["condition"], row["model"], row["suite"]
        if seeds.setdefault(key, row["seed"]) == row["seed"]:
            pair = tokens_by_key.setdefault(key, Tokens(*key)).pairs.setdefault((row["paradigm"], row["item"]), {})
            pair.setdefault(row["side"], []).append((row["token"], row["logprob"]))
    return tuple(tokens_by_key.values())
