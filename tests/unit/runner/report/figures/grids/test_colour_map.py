"""The map of all cells for narrow screens: colours at their places, frames around targets."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from runner.report.analysis.analysis import analyse
from runner.report.figures.grids.colour_map import CHARACTER_WIDTH, GROUP, MIN_CELL, WIDTH, Columns, colour_map
from runner.report.results.imported import results_of
from runner.report.results.long_form import read_long_form
from tests.support import fict_shape, long_form

CORPORA = ("full", *fict_shape.targets())
PARADIGMS = [target.rpartition("/")[2] for targets in fict_shape.targets().values() for target in targets]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory) -> str:
    rows = long_form.rows(CORPORA, PARADIGMS, seeds=(1, 2), targets=fict_shape.targets())
    table = read_long_form(long_form.write(tmp_path_factory.mktemp("table") / "published.csv", rows))
    return colour_map(analyse(results_of(table, targets=fict_shape.targets())), "blimp", CORPORA)


def test_it_fits_on_a_phone_with_every_cell(drawn: str) -> None:
    assert float(re.search(r'viewBox="0 0 ([\d.]+)', drawn)[1]) <= 380
    assert len(re.findall(r"M[\d.]+ [\d.]+h", drawn)) == 16 * 2 * (len(PARADIGMS) + 1)


def test_frames_are_on_the_diagonal_and_say_their_numbers(drawn: str) -> None:
    frames = re.findall(r'<title>([^<]+)</title><rect x="([\d.]+)" y="([\d.]+)"[^>]*target slim', drawn)
    assert len(frames) == 2 * len(PARADIGMS)
    starts = [float(x) for _, x, _ in sorted(frames, key=lambda frame: (float(frame[2]), float(frame[1])))][::2]
    assert starts == sorted(starts)
    assert len(set(starts)) == 15
    assert all("interval [" in title for title, _, _ in frames)


@pytest.mark.parametrize("names", [CORPORA, ("full", "a-condition-with-a-very-long-name"), tuple("abcdefghijklmn")])
@pytest.mark.parametrize("models", [("lstm",), ("a", "b", "c")])
def test_cells_and_headings_stay_inside(names: tuple[str, ...], models: tuple[str, ...]) -> None:
    columns = Columns.of(names, models)
    width = len(models) * columns.cell_width
    assert all(start + width / 2 + CHARACTER_WIDTH * len(name) <= WIDTH for name, start in columns.starts.items())
    assert max(columns.starts.values()) + width <= WIDTH
    starts = list(columns.starts.values())
    assert all(b - a == pytest.approx(width + GROUP) for a, b in pairwise(starts))


def test_too_many_columns_are_not_drawn(analysis) -> None:
    names = [f"c{i}" for i in range(60)]
    assert Columns.of(names, analysis.results.models).cell_width < MIN_CELL
    assert colour_map(analysis, "blimp", names) == ""
    assert Columns.of(["n" * 200], ("lstm",)).cell_width == 0
