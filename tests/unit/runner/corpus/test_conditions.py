"""Index arrays of conditions: partitions, sizes, nesting and controls, held by properties."""

import hashlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from runner.corpus.conditions import first_by_rank, priorities, random_like, removed

LENGTHS = st.lists(st.integers(1, 9), min_size=1, max_size=60)


def corpus(lengths, seed="0"):
    n = len(lengths)
    return np.arange(n), priorities(seed, ["a.conllu"] * n, list(range(1, n + 1))), np.array(lengths)


def test_a_priority_is_the_md5_of_seed_source_and_number():
    assert priorities("7", ["x"], [3])[0] == hashlib.md5(b"7\x1fx\x1f3").hexdigest().encode()


def test_priorities_differ_for_equal_sentences_and_not_with_order():
    ranks = priorities("s", ["a", "a", "b"], [1, 2, 1])
    assert len(set(ranks.tolist())) == 3
    assert priorities("s", ["b", "a", "a"], [1, 2, 1]).tolist() == ranks[[2, 1, 0]].tolist()


@given(LENGTHS, st.data())
def test_what_is_removed_is_the_union_and_with_the_kept_the_whole(lengths, data):
    base, _, _ = corpus(lengths)
    some = st.lists(st.sampled_from(base.tolist()), unique=True).map(lambda x: np.array(sorted(x), dtype=np.int64))
    one, two = data.draw(some), data.draw(some)
    taken = removed(base, [one, two])
    assert set(taken.tolist()) == set(one.tolist()) | set(two.tolist())
    kept = np.setdiff1d(base, taken)
    assert sorted([*taken.tolist(), *kept.tolist()]) == base.tolist()


@given(LENGTHS, st.integers(0, 60))
def test_a_control_has_as_many_sentences(lengths, count):
    base, ranks, words = corpus(lengths)
    like = base[: min(count, len(base))]
    assert len(random_like(base, like, ranks, words, "sentences")) == len(like)


@given(LENGTHS, st.integers(0, 60))
def test_a_control_by_words_is_less_than_the_longest_sentence_away(lengths, count):
    base, ranks, words = corpus(lengths)
    like = base[: min(count, len(base))]
    got = random_like(base, like, ranks, words, "words")
    missing = words[like].sum() - words[got].sum()
    assert 0 <= missing <= words.max()
    assert missing < words.max() or len(got) == 0 or missing == 0


@given(LENGTHS, st.integers(1, 60), st.integers(1, 60), st.sampled_from(["lines", "tokens"]))
def test_samples_are_nested_sorted_and_of_the_asked_size(lengths, small, large, by):
    base, ranks, words = corpus(lengths)
    small, large = sorted((small, large))
    few = first_by_rank(base, ranks, words, by, small)
    many = first_by_rank(base, ranks, words, by, large)
    assert set(few.tolist()) <= set(many.tolist())
    assert many.tolist() == sorted(many.tolist())
    if by == "lines":
        assert len(many) == min(large, len(base))
    else:
        assert words[many].sum() <= large


@given(LENGTHS, st.integers(1, 30))
def test_filtered_and_full_share_all_they_can(lengths, count):
    """Down-sampling by priority: a sentence that both have is in both samples unless a filtered one took its place."""
    base, ranks, words = corpus(lengths)
    kept = base[::2]
    count = min(count, len(kept))
    full = set(first_by_rank(base, ranks, words, "lines", count).tolist())
    filtered = set(first_by_rank(kept, ranks[kept], words[kept], "lines", count).tolist())
    assert full & set(kept.tolist()) <= filtered
