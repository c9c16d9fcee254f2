"""The registry: each intervention is one module, named after its key, and loading them is cheap."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

from runner import conditions
from runner.conditions.intervention import Arrangement, Phase, Selection, SentenceEdit, WordEdit
from runner.conditions.registry import BY_KEY, INTERVENTIONS, OPTIONS
from runner.manifest.model import ConditionTable


def test_every_module_is_registered_under_its_key() -> None:
    modules = {info.name for info in pkgutil.iter_modules(conditions.__path__)}
    defined = {
        name for name in modules if "\nINTERVENTION = " in Path(conditions.__path__[0], f"{name}.py").read_text()
    }
    assert defined == {key.replace("-", "_") for key in conditions.KEYS}
    assert [item.key for item in INTERVENTIONS] == list(conditions.KEYS)


@pytest.mark.parametrize("item", INTERVENTIONS, ids=lambda item: item.key)
def test_an_intervention_says_what_it_is(item) -> None:
    assert item.usage.startswith(f"{item.key} = ") and item.doc
    phases = {Phase.SELECT: Selection, Phase.EDIT: WordEdit, Phase.PERTURB: SentenceEdit}
    phases |= {Phase.ARRANGE: Arrangement, Phase.INJECT: Arrangement}
    assert isinstance(item, phases[item.phase])
    assert set(item.controls) <= set(BY_KEY)


def test_interventions_are_in_the_order_of_their_phases() -> None:
    assert [item.phase for item in INTERVENTIONS] == sorted(item.phase for item in INTERVENTIONS)


def test_a_condition_has_the_keys_of_all_interventions_and_an_option_one_meaning() -> None:
    keys = [info.alias or name for name, info in ConditionTable.model_fields.items()]
    assert keys == ["name", *BY_KEY, *OPTIONS, "audit", "allow-missing", "allow-empty", "targets"]
    for item in INTERVENTIONS:
        assert all(OPTIONS[name] is key for name, key in item.options.items())


def test_loading_interventions_loads_no_database_and_no_model() -> None:
    script = "import sys, runner.manifest.model; print({'numpy', 'duckdb', 'pyarrow', 'torch'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
