"""The pairs of the dative and of the impossible experiment are made of treebanks, here of the library's examples."""

from __future__ import annotations

import csv
import json
import runpy
from collections import Counter
from pathlib import Path

import pytest

from fictdsl.shipped import shipped
from runner.score.suites.suite import load_suite

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


def test_the_attested_alternant_is_the_good_one(dative: Path) -> None:
    suite = load_suite(dative / "attested.csv")
    assert Counter(pair.paradigm for pair in suite.items) == {"double-object": 3, "prepositional": 5}
    pairs = {(pair.good, pair.bad) for pair in suite.items}
    assert ("My aunt baked a cake for us.", "My aunt baked us a cake.") in pairs
    assert ("My aunt baked us a cake.", "My aunt baked a cake for us.") in pairs


def test_sentences_without_a_dative_have_no_pair(dative: Path) -> None:
    examples = (EXAMPLES / "all.conllu").read_text("utf-8")
    assert len(rows(dative / "alternants.csv")) == examples.count("\n# expect = match\n")


def test_orders_are_suites_of_the_same_words(tmp_path: Path) -> None:
    module = runpy.run_path(str(EXPERIMENTS / "impossible" / "orders.py"))
    module["main"](tmp_path, [str(EXAMPLES / "all.conllu")])
    languages = {path.stem for path in (shipped("filters") / "impossible").glob("*.fict")}
    assert {path.stem for path in tmp_path.glob("*.jsonl")} == languages | {"natural"}
    for path in tmp_path.glob("*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            pair = json.loads(line)
            letters = [Counter(filter(str.isalpha, pair[side])) for side in ("sentence_good", "sentence_bad")]
            assert pair["UID"] == path.stem
            assert letters[0] == letters[1]
    assert set(load_suite(tmp_path).paradigms) == languages | {"natural"}
