"""The scores of a run as matrices (cells, items) for each paradigm, by kind of suite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.score.inference import Floats
from runner.score.measures import decisions, score_column

if TYPE_CHECKING:
    import pyarrow as pa


def require_columns(table: pa.Table, names: Iterable[str], path: object) -> None:
    """Raise InputError (FICT891) if a table lacks one of the columns. `path` is the file of the table."""
    missing = next((name for name in names if name not in table.column_names), None)
    if missing is not None:
        raise InputError(diagnostic("FICT891", path=str(path), reason=f"no column `{missing}`"))


Ints = NDArray[np.int64]
TEXTS = ("condition", "model", "suite", "paradigm", "phenomenon", "field", "good", "bad")
NUMBERS = ("seed", "item", "unk_good", "unk_bad")
SCORES = ("score_good", "score_bad")
SUMS = ("logprob_good", "scored_good", "logprob_bad", "scored_bad")


@dataclass(frozen=True, slots=True, order=True)
class Score:
    """A condition, a model and a seed: one trained model or, with the seed −1, the unigram baseline."""

    condition: str
    model: str
    seed: int


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
        """The name `suite/paradigm`, as in the targets of filters."""
        return f"{self.suite}/{self.name}"

    def rows(self, condition: str, model: str) -> list[int]:
        return [i for i, cell in enumerate(self.cells) if (cell.condition, cell.model) == (condition, model)]

    def scores(self, condition: str, model: str) -> tuple[tuple[int, ...], Floats, Floats]:
        """Return the seeds of a condition and model, and the scores of good and of bad sentences (seeds, items)."""
        rows = self.rows(condition, model)
        return tuple(self.cells[i].seed for i in rows), self.score_good[rows], self.score_bad[rows]


def without_items(suite: str, name: str, phenomenon: str, field: str, cells: Iterable[Score]) -> Paradigm:
    """Return a paradigm without pairs, of which only accuracies are known."""
    sorted_cells, item = tuple(sorted(cells)), np.zeros(0, dtype=np.int64)
    no_flags, no_scores = np.zeros((len(sorted_cells), 0), dtype=np.bool_), np.empty((len(sorted_cells), 0))
    flags = (no_flags, no_flags, no_flags)
    return Paradigm(suite, name, phenomenon, field, item, (), (), *flags, sorted_cells, no_scores, no_scores)


def items_of(table: pa.Table, path: str) -> tuple[Paradigm, ...]:
    """Return the paradigms of `items.parquet` in the order of appearance. Raises InputError (FICT891, 892)."""
    require_columns(table, (*TEXTS, *NUMBERS, *SCORES, *SUMS, "identical"), path)
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
        paradigms.append(
            Paradigm(
                labels["suite"][0],
                labels["paradigm"][0],
                labels["phenomenon"][0] or "",
                labels["field"][0] or "",
                numbers["item"][grid[0]],
                labels["good"],
                labels["bad"],
                identical[grid],
                unknown[grid],
                uneven[grid],
                tuple(cells[code] for code in cell_codes[grid[:, 0]]),
                scores["score_good"][grid],
                scores["score_bad"][grid],
                *_sums_and_per_token([column[grid] for column in sums]),
            )
        )
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
    """Return a column as the code of each row and the value of each code."""
    column = table.column(name).combine_chunks()
    is_encoded = str(column.type).startswith("dictionary")
    if is_encoded and column.null_count:
        column, is_encoded = column.dictionary_decode(), False
    if not is_encoded:
        column = column.dictionary_encode(null_encoding="encode")
    return np.asarray(column.indices.to_numpy(), dtype=np.int64), column.dictionary.to_pylist()


def _cells(texts: dict[str, tuple[Ints, list[Any]]], seeds: Ints) -> tuple[list[Score], Ints]:
    """Return the distinct cells, sorted, and the index of each row's cell."""
    stacked = np.stack([texts["condition"][0], texts["model"][0], seeds], axis=1)
    distinct, inverse = np.unique(stacked, axis=0, return_inverse=True)
    cells = [
        Score(texts["condition"][1][condition], texts["model"][1][model], int(seed))
        for condition, model, seed in distinct
    ]
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
        reason = f"{name} has {counts.min()} pairs in {_label(smallest)} and {counts.max()} in {_label(largest)}"
        raise InputError(diagnostic("FICT892", reason=reason))
    grid = rows.reshape(len(codes), -1)
    if len(np.unique(item[grid[0]])) != grid.shape[1]:
        raise InputError(diagnostic("FICT892", reason=f"{name} has two pairs with the same number"))
    for values in (item, texts["good"][0], texts["bad"][0]):
        differs = (values[grid] != values[grid[0]]).any(axis=1)
        if differs.any():
            different_cell = _label(cells[int(codes[int(differs.argmax())])])
            reason = f"{name} has different pairs in {different_cell} and in {_label(cells[int(codes[0])])}"
            raise InputError(diagnostic("FICT892", reason=reason))
    return np.asarray(grid, dtype=np.int64)


