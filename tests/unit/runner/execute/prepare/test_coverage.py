"""Trees of a suite in a manifest: which share of the pairs that a filter targets it would have found."""

import json

import pytest

from runner.errors import InputError
from runner.execute.collect.collect import _condition_record
from runner.execute.prepare.coverage import COVERAGE
from tests.support import corpora
from tests.support.experiments import planned, prepared
from tests.support.reading import tree
from tests.unit.runner.execute.prepare.test_corpora import BASE

PAIRS = """good,bad,paradigm
Dogs bark.,Dogs barks.,agreement
Cats sleep.,Cats sleeps.,agreement
Birds sing.,Birds sings.,agreement
Dogs bark.,Bark dogs.,order
"""
TREES = [
    tree("Dogs NOUN 2 nsubj\nbark VERB 0 root misc=SpaceAfter=No\n. PUNCT 2 punct"),
    tree("Cats NOUN 2 compound\nsleep NOUN 0 root misc=SpaceAfter=No\n. PUNCT 2 punct"),
]
FILTERS = "fict 1 filter subject { targets pairs/agreement match { V -[nsubj]-> S } } filter noun { match { N:NOUN } }"
CONDITIONS = """
[[condition]]
name = "c1"
keep = ["own.fict::subject"]
[[condition]]
name = "c2"
keep = ["own.fict::noun"]
"""
SUITE = '[[evaluate]]\nname = "pairs"\npath = "pairs.csv"\nparses = ["trees.conllu"]\n'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "fictc.toml").touch()
    (tmp_path / "pairs.csv").write_text(PAIRS)
    (tmp_path / "trees.conllu").write_text(corpora.conllu(TREES))
    (tmp_path / "own.fict").write_text(FILTERS)
    (tmp_path / "m.toml").write_text(BASE + CONDITIONS + SUITE)
    return tmp_path


def test_targeted_paradigms_are_counted_over_the_pairs_with_a_tree(folder):
    made = prepared(folder / "m.toml")
    (step,) = made.plan.coverage.values()
    (found,) = json.loads((made.cache.folder(step) / COVERAGE).read_text())
    assert (found["paradigm"], found["matched"], found["items"], found["unparsed"]) == ("agreement", 1, 2, 1)
    assert found["filter"] == made.plan.resolved.filters_of("c1", "keep")[0].key


def test_a_pair_that_two_filters_of_a_condition_match_counts_once(folder):
    both = FILTERS.replace("filter noun {", "filter noun { targets pairs/agreement")
    (folder / "own.fict").write_text(both)
    (folder / "m.toml").write_text(BASE + CONDITIONS.replace('"own.fict::noun"', '"own.fict"') + SUITE)
    made = prepared(folder / "m.toml")
    told = {name: _condition_record(made, name)["coverage"] for name in ("c1", "c2")}
    assert told == {"c1": {"pairs/agreement": [1, 2]}, "c2": {"pairs/agreement": [2, 2]}}


def test_two_filters_of_one_name_have_counts_and_examples_of_their_own(folder):
    (folder / "other.fict").write_text("fict 1 filter subject { match { N:NOUN } }")
    both = CONDITIONS.replace('"own.fict::subject"', '"own.fict::subject", "other.fict::subject"')
    (folder / "m.toml").write_text(BASE + both + SUITE)
    made = prepared(folder / "m.toml")
    record = _condition_record(made, "c1")
    first, second = made.plan.resolved.filters_of("c1", "keep")
    assert {entry["name"]: entry["key"] for entry in record["filters"]} == {
        "subject": first.key,
        "subject (2)": second.key,
    }
    assert record["matched"] == {
        "subject": len(made.matched(first.key)),
        "subject (2)": len(made.matched(second.key)),
    }
    assert len(set(record["matched"].values())) == 2
    assert {example["filter"] for example in record["examples"]} == {"subject", "subject (2)"}


def test_another_target_is_counted_anew(folder):
    first = prepared(folder / "m.toml")
    (folder / "own.fict").write_text(FILTERS.replace("pairs/agreement", "pairs/order"))
    made = prepared(folder / "m.toml")
    (step,) = made.plan.coverage.values()
    (found,) = json.loads((made.cache.folder(step) / COVERAGE).read_text())
    assert (found["paradigm"], found["matched"], found["items"]) == ("order", 1, 1)
    assert [cell.key for cell in made.plan.cells] == [cell.key for cell in first.plan.cells]


def test_trees_change_nothing_that_cells_read(folder):
    with_trees = planned(folder / "m.toml")
    (folder / "m.toml").write_text(BASE + CONDITIONS + SUITE.replace('parses = ["trees.conllu"]\n', ""))
    without = planned(folder / "m.toml")
    assert [cell.key for cell in with_trees.cells] == [cell.key for cell in without.cells]
    assert not without.coverage


def test_trees_are_of_minimal_pairs(folder):
    corrupted = SUITE.replace("pairs.csv", "trees.conllu") + "corrupt = { pairs = 1 }\n"
    (folder / "m.toml").write_text(BASE + CONDITIONS + corrupted)
    with pytest.raises(InputError, match="parses"):
        planned(folder / "m.toml")


def test_trees_that_are_not_there_are_named(folder):
    (folder / "trees.conllu").unlink()
    with pytest.raises(InputError) as caught:
        planned(folder / "m.toml")
    assert caught.value.diagnostics[0].message.count("trees.conllu") == 1


def test_filters_of_equal_meaning_count_for_their_own_targets(folder):
    (folder / "own.fict").write_text(
        FILTERS.replace("filter noun { match { N:NOUN } }", "")
        + " filter noun { targets pairs/order match { V -[nsubj]-> S } }"
    )
    (folder / "m.toml").write_text(BASE + CONDITIONS + SUITE)
    made = prepared(folder / "m.toml")
    told = {name: _condition_record(made, name)["coverage"] for name in ("c1", "c2")}
    assert told == {"c1": {"pairs/agreement": [1, 2]}, "c2": {"pairs/order": [1, 1]}}


def test_a_target_that_names_a_phenomenon_stands_for_its_paradigms(folder):
    head, *rows = PAIRS.splitlines()
    suite = "\n".join([f"{head},phenomenon", *(f"{row},subject verb" for row in rows)])
    (folder / "pairs.csv").write_text(suite + "\n")
    (folder / "own.fict").write_text(FILTERS.replace("pairs/agreement", "pairs/subjectverb"))
    made = prepared(folder / "m.toml")
    assert _condition_record(made, "c1")["coverage"] == {"pairs/agreement": [1, 2], "pairs/order": [1, 1]}
