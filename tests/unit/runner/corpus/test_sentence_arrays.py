"""Sentences as arrays: values of keys, and subsets of a size."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.corpus import store_writer
from runner.corpus.limits import Limits
from runner.corpus.sentence_arrays import first_by_rank, read_values, sentence_ranks
from runner.corpus.store import Store
from tests.support import corpora


@pytest.mark.parametrize("key", ["k", "genre", "meta::k"])
def test_the_first_of_repeated_comments_counts(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comments of many sentences straddle row groups, which threads read in any order."""
    monkeypatch.setattr(store_writer, "ROW_GROUP", 7)
    comments = "".join(f"# {key} = v{number}\n" for number in range(5, -1, -1))
    path = corpora.store(tmp_path, f"{comments}1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n" * 500).path
    assert read_values(Store.open(path, Limits(threads=8)), key) == ["v5"] * 500


LENGTHS = st.lists(st.integers(1, 9), min_size=1, max_size=60)


def corpus(lengths, seed="0"):
    n = len(lengths)
    return np.arange(n), sentence_ranks(seed, ["a.conllu"] * n, list(range(1, n + 1))), np.array(lengths)


def test_a_priority_is_the_md5_of_seed_source_and_number():
    assert sentence_ranks("7", ["x"], [3])[0] == hashlib.md5(b"7\x1fx\x1f3").hexdigest().encode()


def test_priorities_differ_for_equal_sentences_and_not_with_order():
    ranks = sentence_ranks("s", ["a", "a", "b"], [1, 2, 1])
    assert len(set(ranks.tolist())) == 3
    assert sentence_ranks("s", ["b", "a", "a"], [1, 2, 1]).tolist() == ranks[[2, 1, 0]].tolist()


@given(LENGTHS, st.integers(1, 60), st.integers(1, 60), st.sampled_from(["lines", "tokens"]))
def test_samples_are_nested_sorted_and_of_the_asked_size(lengths, small, large, by):
    base, ranks, words = corpus(lengths)
    small, large = sorted((small, large))
    sizes = np.ones_like(words) if by == "lines" else words
    few = first_by_rank(base, ranks, sizes, small)
    many = first_by_rank(base, ranks, sizes, large)
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
    full = set(first_by_rank(base, ranks, np.ones_like(words), count).tolist())
    filtered = set(first_by_rank(kept, ranks[kept], np.ones_like(kept), count).tolist())
    assert full & set(kept.tolist()) <= filtered
