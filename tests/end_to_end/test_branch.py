"""A run whose models branch from a checkpoint: the state is made once, and the unchanged branch has the same bytes."""

import json

import pytest

from tests.support.killing import fictc

pytestmark = pytest.mark.long

MANIFEST = """
[experiment]
name = "branches"
seeds = [1]
[corpus]
sample = { sentences = 300, pairs = 4, seed = 5 }
[[condition]]
name = "no-passive"
remove = ["${filters}/fict15/passive.fict"]
[tokenizer]
size = 300
[[model]]
preset = "transformer-128"
layers = 1
hidden = 32
heads = 2
[[model]]
name = "branch"
preset = "transformer-128"
layers = 1
hidden = 32
heads = 2
from = "full@step-4"
[training]
epochs = 1.5
validations = 2
[[evaluate]]
name = "blimp"
path = "sample"
paradigms = ["passive_1"]
"""


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    folder = tmp_path_factory.mktemp("branches")
    (folder / "m.toml").write_text(MANIFEST)
    fictc("run", "m.toml", "--jobs", "1", cwd=folder)
    return folder


def weights(work, cell):
    return (work / "runs" / "branches" / "cells" / cell / "model" / "model.safetensors").read_bytes()


def test_where_nothing_differs_the_branch_is_the_whole(work):
    assert weights(work, "full/branch/1") == weights(work, "full/transformer-128/1")
    assert weights(work, "no-passive/branch/1") != weights(work, "no-passive/transformer-128/1")


def test_the_cell_that_passes_the_step_leaves_the_state_for_the_others(work):
    (state,) = (work / "runs" / ".cache" / "state").glob("*/done.json")
    assert "checkpoint.safetensors" in json.loads(state.read_text())["files"]
    log = [json.loads(line) for line in (work / "runs" / "branches" / "events.jsonl").read_text().splitlines()]
    assert not [event for event in log if event["event"] == "start" and str(event["step"]).startswith("state:")]


@pytest.mark.slow
def test_a_branch_whose_state_is_missing_trains_up_to_it(work, tmp_path):
    (tmp_path / "m.toml").write_text(
        MANIFEST.replace(MANIFEST[MANIFEST.index("[[model]]") : MANIFEST.rindex("[[model]]")], "")
    )
    fictc("run", "m.toml", "--jobs", "2", cwd=tmp_path)
    assert weights(tmp_path, "no-passive/branch/1") == weights(work, "no-passive/branch/1")
