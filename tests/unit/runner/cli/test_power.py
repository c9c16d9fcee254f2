"""`fictc power`: a table and a figure from a pilot, and the warning of `fictc plan`."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from runner.cli import fictc
from runner.execute.planned import warning
from runner.report.analysis import analyse
from runner.report.contrast_tables import NO_VARIANCE
from runner.report.figures.power import HEIGHT, TOP, figures, power_figure
from runner.report.results import read_results
from tests.support.results import Fabricated
from tests.support.tiny import write_tiny


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "small"
    Fabricated(items=20).write(folder / "results")
    return folder


def power(run: Path, *options: str) -> Result:
    return CliRunner().invoke(fictc, ["power", str(run), *options], catch_exceptions=False)


def test_every_cell_at_every_size(run: Path) -> None:
    rows = json.loads(power(run, "--seeds", "3,10", "--pairs", "1000,200,200", "--format", "json").stdout)
    assert len(rows) == 2 * 2 * 2 * 2  # targeted paradigms × models × seeds × pairs
    assert {(row["seeds"], row["pairs"]) for row in rows} == {(3, 200), (3, 1000), (10, 200), (10, 1000)}
    assert all((row["detectable"] is None) == (row["se"] == 0) for row in rows)
    assert all(row["note"] == (NO_VARIANCE if row["se"] == 0 else "") for row in rows)
    assert all(0 < row["detectable_estimate"] < row["detectable"] for row in rows if row["se"])
    assert all(0 < row["provable_estimate"] < row["provable"] for row in rows if row["se"])
    assert all(row["paradigm"] for row in csv.DictReader(io.StringIO(power(run, "--format", "csv").stdout)))
    assert "detectable" in power(run).stdout.splitlines()[0]


def test_one_seed_says_nothing_about_others(run: Path) -> None:
    note = "note: with one seed, limits are over pairs only: they say nothing about other seeds\n"
    assert note in power(run, "--seeds", "1,3").stderr
    assert note not in power(run, "--seeds", "3").stderr


def test_a_pilot_of_few_seeds_is_told(run: Path, tmp_path: Path) -> None:
    assert power(run).stderr == (
        "note: the pilot has 3 seeds; fewer than 5 hardly tell the variance between seeds, so what is promised is mostly "
        "far above what is estimated, and both differ from the report, which gives the median over comparisons at the "
        "variance of each\n"
    )
    Fabricated(items=20, seeds=(1, 2, 3, 4, 5)).write(tmp_path / "results")
    assert power(tmp_path).stderr == ""


def test_the_figure_is_a_file(run: Path, tmp_path: Path) -> None:
    assert power(run, "--format", "svg", "--report", str(tmp_path / "p.svg")).stdout == ""
    texts = [element.text for element in ElementTree.parse(tmp_path / "p.svg").iter() if element.text]
    assert "200 pairs, points" in texts and "1,000 pairs, points" in texts


def test_the_margin_of_equivalence_is_at_its_own_place(run: Path) -> None:
    analysis = analyse(read_results(run / "results"))
    options = analysis.results.run.report.model_copy(update={"equivalence": 90.0})
    card = analysis.results.run.model_copy(update={"report": options})
    drawn = power_figure(replace(analysis, results=replace(analysis.results, run=card)), (100, 200), (50_000,))
    assert drawn is not None
    (height,) = re.findall(r'<line [^>]*y1="([\d.]+)"[^>]*class="dashed"', drawn)
    assert float(height) == pytest.approx(TOP + HEIGHT * 0.1, abs=0.1)  # the axis ends at 100 points


def test_a_pilot_whose_decisions_do_not_vary_tells_nothing(tmp_path: Path) -> None:
    decisions = {(condition, seed): [-1.0] * 4 for condition in ("full", "agr-pp-mod") for seed in (1, 2)}
    write_tiny(tmp_path / "floor" / "results", decisions)
    done = CliRunner().invoke(fictc, ["power", str(tmp_path / "floor")])
    assert getattr(done.exception, "diagnostics", done.exception)[0].code == "FICT896"
    analysis = analyse(read_results(tmp_path / "floor" / "results"))
    assert analysis.targeted_contrasts
    assert list(figures(analysis)) == []


@pytest.mark.parametrize(
    ("pilot", "hint"),
    [
        (Fabricated(items=3, seeds=(1,)), "it has scores of only one seed; at least two seeds are required"),
        (
            Fabricated(items=3, conditions=("full",)),
            "it has no scores of minimal pairs under both `full` and another condition",
        ),
    ],
)
def test_an_unusable_pilot_is_told_what_it_lacks(tmp_path: Path, pilot: Fabricated, hint: str) -> None:
    pilot.write(tmp_path / "results")
    done = CliRunner().invoke(fictc, ["power", str(tmp_path)])
    [problem] = getattr(done.exception, "diagnostics", ())
    assert (problem.code, problem.hint) == ("FICT896", hint)


@pytest.mark.parametrize("command", ["power", "status"])
def test_a_missing_run_is_not_an_unreadable_manifest(tmp_path: Path, command: str) -> None:
    (tmp_path / "runs" / "small").mkdir(parents=True)
    done = CliRunner().invoke(fictc, [command, str(tmp_path / "runs" / "smal")])
    [problem] = getattr(done.exception, "diagnostics", ())
    assert problem.message == f"no folder of a run at {tmp_path}/runs/smal"
    assert problem.hint == f"the nearest folder is {tmp_path}/runs/small"


@pytest.mark.parametrize("value", ["", "0", "3,x", "-1", "3;5", "9" * 5000])
def test_sizes_are_positive_numbers(run: Path, value: str) -> None:
    done = power(run, f"--seeds={value}")
    assert done.exit_code == 2
    assert "not a list of positive numbers" in done.output


def test_one_pair_is_no_design(run: Path) -> None:
    done = power(run, "--pairs", "1,200")
    assert done.exit_code == 2
    assert "one pair has no variance between pairs; at least 2 are required" in done.output
    assert power(run, "--seeds", "1,2", "--pairs", "2").exit_code == 0


def test_a_plan_says_what_it_cannot_prove() -> None:
    assert warning(1, 1000, 5.0).startswith("warning: one seed")
    assert "3 seeds and 200 pairs prove that an unchanged accuracy held within ±5 points in about 0%" in warning(
        3, 200, 5.0
    )
    assert "within no margin in 80%" in warning(2, 4, 5.0)  # no change is larger than 100 points
    assert warning(10, 1000, 5.0) == ""
    assert warning(3, 200, 20.0) == ""
