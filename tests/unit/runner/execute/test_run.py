"""The cells of a run in processes that train nothing: which are run, what is told of them, and what is left."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.cli.options import load_plan
from runner.execute.cache import Cache, unfinished
from runner.execute.card import exposures, run_card, word_counts
from runner.execute.job import NO_RERUN, Job, RerunOptions, write_pending_jobs
from runner.execute.pool import Pool, with_gpus
from runner.execute.run import Resources, emit, open_run, prepare, run
from runner.execute.state import Event, Record, cell_paths, cell_states, read_cell_paths
from runner.machine import may_have_gpu
from runner.report.analysis import analyse
from runner.report.page import write_report
from runner.report.records import Condition
from runner.report.results import read_results
from runner.steps.plan import RunPlan
from runner.workspace import lock
from tests.support.experiments import stub_worker

HEAD = """
[experiment]
name = "x"
seeds = [1]
[corpus]
sample = { sentences = 120, pairs = 2, seed = 5 }
[tokenizer]
size = 300
[[evaluate]]
name = "blimp"
path = "sample"
paradigms = ["passive_1"]
"""


def planned(folder: Path, *models: str, conditions: dict[str, str]) -> tuple[RunPlan, Cache, Path]:
    """The plan of a manifest, its cache and the folder of its run; a condition has a shipped filter."""
    presets = ("lstm-128", "transformer-128")
    named = zip(models, presets, strict=False)
    entries = [f'[[model]]\nname = "{name}"\npreset = "{preset}"\n' for name, preset in named]
    for name, removed in conditions.items():
        entries.append(f'[[condition]]\nname = "{name}"\nremove = ["${{filters}}/fict15/{removed}.fict"]\n')
    (folder / "m.toml").write_text(HEAD + "".join(entries))
    return load_plan(folder / "m.toml", None, (), folder / "run", None)


@pytest.fixture
def prepared(tmp_path: Path) -> list[str]:
    """The command of a worker; corpora, tokens and suites are made."""
    plan, cache, out = planned(tmp_path, "m", conditions={})
    with open_run(plan, cache, out) as preparation:
        preparation.run()
    return stub_worker(cache, tmp_path, "blimp", [1])


def test_cells_whose_names_join_to_the_same_are_all_run(tmp_path: Path, prepared: list[str]) -> None:
    conditions = {"a--b": "passive", "a": "agr-pp-mod"}
    plan, cache, out = planned(tmp_path, "m", "b--m", conditions=conditions)
    outcome = run(plan, cache, out, partial(Pool, 2, worker=prepared))
    assert outcome.failed == {}
    assert {cell.state for cell in cell_states(cell_paths(plan, cache, out))} == {"done"}
    assert len({place.record for place in cell_paths(plan, cache, out)}) == len(plan.cells) == 6


def test_what_another_experiment_left_goes_away_where_no_cell_is_finished(tmp_path: Path, prepared: list[str]) -> None:
    plan, cache, out = planned(tmp_path, "m", conditions={})
    assert run(plan, cache, out, partial(Pool, 1, worker=prepared)).report == out / "report.html"
    (out / "notes.txt").write_text("mine")
    before = {path.name for path in out.iterdir()}
    (tmp_path / "mishaps.json").write_text(json.dumps({"full/other/1": "fail"}))
    plan, cache, out = planned(tmp_path, "other", conditions={})
    cells = (replace(cell, train=replace(cell.train, inputs={**cell.train.inputs, "seed": 9})) for cell in plan.cells)
    vars(plan)["cells"] = tuple(cells)
    outcome = run(plan, cache, out, partial(Pool, 1, worker=prepared))
    assert (outcome.report, outcome.failed.keys()) == (None, {"full/other/1"})
    assert before - {path.name for path in out.iterdir()} == {"report.html", "report", "results", "corpora", "cells"}


def test_the_status_of_a_moved_run_has_its_failed_cells(tmp_path: Path, prepared: list[str]) -> None:
    plan, cache, out = planned(tmp_path, "m", conditions={"a": "passive"})
    (tmp_path / "mishaps.json").write_text(json.dumps({"a/m/1": "fail"}))
    run(plan, cache, out, partial(Pool, 1, worker=prepared))
    paths = read_cell_paths(out.rename(tmp_path / "moved"))
    assert paths is not None
    assert {state.name: state.state for state in cell_states(paths)} == {"full/m/1": "done", "a/m/1": "failed"}


PLACEBO = """[[condition]]
name = "passive"
remove = ["${filters}/fict15/passive.fict"]
[[condition]]
name = "placebo"
remove-random = "passive"
draws = 3
[[model]]
name = "m"
preset = "lstm-128"
"""


def test_draws_of_a_placebo_are_kept_apart_from_the_seeds_of_conditions(tmp_path: Path, prepared: list[str]) -> None:
    (tmp_path / "m.toml").write_text(HEAD + PLACEBO)
    (tmp_path / "mishaps.json").write_text(json.dumps({"placebo/m/draw-2": "fail"}))
    plan, cache, out = load_plan(tmp_path / "m.toml", None, (), tmp_path / "run", None)
    outcome = run(plan, cache, out, partial(Pool, 2, worker=prepared))
    assert outcome.failed.keys() == {"placebo/m/draw-2"}
    results = read_results(out / "results")
    (placebo,) = results.placebos
    assert (placebo.name, placebo.control_of) == ("placebo", "passive")
    assert [(draw.draw, draw.seed) for draw in placebo.draws] == [(1, 1), (3, 1)]
    scores = placebo.draws[0].models["m"]
    assert scores.accuracies.keys() == {"blimp/passive_1"} and scores.losses.keys() == {"valid", "test"}
    assert [condition.name for condition in results.conditions] == ["full", "passive"]
    assert {row.condition for row in results.perplexity} == {"full", "passive"}
    assert [(failure.condition, failure.seed) for failure in results.run.failed] == [("placebo", 1)]
    (test,) = analyse(results).placebos
    assert [draw for draw, _ in test.draws] == [1, 3] and test.p == 1.0  # all scores are the same
    assert (out / "corpora/placebo/draw-3/text.txt").exists() and (out / "cells/placebo/m/draw-3").is_dir()


def test_the_placebos_of_an_earlier_run_go_away(tmp_path: Path, prepared: list[str]) -> None:
    for text in (PLACEBO, PLACEBO.replace("draws = 3", "")):
        (tmp_path / "m.toml").write_text(HEAD + text)
        plan, cache, out = load_plan(tmp_path / "m.toml", None, (), tmp_path / "run", None)
        assert run(plan, cache, out, partial(Pool, 2, worker=prepared)).failed == {}
        assert (out / "results/placebos.json").exists() == ("draws" in text)
    assert not (out / "corpora/placebo/draw-1").exists()


def test_an_interrupted_run_leaves_the_results_of_an_earlier_one_whole(
    tmp_path: Path, prepared: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def results(*conditions: str) -> dict[str, bytes]:
        plan, cache, out = planned(tmp_path, "m", conditions=dict.fromkeys(conditions, "passive"))
        with suppress(KeyboardInterrupt):
            run(plan, cache, out, partial(Pool, 1, worker=prepared))
        return {path.name: path.read_bytes() for path in (out / "results").iterdir()}

    earlier = results("a")
    monkeypatch.setattr("runner.execute.collect.write_curves", Mock(side_effect=KeyboardInterrupt))
    assert results("a", "b") == earlier


@pytest.mark.parametrize(("count", "says"), [(40, False), (100, True)])
def test_the_report_says_that_draws_for_seeds_share_most_sentences(
    tmp_path: Path, prepared: list[str], count: int, says: bool
) -> None:
    (tmp_path / "m.toml").write_text(f'{HEAD}[size]\ncount = {count}\nredraw = "seed"\n{PLACEBO}')
    plan, cache, out = load_plan(tmp_path / "m.toml", None, (), tmp_path / "run", None)
    assert run(plan, cache, out, partial(Pool, 2, worker=prepared)).failed == {}
    results = read_results(out / "results")
    assert [condition.redrawn[0].sentences for condition in results.conditions] == [count, count]
    assert any("share most sentences" in remark for remark in results.remarks) == says


def test_an_array_is_written_where_a_cell_is_left_and_nowhere_else(tmp_path: Path, prepared: list[str]) -> None:
    plan, cache, out = planned(tmp_path, "m", conditions={})
    jobs = tmp_path / "jobs"
    assert len(emit(plan, cache, out, jobs, Resources()).jobs) == 1
    assert "#SBATCH --array=1-1%32\n" in (jobs / "array.sbatch").read_text()
    run(plan, cache, out, partial(Pool, 1, worker=prepared))
    assert emit(plan, cache, out, jobs, Resources()).jobs == ()
    assert [(jobs / name).read_text() for name in ("jobs.txt", "commands.txt")] == ["", ""]
    assert not (jobs / "array.sbatch").exists()


def test_jobs_above_the_limit_of_slurm_have_several_arrays(
    tmp_path: Path, prepared: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, cache, out = planned(tmp_path, "m", "n", conditions={"a": "passive"})
    jobs = tmp_path / "jobs"
    for limit, tasks in ((3, {"array.sbatch": 3, "array-2.sbatch": 1}), (4, {"array.sbatch": 4})):
        monkeypatch.setattr("runner.execute.run.MAX_ARRAY_TASKS", limit)
        emitted = emit(plan, cache, out, jobs, Resources())
        assert [path.name for path in emitted.arrays] == list(tasks)
        assert sorted(jobs.glob("array*")) == sorted(emitted.arrays)
        for path in emitted.arrays:
            assert f"#SBATCH --array=1-{tasks[path.name]}%32\n" in path.read_text()


def test_jobs_with_gpus_ask_for_them_in_every_form(tmp_path: Path, prepared: list[str]) -> None:
    plan, cache, out = planned(tmp_path, "m", conditions={})
    keys = {step.recipe for step in plan.steps()}
    plan = replace(plan, resolved=with_gpus(plan.resolved, 1))
    (path,) = emit(plan, cache, out, tmp_path / "jobs", Resources(gpus=1)).jobs
    assert Job.read(path).training.device == "cuda"
    assert "#SBATCH --gpus-per-node=1\n" in (tmp_path / "jobs" / "array.sbatch").read_text()
    assert {step.recipe for step in plan.steps()} == keys


@pytest.mark.long
@pytest.mark.skipif(may_have_gpu(), reason="this machine may have a GPU")
def test_a_job_with_a_gpu_fails_loudly_where_there_is_none(tmp_path: Path, prepared: list[str]) -> None:
    plan, cache, out = planned(tmp_path, "m", conditions={})
    emit(replace(plan, resolved=with_gpus(plan.resolved, 1)), cache, out, tmp_path / "jobs", Resources(gpus=1))
    task = {**os.environ, "SLURM_ARRAY_TASK_ID": "1"}
    for command in (["bash", tmp_path / "jobs" / "array.sbatch"], ["bash", tmp_path / "jobs" / "commands.txt"]):
        ended = subprocess.run(command, check=False, env=task, capture_output=True, text=True, timeout=120)
        assert (ended.returncode, ended.stderr) == (1, "")
        (event,) = map(json.loads, ended.stdout.splitlines())
        assert event == {"event": "failed", "error": "FICT808 there is no cuda device on this machine"}


def test_a_restart_discards_unfinished_training_unless_its_cell_is_running(tmp_path: Path, prepared: list[str]) -> None:
    plan, cache, out = planned(tmp_path, "m", "other", conditions={})
    with open_run(plan, cache, out) as preparation:
        preparation.run()
    begun = [unfinished(cache.folder(cell.train)) for cell in plan.cells]
    for folder in begun:
        folder.mkdir(parents=True)
        (folder / "checkpoint.safetensors").write_text("half")
    records = [place.record for place in cell_paths(plan, cache, out)]
    keys = [cache.joint_key(cell.steps) for cell in plan.cells]
    Record("failed", keys[0], error="FICT824 another device").write(records[0])
    Record("running", keys[1]).write(records[1])
    with open_run(plan, cache, out) as preparation:
        preparation.run()
        pending = write_pending_jobs(preparation, out, tmp_path / "jobs", preparation.listener, NO_RERUN)
        assert (len(pending.jobs), list(pending.failed)) == (1, [plan.cells[0].name])
        assert all(folder.exists() for folder in begun)
        rerun = RerunOptions(restart=True)
        pending = write_pending_jobs(preparation, out, tmp_path / "jobs", preparation.listener, rerun)
    assert (len(pending.jobs), pending.failed) == (2, {})
    assert [folder.exists() for folder in begun] == [False, True]


def test_a_restart_keeps_the_training_on_which_another_run_is_working(tmp_path: Path, prepared: list[str]) -> None:
    plan, cache, out = planned(tmp_path, "m", conditions={})
    (folder,) = (cache.folder(cell.train) for cell in plan.cells)
    unfinished(folder).mkdir(parents=True)
    with open_run(plan, cache, out) as preparation:
        preparation.run()
        for is_working in (True, False):
            with lock(folder.with_name(f"{folder.name}.lock")) if is_working else nullcontext():
                rerun = RerunOptions(restart=True)
                write_pending_jobs(preparation, out, tmp_path / "jobs", preparation.listener, rerun)
            assert unfinished(folder).exists() == is_working


def test_the_card_names_the_devices_that_trained(tmp_path: Path, prepared: list[str]) -> None:
    plan, cache, out = planned(tmp_path, "m", conditions={})
    run(plan, cache, out, partial(Pool, 1, worker=prepared))
    card = json.loads((out / "results" / "run.json").read_text())
    assert card["hardware"]["devices"] == ["cpu"]
    assert (card["models"][0]["name"], card["models"][0]["parameters"]) == ("m", 7)


def test_finished_cells_are_linked_and_reported_before_the_run_ends(tmp_path: Path, prepared: list[str]) -> None:
    plan, cache, out = planned(tmp_path, "m", "n", conditions={"a": "passive"})
    seen: list[tuple[int, tuple[str, ...]]] = []

    def hear(event: Event) -> None:
        if str(event.get("step")).startswith("train:") and (out / "results").exists():
            report = CliRunner().invoke(fictc, ["report", str(out)], catch_exceptions=False)
            assert "This is an interim report" in (out / "report.html").read_text(), report.output
            seen.append((len(list(out.glob("cells/*/*/*/training.json"))), read_results(out / "results").state))

    outcome = run(plan, cache, out, partial(Pool, 1, worker=prepared), hear)
    assert [linked for linked, _ in seen] == [1, 2, 3]
    assert seen[0][1][0].startswith("This is an interim report: the run has collected 1 of 4 cells.")
    assert read_results(out / "results").state == ()
    assert outcome.report is not None and "interim" not in outcome.report.read_text()


@pytest.mark.parametrize("place", ["runner.report.results._perplexities", "runner.report.page.report_of"])
def test_an_interim_report_never_outlives_the_results_that_replace_it(
    tmp_path: Path, prepared: list[str], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    plan, cache, out = planned(tmp_path, "m", conditions={})
    final = run(plan, cache, out, partial(Pool, 1, worker=prepared)).report
    assert final is not None
    page, results = final.read_text(), out / "results"
    shutil.copytree(results, tmp_path / "final")
    card = json.loads((results / "run.json").read_text())
    (results / "run.json").write_text(json.dumps(card | {"planned": 6}))
    module, _, name = place.rpartition(".")
    original = getattr(import_module(module), name)

    def while_the_run_ends(argument: object) -> object:
        if (tmp_path / "final").exists():
            shutil.rmtree(results)
            (tmp_path / "final").rename(results)
        return original(argument)

    monkeypatch.setattr(place, while_the_run_ends)
    assert write_report(results, out).read_text() == page


def test_the_report_of_an_earlier_filter_is_marked_as_stale(tmp_path: Path, prepared: list[str]) -> None:
    plan, cache, out = planned(tmp_path, "m", conditions={"a": "passive"})
    report = run(plan, cache, out, partial(Pool, 1, worker=prepared)).report
    assert report is not None and "stale" not in report.read_text()
    assert "Made from the manifest m.toml, " in report.read_text()
    with open_run(plan, cache, out):
        assert "stale" not in report.read_text()
    changed, _, _ = planned(tmp_path, "m", conditions={"a": "agr-pp-mod"})
    with suppress(KeyboardInterrupt), open_run(changed, cache, out):
        raise KeyboardInterrupt
    assert "This report may be stale" in report.read_text()
    with open_run(plan, cache, out):
        assert "stale" not in report.read_text()
    with open_run(changed, cache, out) as preparation:
        prepare(preparation, out)
    assert "This report is stale" in report.read_text()
    assert "2 of its cells are not of the run as it is planned now" in report.read_text()
    CliRunner().invoke(fictc, ["report", str(out)], catch_exceptions=False)
    assert "This report is stale" in report.read_text()
    run(changed, cache, out, partial(Pool, 1, worker=prepared))
    assert "stale" not in report.read_text()


def test_the_run_card_has_the_times_of_all_cells_however_often_it_runs(tmp_path: Path, prepared: list[str]) -> None:
    plan, cache, out = planned(tmp_path, "m", conditions={})
    run(plan, cache, out, partial(Pool, 1, worker=prepared))
    (cell,) = plan.cells
    log = cache.folder(cell.train) / "train.jsonl"
    log.chmod(0o644)
    log.write_text("".join(json.dumps({"event": "train", "seconds": seconds}) + "\n" for seconds in (1.5, 41.8)))
    for step in cell.steps[1:]:
        record = json.loads((cache.folder(step) / "done.json").read_text())
        (cache.folder(step) / "done.json").write_text(json.dumps(record | {"seconds": 2.0, "made_by": {"fictc": "1"}}))
    card = run_card(plan, cache, plan.cells, {})
    assert card.times == {"training": 41.8, "scoring": 2.0 * len(cell.steps[1:])}
    assert card.compute["m"] == {
        "cells": 1,
        "steps": 1,
        "tokens": 10,
        "training_seconds": 41.8,
        "scoring_seconds": 4.0,
    }
    assert card.suite_hashes == {"blimp": "sample"} and card.command and card.planned == 1


def test_words_of_target_pairs_that_a_removal_takes_are_counted_beside_the_control(tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text(
        HEAD.replace('paradigms = ["passive_1"]\n', "")
        + '[[model]]\npreset = "lstm-128"\n[[condition]]\nname = "a"\nremove = ["${filters}/fict15/npi-only.fict"]\n'
        + '[[condition]]\nname = "b"\nremove-random = "a"\n'
    )
    plan, cache, out = load_plan(tmp_path / "m.toml", None, (), tmp_path / "run", None)
    with open_run(plan, cache, out) as preparation:
        preparation.corpora()
        conditions = [
            Condition(name="full", kind="full", sentences=None, words=None),
            Condition(name="a", kind="remove", sentences=None, words=None),
            Condition(name="b", kind="remove-random", sentences=None, words=None, control_of="a"),
        ]
        (own, control) = exposures(preparation, conditions)["a"]
        full, left = word_counts(preparation, "full"), word_counts(preparation, "a")
    assert (own.corpus, control.corpus, own.words) == ("a", "b", control.words)
    assert own.pairs == 2 and own.vanished >= control.vanished
    only = "only" if full["only"] else "Only"
    assert full[only] > left[only]
    assert all(counts[0] in full and counts[2] * 2 < counts[1] for counts in own.examples)
