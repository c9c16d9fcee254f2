"""The `results` folder of a run as typed values.

The runner writes this folder. `items.parquet` and the files from `curves.csv` on exist only if they have content:

`items.parquet`       condition, model, seed (int32; −1 and model `unigram` for the baseline), suite, paradigm,
                      phenomenon, field, item (int32), good, bad, score_good, score_bad (null: not applicable),
                      tokens_good, tokens_bad, unk_good, unk_bad, identical
`perplexity.parquet`  condition, model, seed, text, nll (sum, nats), tokens, frequencies (nll under word frequencies)
`conditions.json`     a list of `Condition`
`run.json`            a `RunCard`
`curves.csv`          values at checkpoints, in long form: corpus, arch, seed, benchmark, metric, value, checkpoint
`tokens.parquet`      condition, model, seed, suite, paradigm, item, side, place, token, logprob, for a few pairs
`placebos.json`       a list of `Placebo`

Scores of other kinds of suites are in the `results` of their `SuiteKind`, which documents the columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TypeAlias, TypeVar

from fictdsl.words import counted
from runner.errors import InputError
from runner.readers import parse_json
from runner.report.long_form import Row, read_long_form
from runner.report.records import CELLS, LARGE_SHARE, PLACEBOS, Condition, Placebo, RunCard
from runner.score.convention import UNIGRAM
from runner.score.pair_matrices import Paradigm, Score, Tokens, require_columns, tokens_of
from runner.score.suite_kind import Matrix, read_json, read_table

M = TypeVar("M", bound=Matrix)
Snapshot: TypeAlias = tuple[tuple[int, int] | None, ...]


@dataclass(frozen=True, slots=True)
class TextPerplexity:
    """The loss of one cell on one text: the mean of −ln p over `tokens` predicted tokens."""

    condition: str
    model: str
    seed: int
    text: str
    loss: float
    tokens: int | None = None
    unigram_loss: float | None = None  # of a unigram model of the training text


@dataclass(frozen=True, slots=True)
class ImportedValue:
    """A value of one cell that is known without the pairs: an accuracy (0–1), a mean PΔ or a correlation."""

    suite: str
    paradigm: str
    condition: str
    model: str
    seed: int
    value: float


@dataclass(frozen=True, slots=True)
class Point:
    """A value of one cell after `at` training tokens (or steps); `metric` is as in a table in long form."""

    condition: str
    model: str
    seed: int
    at: int
    benchmark: str
    metric: str
    value: float


@dataclass(frozen=True, slots=True)
class Results:
    paradigms: tuple[Paradigm, ...]
    perplexity: tuple[TextPerplexity, ...]
    conditions: tuple[Condition, ...]
    run: RunCard
    imported: tuple[ImportedValue, ...] = ()
    points: tuple[Point, ...] = ()  # at checkpoints
    deltas: tuple[ImportedValue, ...] = ()  # mean PΔ of paradigms without pairs
    rating_correlations: tuple[ImportedValue, ...] = ()  # Pearson's r of scores with ratings, by suite; no `paradigm`
    matrices: tuple[Matrix, ...] = ()  # scores that are no minimal pairs; their accuracies are in `imported`
    tokens: tuple[Tokens, ...] = ()  # tokens of some corrupted pairs
    placebos: tuple[Placebo, ...] = ()
    state: tuple[str, ...] = ()  # what of the run is missing or no longer so, first in a report
    remarks: tuple[str, ...] = ()  # on the input, shown with the results
    external_cells: frozenset[Score] = frozenset()  # models that were trained elsewhere
    seeds_paired: bool = False  # models with the same seed share initialisation, data order and sample

    def of(self, type_: type[M]) -> tuple[M, ...]:
        return tuple(matrix for matrix in self.matrices if isinstance(matrix, type_))

    @property
    def full(self) -> Condition | None:
        return next((condition for condition in self.conditions if condition.kind == "full"), None)

    @property
    def confidence(self) -> float:
        return self.run.report.confidence

    @property
    def other_pairs(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for matrix in self.matrices:
            if matrix.pairs:
                counts[matrix.pairs] = counts.get(matrix.pairs, 0) + matrix.pair_count
        return counts

    @property
    def suites(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(paradigm.suite for paradigm in self.paradigms))

    @property
    def cells(self) -> frozenset[Score]:
        """The models with results by condition and seed, without the unigram baseline."""
        cells = {cell for paradigm in self.paradigms for cell in paradigm.cells}
        cells |= {cell for matrix in self.matrices for cell in matrix.scored}
        values: list[TextPerplexity | ImportedValue] = [*self.perplexity, *self.imported, *self.deltas]
        values += self.rating_correlations
        cells |= {Score(value.condition, value.model, value.seed) for value in values}
        return frozenset(cell for cell in cells if cell.model != UNIGRAM)

    def seeds_are_paired(self, model: str, *conditions: str) -> bool:
        """Return whether equal seeds of a model under these conditions share initialisation, order and sample."""
        return self.seeds_paired and not any(
            cell.model == model and cell.condition in conditions for cell in self.external_cells
        )

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models with scores, in the order of the run card, without the unigram baseline."""
        scored = {cell.model for paradigm in self.paradigms for cell in paradigm.cells}
        scored |= {cell.model for matrix in self.matrices for cell in matrix.scored}
        scored |= {row.model for row in self.perplexity} | {point.model for point in self.points}
        scored |= {value.model for value in self.rating_correlations}
        listed = [str(model.get("name", "")) for model in self.run.models]
        ordered = [name for name in dict.fromkeys(listed) if name in scored]
        return (*ordered, *sorted(scored - set(ordered) - {UNIGRAM}))

    @property
    def condition_models(self) -> list[tuple[str, str]]:
        return [*product((condition.name for condition in self.conditions), self.models)]

    def condition(self, name: str) -> Condition:
        return next(condition for condition in self.conditions if condition.name == name)

    def paradigm_label(self, suite: str, name: str) -> str:
        is_unique = sum(paradigm.name == name for paradigm in self.paradigms) < 2
        return name if is_unique else f"{suite}/{name}"

    def is_added(self, condition: Condition) -> bool:
        """Return whether only scores of models that were trained elsewhere name a condition."""
        return condition.kind == "given" and any(cell.condition == condition.name for cell in self.external_cells)

    def is_control(self, condition: Condition) -> bool:
        return condition.control_of is not None or any(other.control == condition.name for other in self.conditions)


