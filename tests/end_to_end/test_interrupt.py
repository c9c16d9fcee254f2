"""Ctrl-C ends a question to a store soon, with exit code 130, and leaves nothing half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support import corpora
from tests.unit.runner.corpus.test_import_conllu import many

SLOW = "fict 1\nfilter slow { match { A << B  C << D  E << F  G << H } }\n"
SENTENCE = "# sent_id = long\n" + "".join(f"{n}\tw\tw\tX\t_\t_\t{n - 1}\tdep\t_\t_\n" for n in range(1, 90)) + "\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("interrupted")
    corpora.store(folder, (SENTENCE * 4).replace("\t0\tdep", "\t0\troot") + many(20))
    (folder / "slow.fict").write_text(SLOW)
    return folder


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "arguments",
    [
        ["count"],
        ["match", "--format", "json"],
        ["show"],
        ["explain"],
        ["apply", "--output", "out/left.txt"],
        ["apply", "--output", "out", "--each"],
    ],
    ids=" ".join,
)
def test_ctrl_c(place: Path, tmp_path: Path, arguments: list[str]) -> None:
    command, *rest = arguments
    asked = [command, place / "slow.fict", "--corpus", place / "store", *rest]
    (tmp_path / "spill").mkdir()
    running = subprocess.Popen(
        [sys.executable, "-m", "runner.cli", *asked, "--memory", "500MB", "--spill", tmp_path / "spill"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "XDG_CACHE_HOME": str(tmp_path / "cache")},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - as in a terminal
    )
    _wait_until_it_asks(running.pid)
    began = time.monotonic()
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert (running.returncode, said.decode().strip()) == (130, "interrupted")
    assert time.monotonic() - began < 20  # one second where nobody else works
    left = [path for path in tmp_path.rglob("*") if path.is_file() and "cache" not in path.parts]
    assert left == []
    assert list((tmp_path / "spill").iterdir()) == []


ENDLESS = """
import sys
from pathlib import Path

from runner.cli.terminal import exit_process
from runner.cli.terminal import run_command
from runner.corpus.run_query import run_query
from runner.corpus.store import Store
from runner.workspace import atomic_write

# one call of a function, which is not interrupted: 10^12 steps
QUERY = "SELECT levenshtein(repeat('a', 1000000), repeat('b', 1000000))"


def work(connection):
    print("asking", flush=True)
    return connection.execute(QUERY).fetchall()


def command(standalone_mode):
    with atomic_write(Path("corpus.txt")) as temp:
        temp.write_text("half")
        run_query(Store.open(Path(sys.argv[1])), work)


exit_process(run_command(command))
"""


@pytest.mark.timeout(120)
def test_ctrl_c_ends_a_query_that_cannot_be_cancelled(place: Path, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    running = subprocess.Popen(
        [sys.executable, "-c", ENDLESS, place / "store"],
        cwd=tmp_path,
        env=environment,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - as in a terminal
    )
    assert running.stdout is not None
    assert running.stdout.readline() == b"asking\n"
    time.sleep(1)
    began = time.monotonic()
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert (running.returncode, said.decode().strip()) == (130, "interrupted")
    assert time.monotonic() - began < 30  # two seconds where nobody else works
    assert [path.name for path in tmp_path.iterdir() if path.name != "cache"] == []


def _wait_until_it_asks(pid: int) -> None:
    """Wait until the threads of the database work for a while."""
    busy = 0
    while busy < 10:
        time.sleep(0.05)
        threads = len(list(Path(f"/proc/{pid}/task").iterdir()))
        busy = busy + 1 if threads > 2 else 0
