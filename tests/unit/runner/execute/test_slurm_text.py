"""The batch script of a Slurm array, run by bash: odd names, and what it says outside an array."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from runner.execute.run import Resources, array_script

ODD = 'a b\'s %j $HOME \\ "q" ;#'
WORKER = shlex.join([sys.executable, "-S", "-c", "import sys; print(sys.argv[1:]); sys.exit(7)"])


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """An array of two tasks in a folder with an odd name."""
    folder = tmp_path / ODD
    folder.mkdir()
    (folder / "jobs.txt").write_text(f"{folder}/one.json\n{folder}/two.json\n")
    path = folder / "array.sbatch"
    path.write_text(array_script("x", folder, range(1, 3), "jobs.txt", WORKER, Resources(gpus=1)))
    return path


def run(script: Path, task: str | None) -> subprocess.CompletedProcess[str]:
    """Run the script as a task of an array, or outside one."""
    environment = {name: value for name, value in os.environ.items() if name != "SLURM_ARRAY_TASK_ID"}
    environment |= {"SLURM_ARRAY_TASK_ID": task} if task else {}
    return subprocess.run(["bash", script], check=False, env=environment, capture_output=True, text=True, timeout=60)


def test_a_task_runs_its_job_and_has_the_exit_code_of_its_cell(script: Path) -> None:
    ended = run(script, "2")
    assert (ended.returncode, ended.stderr) == (7, "")
    assert ended.stdout == f"{[f'{script.parent}/two.json']}\n"


def test_a_later_array_runs_later_lines(script: Path) -> None:
    script.write_text(array_script("x", script.parent, range(2, 3), "jobs.txt", WORKER, Resources()))
    assert "#SBATCH --array=1-1%32\n" in script.read_text()
    assert run(script, "1").stdout == f"{[f'{script.parent}/two.json']}\n"
    assert "jobs.txt has no line 3" in run(script, "2").stderr


@pytest.mark.parametrize(
    ("task", "message"), [(None, "this script is a Slurm array, for sbatch"), ("3", "jobs.txt has no line 3")]
)
def test_a_script_without_a_job_fails_with_one_message(script: Path, task: str | None, message: str) -> None:
    ended = run(script, task)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert message in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_slurm_expands_no_name_of_a_folder(script: Path) -> None:
    (line,) = [line for line in script.read_text().split("\n") if line.startswith("#SBATCH --output=")]
    (option,) = shlex.split(line.removeprefix("#SBATCH "))
    folder = str(script.parent).replace("%", "%%")
    assert option == f"--output={folder}/slurm-%A_%a.out"
