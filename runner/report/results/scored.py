"""Scores of saved models, as `fictc score --output` keeps them, to the results that a report is made from."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.manifest.model import BASELINE
from runner.report.render import format as write
from runner.report.results.given import known
from runner.report.results.items import items_of
from runner.report.results.predictions import predicted_of
from runner.report.results.rated import rated_of
from runner.report.results.results import Condition, Point, Results, RunCard, with_tables
from runner.score.evaluate.sums import summaries, summary_values
from runner.score.evaluate.sweep import Scores, read_scores
from runner.score.evaluate.syntaxgym import PREDICTIONS, judgements
from runner.score.scoring.table import as_unigram

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.score.scoring.convention import Convention

ALONE = "as saved"  # the one condition of models that are shown side by side
ONLY = "saved model"  # the one model of corpora that are compared
SEED = 1


def results_of_scores(
    paths: Sequence[Path], baseline: str | None = None, targets: dict[str, list[str]] | None = None
) -> Results:
    """Models side by side; or, with a `baseline` among them, as one model trained on corpora of these names.

    A model is called as its folder, or as its file where two folders have one name. Of checkpoints the last counts,
    and the others are points of a curve. InputError: FICT819 for a file that is none, FICT892 where two files hold the
    same or models were asked other pairs, FICT895 for a baseline that is not there.
    """
    found = _named([(path, scores) for path in paths for scores in [read_scores(path)[0]]])
    names = list(dict.fromkeys(name for name, _ in found))
    if baseline is not None:
        known(baseline, names, "the scores")
    elif BASELINE in names:
        reason = (
            f"a model is called `{BASELINE}`, as a report calls word frequencies; score it in a folder of another name"
        )
        raise InputError(diagnostic("FICT892", reason=reason))
    last = [(name, scores[-1]) for name, scores in found]
    corpora = [ALONE] if baseline is None else sorted(names, key=lambda name: name != baseline)
    cells = {name: (ALONE, name) if baseline is None else (name, ONLY) for name in names}
    card = RunCard(
        name="scores",
        seeds=(SEED,),
        models=tuple({"name": name} for name in (names if baseline is None else [ONLY])),
        convention={one.suite: asdict(one.convention) for _, one in last},
    )
    return with_tables(
        Results(
            (),
            (),
            tuple(_condition(name, corpora[0], (targets or {}).get(name, [])) for name in corpora),
            card,
            points=tuple(point for name, scores in found for point in _points(scores, cells[name])),
            remarks=(*_remarks([one for _, one in last]), *_apart(last)),
        ),
        *_tables([(cells[name], one) for name, one in last]),
    )


def _named(read: Sequence[tuple[Path, list[Scores]]]) -> list[tuple[str, list[Scores]]]:
    keys = [(scores[0].model, scores[0].suite) for _, scores in read]
    shared = {model for model, suite in keys if keys.count((model, suite)) > 1}
    found = [(path.stem if scores[0].model in shared else scores[0].model, scores) for path, scores in read]
    named = [(name, scores[0].suite) for name, scores in found]
    twice = next((one for one in named if named.count(one) > 1), None)
    if twice is not None:
        raise InputError(diagnostic("FICT892", reason=f"two files hold scores of {twice[0]} on {twice[1]}"))
    return found


def _condition(name: str, first: str, targets: Sequence[str]) -> Condition:
    what = "models as they were saved" if name == ALONE else "as saved"
    kind: Any = "full" if name == first else "given"
    return Condition(name=name, kind=kind, what=what, sentences=None, words=None, targets=tuple(targets))


def _points(scores: Sequence[Scores], cell: tuple[str, str]) -> list[Point]:
    """Values of checkpoints whose names end with a number of tokens or steps."""
    if len(scores) < 2:
        return []
    found = []
    for one in scores:
        at = re.search(r"(\d+)$", one.checkpoint)
        for row in summaries(one.table) if at else ():
            for benchmark, metric, value in summary_values(one.suite, row, one.convention.ties):
                found.append(Point(*cell, SEED, int(at[1]) if at else 0, benchmark, metric, value))
    return found


def _tables(found: Sequence[tuple[tuple[str, str], Scores]]) -> tuple[Any, Any, Any]:
    import pyarrow as pa

    pairs: list[pa.Table] = []
    ratings: list[pa.Table] = []
    gym: list[pa.Table] = []
    for (condition, model), one in found:
        columns = one.table.column_names
        table, kind = one.table.replace_schema_metadata(None), pairs
        if "region" in columns:
            table, kind = predictions(one.table), gym
        elif "rating" in columns:
            table, kind = rated(one.table, one.convention), ratings
        kind.append(labelled(table, condition, model, SEED, one.suite))
    where = Path("the scores")
    return (
        items_of(pa.concat_tables(pairs), str(where)) if pairs else (),
        rated_of(pa.concat_tables(ratings), where) if ratings else (),
        predicted_of(pa.concat_tables(gym), where) if gym else (),
    )


def _remarks(scores: Sequence[Scores]) -> list[str]:
    by_suite: dict[str, set[str]] = {}
    for one in scores:
        by_suite.setdefault(one.suite, set()).add(json.dumps(asdict(one.convention), sort_keys=True))
    differ = [suite for suite, conventions in by_suite.items() if len(conventions) > 1]
    return [f"Models were scored by different conventions on {', '.join(differ)}."] if differ else []


def _apart(last: Sequence[tuple[str, Scores]]) -> list[str]:
    """A remark where the last checkpoints of models are not of one name."""
    ends = {name: one.checkpoint for name, one in last if one.checkpoint}
    if len(set(ends.values())) < 2:
        return []
    told = write.some([f"{name}: {end}" for name, end in ends.items()])
    return [f"Models were scored up to different checkpoints, and each counts with its own last ({told})."]


def labelled(table: pa.Table, condition: str, model: str, seed: int, suite: str) -> pa.Table:
    """A table of scores with the cell and the suite before its columns."""
    import pyarrow as pa

    n = table.num_rows
    labels = {
        "condition": pa.array([condition] * n),
        "model": pa.array([model] * n),
        "seed": pa.array([seed] * n, pa.int32()),
        "suite": pa.array([suite] * n),
    }
    return pa.table({**labels, **{name: table[name] for name in table.column_names}})


def rated(table: pa.Table, convention: Convention) -> pa.Table:
    """Scores of sentences with those that word frequencies alone would give, null where these are not known."""
    return table.append_column("score_unigram", as_unigram(table, convention.normalise)["score"])


def predictions(table: pa.Table) -> pa.Table:
    """The regions of SyntaxGym's items to whether each prediction holds of each item."""
    import pyarrow as pa

    assert PREDICTIONS.encode() in (table.schema.metadata or {})
    found = list(judgements(table))
    columns = {
        "phenomenon": pa.array([one.suite for one in found], pa.string()),
        "paradigm": pa.array([one.name for one in found], pa.string()),
        "prediction": pa.array([one.prediction for one in found], pa.string()),
        "item": pa.array([one.item for one in found], pa.int32()),
        "holds": pa.array([one.holds for one in found], pa.bool_()),
    }
    return pa.table(columns)
