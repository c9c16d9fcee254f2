"""Random removals: placebos with many draws, and controls that are matched in another unit than that of `[size]`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from runner.conditions.corpus import ConditionCorpus
from runner.execute.warnings import size_notes, stats_of
from runner.steps.names import TextName
from tests.support.experiments import planned, prepared
from tests.unit.runner.execute.test_redraw import PP, array, manifest

SMALLEST = 'count = "smallest"'


def test_each_draw_removes_as_much_and_something_else(tmp_path) -> None:
    made = prepared(manifest(tmp_path, PP, 'remove-random = "c1"\ndraws = 5', size=SMALLEST, seeds="3, 4"))
    names = [f"c2/draw-{draw}" for draw in range(1, 6)]
    assert list(map(str, made.plan.corpora_of("c2"))) == names
    removed = [array(made, name, "removed") for name in names]
    assert len({tuple(sids) for sids in removed}) == 5
    assert {len(sids) for sids in removed} == {len(array(made, "c1", "removed"))}
    assert {len(array(made, name)) for name in made.plan.corpora} == {len(array(made, "c1"))}


def test_draws_are_trained_once_per_model_with_the_seeds_in_turn(tmp_path) -> None:
    plan = planned(manifest(tmp_path, PP, 'remove-random = "c1"\ndraws = 5', size=SMALLEST, seeds="3, 4"))
    cells = [(cell.name, cell.seed) for cell in plan.cells if cell.condition == "c2"]
    assert sorted(cells) == [(f"c2/lstm-128/draw-{draw}", 3 if draw % 2 else 4) for draw in range(1, 6)]
    assert plan.placebos == ("c2",) and plan.conditions == ("full", "c1", "c2")


def test_a_draw_follows_the_redraw_of_its_seed(tmp_path) -> None:
    plan = planned(manifest(tmp_path, PP, 'remove-random = "c1"\ndraws = 3', seeds="3, 4"))
    draws = [plan.conditions_by_corpus[corpus] for corpus in plan.corpora_of("c2")]
    assert [(drawn.draw, drawn.redraw) for drawn in draws] == [(1, 3), (2, 4), (3, 3)]


def test_a_placebo_changes_no_key_of_other_conditions(tmp_path) -> None:
    before = planned(manifest(tmp_path, PP, 'remove-random = "c1"', size=SMALLEST))
    after = planned(manifest(tmp_path, PP, 'remove-random = "c1"', 'remove-random = "c1"\ndraws = 4', size=SMALLEST))
    keys = {step.id: step.recipe for step in after.steps()}
    assert {step.id: step.recipe for step in before.steps()}.items() <= keys.items()
    more = planned(manifest(tmp_path, PP, 'remove-random = "c1"', 'remove-random = "c1"\ndraws = 6', size=SMALLEST))
    assert keys.items() <= {step.id: step.recipe for step in more.steps()}.items()


@pytest.mark.parametrize(("unit", "by"), [("lines", "tokens"), ("tokens", "sentences"), ("tokens", "lengths")])
def test_a_control_in_another_unit_is_equal_in_both(tmp_path, unit, by) -> None:
    size = f'by = "{unit}"\ncount = "smallest"'
    controls = [f'remove-random = "c1"\nby = "{by}"\nseed = {seed}' for seed in range(4)]
    made = prepared(manifest(tmp_path, PP, *controls, size=size))
    words, removed = made.base().words, array(made, "c1", "removed")
    left = np.setdiff1d(np.arange(len(words)), removed)
    assert array(made, "c1") == left.tolist()  # nothing is cut from the condition that is controlled for
    longest = int(words.max())
    for name in ("c2", "c3", "c4", "c5"):
        sids, lost = array(made, name), array(made, name, "removed")
        assert len(removed) - (unit == "tokens") <= len(lost) <= len(removed)
        assert abs(int(words[lost].sum()) - int(words[removed].sum())) <= longest
        if unit == "lines":
            assert len(sids) == len(left)
        else:
            assert 0 <= int(words[left].sum()) - int(words[sids].sum()) <= longest


def test_a_control_in_the_same_unit_keeps_its_key(tmp_path) -> None:
    """One in another unit is that of the same lengths."""
    by = {
        size: [
            [planned(manifest(tmp_path, PP, f'remove-random = "c1"\nby = "{by}"', size=size)).corpora[TextName("c2")]]
            for by in ("sentences", "tokens", "lengths")
        ]
        for size in ('by = "lines"', 'by = "tokens"')
    }
    sentences, tokens, lengths = ([step.recipe for step in steps] for steps in by['by = "lines"'])
    assert tokens == lengths != sentences
    sentences, tokens, lengths = ([step.recipe for step in steps] for steps in by['by = "tokens"'])
    assert sentences == lengths != tokens


def test_removed_sentences_are_put_back_until_a_corpus_has_the_common_size() -> None:
    words = np.array([5, 3, 4, 2, 6])
    ranks = np.array([2, 0, 1, 4, 3])
    lengths = {"words": words, "originals": np.zeros_like(words)}
    candidate = ConditionCorpus(removed=np.array([0, 1, 2]), emptied=np.array([4]), by="lines", edits={}, **lengths)
    assert candidate.restored(ranks, 1) is candidate
    assert candidate.restored(ranks, 3).removed.tolist() == [0]
    assert candidate.restored(ranks, 9).remaining.tolist() == [0, 1, 2, 3]
    emptied_too = replace(candidate, removed=np.array([0, 1, 2, 4]), emptied=np.array([1, 4]))
    assert emptied_too.restored(ranks, 2).remaining.tolist() == [2, 3]
    tokens = replace(candidate, by="tokens")
    assert tokens.size == 2
    assert tokens.restored(ranks, 5).removed.tolist() == [0, 2]
    assert tokens.restored(ranks, 6).removed.tolist() == [0]


def test_both_numbers_are_printed_and_the_approximate_one_is_named(tmp_path) -> None:
    made = prepared(manifest(tmp_path, PP, 'remove-random = "c1"\nby = "tokens"', size=SMALLEST))
    note, numbers = size_notes(made.cache, made.plan)
    assert "c2 is matched with c1 by tokens, and [size] is in lines" in note
    assert note.endswith("the numbers of tokens are only approximately equal.")
    control, condition = (stats_of(made.cache, made.plan, TextName(name)) for name in ("c2", "c1"))
    assert control["sentences"] == condition["sentences"]
    for stats in (control, condition):
        assert f"{stats['sentences']} lines and {stats['words']:,} tokens" in numbers
        assert f"removed {stats['removed_sentences']} lines and {stats['removed_words']} tokens" in numbers
