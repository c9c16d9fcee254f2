"""The figure of targeted cells: a dot for every seed, at its place."""

from xml.etree import ElementTree

import pytest

from runner.report.analysis.analysis import analyse
from runner.report.figures.forest import NARROW, WIDE, forest
from runner.report.render.plot import Scale
from runner.report.results.results import read_results
from tests.support.results import Fabricated


def test_scale_is_linear_and_keeps_inside() -> None:
    up = Scale(5, -5, 100, 200)
    assert [up(5), up(0), up(-5), up(99), up(-99)] == [100, 200, 300, 100, 300]
    assert Scale(0, 1, 10, 50)(0.5) == 35


def test_a_dot_for_every_seed(analysis) -> None:
    root = ElementTree.fromstring(forest(analysis))
    dots = [e for e in root if e.tag == "circle" and len(e)]
    # 2 targeted paradigms × 2 models × (full, control, filtered) × 3 seeds
    assert len(dots) == 2 * 2 * 3 * 3
    full = [e for e in dots if e[0].text.startswith("full, seed")]
    assert {e.get("class") for e in full} == {"hollow"}
    # accuracies of full are higher than those after filtering, and so farther right
    left = [float(e.get("cx")) for e in dots if e[0].text.startswith("agr-pp-mod, seed")]
    assert max(left) < min(float(e.get("cx")) for e in full)


def test_on_a_narrow_screen_the_same_dots_are_below_their_names(analysis) -> None:
    wide, narrow = (ElementTree.fromstring(forest(analysis, layout)) for layout in (WIDE, NARROW))
    assert float(narrow.get("width")) <= 380
    tips = [[e[0].text for e in root if e.tag == "circle" and len(e)] for root in (wide, narrow)]
    assert tips[0] == tips[1]
    for text in (e for e in narrow.iter("text") if "end" in (e.get("class") or "")):
        assert float(text.get("x")) - 7 * len(text.text) > 100, text.text  # the names are to the left


def test_nothing_targeted_gives_no_figure(tmp_path) -> None:
    folder = Fabricated(items=4, conditions=("full", "det-noun.random", "det-noun")[:1]).write(tmp_path / "results")
    assert forest(analyse(read_results(folder))) is None


@pytest.mark.parametrize("conditions", [("full", "agr-pp-mod"), ("agr-pp-mod", "agr-pp-mod.random")])
def test_a_missing_reference_is_left_out(tmp_path, conditions) -> None:
    folder = Fabricated(items=4, conditions=conditions).write(tmp_path / "results")
    ElementTree.fromstring(forest(analyse(read_results(folder))))