def _label(cell: Score) -> str:
    return f"{cell.condition}/{cell.model}/{cell.seed}"


PREFERENCES = "preferences.parquet"
PREFERENCE_COLUMNS = (
    *("condition", "model", "seed", "suite", "paradigm", "item", "first", "second"),
    *("score_first", "score_second"),
)


@dataclass(frozen=True, slots=True)
class ParadigmPreferences:
    """Pairs of alternants of a paradigm. `differences` (cells, pairs) are scores of the first minus the second.

    NaN marks a pair without scores. `covariates` maps each name to an array (pairs,).
    """

    suite: str
    paradigm: str
    cells: tuple[Score, ...]
    differences: Floats
    covariates: Mapping[str, Floats]

    def differences_by_seed(self, condition: str, model: str) -> dict[int, Floats]:
        """Return the differences of the cells of a condition and model by seed, (pairs,) each."""
        return {
            cell.seed: row
            for cell, row in zip(self.cells, self.differences, strict=True)
            if (cell.condition, cell.model) == (condition, model)
        }


def preferences_of(
    table: pa.Table, covariates: Mapping[str, Mapping[str, Sequence[float]]], path: Path
) -> tuple[ParadigmPreferences, ...]:
    """Return the preferences, with suites and paradigms in order of appearance. `covariates` are by suite and name.

    Raises InputError (FICT891, 892).
    """
    require_columns(table, PREFERENCE_COLUMNS, path)
    labels = list(zip(*(table[column].to_pylist() for column in ("suite", "condition", "model", "seed")), strict=True))
    pairs = np.array([table[column].to_pylist() for column in ("paradigm", "first", "second")], dtype=object)
    differences = score_column(table, "score_first") - score_column(table, "score_second")
    rows_by_suite: dict[str, dict[Score, list[int]]] = {}
    for index, (suite, *label) in enumerate(labels):
        rows_by_suite.setdefault(suite, {}).setdefault(Score(*label), []).append(index)
    return tuple(
        preference
        for suite, rows_by_cell in rows_by_suite.items()
        for preference in _suite_preferences(suite, rows_by_cell, pairs, differences, covariates.get(suite, {}))
    )


def _suite_preferences(
    suite: str,
    rows_by_cell: Mapping[Score, list[int]],
    pairs: np.ndarray,
    differences: Floats,
    covariates: Mapping[str, Sequence[float]],
) -> list[ParadigmPreferences]:
    expected = pairs[:, next(iter(rows_by_cell.values()))]
    for cell, rows in rows_by_cell.items():
        if not np.array_equal(pairs[:, rows], expected):
            reason = f"{suite} has different pairs in {cell.condition}/{cell.model}/{cell.seed}"
            raise InputError(diagnostic("FICT892", reason=reason))
    paradigm_of_pair = expected[0]
    if any(len(values) != len(paradigm_of_pair) for values in covariates.values()):
        counts = sorted({len(values) for values in covariates.values()} - {len(paradigm_of_pair)})
        reason = f"{suite} has {len(paradigm_of_pair)} pairs, but covariates for {counts[0]}"
        raise InputError(diagnostic("FICT892", reason=reason))
    grid = differences[np.array(list(rows_by_cell.values()))]
    return [
        ParadigmPreferences(
            suite,
            paradigm,
            tuple(rows_by_cell),
            grid[:, paradigm_of_pair == paradigm],
            {
                name: np.asarray(values, dtype=np.float64)[paradigm_of_pair == paradigm]
                for name, values in covariates.items()
            },
        )
        for paradigm in dict.fromkeys(paradigm_of_pair.tolist())
    ]


RATING_COLUMNS = ("condition", "model", "seed", "suite", "item", "sentence", "rating", "score", "score_unigram")


@dataclass(frozen=True, slots=True)
class RatedSuite:
    """The sentences of a suite with ratings, (items,), and scores, (cells, items). NaN marks missing values.

    `sentences` are those of the first cell, since a condition may replace words with tags.
    """

    suite: str
    sentences: tuple[str, ...]
    ratings: Floats
    cells: tuple[Score, ...]
    scores: Floats
    unigram: Floats  # (cells, items): unigram scores by word frequencies of the training corpus

    def mean(self, condition: str, model: str) -> Floats | None:
        """Return each sentence's score averaged over seeds, NaN if a seed has none. Return None if no cell exists."""
        return self._mean(self.scores, condition, model)

    def unigram_mean(self, condition: str, model: str) -> Floats | None:
        """Return each sentence's unigram score averaged over seeds, or None if there is no such cell."""
        return self._mean(self.unigram, condition, model)

    def _mean(self, values: Floats, condition: str, model: str) -> Floats | None:
        rows = [i for i, cell in enumerate(self.cells) if (cell.condition, cell.model) == (condition, model)]
        return np.asarray(values[rows].mean(axis=0)) if rows else None


def rated_suites(table: pa.Table, path: Path) -> tuple[RatedSuite, ...]:
    """Return the suites of `ratings.parquet`, in the order of appearance. Raises InputError (FICT891, 892)."""
    require_columns(table, RATING_COLUMNS, path)
    import pyarrow.compute as pc

    suites = table["suite"].unique().to_pylist()
    return tuple(_rated_suite(name, table.filter(pc.equal(table["suite"], name))) for name in suites)


