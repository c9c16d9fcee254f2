"""Rated sentences to correlations and Williams' tests, and predictions of SyntaxGym to accuracies."""

import math

import numpy as np
import pytest

from runner.errors import InputError
from runner.report.accuracy_tables import accuracy
from runner.report.analysis import analyse
from runner.report.document import report_of
from runner.report.page import render
from runner.report.results import read_results
from runner.report.sections import ratings, syntaxgym
from runner.report.sections.ratings import rating_correlation_tests, rating_correlations
from runner.report.statistics import Unit
from runner.score.measures import williams
from tests.support.ratings import write_ratings, write_syntaxgym
from tests.support.report import section_of
from tests.support.results import Fabricated

RATINGS = [1.0, 2.0, 3.0, 4.0, 5.0, None]
SCORES = {
    ("full", "a", 1): [-9.0, -8.0, -5.0, -6.0, -2.0, -1.0],
    ("full", "a", 2): [-9.0, -6.0, -5.0, -4.0, -4.0, -1.0],
    ("full", "b", 1): [-5.0, -9.0, -4.0, -8.0, -3.0, -1.0],
    ("cut", "a", 1): [-2.0, -8.0, -3.0, -7.0, None, -1.0],
}


def made(tmp_path):
    folder = Fabricated(items=4, seeds=(1, 2), models=("a", "b"), conditions=("full", "cut")).write(
        tmp_path / "results"
    )
    write_ratings(folder, RATINGS, SCORES)
    write_syntaxgym(folder, {("full", "a", 1): [True, True, False, None], ("cut", "a", 1): [False, True, False, None]})
    return folder


@pytest.fixture
def analysis(tmp_path):
    return analyse(read_results(made(tmp_path)))


def r_of(x, y):
    return float(np.corrcoef(x, y)[0, 1])


def test_a_correlation_is_that_of_mean_scores_with_the_seeds_beside_it(analysis):
    found = {(one.condition, one.model): one for one in rating_correlations(analysis.results)}
    first, second = (np.array(SCORES["full", "a", seed][:5]) for seed in (1, 2))
    one = found["full", "a"]
    assert one.correlation.r == pytest.approx(r_of((first + second) / 2, RATINGS[:5]))
    assert one.by_seed == pytest.approx({1: r_of(first, RATINGS[:5]), 2: r_of(second, RATINGS[:5])})
    assert (one.correlation.n, found["cut", "a"].correlation.n) == (5, 4)  # what has no rating or no score is left out
    half = 1.959963984540054 / math.sqrt(5 - 3)
    assert one.correlation.low == pytest.approx(math.tanh(math.atanh(one.correlation.r) - half))
    assert one.unigram == pytest.approx(-1.0)


def test_conditions_are_tested_against_full_and_models_against_each_other(analysis):
    tests = {(one.a, one.b): one for one in rating_correlation_tests(analysis.results)}
    assert tests.keys() == {(("cut", "a"), ("full", "a")), (("full", "a"), ("full", "b"))}
    one = tests[("full", "a"), ("full", "b")]
    a = (np.array(SCORES["full", "a", 1]) + SCORES["full", "a", 2])[:5] / 2
    b = np.array(SCORES["full", "b", 1][:5])
    expected = williams(r_of(a, RATINGS[:5]), r_of(b, RATINGS[:5]), r_of(a, b), 5)
    assert expected is not None
    assert (one.test.t, one.test.df, one.test.p) == pytest.approx((expected.t, 2, expected.p))
    other = tests[("cut", "a"), ("full", "a")]
    assert other.n == 4
    smaller = min(one.test.p, other.test.p)
    assert {round(one.holm, 12), round(other.holm, 12)} == {
        round(min(1, 2 * smaller), 12),
        round(max(one.test.p, other.test.p, min(1, 2 * smaller)), 12),
    }


def test_the_section_has_a_figure_two_tables_and_what_alpha_is_drawn_from(analysis):
    section = section_of(ratings.sections, analysis)
    assert section is not None
    assert [table.name for table in section.tables] == ["ratings", "ratings-tests"]
    assert [len(table.rows) for table in section.tables] == [3, 2]
    assert "full, a" in section.figures[0].svg
    assert {(one.suite, one.seed) for one in analysis.results.rating_correlations} == {("rated", 1), ("rated", 2)}


def test_predictions_are_accuracies_with_contrasts(analysis):
    unit = Unit("paradigm", "gym", "number")
    assert analysis.accuracies[unit, "full", "a"].by_seed == {1: pytest.approx(2 / 3)}
    assert analysis.contrasts[unit, "cut", "a", "full"].difference.delta == pytest.approx(-1 / 3)
    counted = next(r for r in accuracy(analysis).records() if (r["name"], r["condition"]) == ("number", "full"))
    assert (counted["pairs"], counted["applicable"], counted["unscored"]) == (4, 3, 1)
    section = section_of(syntaxgym.sections, analysis)
    assert section is not None
    (row, _) = section.tables[1].records()
    assert (row["formula"], row["items"], row["applicable"]) == ("(2;%match%) < (2;%mismatch%)", 4, 3)


def test_the_page_holds_both(analysis):
    page = render(report_of(analysis), "report")
    assert 'id="ratings"' in page
    assert 'id="syntaxgym"' in page


def test_a_cell_with_other_ratings_is_refused(tmp_path):
    folder = made(tmp_path)
    import pyarrow.parquet as pq

    table = pq.read_table(folder / "ratings.parquet")
    changed = table.slice(0, table.num_rows - 1)  # the last cell lacks a sentence
    pq.write_table(changed, folder / "ratings.parquet", write_page_checksum=True)
    with pytest.raises(InputError) as caught:
        read_results(folder)
    assert caught.value.diagnostics[0].code == "FICT892"
    pq.write_table(table.drop_columns(["rating"]), folder / "ratings.parquet", write_page_checksum=True)
    with pytest.raises(InputError) as caught:
        read_results(folder)
    assert "`rating`" in caught.value.diagnostics[0].message


def test_no_ratings_no_such_parts(tmp_path):
    found = analyse(read_results(Fabricated(items=4).write(tmp_path / "results")))
    assert section_of(ratings.sections, found) is None
    assert section_of(syntaxgym.sections, found) is None
