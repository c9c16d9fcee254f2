"""The figure of targeted cells: a dot for every seed, at its place."""

from xml.etree import ElementTree

import pytest

from runner.report.analysis import analyse
from runner.report.figures.forest import forest
from runner.report.results import read_results
from tests.support.results import Fabricated


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


def test_nothing_targeted_gives_no_figure(tmp_path) -> None:
    folder = Fabricated(items=4, conditions=("full", "det-noun.random", "det-noun")[:1]).write(tmp_path / "results")
    assert forest(analyse(read_results(folder))) is None


@pytest.mark.parametrize("conditions", [("full", "agr-pp-mod"), ("agr-pp-mod", "agr-pp-mod.random")])
def test_a_missing_reference_is_left_out(tmp_path, conditions) -> None:
    folder = Fabricated(items=4, conditions=conditions).write(tmp_path / "results")
    ElementTree.fromstring(forest(analyse(read_results(folder))))