def read_results(folder: Path) -> Results:
    """Read the `results` folder of a run. Raises InputError (FICT890–FICT892) if it is missing or inconsistent."""
    return read_snapshot(folder)[0]


def read_snapshot(folder: Path) -> tuple[Results, Snapshot]:
    while True:
        before = snapshot_of(folder)
        try:
            results = _read_results(folder)
        except InputError:
            if snapshot_of(folder) == before:
                raise
        else:
            if snapshot_of(folder) == before:
                return results, before


def snapshot_of(folder: Path) -> Snapshot:
    """Return what changes when a run replaces its results, or when it is planned again."""

    def state(path: Path) -> tuple[int, int] | None:
        try:
            status = path.stat()
        except OSError:
            return None
        return status.st_ino, status.st_mtime_ns

    return state(folder), state(folder.parent / CELLS)


def _read_results(folder: Path) -> Results:
    from runner.score.any_suite import KINDS, PAIRS  # late, since tables of results need no suite

    if not folder.is_dir():
        raise InputError.of("FICT890", path=str(folder), what="folder of results")
    conditions, run = read_json(folder / "conditions.json", tuple[Condition, ...]), read_run_card(folder)
    expects_pairs = PAIRS.name in run.suites.values()
    kinds = [kind for kind in KINDS if (folder / kind.results).exists() or (kind is PAIRS and expects_pairs)]
    matrices = {kind: kind.matrices(folder) for kind in reversed(kinds)}
    curves_path, tokens_path, placebos_path = folder / "curves.csv", folder / "tokens.parquet", folder / PLACEBOS
    perplexity, perplexity_remarks = _perplexities(folder / "perplexity.parquet")
    results = with_matrices(
        Results(
            matrices.pop(PAIRS, ()),
            perplexity,
            conditions,
            run,
            points=curve_points(read_long_form(curves_path, allow_empty=True).rows) if curves_path.exists() else (),
            tokens=tokens_of(read_table(tokens_path), tokens_path) if tokens_path.exists() else (),
            placebos=read_json(placebos_path, tuple[Placebo, ...]) if placebos_path.exists() else (),
            state=tuple(state_of(run, folder)),
            remarks=(*perplexity_remarks, *_shared_draws(run)),
            seeds_paired=True,
        ),
        [matrix for found in matrices.values() for matrix in found],
    )
    _check_consistency(results)
    return results


