"""Cells as tasks of an array of Slurm, where one answers.

One machine will do: `apt-get install slurm-wlm munge`, a key for munge, and a slurm.conf with
`ProctrackType=proctrack/linuxproc`, `PreemptMode=REQUEUE` and one partition; then munged, slurmctld and slurmd.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.killing import FICTC, differences

MANIFEST = """
[experiment]
name = "small"
seeds = [1, 2]
[corpus]
sample = { sentences = 200, pairs = 2, seed = 5 }
[tokenizer]
size = 300
lowercase = true
[[model]]
preset = "lstm-128"
[training]
epochs = EPOCHS
validations = 2
[[evaluate]]
name = "blimp"
path = "sample"
paradigms = ["distractor_agreement_relational_noun"]
"""
OPTIONS = ["--emit-jobs", "jobs", "--parallel", "1", "--memory", "2", "--time", "60"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


def write(folder: Path, epochs: str) -> Path:
    (folder / "manifest.toml").write_text(MANIFEST.replace("EPOCHS", epochs))
    return folder


def run(folder: Path, *options: str) -> None:
    command = [sys.executable, "-P", *FICTC[1:], "run", "manifest.toml", *options]
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def slurm() -> None:
    try:
        subprocess.run(["sinfo", "--noheader"], check=True, capture_output=True, timeout=30)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"no Slurm answers here: {error}")


@pytest.mark.slurm
@pytest.mark.slow
@pytest.mark.usefixtures("slurm")
def test_a_cell_that_slurm_ends_early_goes_on_to_the_same_bytes_and_no_two_run_at_once(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    one, other = write(tmp_path / "one", "60"), write(tmp_path / "other", "60")
    run(one, "--jobs", "1")
    run(other, *OPTIONS)
    started = subprocess.Popen(["sbatch", "--wait", "jobs/array.sbatch"], cwd=other, env=ENVIRONMENT)
    records, logs = other / "runs" / "small" / "jobs", other / "jobs"
    preempted, most = "", 0
    while started.poll() is None:
        time.sleep(0.3)
        told = [json.loads(path.read_text()) for path in records.glob("*.state.json")]
        running = [cell for cell in told if cell["state"] == "running"]
        most = max(most, len(running))
        training = [path for path in logs.glob("slurm-*.out") if '"event": "train"' in path.read_text()]
        if not preempted and training:
            preempted = training[0].stem.removeprefix("slurm-")
            subprocess.run(["scancel", "--batch", "--signal=USR2", preempted], check=True)
    assert started.returncode == 0
    assert (bool(preempted), most) == (True, 1)
    run(other)
    assert differences(one / "runs" / "small", other / "runs" / "small") == []
