"""Orders by stages, held by properties: nothing twice, stages in turn, equal counts, regular intervals."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from runner.conditions.samples import (
    REST,
    balance_stages,
    interleave,
    order_by_stage,
    stages_by_filters,
    stages_by_values,
)
from runner.corpus.sentence_arrays import sentence_ranks

LEVELS = st.lists(st.integers(REST, 3), max_size=60).map(lambda x: np.array(x, dtype=np.int64))
STAGES = 4


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), max_size=30))
def test_a_stage_has_the_sentences_that_its_filters_match_and_no_other(matches):
    sids = np.arange(len(matches)) * 3
    found = [sids[[row[place] for row in matches]] if matches else sids for place in range(3)]
    stages = [{0, 1}, {0}, {2}]
    levels = stages_by_filters(sids, found, stages)
    expected = [
        next((n for n, stage in enumerate(stages) if stage == {p for p in range(3) if row[p]}), REST) for row in matches
    ]
    assert levels.tolist() == expected


def test_stages_may_have_any_number_of_filters():
    matched = [np.array([sid]) for sid in range(70)]
    matched[69] = np.array([3, 69])
    stages = stages_by_filters(np.arange(70), matched, [{0}, {63}, {64}, {3, 69}])
    assert {sid: stage for sid, stage in enumerate(stages.tolist()) if stage != REST} == {0: 0, 3: 3, 63: 1, 64: 2}


def test_a_value_is_the_stage_of_its_name():
    assert stages_by_values(["b", None, "a", "c"], ["a", "b"]).tolist() == [1, REST, 0, REST]


@given(LEVELS, st.booleans(), st.sampled_from(["drop", "first", "last", "interleave"]))
def test_stages_follow_one_another_each_in_the_order_of_the_corpus(levels, reverse, rest):
    places = order_by_stage(levels, STAGES, rest, reverse=reverse).tolist()
    staged = [place for place in places if levels[place] != REST]
    others = [place for place in places if levels[place] == REST]
    assert sorted(places) == [p for p in range(len(levels)) if rest != "drop" or levels[p] != REST]
    assert staged == sorted(staged, key=lambda place: (-levels[place] if reverse else levels[place], place))
    assert others == sorted(others)
    if rest == "first":
        assert places == others + staged
    if rest == "last":
        assert places == staged + others


@given(st.integers(0, 40), st.integers(0, 40))
def test_interleaving_is_at_regular_intervals(n, m):
    merged = interleave(np.arange(n), np.arange(n, n + m))
    for length in range(n + m + 1):
        share = length * n / (n + m) if n + m else 0
        assert abs(sum(merged[:length] < n) - share) <= 1
    assert [x for x in merged if x < n] == list(range(n))
    assert [x for x in merged if x >= n] == list(range(n, n + m))


@given(LEVELS, st.data())
def test_a_balanced_schedule_has_equal_counts_at_each_level(levels, data):
    sizes = np.array(data.draw(st.lists(st.integers(1, 9), min_size=len(levels), max_size=len(levels))), dtype=np.int64)
    ranks = sentence_ranks("s", ["a"] * len(levels), list(range(len(levels))))
    counts = [int((levels == stage).sum()) for stage in range(STAGES)]
    kept = balance_stages(levels, np.ones_like(sizes), ranks, [range(STAGES)])
    assert [int((levels[kept] == stage).sum()) for stage in range(STAGES)] == [min(counts)] * STAGES
    assert kept.tolist() == sorted(set(kept.tolist()))
    words = [int(sizes[levels == stage].sum()) for stage in range(STAGES)]
    kept = balance_stages(levels, sizes, ranks, [range(STAGES)])
    found = [int(sizes[kept][levels[kept] == stage].sum()) for stage in range(STAGES)]
    assert all(min(words) - sizes.max(initial=0) < total <= min(words) for total in found) or not min(words)


@given(LEVELS)
def test_levels_are_balanced_one_by_one_and_what_is_of_none_stays(levels):
    ranks = sentence_ranks("s", ["a"] * len(levels), list(range(len(levels))))
    counts = [int((levels == stage).sum()) for stage in range(STAGES)]
    kept = balance_stages(levels, np.ones_like(levels), ranks, [[0, 3], [1]])
    found = [int((levels[kept] == stage).sum()) for stage in range(STAGES)]
    assert found == [min(counts[0], counts[3]), counts[1], counts[2], min(counts[0], counts[3])]
    assert not (levels[kept] == REST).any()
