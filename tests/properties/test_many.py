"""The long run finds what it is there to find, makes it small, and says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fictdsl.compiler import CompiledFilter
from fictdsl.schema import PLAIN, Layout
from fictdsl.sql.statement import Statement
from tests.properties import many


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "PROJECTS", 10)
    monkeypatch.setattr(many, "GROUPS", 1)


def test_a_round_is_the_same_in_any_process() -> None:
    one, other = (many._round((7, 0, 1)) for _ in range(2))
    assert one.fault is None and one.pairs >= 10
    assert (one.filters, one.constructs, one.matches) == (other.filters, other.constructs, other.matches)


def test_constructs_that_were_never_tried_fail_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert many.main(["--pairs", "1", "--treebanks", "1"]) == 1
    out = capsys.readouterr().out
    assert "0 skipped" in out and "never tried: " in out


@pytest.mark.long
def test_a_fault_is_reduced_and_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An engine that loses every match but the first of a statement."""
    whole = CompiledFilter.statement

    def broken(self: CompiledFilter, layout: Layout = PLAIN) -> Statement:
        found = whole(self, layout=layout)
        return replace(found, matches=replace(found.matches, text=f"{found.matches.text} LIMIT 1"))

    monkeypatch.setattr(CompiledFilter, "statement", broken)
    assert many.main(["--pairs", "100", "--treebanks", "1"]) == 1
    fault, _, rest = capsys.readouterr().out.partition("other sentences than those of the matches")
    assert fault.startswith("FAULT\nfict 1\n") and rest
    assert len(fault.splitlines()) < 15, "the filter is not small"
