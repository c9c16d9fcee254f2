"""Texts, trees and places of sentences, and their export."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from fictdsl.draw.tree import words
from runner.corpus.import_conllu import import_files
from runner.corpus.sentence_texts import SentenceLocation, conllu_blocks, locate, sentence_texts, write_sentences
from runner.corpus.store import Store
from tests.support import corpora
from tests.unit.runner.corpus.test_conllu_reader import GOOD
from tests.unit.runner.corpus.test_import_conllu import TWO

BLOCK = """# sent_id = s
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tdo\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_
3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\tX=1
4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\tSpaceAfter=No|X=2
"""


def test_places_and_trees(tmp_path: Path) -> None:
    nameless = BLOCK.removeprefix("# sent_id = s\n")
    store = corpora.store(tmp_path, f"{BLOCK}\n{nameless}\n{BLOCK.replace('go', 'come')}\n")
    chosen = np.array([1, 2])
    assert list(locate(store, chosen)) == [
        SentenceLocation(1, "corpus.conllu", 2, None),
        SentenceLocation(2, "corpus.conllu", 3, "s"),
    ]
    assert [[word.form for word in words(block)] for block in conllu_blocks(store, chosen)] == [
        ["do", "n't", "go", "."],
        ["do", "n't", "come", "."],
    ]


def exported(store: Store, kind: str) -> str:
    out = io.BytesIO()
    write_sentences(store, kind, out)  # type: ignore[arg-type]
    return out.getvalue().decode()


def test_conllu_is_byte_exact(tmp_path: Path) -> None:
    decomposed = GOOD.replace("dogs", "do\u0301gs")  # NFC inside, the source's own bytes outside
    for number, text in enumerate((TWO + GOOD + "\n", f"{decomposed}\n", TWO.replace("\n", "\r\n"))):
        store = corpora.store(tmp_path / str(number), text)
        assert exported(store, "conllu") == text


def test_text_is_the_declared_text_or_the_rebuilt_one(tmp_path: Path) -> None:
    odd = GOOD.replace("# text = The dogs", "# text =  The\u00a0do\u0301gs ")
    store = corpora.store(tmp_path, TWO + odd + "\n")
    assert exported(store, "text") == "Dogs bark.\nGo\n The\u00a0do\u0301gs  can't bark.\n"
    rebuilt = store.connect().execute("SELECT sid, rebuilt FROM raw WHERE rebuilt IS NOT NULL").fetchall()
    assert rebuilt == [(2, "The dogs can't bark.")]


def test_some_sentences(tmp_path: Path) -> None:
    store = corpora.store(tmp_path, TWO + GOOD + "\n")
    assert list(sentence_texts(store, [0, 2])) == ["Dogs bark.", "The dogs can't bark."]
    assert list(conllu_blocks(store, [2])) == [GOOD + "\n"]
    assert list(sentence_texts(store, [])) == []


@pytest.mark.shared
def test_real_treebanks(data: Path, tmp_path: Path) -> None:
    """All of EWT and CHILDES: the same bytes, the same texts, and one sentence that its tokens do not spell."""
    files = sorted(data.glob("ud-ewt/*.conllu")) + sorted(data.glob("ud-childes/*.conllu"))
    store = import_files(files, tmp_path / "store")
    assert (store.info.sentences, store.info.words) == (53_359, 481_288)
    out = io.BytesIO()
    write_sentences(store, "conllu", out)
    original = b"".join(file.read_bytes() for file in files)
    assert out.getvalue() == original
    texts = [line[9:] for line in original.decode().split("\n") if line.startswith("# text = ")]
    assert list(sentence_texts(store)) == texts
    query = "SELECT coalesce(surface, text), rebuilt FROM raw JOIN sentences USING (sid) WHERE rebuilt IS NOT NULL"
    odd = store.connect().execute(query).fetchall()
    assert [(surface.replace("\u00a0", " "), surface.count("\u00a0")) for surface, _ in odd] == [(odd[0][1], 1)]
