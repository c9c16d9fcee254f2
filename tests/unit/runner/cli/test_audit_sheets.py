"""`fictc audit sheet` and `read`: a sheet is drawn, judged and read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import corpora
from tests.support.reading import conllu
from tests.unit.runner.audit.test_strata import TEXTS
from tests.unit.runner.cli.conftest import Fictc

PASSIVE = "fict 1\nfilter passive { match { V:VERB[lemma = see, Voice = Pass] } }\n"


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "passive.fict").write_text(PASSIVE)
    texts = "".join(conllu(text, f"sent_id = s{index}") for index, text in enumerate(TEXTS))
    return tmp_path / "passive.fict", corpora.store(tmp_path, texts).path


def fill(path: Path, judgement: Callable[[dict[str, str]], str]) -> None:
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(row | {"has construction": judgement(row)} for row in rows)


def truth(row: dict[str, str]) -> str:
    """Sentences with `was seen` are passives; the parser has missed five of eight."""
    return "y" if row["sentence"] == "it was seen" else "n"


def test_a_census_gives_exact_figures(call: Fictc, inputs: tuple[Path, Path], tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    ended = call("audit", "sheet", inputs[0], "--corpus", inputs[1], "-o", sheet)
    assert ended.code == 0
    assert ended.out.splitlines()[1:] == [
        "matches              3      3",
        "near misses          5      5",
        "cue words            7      7",
        "others              60     60",
        "cue words: see",
    ]
    assert ended.err == f"{sheet}: 75 sentences to judge\n"
    fill(sheet, truth)
    found = json.loads(call("audit", "read", sheet, "--format", "json").out)
    assert found["precision"] == [1.0, 1.0, 1.0]
    assert found["recall"] == pytest.approx([3 / 8] * 3)
    assert found["remaining"] == pytest.approx([5 / 8] * 3)
    words = 5 * 3 + 7 * 3 + 60 * 2  # of what the filter does not match
    assert found["per_million"] == pytest.approx([1e6 * 5 / words] * 3)
    assert (found["filter"], found["judged"], found["judges"], found["kappa"]) == ("passive", 75, 1, None)


def test_estimates_as_text(call: Fictc, inputs: tuple[Path, Path], tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    call("audit", "sheet", inputs[0], "-c", inputs[1], "-o", sheet)
    fill(sheet, truth)
    assert (
        call("audit", "read", sheet).out
        == """passive in store: 75 of 75 sentences judged

stratum      sentences  y   n  ?
matches              3  3   0  0
near misses          5  5   0  0
cue words            7  0   7  0
others              60  0  60  0

                                          estimate  95 % interval
precision, %                                 100.0  [100.0, 100.0]
recall, %                                     37.5  [37.5, 37.5]
instances that remain, % of all               62.5  [62.5, 62.5]
instances that remain, per million words    32,051  [32,051, 32,051]
"""
    )


def test_two_judges(call: Fictc, inputs: tuple[Path, Path], tmp_path: Path) -> None:
    ended = call("audit", "sheet", inputs[0], "-c", inputs[1], "-o", tmp_path / "sheet.csv", "--judges", 2)
    assert ended.err.count("75 sentences to judge") == 2
    sheets = [tmp_path / "sheet.1.csv", tmp_path / "sheet.2.csv"]
    for sheet in sheets:
        fill(sheet, truth)
    fill(sheets[1], lambda row: "?" if row["number"] == "4" else truth(row))
    lines = call("audit", "read", *sheets).out.splitlines()
    assert lines[-3:] == ["74 of 75 judgements agree; Cohen's kappa is 0.93", "1 2  sentence", "y ?  it was seen"]
    found = json.loads(call("audit", "read", *sheets, "--format", "json").out)
    assert found["judges"] == 2
    assert found["remaining"] == pytest.approx([5 / 8, 4 / 7, 5 / 8])  # the unsure one may be none


def test_a_sheet_with_judgements_is_not_replaced(call: Fictc, inputs: tuple[Path, Path], tmp_path: Path) -> None:
    arguments = ("audit", "sheet", inputs[0], "-c", inputs[1], "-o", tmp_path / "sheet.csv")
    call(*arguments)
    before = (tmp_path / "sheet.csv").read_bytes()
    fill(tmp_path / "sheet.csv", truth)
    ended = call(*arguments)
    assert ended.code == 2
    assert "--force" in ended.err
    assert call(*arguments, "--force").code == 0
    assert (tmp_path / "sheet.csv").read_bytes() == before, "the same filter, seed and corpus draw the same sheet"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--cues", " , "), "--cues expects words separated by commas"),
        (("--judges", "3"), "agreement is measured between two judges"),
    ],
)
def test_wrong_options(
    call: Fictc, inputs: tuple[Path, Path], tmp_path: Path, arguments: tuple[str, ...], expected: str
) -> None:
    ended = call("audit", "sheet", inputs[0], "-c", inputs[1], "-o", tmp_path / "sheet.csv", *arguments)
    assert ended.code == 2
    assert expected in ended.err


def test_one_filter_is_expected(call: Fictc, inputs: tuple[Path, Path], tmp_path: Path) -> None:
    inputs[0].write_text(PASSIVE + PASSIVE.removeprefix("fict 1\n").replace("passive", "other"))
    ended = call("audit", "sheet", inputs[0], "-c", inputs[1], "-o", tmp_path / "sheet.csv")
    assert ended.code == 2
    assert "FILTER is one filter, and 2 are given" in ended.err
