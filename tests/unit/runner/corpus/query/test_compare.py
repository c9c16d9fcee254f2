"""Sentences gained and lost between two filters."""

from __future__ import annotations

from pathlib import Path

from runner.corpus.matches import compare_filters
from tests.support import corpora
from tests.support.reading import tree
from tests.unit.fictdsl.semantics.lower.test_lower import lowered


def test_what_each_filter_has_alone(tmp_path: Path) -> None:
    trees = [tree("a X 0 root\na X 1 dep"), tree("b X 0 root"), tree("a X 0 root\nb X 1 dep"), tree("c X 0 root")]
    store = corpora.store(tmp_path, corpora.conllu(trees))
    found = compare_filters(store, lowered("A[form = a]"), lowered("B[form = b]"))
    assert (found.matches, found.sentences, found.common) == ((3, 2), (2, 2), 1)
    assert (found.gained.tolist(), found.lost.tolist()) == ([1], [0])
    same = compare_filters(store, lowered("A[form = a]"), lowered("A[form = a]"))
    assert (same.common, len(same.gained), len(same.lost)) == (2, 0, 0)
