"""Pairs of alternants, both of them acceptable, with covariates that may predict which one a model prefers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.score.suites.csv_rows import csv_columns, csv_records, line_error
from runner.score.suites.files import PAIR_SUFFIXES, TABLE_SUFFIXES, is_table, suite_files, suite_text
from runner.score.suites.pair import Pair, non_empty
from runner.score.suites.suite import Suite, check_paradigms

COLUMNS = ("first", "second")
_COLUMNS_OF_OTHER_SUITES = ("good", "sentence_good", "sentence")


@dataclass(frozen=True)
class Preferences(Suite):
    """Pairs of alternants with covariates. In each pair, `good` is the first alternant and `bad` the second."""

    covariates: Mapping[str, tuple[float, ...]]  # by name, parallel to the pairs


def has_alternants(path: Path) -> bool:
    """Return whether all tables at a path have the columns first and second, and none has columns of other suites."""
    files = [file for file in suite_files(path, PAIR_SUFFIXES) if file.is_file()]
    return bool(files) and all(map(_has_alternants, files))


def _has_alternants(path: Path) -> bool:
    columns = set(csv_columns(path)) if is_table(path) else set[str]()
    return columns >= set(COLUMNS) and not columns & set(_COLUMNS_OF_OTHER_SUITES)


def load_preferences(
    path: Path,
    name: str | None = None,
    *,
    covariates: Sequence[str] = (),
    limit: int | None = None,
    paradigms: Sequence[str] = (),
) -> Preferences:
    """Read a table, or a folder of tables, with the columns first and second, the covariates, and optionally paradigm.

    Other columns and repeated covariates are ignored. `paradigms` selects paradigms, and `limit` keeps the first pairs
    of each. Raises InputError: FICT811 if the file cannot be read, a column is missing or a covariate is constant,
    FICT812 if a sentence is missing or a covariate is not a number, and FICT817 if a paradigm is unknown.
    """
    covariates = tuple(dict.fromkeys(covariates))
    columns = dict[str, list[float]]((covariate, []) for covariate in covariates)
    counts: dict[str, int] = {}

    def selected_pairs(file: Path) -> Iterator[Pair]:
        text = suite_text(file)
        for line, record in csv_records(file, text, (*COLUMNS, *covariates)):
            paradigm = record.get("paradigm", "").strip() or file.stem
            item = counts.setdefault(paradigm, 0)
            counts[paradigm] += 1
            first, second = (_sentence(file, text, line, record, side) for side in COLUMNS)
            pair = Pair(paradigm, "", "", item, first, second)
            covariate_values = [_covariate_value(file, text, line, record, covariate) for covariate in covariates]
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
            raise InputError(diagnostic("FICT811", path=path, reason=reason))
    return Preferences(name or path.stem, pairs, {covariate: tuple(column) for covariate, column in columns.items()})


def _sentence(path: Path, text: str, line: int, record: Mapping[str, str], side: str) -> str:
    sentence = record.get(side, "").strip()
    if not sentence:
        raise line_error(path, text, line, f"the {side} sentence is missing")
    return sentence


def _covariate_value(path: Path, text: str, line: int, record: Mapping[str, str], covariate: str) -> float:
    field = record.get(covariate, "").strip()
    try:
        value = float(field)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise line_error(path, text, line, f"its {covariate} is `{field}`, which is not a number")
    return value
