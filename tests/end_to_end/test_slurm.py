"""Cells as tasks of Slurm: under commands that play it, and, marked `slurm`, under one that is there.

For the latter, one machine will do: `apt-get install slurm-wlm munge`, a key for munge, and a slurm.conf with
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

from tests.support import fake_slurm
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
OPTIONS = ["--cluster", "slurm", "--parallel", "1", "--memory", "2", "--time", "60"]


def write(folder: Path, epochs: str) -> Path:
    (folder / "manifest.toml").write_text(MANIFEST.replace("EPOCHS", epochs))
    return folder


def run(folder: Path, *options: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PATH": path or os.environ["PATH"]}
    command = [sys.executable, "-P", *FICTC[1:], "run", "manifest.toml", *options]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_matrix_is_one_array_with_its_cap_and_comes_back_as_a_report(tmp_path: Path) -> None:
    slurm = fake_slurm.install(tmp_path / "slurm")
    (tmp_path / "runner.py").write_text("raise SystemExit('another program')")  # what `python -m` would find
    done = run(write(tmp_path, "0.3"), *OPTIONS, "--slurm", "account=lab", path=f"{slurm}:{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
    assert "report:" in done.stdout
    script = json.loads((slurm / "script.json").read_text())
    for option in ("array=0-1%1", "time=60", "mem=2048M", "account=lab", "signal=USR2@90", "requeue"):
        assert f"#SBATCH --{option}\n" in script
    cluster = tmp_path / "runs" / "small" / "cluster"
    assert cluster.stat().st_mode & 0o777 == 0o700
    told = [json.loads(path.read_text()) for path in sorted((tmp_path / "runs/small/jobs").glob("*.state.json"))]
    assert [(cell["state"], cell["task"]) for cell in told] == [("done", "7_0"), ("done", "7_1")]


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
    assert run(one, "--jobs", "1").returncode == 0
    command = [*FICTC, "run", "manifest.toml", *OPTIONS]
    started = subprocess.Popen(command, cwd=other, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])})
    records, logs = other / "runs" / "small" / "jobs", other / "runs" / "small" / "cluster"
    preempted, most = "", 0
    while started.poll() is None:
        time.sleep(0.3)
        told = [json.loads(path.read_text()) for path in records.glob("*.state.json")]
        running = [cell for cell in told if cell["state"] == "running"]
        most = max(most, len(running))
        training = [path for path in logs.glob("*.out") if '"event": "train"' in path.read_text()]
        if not preempted and training:
            preempted = "_".join(training[0].name.split("_")[:2])
            subprocess.run(["scancel", "--signal=USR2", preempted], check=True)
    assert started.returncode == 0
    assert (bool(preempted), most) == (True, 1)
    assert "Requeued job" in "".join(path.read_text() for path in logs.glob(f"{preempted}_*_log.*"))
    assert differences(one / "runs" / "small", other / "runs" / "small") == []
