"""Estimates by hand, of a census, and how unsure judgements and two judges count."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

from runner.audit.estimates import StratumCounts, agreement, audit_of, estimate, mid_p_limits, share_of, total
from runner.audit.sheet import Judgement, Sheet, SheetRow, StratumSize
from runner.errors import InputError

BY_HAND = (
    StratumCounts("matches", 200, 4_000, 45, 5, 0),
    StratumCounts("near misses", 1_000, 25_000, 6, 54, 0),
    StratumCounts("others", 8_000, 195_000, 0, 160, 0),
)


def test_estimates_worked_by_hand() -> None:
    found = estimate(BY_HAND)
    assert found.precision.value == pytest.approx(0.9)
    # 200 · 45/50 = 180 instances are found; 1,000 · 6/60 = 100 are left, in 220,000 words
    assert found.recall.value == pytest.approx(180 / 280)
    assert found.remaining.value == pytest.approx(100 / 280)
    assert found.per_million.value == pytest.approx(100 / 0.22)


def test_intervals_worked_by_hand() -> None:
    found = estimate(BY_HAND)
    limits = [mid_p_limits(each.yes, each.yes + each.no, each.sentences) for each in BY_HAND]
    assert found.precision[1:] == pytest.approx([limit / 200 for limit in limits[0]])
    low = 100 - math.hypot(100 - limits[1][0], 0 - limits[2][0])
    high = 100 + math.hypot(limits[1][1] - 100, limits[2][1])
    assert found.per_million[1:] == pytest.approx([low / 0.22, high / 0.22])
    assert found.recall.low == 1 - found.remaining.high


@given(st.data())
def test_limits_are_the_numbers_that_mid_p_does_not_reject(data: st.DataObject) -> None:
    sentences = data.draw(st.integers(1, 60))
    judged = data.draw(st.integers(1, sentences))
    yes = data.draw(st.integers(0, judged))
    low, high = mid_p_limits(yes, judged, sentences)
    for positive in range(yes, sentences - (judged - yes) + 1):
        half = hypergeom.pmf(yes, sentences, positive, judged) / 2
        below = hypergeom.cdf(yes - 1, sentences, positive, judged) + half
        above = hypergeom.sf(yes, sentences, positive, judged) + half
        if min(abs(below - 0.025), abs(above - 0.025)) < 1e-9:
            continue
        rejected = (above <= 0.025 and yes > 0) or (below <= 0.025 and yes < judged)
        assert (low <= positive <= high) != rejected


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=4))
def test_a_census_is_exact(judgements: list[tuple[int, int]]) -> None:
    names = ("matches", "near misses", "cue words", "others")
    strata = [
        StratumCounts(name, yes + no, 10 * (yes + no), yes, no, 0)
        for name, (yes, no) in zip(names, judgements, strict=False)
        if yes + no
    ]
    if not strata or {each.name for each in strata} == {"matches"}:
        return
    found, left = judgements[0][0], sum(yes for yes, _ in judgements[1:])
    words = sum(each.words for each in strata if each.name != "matches")
    estimates = estimate(strata)
    assert estimates.per_million == pytest.approx([1e6 * left / words] * 3)
    if found + left:
        assert estimates.remaining == pytest.approx([left / (found + left)] * 3)
    if sum(judgements[0]):
        assert estimates.precision == pytest.approx([found / sum(judgements[0])] * 3)


def test_more_judgements_with_the_same_shares_give_narrower_intervals() -> None:
    tenfold = [replace(each, sentences=each.sentences * 10, words=each.words * 10) for each in BY_HAND]
    more = [replace(each, yes=each.yes * 4, no=each.no * 4) for each in tenfold]
    few, many = estimate(tenfold), estimate(more)
    for name in ("precision", "recall", "per_million", "remaining"):
        first, second = getattr(few, name), getattr(many, name)
        assert second.value == pytest.approx(first.value)
        assert first.low <= second.low <= second.high <= first.high


def test_unsure_judgements_widen_intervals_to_both_readings() -> None:
    unsure = (*BY_HAND[:2], replace(BY_HAND[2], no=155, unsure=5))
    found = estimate(unsure)
    assert found.per_million.value == estimate((*BY_HAND[:2], replace(BY_HAND[2], no=155))).per_million.value
    as_yes = estimate((*BY_HAND[:2], replace(BY_HAND[2], yes=5, no=155)))
    assert found.per_million.high == as_yes.per_million.high
    assert found.remaining.high == as_yes.remaining.high
    assert found.precision == estimate(BY_HAND).precision


def test_a_stratum_without_a_judgement() -> None:
    with pytest.raises(InputError, match="FICT874"):
        estimate((*BY_HAND[:2], StratumCounts("others", 8_000, 195_000, 0, 0, 3)))


def test_matches_alone_show_precision_and_nothing_else() -> None:
    found = estimate(BY_HAND[:1])
    assert found.precision.value == 0.9
    assert found.recall == (None, 0.0, 1.0)
    assert found.per_million == (None, 0.0, 1e6)


def test_nothing_matches() -> None:
    found = estimate(BY_HAND[1:])
    assert found.precision == (None, 0.0, 1.0)
    assert found.remaining.value == 1.0
    assert found.remaining.high == 1.0


def test_totals_and_shares_of_parts_with_no_instances() -> None:
    none = total([StratumCounts("others", 500, 1, 0, 50, 0).instances()] * 2)
    assert (none.value, none.low) == (0.0, 0.0)
    assert share_of(none, none).high == 1.0
    assert share_of(none, total([StratumCounts("matches", 50, 1, 50, 0, 0).instances()])) == (
        *(0.0, 0.0),
        pytest.approx(none.high / (none.high + 50)),
    )


def sheet(judgements: str, order: int = 1) -> Sheet:
    """A sheet of matches; each letter is a judgement, and `-` is none."""
    rows = [
        SheetRow(f"sentence {index}", "", "a", index, "", "matches", None if each == "-" else each)  # type: ignore[arg-type]
        for index, each in enumerate(judgements)
    ]
    return Sheet("f", "k", "c", "c", 0, {"matches": StratumSize(len(rows), 100, 900)}, tuple(rows[::order]))


def test_kappa_worked_by_hand() -> None:
    # both y 4, both n 3, one y and one n 2, one ? and one n 1: 0.7 agree; by chance (5·5 + 4·5 + 1·0) / 100
    compared = agreement(sheet("yyyyynnnn?"), sheet("yyyynynnnn", -1))
    assert (compared.rows, compared.agreed) == (10, 7)
    assert compared.kappa == pytest.approx((0.7 - 0.45) / (1 - 0.45))
    assert [(one.number, one.judgement, other.judgement) for one, other in compared.disagreements] == [
        *((4, "y", "n"), (5, "n", "y"), (9, "?", "n"))
    ]


def test_equal_judgements() -> None:
    assert agreement(sheet("yyy"), sheet("yyy")).kappa is None
    assert agreement(sheet("yny"), sheet("yny", -1)).kappa == 1.0


def test_what_two_judges_do_not_agree_on_is_unsure() -> None:
    (stratum,) = audit_of([sheet("yyn?-"), sheet("ynnn-", -1)]).estimates.strata
    assert (stratum.yes, stratum.no, stratum.unsure) == (1, 1, 2)


def test_sheets_of_other_sentences() -> None:
    other = replace(sheet("yy"), filter="g", filter_key="g")
    with pytest.raises(InputError, match="FICT873"):
        agreement(sheet("yy"), other)


@pytest.mark.parametrize("judgement", ["y", "n", "?", None])
def test_one_row_is_judged(judgement: Judgement | None) -> None:
    judged = sheet("--").judge(1, judgement)
    assert [row.judgement for row in judged.rows] == [None, judgement]
