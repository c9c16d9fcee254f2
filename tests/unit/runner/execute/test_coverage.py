"""Trees of a suite in a manifest: which share of the pairs that a filter targets it would have found."""

import json
import re

import pyarrow as pa
import pytest

from runner.errors import InputError
from runner.execute.collect import _condition
from runner.execute.planned import plan_warnings
from runner.execute.warnings import COVERAGE, PairCheck, counted_pairs, pair_warnings
from runner.score.convention import UNKNOWN_WORDS_REMEDY
from tests.support import corpora
from tests.support.experiments import planned, prepared
from tests.support.reading import tree
from tests.unit.runner.execute.test_corpora import BASE

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
    assert found["filter"] == made.plan.resolved.conditions["c1"].filters_of("keep")[0].key


def test_a_pair_that_two_filters_of_a_condition_match_counts_once(folder):
    both = FILTERS.replace("filter noun {", "filter noun { targets pairs/agreement")
    (folder / "own.fict").write_text(both)
    (folder / "m.toml").write_text(BASE + CONDITIONS.replace('"own.fict::noun"', '"own.fict"') + SUITE)
    made = prepared(folder / "m.toml")
    told = {name: _condition(made, name).model_dump(mode="json")["coverage"] for name in ("c1", "c2")}
    assert told == {"c1": {"pairs/agreement": [1, 2]}, "c2": {"pairs/agreement": [2, 2]}}


def test_two_filters_of_one_name_have_counts_and_examples_of_their_own(folder):
    (folder / "other.fict").write_text("fict 1 filter subject { match { N:NOUN } }")
    both = CONDITIONS.replace('"own.fict::subject"', '"own.fict::subject", "other.fict::subject"')
    (folder / "m.toml").write_text(BASE + both + SUITE)
    made = prepared(folder / "m.toml")
    record = _condition(made, "c1").model_dump(mode="json")
    first, second = made.plan.resolved.conditions["c1"].filters_of("keep")
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
    assert [[step.recipe for step in cell.steps] for cell in made.plan.cells] == [
        [step.recipe for step in cell.steps] for cell in first.plan.cells
    ]


def test_trees_change_nothing_that_cells_read(folder):
    with_trees = planned(folder / "m.toml")
    (folder / "m.toml").write_text(BASE + CONDITIONS + SUITE.replace('parses = ["trees.conllu"]\n', ""))
    without = planned(folder / "m.toml")
    assert [[step.recipe for step in cell.steps] for cell in with_trees.cells] == [
        [step.recipe for step in cell.steps] for cell in without.cells
    ]
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
    told = {name: _condition(made, name).model_dump(mode="json")["coverage"] for name in ("c1", "c2")}
    assert told == {"c1": {"pairs/agreement": [1, 2]}, "c2": {"pairs/order": [1, 1]}}


def test_a_target_that_names_a_phenomenon_stands_for_its_paradigms(folder):
    head, *rows = PAIRS.splitlines()
    suite = "\n".join([f"{head},phenomenon", *(f"{row},subject verb" for row in rows)])
    (folder / "pairs.csv").write_text(suite + "\n")
    (folder / "own.fict").write_text(FILTERS.replace("pairs/agreement", "pairs/subjectverb"))
    made = prepared(folder / "m.toml")
    assert _condition(made, "c1").model_dump(mode="json")["coverage"] == {
        "pairs/agreement": [1, 2],
        "pairs/order": [1, 1],
    }


def test_filters_that_match_few_of_their_pairs_are_told(folder):
    filters = FILTERS.replace("-[nsubj]-> S", "-[nsubj:pass]-> S")
    (folder / "own.fict").write_text(filters)
    removing = CONDITIONS.replace("keep", "remove") + "allow-empty = true\n"
    (folder / "m.toml").write_text(BASE + removing.replace('"]', '"]\nallow-empty = true', 1) + SUITE)
    made = prepared(folder / "m.toml")
    told = [str(warning) for warning in made.warnings() if warning.kind == "coverage"]
    assert told == [
        "warning: condition c1: its filters match few of the pairs that they target (0 of 2 of pairs/agreement); below "
        "50%, much of the construction probably remains in the corpus"
    ]


