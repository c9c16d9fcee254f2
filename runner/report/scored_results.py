"""Make the results of a report from scores of saved models, or add them to the results of a run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.suggest import nearest
from fictdsl.words import listed
from runner import formatting
from runner.errors import InputError
from runner.report.imported_results import check_corpus
from runner.report.records import Condition, RunCard
from runner.report.results import Point, Results, read_results, with_matrices
from runner.score.any_suite import KINDS, PAIRS, kind_of_table
from runner.score.convention import UNIGRAM
from runner.score.pair_matrices import Score
from runner.score.suite_kind import LABELS, Scores, SuiteKind
from runner.score.sweep import read_scores, summary_values

SINGLE_CONDITION = "as saved"  # the condition if models are compared
SINGLE_MODEL = "saved model"  # the model if corpora are compared
SEED = 1
ADDABLE = f"only scores of {listed([kind.title for kind in reversed(KINDS) if kind.of_pairs])} can be added"


def results_of_scores(
    paths: Sequence[Path], baseline: str | None = None, targets: dict[str, list[str]] | None = None
) -> Results:
    """Return results that compare models or, with a `baseline`, the corpora of one model, at their last checkpoints.

    Checkpoints whose names end in a number are the points of a curve. Raises InputError: FICT819 for a file without
    scores, FICT892 for scores that cannot be compared, FICT895 for an unknown baseline.
    """
    files = [(path, read_scores(path)[0]) for path in paths]
    named_scores = _named_scores(files, compare_corpora=baseline is not None)
    names = list(dict.fromkeys(name for name, _ in named_scores))
    if baseline is not None:
        check_corpus(baseline, names, "the scores")
    elif UNIGRAM in names:
        reason = f"a model is named `{UNIGRAM}`, the name that reports use for word frequencies; rename its folder"
        raise _mismatch(reason)
    last_scores = [(name, scores[-1]) for name, scores in named_scores]
    corpora = [SINGLE_CONDITION] if baseline is None else sorted(names, key=lambda name: name != baseline)
    cells = {name: (SINGLE_CONDITION, name) if baseline is None else (name, SINGLE_MODEL) for name in names}
    run_card = RunCard(
        name="scores",
        seeds=(SEED,),
        models=tuple({"name": name} for name in (names if baseline is None else [SINGLE_MODEL])),
        convention={entry.suite: asdict(entry.convention) for _, entry in last_scores},
    )
    by_kind: dict[SuiteKind[Any], list[Scores]] = {}
    for name, entry in last_scores:
        cell = Score(*cells[name], SEED)
        by_kind.setdefault(kind_of_table(entry.table), []).append(replace(entry, cell=cell))
    matrices = {kind: kind.matrices(None, by_kind[kind]) for kind in reversed(KINDS) if kind in by_kind}
    remarks = (
        *_convention_remarks([entry for _, entry in last_scores]),
        *_checkpoint_remarks(last_scores),
        *_unnumbered_remarks(named_scores),
    )
    conditions = tuple(
        _condition(
            *(name, "saved models" if name == SINGLE_CONDITION else "as saved"),
            *("full" if name == corpora[0] else "given", (targets or {}).get(name, [])),
        )
        for name in corpora
    )
    points = tuple(point for name, scores in named_scores for point in _points(scores, cells[name]))
    results = Results(matrices.pop(PAIRS, ()), (), conditions, run_card, points=points, remarks=remarks)
    return with_matrices(results, [matrix for found in matrices.values() for matrix in found])


def _named_scores(
    files: Sequence[tuple[Path, list[Scores]]], *, compare_corpora: bool
) -> list[tuple[str, list[Scores]]]:
    """Name each file's model or corpus; of files of one name, as they record if that tells these apart."""
    keys = [(scores[0].model, scores[0].suite) for _, scores in files]
    ambiguous = {model for model, suite in keys if keys.count((model, suite)) > 1}
    cells = {scores[0].cell for _, scores in files if scores[0].model in ambiguous}
    recorded = {cell: cell.condition if compare_corpora else cell.model for cell in cells if cell is not None}
    if len(set(recorded.values())) < len(recorded):
        recorded = {}

    def name_of(path: Path, scores: Scores) -> str:
        if scores.model not in ambiguous:
            return scores.model
        return path.stem if scores.cell is None else recorded.get(scores.cell, path.stem)

    named_scores = [(name_of(path, scores[0]), scores) for path, scores in files]
    names = [(name, scores[0].suite) for name, scores in named_scores]
    duplicate = next((entry for entry in names if names.count(entry) > 1), None)
    if duplicate is not None:
        raise _mismatch(f"two files hold scores of {duplicate[0]} on {duplicate[1]}")
    return named_scores


def _condition(name: str, what: str, kind: str = "given", targets: Sequence[str] = ()) -> Condition:
    return Condition(name=name, kind=kind, what=what, sentences=None, words=None, targets=tuple(targets))


def _points(scores: Sequence[Scores], cell: tuple[str, str]) -> Iterator[Point]:
    for entry in scores if len(scores) > 1 else ():
        steps = _steps(entry)
        for row in kind_of_table(entry.table).summaries(entry.table) if steps is not None else ():
            for benchmark, metric, value in summary_values(entry.suite, row, entry.convention.ties):
                yield Point(*cell, SEED, steps or 0, benchmark, metric, value)


def _steps(entry: Scores) -> int | None:
    steps_match = re.search(r"(\d+)$", entry.checkpoint)
    return int(steps_match[1]) if steps_match else None


