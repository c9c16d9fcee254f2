"""The methods say what the code does."""

from runner.report.document import methods, methods_of
from runner.report.statistics import NAMES
from runner.score.inference import RESAMPLES


def test_confidence_and_resamples_are_those_in_use() -> None:
    text = dict(methods(0.9, 5.0, NAMES["slor"]))
    assert text["interval"].startswith("90 % interval: t over seeds × items")
    assert f"{RESAMPLES:,} resamples" in text["bootstrap, seeds × items"]
    assert text["PΔ, r, ceiling"].startswith("PΔ = SLOR(good) − SLOR(bad)")


def test_a_run_defines_what_its_report_uses(analysis) -> None:
    terms = dict(methods_of(analysis))
    assert {"PΔ, r, ceiling", "unigram baseline", "t over seeds × items", "detectable, provable"} <= terms.keys()
    assert terms["accuracy"].startswith("Share of applicable pairs")
    assert "over phenomena" not in terms  # fewer than 8 of them
