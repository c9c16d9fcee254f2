"""Values of DEPS become edges at once, as reading them one by one says."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from runner.corpus.conllu_reader import WORD_LIMIT
from runner.corpus.conllu_validation import EnhancedEdges

_HEADS = {str(number): number for number in range(WORD_LIMIT + 1)}


def _one_by_one(value: str) -> list[tuple[int, str]] | None:
    if value == "_":
        return []
    entries = [entry.partition(":") for entry in value.split("|")]
    return [(_HEADS.get(head, -1), label) for head, _, label in entries] if all(entry[2] for entry in entries) else None


@given(
    st.lists(st.text("_0123:|.aé", min_size=1, max_size=8) | st.sampled_from(["10000:x", "10001:x", "_"]), min_size=1)
)
def test_edges_are_those_of_each_value(values: list[str]) -> None:
    edges = EnhancedEdges.parse(pa.array(["left out", *values])[1:])
    expected = [_one_by_one(value) for value in values]
    assert edges.malformed.tolist() == [found is None for found in expected]
    good = ~edges.malformed[edges.owner]
    found = zip(edges.owner[good].tolist(), edges.head[good].tolist(), edges.labels(good).to_pylist(), strict=True)
    assert list(found) == [(place, *edge) for place, each in enumerate(expected) for edge in each or ()]


def test_labels_are_composed() -> None:
    edges = EnhancedEdges.parse(pa.array(["1:cafe\u0301"]))
    assert edges.labels(np.array([True])).to_pylist() == ["caf\u00e9"]
