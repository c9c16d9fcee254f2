"""The pairs of alternants of the dative experiment are made of treebanks, here of the library's examples."""

from __future__ import annotations

import csv
import runpy
from pathlib import Path

import pytest

from fictdsl.installation import shipped

EXPERIMENTS = Path(__file__).parents[3] / "experiments"
EXAMPLES = shipped("filters") / "dative" / "examples"


@pytest.fixture(scope="module")
def dative(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dative")
    runpy.run_path(str(EXPERIMENTS / "dative" / "pairs.py"))["main"](out, [EXAMPLES / "all.conllu"])
    return out


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_alternants_have_the_double_object_first(dative: Path) -> None:
    found = {row["first"]: row for row in rows(dative / "alternants.csv")}
    sent = found["They sent him two letters yesterday."]
    assert sent["second"] == "They sent two letters to him yesterday."
    assert (sent["attested"], sent["verb"], sent["length_difference"]) == ("first", "send", str(1 - 2))
    showed = found["He showed Ann the photos of the house."]
    assert (showed["attested"], showed["length_difference"]) == ("second", str(1 - 5))


def test_both_alternants_may_be_attested(dative: Path) -> None:
    found = [row["attested"] for row in rows(dative / "alternants.csv") if row["first"] == "My aunt baked us a cake."]
    assert sorted(found) == ["first", "second"]


def test_sentences_without_a_dative_have_no_pair(dative: Path) -> None:
    examples = (EXAMPLES / "all.conllu").read_text("utf-8")
    assert len(rows(dative / "alternants.csv")) == examples.count("\n# expect = match\n")
