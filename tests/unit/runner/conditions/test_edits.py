"""Sentences edited by filters, and by chance as much as that: texts, counts, and the table that keeps them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fictdsl.compiler import compile_text
from runner.conditions.edit_random import random_edits
from runner.conditions.edits import Edit, edits_of_filters, read_edits, write_edits
from runner.corpus.actions import edit_sentences
from runner.corpus.sentence_arrays import read_lines
from runner.corpus.store import Store
from runner.sample.corpus import generate
from tests.support import corpora

ACTIONS = [
    "mask node(D)",
    'mask subtree(N) with "[]"',
    "remove node(D)",
    "remove subtree(N)",
    "mask span(D, N) with upos",
]


def filters(action: str, match: str = "N:NOUN D:DET N -> D"):
    compilation = compile_text(f"fict 1\nfilter f {{ match {{ {match} }} {action} }}")
    assert not compilation.errors
    return compilation.filters


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Store:
    folder = tmp_path_factory.mktemp("sample")
    generate(folder, sentences=150, pairs=1, seed=3)
    return corpora.store(folder / "made", (folder / "train.conllu").read_bytes())


@pytest.mark.parametrize("action", ACTIONS)
def test_a_filters_edits_are_the_changed_texts_of_apply(store, action):
    found = {edit.sid: edit for edit in edits_of_filters(store, filters(action))}
    every = list(edit_sentences(store, filters(action)))
    assert found.keys() == {one.sid for one in every if any(t.words for t in one.targets)}
    assert all(found[one.sid].text == one.text for one in every if one.sid in found)
    for edit in found.values():
        assert edit.units >= 1 and edit.words >= edit.units
        assert edit.removed == (edit.words if action.startswith("remove") else 0)


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("disjoint", [False, True])
def test_as_much_is_edited_by_chance(store, action, disjoint):
    own = list(edits_of_filters(store, filters(action)))
    drawn = list(random_edits(store, filters(action), 1, disjoint))
    assert sum(edit.units for edit in drawn) == sum(edit.units for edit in own)
    if not disjoint:  # nearly all noun phrases have a determiner here: no others are left that are as long
        assert abs(sum(edit.words for edit in drawn) - sum(edit.words for edit in own)) <= 1
    assert [edit.sid for edit in drawn] == sorted({edit.sid for edit in drawn})
    assert drawn == list(random_edits(store, filters(action), 1, disjoint))
    assert drawn != list(random_edits(store, filters(action), 2, disjoint))
    lines = read_lines(store)
    if action == "remove node(D)":
        gone = sum(len(lines[edit.sid].split()) - len((edit.text or "").split()) for edit in drawn)
        assert gone <= sum(edit.removed for edit in drawn)
        assert all(edit.text != lines[edit.sid] for edit in drawn)


def test_disjoint_words_are_not_those_of_the_filter(store):
    """Every determiner is masked by the filter, so none by a disjoint control."""
    drawn = list(random_edits(store, filters("mask node(D)", "D:DET"), 1, True))
    lines, determiners = read_lines(store), {"the", "a", "an", "every"}
    for edit in drawn:
        before, after = lines[edit.sid].lower().split(), str(edit.text).lower().split()
        assert sum(word in determiners for word in before) == sum(word in determiners for word in after)


def test_a_multiword_token_is_one_unit_which_the_first_action_has(tmp_path):
    text = "1-2\tcan't\t_\t_\t_\t_\t_\t_\t_\t_\n1\tca\tcan\tAUX\t_\t_\t0\troot\t_\t_\n2\tn't\tnot\tPART\t_\t_\t1\tadvmod\t_\t_\n\n"
    both = compile_text(
        'fict 1\nfilter f { match { A:AUX } mask node(A) with "x" }\nfilter g { match { P:PART } mask node(P) with "y" }'
    )
    drawn = list(random_edits(corpora.store(tmp_path, text * 2), both.filters, 1, False))
    assert [(edit.units, edit.words, edit.text) for edit in drawn] == [(1, 2, "x")] * 2


NEGATED = """1\tThey\tthey\tPRON\t_\t_\t4\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\t_\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\t_\t_\t4\tadvmod\t_\t_
4\trun\trun\tVERB\t_\t_\t0\troot\t_\t_
5\tfar\tfar\tADV\t_\t_\t4\tadvmod\t_\t_

"""


@pytest.mark.parametrize("target", ["node", "subtree", "span"])
@pytest.mark.parametrize("verb", ["remove", "mask"])
def test_all_words_of_a_multiword_token_are_counted_and_its_control_loses_as_many(tmp_path, verb, target):
    store = corpora.store(tmp_path, NEGATED * 20 + NEGATED.replace("\tnot\t", "\tnever\t") * 20)
    found = filters(f"{verb} {target}({'X, X' if target == 'span' else 'X'})", "X[lemma = not]")
    own = list(edits_of_filters(store, found))
    assert [(edit.units, edit.words) for edit in own] == [(1, 2)] * 20
    assert {edit.text for edit in own} == {"They run far" if verb == "remove" else "They <mask> run far"}
    size = {"They": 1, "don't": 2, "run": 1, "far": 1}
    for disjoint in (False, True):
        drawn = list(random_edits(store, found, 1, disjoint))
        assert sum(edit.words for edit in drawn) == 40
        for edit in drawn:
            left = sum(size.get(word, 0) for word in (edit.text or "").split())
            assert 5 - left == edit.words
            assert edit.removed == (edit.words if verb == "remove" else 0)


def test_edits_are_kept_in_a_table(tmp_path: Path):
    edits = [Edit(3, "a b", 1, 2, 0), Edit(5, None, 1, 1, 1)]
    for some in (edits, []):
        write_edits(iter(some), tmp_path / "edits.parquet")
        assert list(read_edits(tmp_path / "edits.parquet").values()) == some
