"""The table of what the library loses to a parser is that of the numbers that `fictc plan` reads."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from runner.audit.parser import LIBRARY_LOSSES
from scripts import parser_noise

TEXT = LIBRARY_LOSSES.read_text(encoding="utf-8")
ROWS = list(csv.DictReader(TEXT.splitlines()))


def test_the_page_is_the_script_s() -> None:
    """A filter that was changed has no row: run the script, or first the command that the page names."""
    assert parser_noise.PAGE.read_text(encoding="utf-8") == parser_noise.page()


def test_numbers_add_up() -> None:
    assert len(ROWS) > 30
    for row in ROWS:
        gold, parsed, both, lost, added = (int(row[name]) for name in ("gold", "parsed", "both", "lost", "added"))
        assert (gold - both, parsed - both) == (lost, added), row


def test_a_changed_filter_has_no_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    row = next(row for row in ROWS if row["set"] == "fict15" and row["filter"] == "passive")
    text = f"| fict15 | {row['filter']} |"
    assert text in parser_noise.page().replace("**", "")
    changed = tmp_path / "noise.csv"
    changed.write_text(TEXT.replace(row["key"], "0" * 64))
    monkeypatch.setattr(parser_noise, "LIBRARY_LOSSES", changed)
    assert text not in parser_noise.page().replace("**", "")
