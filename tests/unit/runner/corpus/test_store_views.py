"""The computed strings of words are those of the reference, in every chunk, whatever the file looks like."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fictdsl.compiler import compile_text
from fictdsl.reference.evaluate import Evaluator
from fictdsl.reference.sentences import read
from runner.corpus.import_conllu import import_files
from runner.corpus.matches import match, match_in
from runner.corpus.store import Store
from runner.errors import InputError
from tests.support import corpora
from tests.support.reading import conllu
from tests.support.spark import small_chunks

TEXT = (
    conllu("e X 0 root feats=Voice=Act|VOICE=Act\n2-3 e\u0301t\na X 1 dep\nt X 1 dep feats=aspect=Imp|Case=Acc,Dat")
    + conllu("1-2 don't\ndo AUX 0 root feats=VerbForm=Fin\nn't PART 1 advmod", "1-2\tin a comment")
    + conllu("plain X 0 root")
)
FILTERS = """fict 1
list rows = { ("Case=Acc,Dat", "\u00e9t"), ("VerbForm=Fin", "don't") }
filter token { match { A[token = "\u00e9t"|"don't"] } }
filter feats { match { A[feats = "aspect=Imp|Case=Acc,Dat"|"VOICE=Act|Voice=Act"|"VerbForm=Fin"] } }
filter none { match { A[not has token, not has feats] } }
filter rows { match { (A.feats, A.token) in @rows } }
filter case { match { (A.Case, A.token) not in @rows } }
"""


@pytest.mark.parametrize("crlf", [False, True])
@pytest.mark.parametrize("words", [2, 100])
def test_a_store_answers_as_the_reference(
    crlf: bool, words: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    small_chunks(monkeypatch, words)
    store = corpora.store(tmp_path, TEXT.replace("\n", "\r\n") if crlf else TEXT)
    assert store.info.chunks == (3 if words == 2 else 1)
    for compiled in compile_text(FILTERS).filters:
        evaluator = Evaluator(compiled.module, compiled.definition, compiled.value)
        trees = read(TEXT)
        expected = {(sid, dict(found)["A"]) for sid, tree in enumerate(trees) for found in evaluator.matches(tree)}
        assert expected
        assert {(row["sid"], row["m0"]) for row in match(store, compiled).to_pylist()} == expected
        chosen = {(row["sid"], row["m0"]) for row in match_in(store, compiled, np.array([1])).to_pylist()}
        assert chosen == {found for found in expected if found[0] == 1}


def test_a_store_without_text_has_no_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "a.conllu").write_text(TEXT)
    store = import_files([tmp_path / "a.conllu"], tmp_path / "store", text=False)
    by_name = {compiled.name: compiled for compiled in compile_text(FILTERS).filters}
    assert match(store, by_name["feats"]).num_rows == 3
    with pytest.raises(InputError, match="FICT749"):
        match(Store.open(store.path), by_name["token"])
