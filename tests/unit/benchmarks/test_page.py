"""Tables into the page of figures, and the commands that make them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.data import Data
from benchmarks.page import replace_table

EXAMPLES = Path(__file__).parents[3] / "filters" / "fict15" / "examples"


def test_a_table_replaces_the_one_before(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A\n<!-- table one -->\nold\n<!-- end -->\nprose\n<!-- table two -->\n<!-- end -->\n")
    replace_table(page, "one", "| new \\1 |\n")
    expected = "# A\n<!-- table one -->\n\n| new \\1 |\n\n<!-- end -->\nprose\n<!-- table two -->\n<!-- end -->\n"
    assert page.read_text() == expected


def test_a_table_without_a_place_is_an_error(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A\n")
    with pytest.raises(ValueError, match="no markers for the table one"):
        replace_table(page, "one", "")


def test_filters_are_measured_on_a_corpus_made_of_treebanks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- table fict15 0.002 -->\n<!-- end -->\n")
    command = ["filters", "--data", tmp_path / "data", "--treebanks", *sorted(EXAMPLES.glob("*.conllu"))]
    command += ["--words", 0.002, "--runs", 1, "--sets", "fict15", "--only", "passive", "npi-only", "--page", page]
    monkeypatch.setattr(sys, "argv", ["benchmarks", *map(str, command)])
    main()
    lines = page.read_text().splitlines()
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in lines if line.startswith("| ")}
    assert {"passive", "npi-only", "all", "without phrases and dominance"} <= set(rows)
    assert "**no**" not in page.read_text()
    assert rows["passive"].endswith("| yes |")
    assert "## fict15 0.002" in capsys.readouterr().out
    assert Data(tmp_path / "data", []).store(0.002).is_dir()
