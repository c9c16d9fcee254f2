"""`fictc annotate` killed or interrupted at any moment: nothing is lost, nobody works on, and the store is the same."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from runner.corpus.annotate import AnnotateOptions, annotate
from runner.workspace import _HOST
from tests.support.parsers import ToyParser

pytestmark = pytest.mark.long

TEXT = "The dog barks. It cannot stop!\n" * 3000  # six shards
INTERRUPTED = b"interrupted"


def contents(store: Path) -> dict[Path, bytes]:
    return {path.relative_to(store): path.read_bytes() for path in store.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, bytes]:
    """The files of the store where nothing went wrong."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "text.txt").write_text(TEXT)
    annotate([folder / "text.txt"], folder / "store", ToyParser(), AnnotateOptions())
    return contents(folder / "store")


class Work:
    """The command in a process group of its own, as a terminal starts it."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self.folder = folder
        (folder / "text.txt").write_text(TEXT)
        module = [sys.executable, "-m", "tests.support.toy_annotate"]
        self.process = subprocess.Popen(
            [*module, str(folder / "text.txt"), "--output", str(folder / "store"), "--jobs", str(jobs)],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - as in a terminal
        )

    def workers(self) -> list[int]:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [pid for pid in map(int, children) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def shards(self) -> int:
        return len(list(self.folder.glob("store.unfinished/*.gz")))

    def wait_for(self, moment: Callable[[], object]) -> None:
        """Wait for a moment, or for the end."""
        deadline = time.monotonic() + 60
        while self.process.poll() is None and not moment():
            assert time.monotonic() < deadline
            time.sleep(0.005)

    def end(self) -> tuple[int, bytes]:
        """The exit code and what it printed; nobody of its group may be left, and no store that is not whole."""
        _, said = self.process.communicate(timeout=60)
        deadline = time.monotonic() + 10
        while list(self.group()):
            assert time.monotonic() < deadline, "a process works on"
            time.sleep(0.01)
        return self.process.returncode, said

    def group(self) -> Iterator[int]:
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == self.process.pid and fields[0] != "Z":
                yield int(status.parent.name)

    def finish(self, whole: dict[Path, bytes]) -> None:
        """Run it again; then there is the same store, and nothing else."""
        again = Work(self.folder, 2)
        assert again.end()[0] == 0
        assert contents(self.folder / "store") == whole
        assert sorted(path.name for path in self.folder.iterdir()) == ["store", "text.txt"]


MOMENTS: dict[str, Callable[[Work], object]] = {
    "workers start": lambda work: len(work.workers()) == 2,
    "a shard is done": lambda work: work.shards(),
    "it is put together": lambda work: list(work.folder.glob(".store.*")),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_in_a_terminal_is_one_word(moment, whole, tmp_path):
    work = Work(tmp_path, 2)
    work.wait_for(lambda: MOMENTS[moment](work))
    time.sleep(0.1)
    kept = work.shards()
    os.killpg(work.process.pid, signal.SIGINT)
    code, said = work.end()
    assert (code, said.strip()) == (130, INTERRUPTED)
    assert work.shards() >= kept
    assert not list(tmp_path.glob(".*"))
    work.finish(whole)


@pytest.mark.slow
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM], ids=str)
def test_a_kill_leaves_nobody_and_the_next_run_makes_the_same(moment, sent, whole, tmp_path):
    work = Work(tmp_path, 2)
    work.wait_for(lambda: MOMENTS[moment](work))
    work.process.send_signal(sent)
    assert work.end()[0] == -sent
    assert not (tmp_path / "store").exists()
    work.finish(whole)


def test_a_worker_that_is_killed_is_one_message(whole, tmp_path):
    work = Work(tmp_path, 2)
    work.wait_for(lambda: work.shards() and work.workers())
    os.kill(work.workers()[0], signal.SIGKILL)
    code, said = work.end()
    assert code == 2
    assert b"FICT760" in said and b"Traceback" not in said
    work.finish(whole)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_signals_at_any_moment(seed, whole, tmp_path):
    dice = random.Random(seed)
    for _ in range(3):
        work = Work(tmp_path, dice.choice([1, 2]))
        time.sleep(0.3 + dice.uniform(0, 3))
        sent, code = dice.choice([(signal.SIGINT, 130), (signal.SIGKILL, -9), (signal.SIGTERM, -15)])
        if work.process.poll() is None:
            (os.killpg if sent == signal.SIGINT else os.kill)(work.process.pid, sent)
        ended, said = work.end()
        assert ended in (code, 0)
        assert sent != signal.SIGINT or b"Traceback" not in said
    work.finish(whole)


def test_what_a_killed_run_left_goes_though_the_store_is_there(tmp_path):
    """A kill right after the store got its name leaves the one that it replaced, and the shards."""
    (tmp_path / "text.txt").write_text("The dog barks.\n")
    made = [tmp_path / "text.txt"], tmp_path / "store", ToyParser(), AnnotateOptions()
    annotate(*made)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (tmp_path / f".store.0a1b2c.tmp.{_HOST}.{dead.pid}.01234567").mkdir()
    (tmp_path / "store.unfinished").mkdir()
    annotate(*made)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["store", "text.txt"]


def test_a_refused_output_leaves_no_folder(tmp_path):
    (tmp_path / "text.txt").write_text("The dog barks.\n")
    annotate([tmp_path / "text.txt"], tmp_path / "store", ToyParser(), AnnotateOptions())
    work = Work(tmp_path, 1)  # another text
    code, said = work.end()
    assert code == 2 and b"FICT743" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["store", "text.txt"]
