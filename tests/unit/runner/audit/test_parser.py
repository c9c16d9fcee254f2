"""The warning of a plan about filters of the library that lose many sentences to a parser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from runner.audit import parser
from runner.corpus.filter_arguments import load_filters
from runner.execute.planned import plan_of, plan_warnings
from runner.manifest.text import read_draft
from tests.support import corpora
from tests.support.reading import tree
from tests.unit.runner.execute.test_corpora import BASE

FILTERS = "fict 1 filter subject { match { V -[nsubj]-> S } } filter noun { match { N:NOUN } }"
CONDITION = '[[condition]]\nname = "c"\nremove = ["own.fict"]\nallow-empty = true\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "fictc.toml").touch()
    (tmp_path / "own.fict").write_text(FILTERS)
    (tmp_path / "train.conllu").write_text(corpora.conllu([tree("Dogs NOUN 2 nsubj\nbark VERB 0 root")]))
    base = re.sub("sample = .*", 'train = ["train.conllu"]\nvalid = ["train.conllu"]', BASE)
    (tmp_path / "m.toml").write_text(base + CONDITION)
    monkeypatch.setattr(parser, "LIBRARY_LOSSES", tmp_path / "noise.csv")
    measure(tmp_path, subject=(10, 3), noun=(10, 2))
    return tmp_path


def measure(folder: Path, **losses: tuple[int, int]) -> None:
    """Write the numbers of the filters as they are now: sentences that match in gold trees, and lost ones."""
    keys = {compiled.name: compiled.key for compiled in load_filters([str(folder / "own.fict")])}
    rows = [f"{keys[name]},{gold},{lost}" for name, (gold, lost) in losses.items()]
    (folder / "noise.csv").write_text("\n".join(["key,gold,lost", *rows]) + "\n")


def warnings(folder: Path) -> list[str]:
    plan, cache, _ = plan_of(read_draft(folder / "m.toml"), cache=folder / "cache")
    return [str(warning) for warning in plan_warnings(plan, cache) if warning.kind == "parser"]


def test_a_loss_of_more_than_a_fifth_is_told(folder: Path) -> None:
    (warning,) = warnings(folder)
    assert warning.startswith("warning: 1 filter: in the trees of a small parser")
    assert "(subject 3 of 10)" in warning


def test_a_filter_of_several_conditions_is_named_once(folder: Path) -> None:
    measure(folder, subject=(10, 3), noun=(10, 4))
    with (folder / "m.toml").open("a") as file:
        file.write(CONDITION.replace('"c"', '"d"'))
    (warning,) = warnings(folder)
    assert warning.startswith("warning: 2 filters: ")
    assert "(subject 3 of 10, noun 4 of 10)" in warning


def test_few_sentences_say_nothing(folder: Path) -> None:
    measure(folder, subject=(4, 4))
    assert warnings(folder) == []
    measure(folder, subject=(5, 5))
    assert len(warnings(folder)) == 1


def test_a_filter_that_was_changed_since_is_not_known(folder: Path) -> None:
    (folder / "own.fict").write_text(FILTERS.replace("nsubj", "obj"))
    assert warnings(folder) == []
    (folder / "own.fict").write_text(FILTERS.replace("V -", "Verb -").replace("subject", "another-name"))
    assert "(another-name 3 of 10)" in warnings(folder)[0]


def test_the_sample_has_gold_trees(folder: Path) -> None:
    (folder / "pairs.csv").write_text("good,bad,paradigm\nDogs bark.,Dogs barks.,agreement\n")
    suite = '[[evaluate]]\nname = "pairs"\npath = "pairs.csv"\nparses = ["train.conllu"]\n'
    (folder / "m.toml").write_text(BASE + CONDITION + suite)
    assert warnings(folder) == []
