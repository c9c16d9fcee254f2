"""Progress goes to stderr, as a bar on a terminal, as a line a minute elsewhere, as JSON lines on request."""

from __future__ import annotations

import io
import json
import re
import sys
import time

import click
import pytest
from click.testing import CliRunner

from runner.cli import progress
from runner.cli.progress import _LineListener


def test_nothing_where_there_is_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    for style in ("auto", "none"):
        with progress.progress_bar("Working", style) as advance:  # type: ignore[arg-type]
            advance(1, 2)
            advance(2, 2)
    assert capfd.readouterr() == ("", "")


def test_json_lines_now_and_then(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.0, 1.0, 4.9, 5.0, 6.0, 7.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    with progress.progress_bar("Working", "json", unit="bytes") as advance:
        for done in (1, 2, 3, 4, 5, 6):
            advance(done, 6)
    out, err = capfd.readouterr()
    events = [json.loads(line) for line in err.splitlines()]
    assert out == ""
    assert [(event["done"], event["seconds"]) for event in events] == [(1, 0.0), (4, 5.0), (6, 7.0)]
    assert events[0] == {
        "event": "progress",
        "what": "Working",
        "done": 1,
        "total": 6,
        "unit": "bytes",
        "seconds": 0.0,
    }


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("unit", ["bytes", "lines"])
def test_a_bar_on_a_terminal(unit: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm-256color")
    with progress.progress_bar("Working [red]hard", unit=unit) as advance:
        advance(500_000, 1_000_000)
        advance(1_000_000, 1_000_000)
    assert "Working [red]hard" in terminal.getvalue()
    assert capfd.readouterr().out == ""


SOON = 0.05  # seconds that stand for a minute


def wait(lines: int) -> None:
    time.sleep(SOON * (lines + 1))


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_LINE_INTERVAL", SOON)


@pytest.mark.usefixtures("soon")
def test_a_line_says_how_far_the_work_is() -> None:
    def work() -> None:
        with progress.progress_bar("Importing", unit="bytes") as advance:
            advance(120_000_000, 400_000_000)
            wait(4)
        with progress.progress_bar("Generating") as advance:
            advance(7, 0)
            wait(4)
        wait(4)

    ended = CliRunner().invoke(click.Command("import", callback=work), prog_name="fictc import")
    lines = [re.fullmatch(r"(.*) \(\d+ s\)", line)[1] for line in ended.stderr.splitlines()]
    assert ended.stdout == ""
    assert list(dict.fromkeys(lines)) == [
        "fictc import: Importing, 120 of 400 MB",
        "fictc import: Generating, 7",
    ]


@pytest.mark.usefixtures("soon")
def test_lines_come_once_an_interval_and_say_the_minutes(capfd: pytest.CaptureFixture[str]) -> None:
    began = time.monotonic()
    with progress.minute_lines(lambda: "at it"):
        wait(6)
    err = capfd.readouterr().err.splitlines()
    assert 1 <= len(err) <= (time.monotonic() - began) / SOON
    assert set(err) == {"fictc: at it (0 s)"}
    assert progress.elapsed(150) == "2 min"


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("style", ["none", "json"])
def test_progress_that_is_asked_for_otherwise(style: progress.Style, capfd: pytest.CaptureFixture[str]) -> None:
    with progress.progress_bar("Importing", style):
        wait(3)
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("soon")
def test_a_terminal_gets_no_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm-256color")
    with progress.progress_bar("Importing"):
        wait(3)
    assert "fictc: " not in terminal.getvalue()


def test_a_run_says_which_cells_are_training(capsys: pytest.CaptureFixture[str]) -> None:
    restarted: list[str] = []
    listen = _LineListener(9, {"match:0f": "matching passive", "store:train": "importing the training text"})
    listen.restart_minute = lambda: restarted.append("a line was printed, so that the next one is a minute away")
    listen({"event": "start", "step": "store:train"})
    assert listen.status() == "[0/9] importing the training text"
    listen({"event": "start", "step": "match:0f"})
    assert listen.status() == "[0/9] matching passive"
    listen({"event": "done", "step": "store:train"})
    assert len(restarted) == 1
    for seed in range(6):
        listen({"event": "train", "cell": f"full/lstm/{seed}", "step": 10 * seed, "steps": 100})
    shares = ", ".join(f"full · lstm · seed {seed} {10 * seed}%" for seed in range(4))
    assert listen.status() == f"[1/9] {shares}, and 2 more"
    for seed in range(5):
        listen({"event": "done", "step": f"train:full/lstm/{seed}", "cell": f"full/lstm/{seed}", "cached": True})
    assert listen.status() == "[6/9] full · lstm · seed 5 50%"
    listen({"event": "done", "step": "match:0f"})
    assert capsys.readouterr().err == "[1/9] importing the training text\n[7/9] matching passive\n"
