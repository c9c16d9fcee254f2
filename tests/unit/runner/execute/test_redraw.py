"""`[size] redraw = "seed"`: the sample, random controls and injections are drawn anew for each seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from runner.execute.warnings import sampled_share, size_notes
from runner.steps.names import TextName
from tests.support.experiments import planned, prepared

BASE = """
[experiment]
name = "x"
seeds = [{seeds}]
[corpus]
sample = {{ sentences = 200, pairs = 1, seed = 2 }}
[size]
{size}
[tokenizer]
size = 300
[[model]]
preset = "lstm-128"
"""
PP = 'remove = ["${filters}/fict15/agr-pp-mod.fict"]'
GAPS = 'filter gaps { match { N:NOUN } mask node(N) with "<gap>" }'


def manifest(folder: Path, *conditions: str, size: str = 'count = 100\nredraw = "seed"', seeds: str = "1, 2") -> Path:
    """A manifest with conditions c1, c2, …, each the lines of one."""
    (folder / "fictc.toml").touch()
    (folder / "gaps.fict").write_text(f"fict 1\n{GAPS}\n")
    (folder / "lines.txt").write_text("\n\n".join(f"sentence number {n} is here ." for n in range(60)))
    entries = [f'[[condition]]\nname = "c{number}"\n{lines}\n' for number, lines in enumerate(conditions, 1)]
    path = folder / "m.toml"
    path.write_text(BASE.format(size=size, seeds=seeds) + "\n".join(entries), encoding="utf-8")
    return path


def array(made, corpus: str | TextName, name: str = "sids") -> list[int]:
    return np.load(made.cache.folder(made.plan.corpora[TextName.parse(str(corpus))]) / f"{name}.npy").tolist()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    conditions = (
        PP,
        'remove-random = "c1"',
        'mask = ["gaps.fict"]',
        'mask-random = "c3"',
        'inject = { text = ["lines.txt"], fraction = 0.05 }',
    )
    return prepared(manifest(tmp_path_factory.mktemp("redraw"), *conditions))


def test_each_seed_has_its_own_sample_of_the_same_size(made) -> None:
    assert list(map(str, made.plan.corpora))[:3] == ["full/seed-1", "full/seed-2", "c1/seed-1"]
    assert len(array(made, "full/seed-1")) == len(array(made, "full/seed-2")) == 100
    shared = set(array(made, "full/seed-1")) & set(array(made, "full/seed-2"))
    assert 30 < len(shared) < 70  # of independent draws of 100 from 200, 50 are expected


def test_a_filter_removes_the_same_and_a_random_control_something_else(made) -> None:
    assert array(made, "c1/seed-1", "removed") == array(made, "c1/seed-2", "removed")
    controls = [array(made, f"c2/seed-{seed}", "removed") for seed in (1, 2)]
    assert len(controls[0]) == len(controls[1]) and controls[0] != controls[1]


def test_a_mask_is_made_once_and_a_random_mask_for_each_seed(made) -> None:
    edits = made.plan.edits
    assert edits[TextName("c3", seed=1)] == edits[TextName("c3", seed=2)]
    assert edits[TextName("c4", seed=1)].recipe != edits[TextName("c4", seed=2)].recipe
    assert made.edits(TextName("c4", seed=1)) != made.edits(TextName("c4", seed=2))


def test_units_are_injected_in_another_order(made) -> None:
    lines = [[sid for sid in array(made, f"c5/seed-{seed}") if sid < 0] for seed in (1, 2)]
    texts = [
        (made.cache.folder(made.plan.corpora[TextName("c5", seed=seed)]) / "text.txt").read_text().splitlines()
        for seed in (1, 2)
    ]
    injected = [{line for line in text if line.startswith("sentence number")} for text in texts]
    assert lines[0] and injected[0] != injected[1]


def test_a_cell_is_trained_on_the_corpus_of_its_seed(made) -> None:
    assert {(cell.name, str(cell.corpus)) for cell in made.plan.cells if cell.condition == "c2"} == {
        ("c2/lstm-128/1", "c2/seed-1"),
        ("c2/lstm-128/2", "c2/seed-2"),
    }
    steps = {step.id: step for step in made.plan.steps()}
    assert steps["train:c2/lstm-128/2"].needs["tokens"] is steps["tokens:c2/seed-2"]


def test_another_seed_leaves_the_corpora_of_the_first_ones(tmp_path) -> None:
    for size in ('count = 100\nredraw = "seed"', 'redraw = "seed"'):
        first, second = (
            planned(manifest(tmp_path, PP, 'remove-random = "c1"', size=size, seeds=seeds)) for seeds in ("1", "1, 2")
        )
        assert {name: second.corpora[name].recipe for name in first.corpora} == {
            name: step.recipe for name, step in first.corpora.items()
        }


def test_none_is_the_default_and_changes_no_key(tmp_path) -> None:
    conditions = (PP, 'remove-random = "c1"')
    plans = [
        planned(manifest(tmp_path, *conditions, size=f"count = 100\n{redraw}"))
        for redraw in ("", 'redraw = "none"', 'redraw = "seed"')
    ]
    keys = [{step.id: step.recipe for step in plan.steps()} for plan in plans]
    assert keys[0] == keys[1]
    assert not {keys[0][f"corpus:{name}"] for name in ("full", "c1", "c2")} & set(keys[2].values())


def test_a_large_share_is_noted_once_it_is_known(tmp_path) -> None:
    unprepared = manifest(tmp_path, PP, size='redraw = "seed"')
    (tmp_path / "small").mkdir()
    large, small = prepared(unprepared), prepared(manifest(tmp_path / "small", PP, size='count = 90\nredraw = "seed"'))
    assert sampled_share(large.cache, large.plan) > 0.8
    assert sampled_share(small.cache, small.plan) == 0.45
    assert any("share most sentences" in note for note in size_notes(large.cache, large.plan))
    assert not list(size_notes(small.cache, small.plan))
    (tmp_path / "new").mkdir()
    assert sampled_share(type(large.cache)(tmp_path / "new" / "cache"), large.plan) is None
