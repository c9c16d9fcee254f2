"""Add the scores of models that were trained elsewhere to the results of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import nearest
from runner.errors import InputError
from runner.manifest.model import UNIGRAM
from runner.report.results.items import Cell, Paradigm, items_of
from runner.report.results.preferences import PREFERENCES, ParadigmPreferences, preferences_of
from runner.report.results.results import Condition, Results, read_covariates, read_results, read_table
from runner.report.results.scored import alternants, shared_covariates, with_labels
from runner.score.evaluate.preferences import has_preferences
from runner.score.evaluate.sweep import ScoredCell, Scores, read_scores

if TYPE_CHECKING:
    import pyarrow as pa


AddedScores: TypeAlias = tuple[Path, Scores, ScoredCell]


def results_with_scores(folder: Path, paths: Sequence[Path]) -> Results:
    """Read the folder `results` of a run, and add the scores of pairs and alternants in files of `fictc score`.

    Each file records its cell (`--condition`, `--model`, `--seed`). If it has several checkpoints, the last is used.
    Conditions that the run lacks are added. Raises InputError (FICT892) if a file names no cell, if the run or another
    file already has its cell, or if its suite, convention or pairs differ from the run's. Raises the errors of
    `read_results` and `read_scores`.
    """
    results = read_results(folder)
    path_by_cell: dict[tuple[ScoredCell, str], Path] = {}
    added: list[AddedScores] = []
    for path in paths:
        scores = read_scores(path)[0][-1]
        cell = _checked_cell(results, path, scores)
        if (cell, scores.suite) in path_by_cell:
            raise _mismatch(f"{path} and {path_by_cell[cell, scores.suite]} are the same cell")
        path_by_cell[cell, scores.suite] = path
        added.append((path, scores, cell))
    names = {condition.name for condition in results.conditions}
    new_conditions = dict.fromkeys(cell.condition for cell, _ in path_by_cell if cell.condition not in names)
    alternant_scores = [entry for entry in added if has_preferences(entry[1].table)]
    pair_scores = [entry for entry in added if not has_preferences(entry[1].table)]
    return replace(
        results,
        paradigms=_with_pairs(results, folder, pair_scores) if pair_scores else results.paradigms,
        preferences=_with_alternants(folder, alternant_scores) if alternant_scores else results.preferences,
        conditions=(*results.conditions, *map(_condition, new_conditions)),
        remarks=(*results.remarks, *(_added(name, names) for name in new_conditions)),
        external_cells=frozenset(Cell(cell.condition, cell.model, cell.seed) for cell, _ in path_by_cell),
    )


def _with_pairs(results: Results, folder: Path, added: Sequence[AddedScores]) -> tuple[Paradigm, ...]:
    """Return the paradigms of a run with the added scores. Those without pairs, such as SyntaxGym's, are unchanged."""
    import pyarrow as pa

    if not (folder / "items.parquet").exists():
        raise _cannot_be_added(added[0][0], "minimal pairs")
    run_items = read_table(folder / "items.parquet")
    items = pa.concat_tables([run_items, *(_as_items(run_items, *entry) for entry in added)])
    without_pairs = (paradigm for paradigm in results.paradigms if not len(paradigm.item))
    return (*items_of(items, str(folder)), *without_pairs)


def _with_alternants(folder: Path, added: Sequence[AddedScores]) -> tuple[ParadigmPreferences, ...]:
    import pyarrow as pa

    run_preferences = read_table(folder / PREFERENCES)
    tables = [
        with_labels(alternants(scores.table), cell.condition, cell.model, cell.seed, scores.suite)
        for _, scores, cell in added
    ]
    schema = run_preferences.schema
    combined = pa.concat_tables([run_preferences, *(table.select(schema.names).cast(schema) for table in tables)])
    covariates = shared_covariates([scores for _, scores, _ in added], read_covariates(folder))
    return preferences_of(combined, covariates, folder)


def _checked_cell(results: Results, path: Path, scores: Scores) -> ScoredCell:
    """Return the cell of a file. Raises InputError (FICT892) if the file does not fit the run."""
    if scores.cell is None:
        raise _mismatch(f"{path} names no cell; score it with --condition, --model and --seed")
    if scores.cell.model == UNIGRAM:
        raise _mismatch(f"{path} names the model `{UNIGRAM}`, the name that reports use for word frequencies")
    run_convention = results.run.convention.get(scores.suite)
    if run_convention is None:
        suites = ", ".join(results.run.convention) or "none"
        raise _mismatch(f"{path} has scores of {scores.suite}, which the run does not evaluate (suites: {suites})")
    if scores.convention.masked:
        run_convention = run_convention.get("masked", run_convention)
    convention = asdict(scores.convention)
    differing = [
        field for field, value in convention.items() if field in run_convention and run_convention[field] != value
    ]
    if differing:
        field = differing[0]
        raise _mismatch(f"{path} has {field} {convention[field]!r}, but the run has {run_convention[field]!r}")
    has_alternants = has_preferences(scores.table)
    if has_alternants != (scores.suite in {preference.suite for preference in results.preferences}):
        found, expected = ("alternants", "none") if has_alternants else ("no alternants", "alternants")
        raise _mismatch(f"{path} has {found} in {scores.suite}, but the run has {expected}")
    cells = {
        (cell.condition, cell.model, cell.seed)
        for paradigm in (results.preferences if has_alternants else results.paradigms)
        if paradigm.suite == scores.suite
        for cell in paradigm.cells
    }
    if (scores.cell.condition, scores.cell.model, scores.cell.seed) in cells:
        raise _mismatch(f"{path} is {scores.cell.condition}/{scores.cell.model}/{scores.cell.seed}, a cell of the run")
    return scores.cell


def _as_items(run_items: pa.Table, path: Path, scores: Scores, cell: ScoredCell) -> pa.Table:
    """Return the scores with the columns of the run's `items.parquet`."""
    table = with_labels(scores.table.replace_schema_metadata(None), cell.condition, cell.model, cell.seed, scores.suite)
    missing = [name for name in run_items.column_names if name not in table.column_names]
    if missing:
        raise _cannot_be_added(path, f"column `{missing[0]}`")
    return table.select(run_items.column_names).cast(run_items.schema)


def _condition(name: str) -> Condition:
    return Condition(name=name, kind="given", what="scored elsewhere", sentences=None, words=None)


def _added(name: str, run_conditions: Iterable[str]) -> str:
    suggestion = nearest(name, sorted(run_conditions))
    hint = f"; the nearest is {suggestion}" if suggestion else ""
    return f"The condition {name} of the added scores is not one of the run{hint}."


def _cannot_be_added(path: Path, missing: str) -> InputError:
    return _mismatch(f"{path} has no {missing}: only scores of minimal pairs and alternants can be added")


def _mismatch(reason: str) -> InputError:
    return InputError(diagnostic("FICT892", reason=reason))
