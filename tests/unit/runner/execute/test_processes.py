"""Cells in forks: the same streams, variables and exit codes as in processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from runner.execute import pool
from runner.execute.pool import WORKER, ForkedProcess, start_process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="cells are forked on Linux only")
FOREIGN = "raise SystemExit('another program')\n"
SAY = "import os, sys\nprint('Größe', os.environ.get('OF_THE_CELL'))\nsys.exit(int(sys.argv[1]))\n"


def forked(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> tuple[int, str, str]:
    process = ForkedProcess(arguments, environment)
    out, errors = process.stdout.read(), process.stderr.read()
    return process.wait(), out, errors


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module that prints its environment and ends with a code."""
    (tmp_path / "fictc_say.py").write_text(SAY, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return "fictc_say"


@pytest.mark.long
def test_a_mistake_is_the_message_and_the_exit_code_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runner.py").write_text(FOREIGN)  # a module of the name of ours
    monkeypatch.chdir(tmp_path)
    code, out, errors = forked([*WORKER[WORKER.index("-m") + 1 :], "größe.json"])
    assert (code, out) == (2, "")
    assert "FICT841" in errors and "größe.json" in errors and "Traceback" not in errors


def test_variables_output_and_exit_codes_are_those_of_each_process(say: str) -> None:
    before = dict(os.environ)
    for code in (0, 1, 3):
        assert forked([say, str(code)], {**before, "OF_THE_CELL": str(code)}) == (code, f"Größe {code}\n", "")
    assert dict(os.environ) == before


def test_processes_that_start_and_end_at_once_keep_their_exit_codes(say: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        codes = list(threads.map(lambda number: forked([say, str(number % 7)])[0], range(80)))
    assert codes == [number % 7 for number in range(80)]


def test_a_process_that_is_told_to_end_ends_by_the_signal(tmp_path: Path) -> None:
    job = tmp_path / "job.json"
    os.mkfifo(job)  # reading it waits
    process = ForkedProcess([*WORKER[WORKER.index("-m") + 1 :], str(job)], os.environ)
    process.terminate()
    assert process.wait() == -15


def test_ctrl_c_while_the_server_imports_prints_no_traceback(tmp_path: Path) -> None:
    """A terminal sends SIGINT to all processes of a run, also to a server that is importing PyTorch."""
    (tmp_path / "slow.py").write_text("import pathlib, time\npathlib.Path('imports').touch()\ntime.sleep(1)\n")
    (tmp_path / "say.py").write_text("print('not reached')")
    script = (
        "import os, signal\nfrom runner.execute import pool as processes\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\nprocesses._PRELOADED_MODULES[:] = ['slow']\n"
        "try:\n    process = processes.ForkedProcess(['say'], os.environ)\n    process.wait()\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
    )
    root = Path(pool.__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{tmp_path}"}
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        while not (tmp_path / "imports").exists() and run.poll() is None:
            time.sleep(0.01)
        os.killpg(run.pid, signal.SIGINT)
        assert run.communicate() == ("interrupted\n", "")


def test_nothing_is_forked_on_a_machine_with_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for has_gpu, kind in ((True, subprocess.Popen), (False, ForkedProcess)):
        monkeypatch.setattr(pool, "may_have_gpu", lambda has_gpu=has_gpu: has_gpu)
        process = start_process(WORKER, tmp_path / "missing.json", {})
        assert isinstance(process, kind)
        process.terminate()
        process.wait()
