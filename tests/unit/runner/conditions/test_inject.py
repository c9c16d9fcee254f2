"""What is injected has the asked share of tokens, at even distances, and as much gives way, held by properties."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from runner.conditions.injected_text import UnitTooLongError, apply_injection, plan_injection
from runner.conditions.samples import TooFewError

UNITS = st.lists(st.integers(3, 12), min_size=20, max_size=60).map(np.array)
FRACTIONS = st.floats(0.0, 0.2)


@st.composite
def cases(draw):
    """Lengths of the lines of a corpus, none longer than the longest unit, lengths of units, and a fraction.

    The fraction is none, or more than half of the first unit.
    """
    units = draw(UNITS)
    lines = np.array(draw(st.lists(st.integers(1, 3), min_size=60, max_size=200)))
    fraction = draw(FRACTIONS)
    assume(units[0] / 2 < fraction * lines.sum() <= units.sum() or fraction == 0)
    return lines, units, fraction


@given(cases(), st.booleans())
def test_injected_and_replaced_tokens_are_within_half_the_longest_unit_of_those_asked_for(case, replace):
    lines, units, fraction = case
    done = plan_injection(lines, units, fraction, replace=replace)
    count = len(done.runs)
    assert done.requested == fraction * lines.sum()
    assert done.injected == units[:count].sum()
    assert abs(done.injected - done.requested) <= units.max() / 2
    if replace and count:
        assert abs(done.replaced - done.requested) <= units[:count].max() / 2
    assert done.replaced == sum(lines[a:b].sum() for a, b in done.runs)
    assert replace or done.replaced == 0


@given(cases(), st.booleans())
def test_each_stretch_of_the_corpus_has_one_unit(case, replace):
    lines, units, fraction = case
    done = plan_injection(lines, units, fraction, replace=replace)
    count, total = len(done.runs), lines.sum()
    before = np.concatenate([[0], np.cumsum(lines)])
    for unit, (start, _) in enumerate(done.runs):
        assert total * unit / count <= before[start] < total * (unit + 1) / count + lines.max()
    assert all(a <= b for a, b in done.runs)
    assert all(b <= a for (_, b), (a, _) in pairwise(done.runs))


@given(cases(), st.booleans())
def test_every_other_sentence_stays_in_order_and_units_are_whole(case, replace):
    lines, units, fraction = case
    done = plan_injection(lines, units, fraction, replace=replace)
    sids = np.arange(len(lines)) * 2
    firsts = np.concatenate([[0], np.cumsum(units)])  # as many lines as tokens
    found, gone = apply_injection(sids, done, firsts)
    kept = found[found >= 0]
    assert sorted([*kept.tolist(), *gone.tolist()]) == sids.tolist()
    assert kept.tolist() == sorted(kept.tolist())
    assert (~found[found < 0]).tolist() == list(range(firsts[len(done.runs)]))
    for unit, (start, _) in enumerate(done.runs):
        place = found.tolist().index(~int(firsts[unit]))
        assert found[place : place + units[unit]].tolist() == [~k for k in range(firsts[unit], firsts[unit + 1])]
        assert place == 0 or found[place - 1] < 2 * start


@given(cases().filter(lambda case: 0.9 * case[2] * case[0].sum() > case[1][0] / 2 or case[2] == 0))
def test_a_smaller_fraction_has_the_first_units_of_a_larger_one(case):
    lines, units, fraction = case
    more, fewer = (len(plan_injection(lines, units, share, replace=True).runs) for share in (fraction, fraction * 0.9))
    assert fewer <= more


def test_added_units_stand_in_the_middle_of_their_stretches():
    done = plan_injection(np.ones(100, dtype=np.int64), np.full(9, 5), 0.1, replace=False)
    assert done.runs == [(25, 25), (75, 75)]


def test_replaced_lines_are_where_the_unit_comes_to_stand():
    done = plan_injection(np.ones(100, dtype=np.int64), np.full(9, 5), 0.1, replace=True)
    assert done.runs == [(24, 26), (74, 76)] or done.replaced == 10


def test_too_few_tokens_are_told():
    with pytest.raises(TooFewError):
        plan_injection(np.full(100, 10), np.array([5, 5]), 0.1, replace=True)


def test_a_unit_of_twice_what_is_asked_is_told_rather_than_left_out():
    assert len(plan_injection(np.full(100, 10), np.array([199, 5]), 0.1, replace=True).runs) == 1
    with pytest.raises(UnitTooLongError):
        plan_injection(np.full(100, 10), np.array([200, 5]), 0.1, replace=True)
