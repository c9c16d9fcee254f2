"""What is taken out by chance measures what was taken out by a filter, held by properties."""

from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.conditions.condition import BaseCorpus
from runner.conditions.samples import TooFewError, random_sample_like
from runner.corpus.sentence_arrays import sentence_ranks

LENGTHS = st.lists(st.integers(1, 9), min_size=1, max_size=60)
WAYS = st.sampled_from(["sentences", "tokens", "lengths"])


@st.composite
def taken(draw):
    """A corpus (sentence numbers, ranks, lengths) and some of its sentences."""
    words = np.array(draw(LENGTHS))
    base = np.arange(len(words))
    ranks = sentence_ranks(str(draw(st.integers(0, 9))), ["a.conllu"] * len(words), (base + 1).tolist())
    mask = np.array(draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words))), dtype=bool)
    return base, ranks, words, base[mask]


@given(LENGTHS, st.data())
def test_what_is_taken_is_the_union_and_with_the_others_the_whole(lengths, data):
    sids = np.arange(len(lengths))
    some = st.lists(st.sampled_from(sids.tolist()), unique=True).map(lambda x: np.array(sorted(x), dtype=np.int64))
    one, two = data.draw(some), data.draw(some)
    base = BaseCorpus(None, SimpleNamespace(words=sids), {"one": one, "two": two}.__getitem__, None)
    found = base.matching([SimpleNamespace(key="one"), SimpleNamespace(key="two")])
    assert set(found.tolist()) == set(one.tolist()) | set(two.tolist())
    assert sorted([*found.tolist(), *base.others(found).tolist()]) == sids.tolist()
    assert base.matching([]).tolist() == []


@given(taken(), WAYS)
def test_a_control_is_a_sorted_part_of_the_corpus_and_the_same_each_time(case, by):
    base, ranks, words, like = case
    got = random_sample_like(base, like, ranks, words, by)
    assert got.tolist() == sorted(set(got.tolist())) and set(got.tolist()) <= set(base.tolist())
    assert got.tolist() == random_sample_like(base, like, ranks, words, by).tolist()


@given(taken())
def test_a_control_by_sentences_has_as_many_and_the_first_by_rank(case):
    base, ranks, words, like = case
    got = random_sample_like(base, like, ranks, words, "sentences")
    assert len(got) == len(like)
    assert set(got.tolist()) == set(np.argsort(ranks)[: len(like)].tolist())


@given(taken())
def test_a_control_by_lengths_has_as_many_sentences_of_every_length(case):
    base, ranks, words, like = case
    got = random_sample_like(base, like, ranks, words, "lengths")
    assert Counter(words[got].tolist()) == Counter(words[like].tolist())


@given(taken())
def test_no_sentence_and_no_exchange_brings_a_control_by_tokens_nearer(case):
    base, ranks, words, like = case
    got = random_sample_like(base, like, ranks, words, "tokens")
    missing = words[like].sum() - words[got].sum()
    assert missing >= 0
    rest = set(np.delete(words, got).tolist())
    gains = rest | {long - short for long in rest for short in words[got].tolist() if long > short}
    assert not any(gain <= missing for gain in gains)


@given(taken(), WAYS)
def test_a_disjoint_control_shares_no_sentence_or_says_that_there_are_too_few(case, by):
    base, ranks, words, like = case
    rest = np.delete(base, like)
    enough = words[rest].sum() >= words[like].sum() if by == "tokens" else len(rest) >= len(like)
    if not enough:
        with pytest.raises(TooFewError):
            random_sample_like(base, like, ranks, words, by, disjoint=True)
        return
    got = random_sample_like(base, like, ranks, words, by, disjoint=True)
    assert not set(got.tolist()) & set(like.tolist())
    if by != "tokens":
        assert len(got) == len(like)


def test_where_a_length_is_rare_the_nearest_stands_in():
    base, words = np.arange(5), np.array([4, 4, 4, 5, 9])
    got = random_sample_like(base, np.array([0, 1]), np.arange(5), words, "lengths", disjoint=True)
    assert got.tolist() == [2, 3]


def test_one_exchange_makes_up_what_filling_leaves():
    base, words = np.arange(4), np.array([2, 3, 3, 2])
    got = random_sample_like(base, np.array([1]), np.arange(4), words, "tokens")
    assert got.tolist() == [1]
