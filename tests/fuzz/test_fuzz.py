"""Tests of the fuzzer: a few cases of each target with a fixed seed, and the detection of faulty commands."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.fuzz import manifests
from tests.fuzz.reduce import reduced
from tests.fuzz.runs import load
from tests.fuzz.sandbox import Failure, Sandbox, check_unchanged, contents
from tests.support.experiments import planned

CASES = {
    "filters": 4,
    "numbers": 8,
    "conllu": 3,
    "lsp": 2,
    "manifests": 2,
    "stores": 2,
    "suites": 6,
    "models": 6,
    "explore": 4,
}
SLOW = ("suites", "models")  # they load torch


@pytest.mark.long
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in CASES])
def test_a_few_cases_of_each_target(name: str, tmp_path: Path) -> None:
    options = ("--cases", str(CASES[name]), "--minutes", "5", "--jobs", "1", "--keep", str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", name, *options], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", [name for name in CASES if name not in SLOW])
def test_a_seed_gives_the_same_case(name: str, tmp_path: Path) -> None:
    target = load(name)
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        target.make(random.Random(5), folder)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_the_manifest_before_its_damage_is_valid(tmp_path):
    for name, text in manifests.FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    content = "\n".join(f"{name} = {manifests.toml(value)}" for name, value in manifests.KITCHEN.items())
    (tmp_path / "m.toml").write_text(content)
    plan = planned(tmp_path / "m.toml")
    assert len(plan.conditions) == len(manifests.KITCHEN["condition"]) + 1


def fails() -> None:
    raise SystemExit(3)


def is_killed() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def hangs() -> None:
    time.sleep(60)


def prints_a_traceback() -> None:
    try:
        raise ValueError("x")
    except ValueError:
        import traceback

        traceback.print_exc()


def raises() -> None:
    raise ValueError("x")


def leaves_a_file() -> None:
    Path(os.environ["TMPDIR"], "left").touch()


def leaves_a_process() -> None:
    if os.fork() == 0:
        time.sleep(60)


def takes_memory() -> None:
    bytearray(8 << 30)


@pytest.mark.parametrize(
    ("main", "summary"),
    [
        (fails, "lint ends with 3"),
        (is_killed, "lint ends by SIGSEGV"),
        (hangs, "lint takes more than 1 s"),
        (prints_a_traceback, "lint prints a traceback"),
        (raises, "lint ends with 70"),
        (leaves_a_file, "lint leaves temporary files"),
        (leaves_a_process, "lint leaves a process behind"),
        (takes_memory, "lint ends with 70"),
    ],
)
def test_faults_of_a_command_are_detected(main, summary, tmp_path):
    with pytest.raises(Failure) as failure:
        Sandbox(tmp_path, seconds=1, main=main).run(["lint", "x"], tmp_path)
    assert failure.value.summary == summary


def test_the_result_of_a_command_is_returned(tmp_path):
    def main() -> None:
        print(sys.argv, sys.stdin.read())
        print("bad", file=sys.stderr)
        raise SystemExit(2)

    sandbox = Sandbox(tmp_path, main=main)
    ended = sandbox.run(["lint", "x"], tmp_path, stdin=b"in")
    assert (ended.code, ended.out, ended.err) == (2, b"['fictc', 'lint', 'x'] in\n", b"bad\n")
    assert sandbox.codes == {("lint", 2): 1}


def test_lost_changed_and_new_files_are_detected(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    before = contents(tmp_path)
    check_unchanged(before, tmp_path)
    for change, summary in (
        ((tmp_path / "a").unlink, "a file is lost or changed"),
        (lambda: (tmp_path / "a").write_text("other"), "a file is lost or changed"),
        (lambda: (tmp_path / "new").touch(), "an unexpected file appears"),
        (lambda: (tmp_path / ".a.123456.tmp.x").touch(), "a temporary file is left"),
    ):
        change()
        with pytest.raises(Failure) as failure:
            check_unchanged(before, tmp_path)
        assert failure.value.summary == summary
        (tmp_path / "a").write_text("a")
        (tmp_path / "new").unlink(missing_ok=True)
    (tmp_path / ".a.123456.tmp.x").unlink()
    (tmp_path / "a").write_text("other")
    check_unchanged(before, tmp_path, ["a"])


def test_a_case_is_reduced_to_what_fails(tmp_path):
    (tmp_path / "a").write_text("one\ntwo\nthree BAD\nfour\n" * 5)
    (tmp_path / "b").write_text("not needed")

    def failing(folder: Path) -> object:
        return True if b"BAD" in contents(folder).get("a", b"") else None

    reduced(tmp_path, failing, 10)
    assert contents(tmp_path) == {"a": b"BAD"}
