"""The section on targeted paradigms: what its introduction says about the intervals."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.report.analysis import analyse
from runner.report.results import read_results
from runner.report.sections.targeted import targeted_section
from tests.support.results import Fabricated
from tests.support.tiny import write_tiny


def introduction(results: Path) -> str:
    (section,) = targeted_section(analyse(read_results(results)))
    return section.intro


@pytest.mark.parametrize(
    ("pilot", "units"),
    [
        (Fabricated(seeds=(1, 2)), "in points, over seeds × items, seeds unpaired, not adjusted"),
        (Fabricated(seeds=(1,)), "in points, over items only (one seed), not adjusted"),
        (Fabricated(seeds=(1,), items=2), "in points, not adjusted"),  # no change has an interval
    ],
)
def test_intervals_are_over_what_the_rows_say(tmp_path: Path, pilot: Fabricated, units: str) -> None:
    assert units in introduction(pilot.write(tmp_path / "results"))


def test_intervals_of_decisions_that_all_agree_are_over_items_too(tmp_path: Path) -> None:
    decisions = {(condition, 1): [-1.0] * 4 for condition in ("full", "agr-pp-mod")}
    write_tiny(tmp_path / "results", decisions)
    assert "over items only (one seed), not adjusted" in introduction(tmp_path / "results")
