"""The static overview: all conditions in one figure as wide as a page, with the targets on its diagonal."""

from __future__ import annotations

import re

import pytest

from runner.report.analysis import analyse
from runner.report.figures import overview
from runner.report.imported_results import results_of
from runner.report.long_form import read_long_form
from tests.support import fict_shape, long_form

CORPORA = ("full", *fict_shape.targets())
PARADIGMS = [target.rpartition("/")[2] for targets in fict_shape.targets().values() for target in targets]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    rows = long_form.rows(CORPORA, PARADIGMS, seeds=(1, 2), targets=fict_shape.targets())
    table = read_long_form(long_form.write(tmp_path_factory.mktemp("table") / "published.csv", rows))
    (figure,) = overview.figures(analyse(results_of(table, targets=fict_shape.targets())))
    return figure.svg


def test_all_columns_fit_into_a_page_of_1280_pixels(drawn: str) -> None:
    assert float(re.search(r'viewBox="0 0 ([\d.]+)', drawn)[1]) <= overview.WIDTH
    assert all(f">{corpus}</text>" in drawn for corpus in CORPORA)
    assert drawn.count('class="tiny') == 16 * 2 * (len(PARADIGMS) + 1)


def test_targets_are_on_the_diagonal(drawn: str) -> None:
    frames = [(float(x), float(y)) for x, y in re.findall(r'<rect x="([\d.]+)" y="([\d.]+)"[^>]*target slim', drawn)]
    assert len(frames) == 2 * len(PARADIGMS)
    rows = sorted({y for _, y in frames})
    starts = [min(x for x, level in frames if level == y) for y in rows]
    assert starts == sorted(starts)
    assert len(set(starts)) == 15


def test_targets_alone_have_the_full_colour(drawn: str) -> None:
    cells = re.findall(r"<g>.*?</g>", drawn, re.DOTALL)
    changed = [cell for cell in cells if re.search(r'class="[npz]\d?( pale)?"', cell)]
    assert len(changed) == 15 * 2 * (len(PARADIGMS) + 1)
    assert all((" pale" in cell) != ("target slim" in cell) for cell in changed)


def test_few_conditions_need_no_overview(analysis) -> None:
    assert list(overview.figures(analysis)) == []


@pytest.mark.parametrize(
    ("delta", "text"), [(0.004, "0"), (-0.004, "0"), (-0.232, "−23"), (0.051, "+5"), (-0.0051, "−1")]
)
def test_changes_are_in_whole_points(delta: float, text: str) -> None:
    assert overview.whole_points(delta) == text
