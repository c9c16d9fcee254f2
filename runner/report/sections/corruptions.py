"""Accuracy on corrupted sentences by operation and suite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runner.report.accuracy_tables import accuracy_cell
from runner.report.section import Section, slug
from runner.report.statistics import Analysis, Unit
from runner.tables import Column, Table

OPERATIONS = ("delete-root", "swap-neighbours", "insert-word")
TREATMENTS = {
    "tags": "tags for rare words",
    "unk": "[UNK] for rare words",
}  # how sentences are treated, by suffix of the suite's name


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield a section with a table for each operation: conditions, models and treatments in rows, suites in columns.

    In the suites `NAME.tags` and `NAME.unk`, tags or [UNK] replace the rare words of NAME (tables 3 to 5 of the paper
    of `experiments/hybrid`).
    """
    paradigm_names = {paradigm.name for paradigm in analysis.results.paradigms}
    operations = [operation for operation in OPERATIONS if operation in paradigm_names]
    tables = [_table(analysis, operation) for operation in operations]
    if not operations:
        return
    intro = "How often models prefer a sentence to its corrupted version, in percent, by operation and source."
    yield Section("corruptions", "Corrupted sentences", intro, (), tuple(tables))


def _title(operation: str) -> str:
    return operation.replace("-", " ")


def is_treated(suite: str) -> bool:
    """Return whether a suite is called `NAME.tags` or `NAME.unk`."""
    return _split_treatment(suite)[0] != suite


def _split_treatment(suite: str) -> tuple[str, str]:
    name, _, suffix = suite.rpartition(".")
    return (name, TREATMENTS[suffix]) if name and suffix in TREATMENTS else (suite, "plain")


def _base_suites(analysis: Analysis, operation: str) -> list[str]:
    """Return the suites without the suffixes of treatments."""
    suites = (paradigm.suite for paradigm in analysis.results.paradigms if paradigm.name == operation)
    return list(dict.fromkeys(_split_treatment(suite)[0] for suite in suites))


def _rows(analysis: Analysis, operation: str) -> list[dict[str, Any]]:
    suites = {
        _split_treatment(paradigm.suite): paradigm.suite
        for paradigm in analysis.results.paradigms
        if paradigm.name == operation
    }
    rows = []
    for condition in analysis.results.conditions:
        for model in analysis.results.models:
            for treatment in dict.fromkeys(treatment for _, treatment in suites):
                cells = [
                    analysis.accuracies.get(
                        (Unit("paradigm", suites.get((base_suite, treatment), ""), operation), condition.name, model)
                    )
                    for base_suite in _base_suites(analysis, operation)
                ]
                if any(cell is not None for cell in cells):
                    labels = {"condition": condition.name, "model": model, "sentences": treatment}
                    rows.append({**labels, "cells": {str(i): accuracy_cell(cell) for i, cell in enumerate(cells)}})
    return rows


def _table(analysis: Analysis, operation: str) -> Table:
    base_suites = _base_suites(analysis, operation)
    columns = (
        Column("condition", "condition", look="name"),
        *(Column(name, name) for name in ("model", "sentences")),
        *(Column(suite, suite, "percent", f"cells.{i}") for i, suite in enumerate(base_suites)),
    )
    return Table(slug(f"corrupted-{operation}"), _title(operation), columns, _rows(analysis, operation))


SECTIONS = {120: sections}
