"""The texts of a store after rewrites, and the columns that come with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fictdsl.compiler import compile_text
from runner.corpus.rewrite import Rewriting
from tests.support import corpora

GIVING = "fict 1\nrewrite r { match { V -[obj]-> T } move subtree(T) before node(V) }"
REVERSING = "fict 1\nrewrite r { match { } reverse sentence }"


@pytest.mark.parametrize("text", [GIVING, REVERSING])
def test_only_the_requested_position_is_read(tmp_path: Path, text: str) -> None:
    store, rewrites = corpora.store(tmp_path, corpora.SHE_GAVE_BOOKS), compile_text(text).rewrites
    (whole,) = Rewriting(store, rewrites, 0).texts()
    (part,) = Rewriting(store, rewrites, 0, position_columns=("source", "number")).texts()
    assert whole.rows.schema.names == ["sid", "surface", "text", "source", "number", "sent_id"]
    assert part.rows.schema.names == ["sid", "surface", "text", "source", "number"]
    assert whole.texts == part.texts and whole.changed == part.changed == [0]
    assert part.rows.column("source").to_pylist() == ["corpus.conllu"]
