"""Add the scores of models that were trained elsewhere to the results of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.report.results.items import items_of
from runner.report.results.results import Condition, Results, read_results, read_table
from runner.report.results.scored import labelled
from runner.score.evaluate.sweep import ScoredCell, Scores, read_scores

if TYPE_CHECKING:
    import pyarrow as pa


def results_with_scores(folder: Path, paths: Sequence[Path]) -> Results:
    """Read the folder `results` of a run, and add the scores of minimal pairs in files of `fictc score`.

    Each file records its cell (`--condition`, `--model`, `--seed`). If it has several checkpoints, the last is used.
    Conditions that the run lacks are added. Raises InputError (FICT892) if a file names no cell, if its suite,
    convention or pairs differ from the run's, or if its cell exists, and as `read_results` and `read_scores` do.
    """
    results = read_results(folder)
    run = read_table(folder / "items.parquet")
    tables = [run]
    outside: dict[tuple[ScoredCell, str], Path] = {}
    for path in paths:
        scores = read_scores(path)[0][-1]
        cell = _checked(results, path, scores)
        if (cell, scores.suite) in outside:
            raise _disagreement(f"{path} and {outside[cell, scores.suite]} are the same cell")
        outside[cell, scores.suite] = path
        tables.append(_as_items(run, path, scores, cell))
    import pyarrow as pa

    names = {condition.name for condition in results.conditions}
    added = dict.fromkeys(cell.condition for cell, _ in outside if cell.condition not in names)
    return replace(
        results,
        paradigms=items_of(pa.concat_tables(tables), str(folder)),
        conditions=(*results.conditions, *map(_condition, added)),
        outside=frozenset((cell.condition, cell.model) for cell, _ in outside),
    )


def _checked(results: Results, path: Path, scores: Scores) -> ScoredCell:
    """Return the cell of a file after checking it against the run."""
    if scores.cell is None:
        raise _disagreement(f"{path} names no cell; score it with --condition, --model and --seed")
    known = results.run.convention.get(scores.suite)
    if known is None:
        suites = ", ".join(results.run.convention) or "none"
        raise _disagreement(f"{path} has scores of {scores.suite}, which the run does not evaluate (suites: {suites})")
    convention = asdict(scores.convention)
    differing = [field for field, value in convention.items() if field in known and known[field] != value]
    if differing:
        field = differing[0]
        raise _disagreement(f"{path} has {field} {convention[field]!r}, the run {known[field]!r}")
    cells = {
        (cell.condition, cell.model, cell.seed)
        for p in results.paradigms
        if p.suite == scores.suite
        for cell in p.cells
    }
    if (scores.cell.condition, scores.cell.model, scores.cell.seed) in cells:
        raise _disagreement(
            f"{path} is {scores.cell.condition}/{scores.cell.model}/{scores.cell.seed}, a cell of the run"
        )
    return scores.cell


def _as_items(run: pa.Table, path: Path, scores: Scores, cell: ScoredCell) -> pa.Table:
    """Return the scores with the columns of the run's `items.parquet`."""
    table = labelled(scores.table.replace_schema_metadata(None), cell.condition, cell.model, cell.seed, scores.suite)
    missing = [name for name in run.column_names if name not in table.column_names]
    if missing:
        raise _disagreement(f"{path} has no column `{missing[0]}`: only scores of minimal pairs can be added")
    return table.select(run.column_names).cast(run.schema)


def _condition(name: str) -> Condition:
    return Condition(name=name, kind="given", what="scored elsewhere", sentences=None, words=None)


def _disagreement(reason: str) -> InputError:
    return InputError(diagnostic("FICT892", reason=reason))
