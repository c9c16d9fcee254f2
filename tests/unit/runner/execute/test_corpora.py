"""The conditions of a manifest as corpora: what is in them, what was taken out, and that keys follow the meaning."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

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
