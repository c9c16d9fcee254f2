"""The matrix at a paper's size: 16 conditions × 2 models × 5 seeds, from its manifest to its report, nothing trained."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from fictdsl.installation import shipped
from runner.cli import fictc
from runner.cli.options import load_plan
from runner.execute.job import RerunOptions
from runner.execute.pool import Pool
from runner.execute.run import Outcome, Resources, emit, run
from tests.support.experiments import stub_worker

FILTERS = sorted(path.stem for path in shipped("filters").glob("fict15/*.fict"))
HEAD = """
[experiment]
name = "matrix"
seeds = [1, 2, 3, 4, 5]
[corpus]
sample = { sentences = 300, pairs = 4, seed = 5 }
[tokenizer]
size = 400
[[model]]
preset = "lstm-128"
[[model]]
preset = "transformer-128"
[[evaluate]]
name = "blimp"
path = "sample"
paradigms = ["distractor_agreement_relational_noun", "passive_1"]
"""
CONDITION = """
[[condition]]
name = "{name}"
remove = ["${{filters}}/fict15/{name}.fict"]
allow-empty = {allow_empty}
"""
WITHOUT_MATCHES = ("binding-case", "binding-reconstruction")  # in 300 sentences
MANIFEST = HEAD + "".join(
    CONDITION.format(name=name, allow_empty=str(name in WITHOUT_MATCHES).lower()) for name in FILTERS
)
MISHAPS = {"full/lstm-128/2": "fail", "passive/transformer-128/5": "kill"}


def status(run_folder: Path) -> tuple[int, Counter[str]]:
    done = CliRunner().invoke(fictc, ["status", str(run_folder), "--format", "json"], standalone_mode=False)
    return done.return_value, Counter(cell["state"] for cell in json.loads(done.output))


@pytest.mark.slow
def test_160_cells_are_planned_emitted_run_told_of_and_tried_again(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.toml"
    manifest.write_text(MANIFEST)
    plan, cache, out = load_plan(manifest, None, (), tmp_path / "runs" / "matrix", None)
    assert len(plan.cells) == 160

    emitted = emit(plan, cache, out, tmp_path / "jobs", Resources(parallel=32))
    assert (tmp_path / "jobs" / "jobs.txt").read_text().splitlines() == [str(job) for job in emitted.jobs]
    assert len({json.loads(job.read_text())["train_folder"] for job in emitted.jobs}) == 160
    assert "#SBATCH --array=1-160%32\n" in (tmp_path / "jobs" / "array.sbatch").read_text()
    assert status(out) == (0, Counter(waiting=160))

    worker, mishaps = stub_worker(cache, tmp_path, "blimp", range(1, 6)), tmp_path / "mishaps.json"

    def again(*, retry: bool = False) -> Outcome:
        return run(plan, cache, out, partial(Pool, 2, worker=worker), rerun=RerunOptions(retry))

    mishaps.write_text(json.dumps(MISHAPS))
    assert again().failed.keys() == MISHAPS.keys()
    assert status(out) == (1, Counter(done=158, failed=2))
    mishaps.write_text("{}")
    outcome = again()
    assert outcome.failed == {
        "full/lstm-128/2": "ended with exit code 1: made up",
        "passive/transformer-128/5": "killed by signal 9",
    }
    told = json.loads((out / "results" / "run.json").read_text())["failed"]
    assert [(cell["condition"], cell["seed"]) for cell in told] == [("full", 2), ("passive", 5)]
    events = len((out / "events.jsonl").read_text().splitlines())
    assert again(retry=True).failed == {}
    assert status(out) == (0, Counter(done=160))
    new = [json.loads(line) for line in (out / "events.jsonl").read_text().splitlines()[events:]]
    assert {event["cell"] for event in new if event.get("cached") and "cell" in event}.isdisjoint(MISHAPS)
    assert len(pq.read_table(out / "results" / "perplexity.parquet")) == 160 * 2
    assert "report.html" in {path.name for path in out.iterdir()}
