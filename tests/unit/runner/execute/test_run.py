"""The cells of a run in processes that train nothing: which are run, what is told of them, and what is left."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from runner.cli.manifest import plan_of
from runner.execute.cache import Cache
from runner.execute.pool import Pool
from runner.execute.run import opened, run
from runner.execute.status import cell_states, places
from runner.steps.plan import Plan
from tests.support.experiments import stub_worker

HEAD = """
[experiment]
name = "x"
seeds = [1]
[corpus]
sample = { sentences = 120, pairs = 2, seed = 5 }
[tokenizer]
size = 300
[[evaluate]]
name = "blimp"
path = "sample"
paradigms = ["passive_1"]
"""


def planned(folder: Path, *models: str, conditions: dict[str, str]) -> tuple[Plan, Cache, Path]:
    """The plan of a manifest, its cache and the folder of its run; a condition has a shipped filter."""
    presets = ("lstm-128", "transformer-128")
    named = zip(models, presets, strict=False)
    entries = [f'[[model]]\nname = "{name}"\npreset = "{preset}"\n' for name, preset in named]
    for name, removed in conditions.items():
        entries.append(f'[[condition]]\nname = "{name}"\nremove = ["${{filters}}/fict15/{removed}.fict"]\n')
    (folder / "m.toml").write_text(HEAD + "".join(entries))
    return plan_of(folder / "m.toml", None, (), folder / "run", None)


@pytest.fixture
def prepared(tmp_path: Path) -> list[str]:
    """The command of a worker; corpora, tokens and suites are made."""
    plan, cache, out = planned(tmp_path, "m", conditions={})
    with opened(plan, cache, out) as preparation:
        preparation.run()
    return stub_worker(cache, tmp_path, "blimp", [1])


def test_cells_whose_names_join_to_the_same_are_all_run(tmp_path: Path, prepared: list[str]) -> None:
    conditions = {"a--b": "passive", "a": "agr-pp-mod"}
    plan, cache, out = planned(tmp_path, "m", "b--m", conditions=conditions)
    outcome = run(plan, cache, out, partial(Pool, 2, worker=prepared))
    assert outcome.failed == {}
    assert {cell.state for cell in cell_states(places(plan, cache, out))} == {"done"}
    assert len({place.record for place in places(plan, cache, out)}) == len(plan.cells) == 6
