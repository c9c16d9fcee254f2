"""Every paradigm that a filter for BLiMP targets is drawn on a page of the docs, and every filter was read by eye."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from fictdsl.compiler import compile_file
from fictdsl.installation import shipped
from scripts import draw_blimp

BLIMP = shipped("filters") / "blimp"
PAGES = Path(__file__).parents[2] / "docs" / "blimp"


def test_drawings_are_not_stale() -> None:
    assert {path.stem: path.read_text("utf-8") for path in draw_blimp.DRAWINGS.iterdir()} == draw_blimp.drawings()


def test_every_targeted_paradigm_is_on_a_page_with_its_filter() -> None:
    texts = [page.read_text("utf-8") for page in PAGES.glob("*.md")]
    for file in BLIMP.glob("*.fict"):
        for one in compile_file(file).filters:
            (text,) = [text for text in texts if f"/blimp/{file.name})" in text]
            for target in one.metadata.targets:
                assert f"(../assets/blimp/{target.removeprefix('blimp/')}.svg)" in text, (file.name, target)
    shown = re.findall(r"\.\./assets/blimp/(\w+)\.svg", "".join(texts))
    assert sorted(shown) == sorted(draw_blimp.drawings())


def test_the_table_of_precision_judges_every_filter() -> None:
    with (BLIMP / "precision.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["judgement"] for row in rows} <= {"y", "n"}
    assert [row for row in rows if (row["judgement"] == "n") != bool(row["why"])] == []
    assert len({(row["filter"], row["corpus"], row["sentence"]) for row in rows}) == len(rows)
    assert {row["filter"] for row in rows} <= {file.stem for file in BLIMP.glob("*.fict")}