def test_a_condition_that_removes_hardly_anything_is_told(folder):
    sentences = [tree("Rare NOUN 0 root"), *[tree("Cats NOUN 2 compound\nsleep NOUN 0 root")] * 1000]
    (folder / "train.conllu").write_text(corpora.conllu(sentences))
    (folder / "own.fict").write_text(
        'fict 1 filter rare { match { N[form = "Rare"] } } filter cats { match { X -[compound]-> N } }'
    )
    conditions = ""
    for name, key in (("rare", "remove"), ("only", "keep"), ("cats", "remove")):
        path = "rare" if name == "only" else name
        conditions += f'[[condition]]\nname = "{name}"\n{key} = ["own.fict::{path}"]\n'
    conditions += '[[condition]]\nname = "control"\nremove-random = "rare"\n'
    base = re.sub("sample = .*", 'train = ["train.conllu"]\nvalid = ["train.conllu"]', BASE)
    (folder / "m.toml").write_text(base + conditions)
    made = prepared(folder / "m.toml")
    told = [str(warning) for warning in made.warnings() if warning.kind == "amount"]
    assert told == [str(warning) for warning in plan_warnings(made.plan, made.cache) if warning.kind == "amount"]
    assert told == [
        "warning: condition rare: its filters remove or change 1 of 2,001 words (0.05%), in 1 sentence; below 0.1%, a "
        "model has lost hardly any evidence. A larger corpus has more; `fictc show --near-miss` lists what the filters "
        "nearly match"
    ]


def test_a_corpus_with_withheld_forms_is_told(folder):
    withheld = "1\t_\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    sentences = [tree("Rare NOUN 0 root"), tree("Cats NOUN 2 compound\nsleep NOUN 0 root")]
    (folder / "train.conllu").write_text(corpora.conllu(sentences) + withheld)
    (folder / "valid.conllu").write_text(corpora.conllu(sentences))
    base = re.sub("sample = .*", 'train = ["train.conllu"]\nvalid = ["valid.conllu"]', BASE)
    (folder / "m.toml").write_text(base)
    made = prepared(folder / "m.toml")
    told = [str(warning) for warning in made.warnings() if warning.kind == "withheld"]
    assert told == [str(warning) for warning in plan_warnings(made.plan, made.cache) if warning.kind == "withheld"]
    assert told == [
        "warning: corpus train: 1 of 4 words (25.0%) have `_` in place of the form, as in treebanks that withhold their "
        "texts; models would read `_` as a word. Restore the forms with the treebank's own script, or leave these files "
        "out"
    ]


def test_pairs_with_unknown_words_do_not_count_if_the_suite_says_so(folder):
    (folder / "m.toml").write_text(BASE + CONDITIONS + SUITE)
    table = pa.table({"unk_good": [0, 1, 0], "unk_bad": [0, 1, 2], "item": [0, 1, 2]})
    plan = planned(folder / "m.toml")
    assert counted_pairs(plan, "pairs", table).num_rows == 3
    (folder / "m.toml").write_text(BASE + CONDITIONS + SUITE + "known-words = true\n")
    known = planned(folder / "m.toml")
    assert counted_pairs(known, "pairs", table)["item"].to_pylist() == [0]
    assert [cell.scores for cell in known.cells] == [cell.scores for cell in plan.cells], "nothing is scored again"


def test_unknown_words_in_most_pairs_have_a_remedy(folder):
    (folder / "m.toml").write_text(BASE + CONDITIONS + SUITE)
    plan = planned(folder / "m.toml")
    few, most = (PairCheck("pairs", "agreement", 10, unknown, 0, 0) for unknown in (5, 6))
    assert UNKNOWN_WORDS_REMEDY not in str(pair_warnings(plan, [few])[0])
    assert f"; 1 paradigm with such words in most pairs: {UNKNOWN_WORDS_REMEDY}" in str(pair_warnings(plan, [most])[0])
    (folder / "m.toml").write_text(BASE + CONDITIONS + SUITE + "known-words = true\n")
    (warning,) = pair_warnings(planned(folder / "m.toml"), [most])
    assert str(warning).endswith("; pairs with unknown words do not count")
