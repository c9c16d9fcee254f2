"""Corpora that filters leave have the bytes of the sentences that are left, however the store is cut and asked."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from runner.corpus import sentence_texts, store_writer
from runner.corpus.actions import drop_sentences
from runner.corpus.limits import Limits
from runner.corpus.store import Store
from tests.support import corpora
from tests.support.reading import tree
from tests.unit.fictdsl.semantics.lower.test_lower import lowered

TREES = [
    tree("dogs NOUN 2 nsubj\nbark VERB 0 root"),
    tree("the DET 2 det\ncat NOUN 0 root"),
    tree("über ADP 2 case\ncats NOUN 0 root"),
    tree("hm INTJ 0 root"),
    tree("go VERB 0 root"),
]
FILTERS = [lowered("N:NOUN"), lowered("V:VERB"), lowered("X[form = absent]"), lowered("X << Y"), lowered("X")]
LEFT = [[3, 4], [1, 2, 3], [0, 1, 2, 3, 4], [3, 4], []]


@pytest.mark.parametrize("kind", ["text", "conllu"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("chunk_words", "rows"), [(10**6, 10**6), (1, 2), (10**6, 2), (4, 1)])
def test_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, threads: int, chunk_words: int, rows: int
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(store_writer.StoreWriter.__init__.__kwdefaults__, "chunk_words", chunk_words)
    monkeypatch.setattr(sentence_texts, "_BATCH_ROWS", rows)
    store = Store.open(corpora.store(tmp_path, corpora.conllu(TREES)).path, Limits(threads=threads))
    out = [io.BytesIO() for _ in FILTERS] + [io.BytesIO()]
    wanted = [[place] for place in range(len(FILTERS))] + [[0, 1]]
    left = drop_sentences(store, FILTERS, wanted, kind, out)  # type: ignore[arg-type]
    for file, sids in zip(out, [*LEFT, [3]], strict=True):
        kept = [TREES[sid] for sid in sids]
        spelt = corpora.conllu(kept) if kind == "conllu" else "".join(f"{_text(one)}\n" for one in kept)
        assert file.getvalue().decode() == spelt
    assert left.kept == [len(sids) for sids in LEFT] + [1]
    assert [left.targets[place, 0] for place in range(len(FILTERS))] == [5 - len(sids) for sids in LEFT]


def _text(sentence: object) -> str:
    return " ".join(word.form for word in sentence.words)  # type: ignore[attr-defined]
