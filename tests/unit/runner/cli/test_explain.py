"""`fictc explain`: every clause and test is said, and so is what a code means."""

from __future__ import annotations

from pathlib import Path

from tests.unit.runner.cli.conftest import Fictc


def test_a_filter(call: Fictc, filters: Path) -> None:
    ended = call("explain", f"{filters}::subject")
    assert ended.out.splitlines() == [
        "subject",
        "A subject.",
        "",
        "Removes every sentence that has different words V and S such that",
        "  · S depends on V as nsubj (or a subtype)",
        "",
        "source  a test",
        "targets blimp/a",
        f"file    {filters}",
    ]


def test_sql(call: Fictc, filters: Path) -> None:
    assert "STARTS_WITH" in call("explain", f"{filters}::subject", "--sql").out
    assert "STARTSWITH" in call("explain", f"{filters}::subject", "--sql", "--dialect", "spark").out


def test_codes(call: Fictc) -> None:
    assert call("explain", "FICT401").out.startswith("FICT401 (unsupported-action, error)\n")
    ended = call("explain", "fict4o1".replace("o", "9"))
    assert ended.code == 2
    assert "no message FICT491" in ended.err
