"""Long work off a terminal prints a line a minute on standard error, whatever the command, and no more than that."""

from __future__ import annotations

import io
import re
import sys
import time
from collections.abc import Callable

import click
import pytest
from click.testing import CliRunner

from runner.cli import COMMANDS, fictc
from runner.cli.experiments.watch import _LineListener
from runner.cli.shared import heartbeat
from runner.cli.shared.heartbeat import SILENT, Heartbeat
from runner.cli.shared.progress import Style, progress_bar

SOON = 0.05  # seconds that stand for a minute


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[str, list[str]]]:
    """Call a command of fictc whose work is a function; return what it printed, and the lines on standard error."""

    def call(work: Callable[[], None], name: str = "count", interval: float = SOON) -> tuple[str, list[str]]:
        monkeypatch.setattr(heartbeat, "INTERVAL", interval)
        monkeypatch.setattr(type(fictc), "get_command", lambda *_: click.Command(name, callback=work))
        result = CliRunner().invoke(fictc, [name], catch_exceptions=False)
        return result.stdout, result.stderr.splitlines()

    return call


def wait(lines: int) -> None:
    time.sleep(SOON * (lines + 1))


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in SILENT])
def test_every_command_says_that_it_is_still_working(name: str, called: Callable[..., tuple[str, list[str]]]) -> None:
    out, err = called(lambda: wait(4), name)
    assert out == ""
    assert len(err) >= 1
    assert all(re.fullmatch(rf"fictc {name}: still working \(\d+ s\)", line) for line in err)


@pytest.mark.parametrize("name", SILENT)
def test_what_other_programs_read_has_no_such_lines(name: str, called: Callable[..., tuple[str, list[str]]]) -> None:
    assert called(lambda: wait(3), name) == ("", [])


def test_short_work_prints_nothing(called: Callable[..., tuple[str, list[str]]]) -> None:
    assert called(lambda: None, interval=60.0) == ("", [])


def test_lines_come_once_an_interval(called: Callable[..., tuple[str, list[str]]]) -> None:
    began = time.monotonic()
    _, err = called(lambda: wait(6))
    assert 1 <= len(err) <= (time.monotonic() - began) / SOON


def test_a_line_says_how_far_the_work_is(called: Callable[..., tuple[str, list[str]]]) -> None:
    def work() -> None:
        with progress_bar("Importing", unit="bytes") as advance:
            advance(120_000_000, 400_000_000)
            wait(4)
        with progress_bar("Generating") as advance:
            advance(7, 0)
            wait(4)
        wait(4)

    texts = [re.sub(r" \(\d+ s\)$", "", line) for line in called(work, "import")[1]]
    assert list(dict.fromkeys(texts)) == [
        "fictc import: Importing, 120 of 400 MB",
        "fictc import: Generating, 7",
        "fictc import: still working",
    ]


@pytest.mark.parametrize("style", ["none", "json"])
def test_progress_that_is_asked_for_otherwise(style: Style, called: Callable[..., tuple[str, list[str]]]) -> None:
    def work() -> None:
        with progress_bar("Importing", style):
            wait(0)  # for a line that was due before
            click.echo("begun", err=True)
            wait(3)

    out, err = called(work)
    assert out == "" and err[-1] == "begun"


def test_a_terminal_gets_no_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Heartbeat("count", SOON):
        wait(3)
    assert terminal.getvalue() == ""


def test_minutes() -> None:
    beat = Heartbeat("apply")
    beat._started -= 150
    assert beat._line() == "fictc apply: still working (2 min)"


def test_a_run_says_which_cells_are_training(capsys: pytest.CaptureFixture[str]) -> None:
    with Heartbeat("run", 60.0) as beat:
        listen = _LineListener(9, beat, {"match:0f": "match:passive"})
        listen({"event": "start", "step": "store:train"})
        assert beat.status() == "[0/9] store:train"
        listen({"event": "start", "step": "match:0f"})
        assert beat.status() == "[0/9] match:passive"
        before = beat._last_line
        listen({"event": "done", "step": "store:train"})
        assert beat._last_line > before, "a line was printed, so that the next one is a minute away"
        for seed in range(6):
            listen({"event": "train", "cell": f"full/lstm/{seed}", "step": 10 * seed, "steps": 100})
        assert beat.status() == "[1/9] full/lstm/0 0%, full/lstm/1 10%, full/lstm/2 20%, full/lstm/3 30%, and 2 more"
        for seed in range(5):
            listen({"event": "done", "step": f"train:full/lstm/{seed}", "cell": f"full/lstm/{seed}", "cached": True})
        assert beat.status() == "[6/9] full/lstm/5 50%"
        listen({"event": "done", "step": "match:0f"})
    assert capsys.readouterr().err == "[1/9] store:train\n[7/9] match:passive\n"
