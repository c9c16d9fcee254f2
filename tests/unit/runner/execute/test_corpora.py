"""The conditions of a manifest as corpora: what is in them, what was taken out, and that keys follow the meaning."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runner.execute.prepare import stats_of
from runner.model.saved import load_tokenizer
from tests.support.experiments import planned, prepared

BASE = """
[experiment]
name = "x"
seeds = [1]
[corpus]
sample = { sentences = 120, pairs = 1, seed = 2 }
[tokenizer]
size = 300
[[model]]
preset = "lstm-128"
"""
PP = '["${filters}/fict15/agr-pp-mod.fict"]'


def manifest(folder: Path, *conditions: str, base: str = BASE) -> Path:
    """A manifest with conditions, each the lines of one; they are named c1, c2, …"""
    (folder / "fictc.toml").touch()
    path = folder / "m.toml"
    entries = [f'[[condition]]\nname = "c{number}"\n{lines}\n' for number, lines in enumerate(conditions, 1)]
    path.write_text(base + "\n".join(entries), encoding="utf-8")
    return path


def array(made, condition, name="sids"):
    return np.load(made.cache.folder(made.plan.corpora[condition]) / f"{name}.npy")


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


def test_keep_leaves_what_remove_takes(tmp_path, cache):
    made = prepared(manifest(tmp_path, f"remove = {PP}", f"keep = {PP}", base=BASE), cache)
    taken, kept = array(made, "c1", "removed"), array(made, "c2", "removed")
    assert len(taken) and len(kept)
    assert sorted([*taken.tolist(), *kept.tolist()]) == list(range(120))
    assert {len(array(made, name)) for name in made.plan.corpora} == {len(taken)}
    assert array(made, "c2").tolist() == taken.tolist()


@pytest.mark.parametrize("by", ["sentences", "tokens", "lengths"])
def test_a_control_takes_as_much_as_its_condition_and_nothing_of_it_if_disjoint(tmp_path, cache, by):
    lines = f'remove-random = "c1"\nby = "{by}"\n'
    made = prepared(manifest(tmp_path, f"remove = {PP}", lines, lines + "disjoint = true"), cache)
    taken, words = array(made, "c1", "removed"), made.base().words
    for name in ("c2", "c3"):
        drawn = array(made, name, "removed")
        if by == "tokens":
            assert 0 <= words[taken].sum() - words[drawn].sum() <= 2
        else:
            assert len(drawn) == len(taken)
    assert not set(array(made, "c3", "removed").tolist()) & set(taken.tolist())


def test_a_key_follows_what_is_done_and_not_what_it_is_called(tmp_path):
    def keys(*conditions):
        return {name: step.key for name, step in planned(manifest(tmp_path, *conditions)).corpora.items()}

    one = keys(f"remove = {PP}", 'remove-random = "c1"')
    assert one == keys(f"remove = {PP}", 'remove-random = "c1"\nby = "sentences"\ndisjoint = false\nseed = 0')
    for change in ("disjoint = true", "seed = 1", 'by = "tokens"'):
        assert one["c2"] != keys(f"remove = {PP}", f'remove-random = "c1"\n{change}')["c2"]
    assert one["c1"] != keys(f"keep = {PP}")["c1"]


GAPS = """fict 1
filter gaps { match { V:VERB N:NOUN V -[obj]-> N } mask subtree(N) with "<gap>" }
filter bare { match { N:NOUN D:DET N -> D } remove node(D) }
filter alone { match { V:VERB } remove subtree(V) }
"""


def lines(made, condition):
    text = (made.cache.folder(made.plan.corpora[condition]) / "text.txt").read_text(encoding="utf-8")
    return text.split("\n")[:-1]


def stats(made, condition):
    return stats_of(made.cache, made.plan, condition)


@pytest.fixture
def gaps(tmp_path):
    (tmp_path / "gaps.fict").write_text(GAPS, encoding="utf-8")
    return tmp_path


def test_words_are_masked_in_the_sentences_that_match_and_in_as_many_places_by_chance(gaps, cache):
    made = prepared(manifest(gaps, 'mask = ["gaps.fict::gaps"]', 'mask-random = "c1"\ndisjoint = true'), cache)
    own, drawn = stats(made, "c1"), stats(made, "c2")
    assert own["edited_units"] == drawn["edited_units"] > 0
    assert own["edited_words"] == drawn["edited_words"]
    assert own["words"] == drawn["words"] == stats(made, "full")["words"]
    assert sum("<gap>" in line for line in lines(made, "c1")) == own["edited_sentences"]
    assert sum("<gap>" in line for line in lines(made, "c2")) == drawn["edited_sentences"]
    whole = load_tokenizer(made.tokenizer())("a<gap> <gap>x", add_special_tokens=False)["input_ids"]
    assert whole.count(len(load_tokenizer(made.tokenizer())) - 1) == 2


def test_dropped_words_are_no_longer_counted_and_a_sentence_without_words_is_gone(gaps, cache):
    size = '[size]\nby = "tokens"\n'
    base = BASE.replace("[tokenizer]", size + "[tokenizer]")
    made = prepared(
        manifest(gaps, 'drop = ["gaps.fict::bare"]', 'drop-random = "c1"', 'drop = ["gaps.fict::alone"]', base=base),
        cache,
    )
    limit = stats(made, "c3")["words"]
    assert len(array(made, "c3", "removed")) == stats(made, "c3")["removed_sentences"] > 0
    assert all(lines(made, "c3"))
    longest = int(made.base().words.max())
    assert all(limit - longest <= stats(made, name)["words"] <= limit for name in made.plan.corpora)


def test_sentences_are_chosen_before_words_are_masked(gaps, cache):
    made = prepared(manifest(gaps, f"remove = {PP}", f'remove = {PP}\nmask = ["gaps.fict::gaps"]'), cache)
    assert array(made, "c1").tolist() == array(made, "c2").tolist()
    pairs = list(zip(lines(made, "c1"), lines(made, "c2"), strict=True))
    assert sum(one != two for one, two in pairs) == stats(made, "c2")["edited_sentences"]


def test_a_mask_is_in_the_key_of_the_tokenizer_and_nothing_else_is(gaps):
    plain = planned(manifest(gaps, f"remove = {PP}")).tokenizer.key
    assert planned(manifest(gaps, 'drop = ["gaps.fict::bare"]')).tokenizer.key == plain
    assert planned(manifest(gaps, 'mask = ["gaps.fict::gaps"]')).tokenizer.key != plain