def _convention_remarks(scores: Sequence[Scores]) -> list[str]:
    conventions_by_suite: dict[str, set[str]] = {}
    for entry in scores:
        conventions_by_suite.setdefault(entry.suite, set()).add(json.dumps(asdict(entry.convention), sort_keys=True))
    suites = [suite for suite, conventions in conventions_by_suite.items() if len(conventions) > 1]
    return [f"Models were scored under different conventions on {', '.join(suites)}."] if suites else []


def _checkpoint_remarks(last_scores: Sequence[tuple[str, Scores]]) -> list[str]:
    last_checkpoints: dict[str, dict[str, list[str]]] = {}  # suites by model and checkpoint
    for name, entry in last_scores:
        if entry.checkpoint:
            last_checkpoints.setdefault(name, {}).setdefault(entry.checkpoint, []).append(entry.suite)
    if len({checkpoint for suites in last_checkpoints.values() for checkpoint in suites}) < 2:
        return []
    named = []
    for name, suites in last_checkpoints.items():
        parts = [f"{checkpoint} on {' and '.join(names)}" for checkpoint, names in suites.items()]
        named.append(f"{name}: {', '.join(parts if len(parts) > 1 else suites)}")
    shown = formatting.abbreviated(named)
    return [f"Models were scored up to different checkpoints; each is represented by its last one ({shown})."]


def _unnumbered_remarks(named_scores: Sequence[tuple[str, list[Scores]]]) -> list[str]:
    remarks = []
    for name, scores in named_scores:
        omitted = [entry.checkpoint for entry in scores[:-1] if _steps(entry) is None]
        if omitted:
            remarks.append(
                f"The scores of {name} on {scores[0].suite} are of {len(scores)} models. The report has only those of "
                f"{scores[-1].checkpoint}, the last one, because the names of the others do not end in a number of "
                f"tokens or steps ({formatting.abbreviated(omitted)}). To compare models, write the "
                "scores of each model to a separate file."
            )
    return remarks


def results_with_scores(folder: Path, paths: Sequence[Path]) -> Results:
    """Read the `results` of a run, and add the scores in files of `fictc score`, each of which records its cell.

    The last of several checkpoints is used. Raises InputError (FICT892) if a file names no cell or one that exists, or
    if its suite, convention or pairs differ from the run's.
    """
    results = read_results(folder)
    path_by_cell: dict[tuple[Score, str], Path] = {}
    added: dict[SuiteKind[Any], list[tuple[Path, Scores]]] = {}
    for path in paths:
        scores = read_scores(path)[0][-1]
        cell = _checked_cell(results, path, scores)
        if (cell, scores.suite) in path_by_cell:
            raise _mismatch(f"{path} and {path_by_cell[cell, scores.suite]} are the same cell")
        path_by_cell[cell, scores.suite] = path
        kind = kind_of_table(scores.table)
        added.setdefault(kind if kind.of_pairs else PAIRS, []).append((path, scores))
    names = {condition.name for condition in results.conditions}
    new_conditions = dict.fromkeys(cell.condition for cell, _ in path_by_cell if cell.condition not in names)
    remarks = []
    for name in new_conditions:
        hint = f"; the nearest is {found}" if (found := nearest(name, sorted(names))) else ""
        remarks.append(f"The condition {name} of the added scores is not one of the run{hint}.")
    matrices = {kind: _with_scores(kind, folder, kind_scores) for kind, kind_scores in added.items()}
    with_pairs = PAIRS in matrices
    without_pairs = (paradigm for paradigm in results.paradigms if not with_pairs or not len(paradigm.item))
    kept = (matrix for matrix in results.matrices if not any(isinstance(matrix, kind.matrix) for kind in matrices))
    return replace(
        results,
        paradigms=(*matrices.pop(PAIRS, ()), *without_pairs),
        matrices=(*kept, *(matrix for found in matrices.values() for matrix in found)),
        conditions=(*results.conditions, *(_condition(name, "scored elsewhere") for name in new_conditions)),
        remarks=(*results.remarks, *remarks),
        external_cells=frozenset(cell for cell, _ in path_by_cell),
    )


def _with_scores(kind: SuiteKind[Any], folder: Path, added: Sequence[tuple[Path, Scores]]) -> tuple[Any, ...]:
    import pyarrow.parquet as pq

    if not (folder / kind.results).exists():
        raise _mismatch(f"{added[0][0]} has no {kind.title}: {ADDABLE}")
    names = pq.read_schema(folder / kind.results).names
    for path, scores in added:
        present = (*LABELS, *kind.rows(scores.table, scores.convention).column_names)
        if missing := [name for name in names if name not in present]:
            raise _mismatch(f"{path} has no column `{missing[0]}`: {ADDABLE}")
    return kind.matrices(folder, [scores for _, scores in added])


def _checked_cell(results: Results, path: Path, scores: Scores) -> Score:
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
    kind = kind_of_table(scores.table)
    for other in KINDS:
        expects_kind = any(matrix.suite == scores.suite for matrix in results.of(other.matrix))
        if other.of_pairs and other is not PAIRS and (kind is other) != expects_kind:
            found, expected = (other.title, "none") if kind is other else (f"no {other.title}", other.title)
            raise _mismatch(f"{path} has {found} in {scores.suite}, but the run has {expected}")
    matrices = results.paradigms if kind is PAIRS else results.of(kind.matrix)
    if any(scores.cell in matrix.scored for matrix in matrices if matrix.suite == scores.suite):
        raise _mismatch(f"{path} is {scores.cell.condition}/{scores.cell.model}/{scores.cell.seed}, a cell of the run")
    return scores.cell


def _mismatch(reason: str) -> InputError:
    return InputError.of("FICT892", reason=reason)
