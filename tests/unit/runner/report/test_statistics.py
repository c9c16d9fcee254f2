"""Which condition is compared with which."""

import json

import pytest

from runner.errors import InputError
from runner.report.results import read_results
from runner.report.statistics import Accuracy, Unit, controls_of, references
from tests.support.results import Fabricated


def test_controls_come_before_full(results) -> None:
    filtered = results.condition("agr-pp-mod")
    assert [(r.name, kind) for r, kind in references(results, filtered)] == [
        ("agr-pp-mod.random", "control"),
        ("full", "full"),
    ]
    assert [r.name for r, _ in references(results, results.condition("det-noun.random"))] == ["full"]
    assert list(references(results, results.condition("full"))) == []
    assert results.full.name == "full"
    assert [c.name for c in controls_of(results, "det-noun")] == ["det-noun.random"]


def test_several_conditions_name_one_control(tmp_path) -> None:
    """It is then no changed condition of its own."""
    folder = Fabricated(items=6).write(tmp_path / "results")
    content = json.loads((folder / "conditions.json").read_text())
    for condition in content:
        condition["control_of"] = None
        if condition["kind"] == "remove":
            condition["control"] = "det-noun.random"
    (folder / "conditions.json").write_text(json.dumps(content))
    results = read_results(folder)
    removed = [condition for condition in results.conditions if condition.kind == "remove"]
    assert len(removed) > 1
    for condition in removed:
        assert [r.name for r, _ in references(results, condition)] == ["det-noun.random", "full"]
    controls = [condition.name for condition in results.conditions if results.is_control(condition)]
    assert controls == ["det-noun.random"]
    content[1]["control"] = "nothing"
    (folder / "conditions.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match="is nothing, which is not described"):
        read_results(folder)


def test_spread_of_one_seed_is_unknown() -> None:
    unit = Unit("paradigm", "s", "p")
    assert Accuracy(unit, "c", "m", {1: 0.5}).sd is None
    assert Accuracy(unit, "c", "m", {1: 0.5, 2: 0.7}).mean == 0.6
