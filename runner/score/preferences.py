"""The kind of suite of pairs of alternants, both acceptable: mean score differences and slopes on covariates."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import numpy as np

from runner.errors import InputError
from runner.model.saved import SavedModel
from runner.readers import parse_json
from runner.score.convention import Convention
from runner.score.inference import Floats, slope_values
from runner.score.measures import mean_and_error, score_column
from runner.score.minimal_pairs import PairedKind
from runner.score.pair_matrices import SCORES, Score, by_suite
from runner.score.score_table import Total
from runner.score.sentence_scores import Prepared, Tokens
from runner.score.suite_files import (
    GOOD,
    PAIR_SUFFIXES,
    TABLE_SUFFIXES,
    Pair,
    Suite,
    check_paradigms,
    csv_columns,
    csv_records,
    finite_number,
    is_table,
    line_error,
    non_empty,
    suite_files,
    suite_text,
)
from runner.score.suite_kind import Answer, Matrix, OpenOptions, PrepareOptions, Scores, Usage, read_json
from runner.workspace import write_text

if TYPE_CHECKING:
    import pyarrow as pa


COLUMNS = ("first", "second")
_COLUMNS_OF_OTHER_SUITES = {*GOOD, "sentence"}


@dataclass(frozen=True)
class Preferences(Suite):
    """Pairs of alternants with covariates. In each pair, `good` is the first alternant and `bad` the second."""

    covariates: Mapping[str, tuple[float, ...]]  # by name, parallel to the pairs


COVARIATES = "covariates"  # key of the table's metadata: values by name, in the order of the pairs


@dataclass(frozen=True, slots=True)
class Outcome:
    """The mean score difference of a paradigm (first minus second alternant), or its slope on a covariate.

    `accuracy` is the share of pairs whose first alternant has the higher score, with ties as a half; None for a slope.
    """

    paradigm: str
    outcome: str
    value: float | None
    se: float | None
    accuracy: float | None
    pairs: int


def covariates_of(table: pa.Table) -> dict[str, list[float]]:
    covariates: dict[str, list[float]] = parse_json(table.schema.metadata[COVARIATES.encode()].decode())
    return covariates


def outcomes(table: pa.Table) -> list[Outcome]:
    covariates = covariates_of(table)
    differences = score_column(table, "score_good") - score_column(table, "score_bad")
    paradigms = np.asarray(table.column("paradigm").to_pylist(), dtype=str)
    all_outcomes: list[Outcome] = []
    for paradigm in dict.fromkeys(paradigms.tolist()):
        selected = paradigms == paradigm
        known = differences[selected & ~np.isnan(differences)]
        accuracy = float(((known > 0) + 0.5 * (known == 0)).mean()) if len(known) else None
        all_outcomes.append(Outcome(paradigm, "mean", *mean_and_error(known), accuracy, len(known)))
        for name, covariate in covariates.items():
            values = slope_values(np.asarray(covariate, dtype=np.float64)[selected], differences[selected])
            values = known[:0] if values is None else values[~np.isnan(values)]
            all_outcomes.append(Outcome(paradigm, name, *mean_and_error(values), None, len(known)))
    return all_outcomes


@dataclass(frozen=True, slots=True)
class ParadigmPreferences(Matrix):
    """Scores of first minus second alternants, (cells, pairs), NaN if unknown, and covariates by name, (pairs,)."""

    pairs = "alternants"
    suite: str
    name: str
    cells: tuple[Score, ...]
    differences: Floats
    covariates: Mapping[str, Floats]

    @property
    def scored(self) -> Sequence[Score]:
        return self.cells

    @property
    def pair_count(self) -> int:
        return len(self.differences.T)

    def differences_by_seed(self, condition: str, model: str) -> dict[int, Floats]:
        """Return the differences of a condition and model by seed, (pairs,) each."""
        return {
            cell.seed: row
            for cell, row in zip(self.cells, self.differences, strict=True)
            if (cell.condition, cell.model) == (condition, model)
        }


def _suite_preferences(
    suite: str, table: pa.Table, rows_by_cell: Mapping[Score, list[int]], covariates: Mapping[str, Sequence[float]]
) -> Iterator[ParadigmPreferences]:
    pairs = np.array([table[column].to_pylist() for column in ("paradigm", "first", "second")], dtype=object)
    differences = score_column(table, "score_first") - score_column(table, "score_second")
    expected = pairs[:, next(iter(rows_by_cell.values()))]
    for cell, rows in rows_by_cell.items():
        if not np.array_equal(pairs[:, rows], expected):
            raise InputError.of("FICT892", reason=f"{suite} has different pairs in {cell}")
    paradigms = expected[0]
    if counts := sorted({len(values) for values in covariates.values()} - {len(paradigms)}):
        reason = f"{suite} has {len(paradigms)} pairs, but covariates for {counts[0]}"
        raise InputError.of("FICT892", reason=reason)
    grid = differences[np.array(list(rows_by_cell.values()))]
    for paradigm in dict.fromkeys(paradigms.tolist()):
        selected = paradigms == paradigm
        values = {name: np.asarray(column, dtype=np.float64)[selected] for name, column in covariates.items()}
        yield ParadigmPreferences(suite, paradigm, tuple(rows_by_cell), grid[:, selected], values)


# numeric covariates of each pair of alternants, by name; in the results of a run by suite and name
COVARIATES_FILE = "covariates.json"


class PreferencesKind(PairedKind[Preferences]):
    name, title = "preference", "alternants"
    usage = Usage(
        "alternants",
        "a .csv or .tsv with the columns first, second and, optionally, paradigm and covariates",
        "For alternants, value is the mean score of the first alternant minus that of the second, with its "
        "standard error over pairs and the share of pairs whose first alternant has the higher score. A row for "
        "each --covariate has the slope of this difference.",
    )
    suite, matrix = Preferences, ParadigmPreferences
    file, results, metadata = "preference.parquet", "preferences.parquet", (COVARIATES,)
    columns = ("paradigm", "item", "first", "second", "score_first", "score_second")
    declared = has_covariates = True

    def claims(self, path: Path) -> bool:
        files = [file for file in suite_files(path, PAIR_SUFFIXES) if file.is_file()]
        headers = (set(csv_columns(file)) if is_table(file) else set[str]() for file in files)
        return bool(files) and all({*COLUMNS} <= header and not header & _COLUMNS_OF_OTHER_SUITES for header in headers)

    def open(self, path: Path, name: str | None = None, **options: Unpack[OpenOptions]) -> Preferences:
        """Read tables with the columns first, second and covariates. Raises InputError (FICT811, 812, 817)."""
        limit, paradigms = options.get("limit"), options.get("paradigms", ())
        covariates = tuple(dict.fromkeys(options.get("covariates", ())))
        columns = dict[str, list[float]]((covariate, []) for covariate in covariates)
        counts: dict[str, int] = {}

        def selected_pairs(file: Path) -> Iterator[Pair]:
            text = suite_text(file)
            for line, record in csv_records(file, text, (*COLUMNS, *covariates)):
                paradigm = record.get("paradigm", "").strip() or file.stem
                item = counts.setdefault(paradigm, 0)
                counts[paradigm] += 1
                sentences = [record.get(side, "").strip() for side in COLUMNS]
                if "" in sentences:
                    raise line_error(file, text, line, f"the {COLUMNS[sentences.index('')]} sentence is missing")
                pair = Pair(paradigm, "", "", item, good=sentences[0], bad=sentences[1])
                covariate_values = []
                for covariate in covariates:
                    field = record.get(covariate, "").strip()
                    if (number := finite_number(field)) is None:
                        raise line_error(file, text, line, f"its {covariate} is `{field}`, which is not a number")
                    covariate_values.append(number)
                if (limit is None or item < limit) and (not paradigms or paradigm in paradigms):
                    for column, value in zip(columns.values(), covariate_values, strict=True):
                        column.append(value)
                    yield pair

        pairs = [pair for file in suite_files(path, TABLE_SUFFIXES) for pair in selected_pairs(file)]
        check_paradigms(path, paradigms, counts)
        pairs = list(non_empty(path, pairs))
        for covariate, column in columns.items():
            if len(set(column)) == 1:
                reason = f"all pairs have the same {covariate}, so it has no slope"
                raise InputError.of("FICT811", path=path, reason=reason)
        return Preferences(name or path.stem, pairs, {key: tuple(column) for key, column in columns.items()})

    def prepare(
        self, saved: SavedModel, suite: Preferences, convention: Convention, **options: Unpack[PrepareOptions]
    ) -> Prepared:
        prepared = super().prepare(saved, suite, convention, **options)

        def tabulate(tokens: Sequence[Tokens], totals: Sequence[Total]) -> pa.Table:
            metadata = {COVARIATES: json.dumps(suite.covariates)}
            return prepared.tabulate(tokens, totals).replace_schema_metadata(metadata)

        return replace(prepared, tabulate=tabulate)

    def write(self, suite: Preferences, folder: Path) -> None:
        super().write(suite, folder)
        write_text(folder / COVARIATES_FILE, json.dumps(suite.covariates, ensure_ascii=False) + "\n")

    def holds(self, table: pa.Table) -> bool:
        return COVARIATES.encode() in (table.schema.metadata or {})

    def answer(self, table: pa.Table, convention: Convention) -> Answer:  # noqa: ARG002
        return Answer("preferences", [asdict(row) for row in outcomes(table)], shares=("accuracy",))

    def rows(self, table: pa.Table, convention: Convention) -> pa.Table:  # noqa: ARG002
        return table.select(("paradigm", "item", "good", "bad", *SCORES)).rename_columns(self.columns)

    def write_more(self, files: Mapping[str, Path], folder: Path) -> None:
        texts = {name: (file.parent / COVARIATES_FILE).read_text(encoding="utf-8") for name, file in files.items()}
        covariates = {name: parse_json(text) for name, text in texts.items()}
        write_text(folder / COVARIATES_FILE, json.dumps(covariates, ensure_ascii=False) + "\n")

    def matrices(self, folder: Path | None, scored: Sequence[Scores] = ()) -> tuple[ParadigmPreferences, ...]:
        covariates = {} if folder is None else read_json(folder / COVARIATES_FILE, dict[str, dict[str, list[float]]])
        for entry in scored:
            known = covariates.setdefault(entry.suite, {})
            for name, values in covariates_of(entry.table).items():
                if known.setdefault(name, values) != values:
                    reason = f"{entry.model} was scored with other values of `{name}` on {entry.suite}"
                    raise InputError.of("FICT892", reason=reason)
        return tuple(
            preference
            for suite, rows, rows_by_cell in by_suite(self.table(folder, scored))
            for preference in _suite_preferences(suite, rows, rows_by_cell, covariates.get(suite, {}))
        )