def state_of(run: RunCard, folder: Path) -> Iterator[str]:
    keys: dict[str, str | None] = {}  # of the cells as planned now; None without a corpus
    with suppress(OSError, ValueError, KeyError, TypeError):  # there may be no plan
        planned = parse_json((folder.parent / CELLS).read_text(encoding="utf-8"))
        planned_keys = {cell["name"]: cell["key"] for cell in planned}
        keys = {cell.name: planned_keys.get(cell.name, "") for cell in run.cells}
    changed = [cell for cell in run.cells if keys.get(cell.name) not in (None, cell.key)]
    if not changed and None in keys.values():
        yield (
            "This report may be stale: the manifest, a filter or another file of the run has changed since. "
            "Whether its cells are of the run as it is planned now is known once the corpora are; "
            "`fictc run` makes the report again."
        )
    if changed:
        yield (
            "This report is stale: the manifest, a filter or another file of the run has changed since. "
            f"{counted(len(changed), 'of its cells is', 'of its cells are')} not of the run as it is planned now; "
            "`fictc run` makes the report again."
        )
    if len(run.cells) + len(run.failed) < run.planned:
        yield (
            f"This is an interim report: the run has collected {len(run.cells):,} of {counted(run.planned, 'cell')}. "
            "Means, intervals and verdicts are of these alone and will change; `fictc status` shows the others."
        )


def read_run_card(folder: Path) -> RunCard:
    """Read the run card of results. Raises InputError (FICT890, FICT891) if it is missing or broken."""
    return read_json(folder / "run.json", RunCard)


def _shared_draws(run: RunCard) -> Iterator[str]:
    share = run.size.get("share")
    if run.size.get("redraw") == "seed" and isinstance(share, float) and share > LARGE_SHARE:
        yield (
            f"Every corpus has {100 * share:.0f} % of the base corpus, so the draws of different seeds share most "
            "sentences: intervals reflect the choice of sentences, not the choice of the base corpus."
        )


def with_matrices(results: Results, matrices: Sequence[Matrix]) -> Results:
    return replace(
        results,
        paradigms=results.paradigms
        + tuple(paradigm for matrix in matrices if (paradigm := matrix.paradigm()) is not None),
        imported=tuple(
            ImportedValue(matrix.suite, matrix.name, cell.condition, cell.model, cell.seed, accuracy)
            for matrix in matrices
            for cell, accuracy in matrix.accuracies().items()
        ),
        rating_correlations=tuple(
            ImportedValue(matrix.suite, "", cell.condition, cell.model, cell.seed, r)
            for matrix in matrices
            for cell, r in matrix.correlations().items()
        ),
        matrices=tuple(matrices),
    )


def curve_points(rows: Sequence[Row]) -> tuple[Point, ...]:
    return tuple(
        Point(row.corpus, row.arch, row.seed, row.checkpoint, row.benchmark, row.metric, row.value)
        for row in rows
        if row.seed is not None and row.checkpoint is not None
    )


def _perplexities(path: Path) -> tuple[tuple[TextPerplexity, ...], list[str]]:
    columns = ["condition", "model", "seed", "text", "nll", "tokens"]
    table = read_table(path)
    require_columns(table, columns, path)
    rows = table.to_pylist()
    infinite: dict[str, list[str]] = {}
    perplexities: list[TextPerplexity] = []
    for row in rows:
        condition, model, seed, text, nll, tokens = (row[name] for name in columns)
        if tokens is None or tokens < 1 or nll is None:
            reason = f"{text} has no tokens or no loss under {condition}/{model}/{seed}"
            raise InputError.of("FICT891", path=str(path), reason=reason)
        if math.isfinite(nll):
            unigram_nll = row.get("frequencies")
            unigram_loss = None if unigram_nll is None else unigram_nll / tokens
            perplexities.append(TextPerplexity(condition, model, seed, text, nll / tokens, tokens, unigram_loss))
        else:
            infinite.setdefault(text, []).append(f"{condition}/{model}/{seed}")
    return tuple(perplexities), [
        f"The loss of {text} is not finite under {', '.join(cells)}; it is left out."
        for text, cells in infinite.items()
    ]


def _check_consistency(results: Results) -> None:
    names = [condition.name for condition in results.conditions]
    used = {cell.condition for paradigm in results.paradigms for cell in paradigm.cells if cell.model != UNIGRAM}
    used |= {row.condition for row in results.perplexity}
    used |= {cell.condition for matrix in results.matrices for cell in matrix.scored}
    reasons = [f"condition {name} is described twice" for name in names if names.count(name) > 1]
    if sum(condition.kind == "full" for condition in results.conditions) > 1:
        reasons.append("two conditions are of kind full")
    for condition in results.conditions:
        if condition.control_of not in (None, *names):
            reasons.append(f"{condition.name} is a control of {condition.control_of}, which is not described")
        if condition.control not in (None, *names):
            reasons.append(f"the control of {condition.name} is {condition.control}, which is not described")
    reasons += [f"scores of condition {name}, which is not described" for name in sorted(used - set(names))]
    if reasons:
        raise InputError.of("FICT892", reason=reasons[0])
