"""Progress goes to stderr, as a bar on a terminal, as JSON lines on request, and nowhere else."""

from __future__ import annotations

import io
import json
import sys

import pytest

from runner.cli.shared import progress


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