def _rated_suite(name: str, table: pa.Table) -> RatedSuite:
    labels = list(zip(*(table[column].to_pylist() for column in ("condition", "model", "seed")), strict=True))
    rows_by_cell: dict[Score, list[int]] = {}
    for index, label in enumerate(labels):
        rows_by_cell.setdefault(Score(*label), []).append(index)
    ratings, items = score_column(table, "rating"), np.asarray(table["item"].to_pylist())
    scores, unigram = score_column(table, "score"), score_column(table, "score_unigram")
    grid = list(rows_by_cell.values())
    for cell, cell_rows in rows_by_cell.items():
        same_items = len(cell_rows) == len(grid[0]) and (items[cell_rows] == items[grid[0]]).all()
        if not (same_items and np.array_equal(ratings[cell_rows], ratings[grid[0]], equal_nan=True)):
            reason = f"{name} has different sentences or ratings in {cell.condition}/{cell.model}/{cell.seed}"
            raise InputError(diagnostic("FICT892", reason=reason))
    sentences = table["sentence"].to_pylist()
    return RatedSuite(
        name, tuple(sentences[i] for i in grid[0]), ratings[grid[0]], tuple(rows_by_cell), scores[grid], unigram[grid]
    )


PREDICTION_COLUMNS = ("condition", "model", "seed", "suite", "phenomenon", "paradigm", "prediction", "item", "holds")


@dataclass(frozen=True, slots=True)
class Prediction:
    """The prediction `name` of a suite of the manifest. `phenomenon` is its SyntaxGym suite.

    `holds` lists, by cell, whether the prediction holds for each item, excluding items with unknown surprisals.
    """

    suite: str
    name: str
    phenomenon: str
    formula: str
    items: set[int] = field(default_factory=set)
    holds: dict[Score, list[bool]] = field(default_factory=dict)


def predictions_of(table: pa.Table, path: Path) -> tuple[Prediction, ...]:
    """Return the predictions of a table with the columns of `syntaxgym.parquet`, in order of first appearance.

    Errors name `path`. Raises InputError (FICT891) for a missing column.
    """
    require_columns(table, PREDICTION_COLUMNS, path)
    predictions: dict[tuple[str, str], Prediction] = {}
    for row in table.select(PREDICTION_COLUMNS).to_pylist():
        key = row["suite"], row["paradigm"]
        prediction = predictions.setdefault(key, Prediction(*key, row["phenomenon"], row["prediction"]))
        prediction.items.add(row["item"])
        if row["holds"] is not None:
            prediction.holds.setdefault(Score(row["condition"], row["model"], row["seed"]), []).append(row["holds"])
    return tuple(predictions.values())


TOKEN_COLUMNS = ("condition", "model", "seed", "suite", "paradigm", "item", "side", "token", "logprob")


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of some pairs of a suite and their log-probabilities, for one condition and model.

    `pairs` has lists of (token, log-probability), by (paradigm, item) and side.
    """

    condition: str
    model: str
    suite: str
    pairs: dict[tuple[str, int], dict[str, list[tuple[str, float]]]] = field(default_factory=dict)


def tokens_of(table: pa.Table, path: Path) -> tuple[Tokens, ...]:
    """Return the tokens of the first seed for each condition, model and suite.

    Raises InputError (FICT891) for a missing column.
    """
    require_columns(table, TOKEN_COLUMNS, path)
    tokens_by_key: dict[tuple[str, str, str], Tokens] = {}
    seeds: dict[tuple[str, str, str], int] = {}
    for row in table.select(TOKEN_COLUMNS).to_pylist():
        key = row["condition"], row["model"], row["suite"]
        if seeds.setdefault(key, row["seed"]) == row["seed"]:
            pair = tokens_by_key.setdefault(key, Tokens(*key)).pairs.setdefault((row["paradigm"], row["item"]), {})
            pair.setdefault(row["side"], []).append((row["token"], row["logprob"]))
    return tuple(tokens_by_key.values())


PLACEBOS = "placebos.json"


class DrawScores(BaseModel):
    """The accuracies of a model by `suite/paradigm` (0–1, None if no pair is applicable), and its losses by text."""

    model_config = ConfigDict(frozen=True)

    accuracies: dict[str, float | None]
    losses: dict[str, float]


class Draw(BaseModel):
    """A draw: its number, the training seed of its models, the size of its corpus, and scores by model."""

    model_config = ConfigDict(frozen=True)

    draw: int
    seed: int
    sentences: int
    words: int
    removed_sentences: int
    removed_words: int
    models: dict[str, DrawScores]


class Placebo(BaseModel):
    """A random removal that is drawn many times, as a control of `control_of`. Models are trained on each draw."""

    model_config = ConfigDict(frozen=True)

    name: str
    control_of: str
    what: str = ""
    draws: tuple[Draw, ...]
