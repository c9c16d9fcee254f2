"""Which condition is compared with which."""

from runner.report.analysis.statistics import Accuracy, Unit, full_condition, random_controls, references


def test_controls_come_before_full(results) -> None:
    filtered = results.condition("agr-pp-mod")
    assert [(r.name, kind) for r, kind in references(results, filtered)] == [
        ("agr-pp-mod.random", "control"),
        ("full", "full"),
    ]
    assert [r.name for r, _ in references(results, results.condition("det-noun.random"))] == ["full"]
    assert list(references(results, results.condition("full"))) == []
    assert full_condition(results).name == "full"
    assert [c.name for c in random_controls(results, "det-noun")] == ["det-noun.random"]


def test_spread_of_one_seed_is_unknown() -> None:
    unit = Unit("paradigm", "s", "p")
    assert Accuracy(unit, "c", "m", {1: 0.5}).sd is None
    assert Accuracy(unit, "c", "m", {1: 0.5, 2: 0.7}).mean == 0.6
