"""Where documents begin: in a text, and in what a condition leaves of it and puts into it."""

from __future__ import annotations

import numpy as np
import pytest

from fictc.sentences import read_conllu
from fictdsl.reference.sentences import read
from runner.conditions.injected_text import read_text_units, write_units
from runner.corpus.sentence_arrays import read_values
from runner.corpus.sentence_texts import conllu_blocks
from runner.execute import prepared as preparation
from runner.execute.prepared import document_numbers, document_starts
from tests.support.corpora import store
from tests.support.experiments import prepared
from tests.unit.runner.execute.test_corpora import PP, manifest

ROW = "1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_\n\n"
# sentences 0 and 1 are in no document, 2 to 4 are in a, 5 to 7 in b
TEXT = ROW * 2 + "# newdoc id = a\n" + ROW * 3 + "# newdoc id = b\n" + ROW * 3


@pytest.fixture
def base(tmp_path):
    return store(tmp_path, TEXT)


def test_documents_of_a_text(base):
    assert document_starts(document_numbers(base), np.arange(base.info.sentences)).tolist() == [0, 1, 2, 5]


def test_a_document_may_begin_without_a_name(tmp_path):
    text = ROW + "# newdoc\n" + ROW * 2 + "# newdoc id = a\n" + ROW * 2 + "# newdoc\n" + ROW + "# newdoc \n" + ROW * 2
    both = "# newdoc\n# newdoc id = b\n" + ROW
    made = store(tmp_path, text + both)
    names = [None, *["corpus.conllu-2"] * 2, "a", "a", "corpus.conllu-6", *["corpus.conllu-7"] * 2, "b"]
    assert read_values(made, "doc") == names
    assert [sentence.doc for sentence in read(text + both, "corpus.conllu")] == names
    assert [sentence.doc for sentence in read_conllu(text + both)] == [
        name and name.replace("corpus.conllu", "text") for name in names
    ]
    assert document_starts(document_numbers(made), np.arange(made.info.sentences)).tolist() == [0, 1, 3, 5, 6, 8]
    assert "".join(conllu_blocks(made)) == text + both


@pytest.mark.parametrize(
    ("sids", "begins"),
    [
        ([0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 5]),
        ([0, 3, 4, 7], [0, 1, 3]),  # what is left of a document is one
        ([7, 2, 6, 3], [0, 1, 2, 3]),  # what is torn apart is not
        ([], []),
    ],
)
def test_documents_of_what_a_condition_leaves(base, sids, begins):
    assert document_starts(document_numbers(base), np.array(sids, dtype=np.int64)).tolist() == begins


def test_an_injected_unit_is_a_document(base, tmp_path):
    (tmp_path / "plain.txt").write_text("One.\nTwo.\n\nThree.\n\nFour.\nFive.\n", encoding="utf-8")
    write_units(read_text_units(tmp_path / "plain.txt", "plain", "document"), tmp_path / "units.parquet")
    sids = np.array([2, -1, -2, 3, -3, -4, -5, 5])
    assert document_starts(document_numbers(base), sids, tmp_path / "units.parquet").tolist() == [0, 1, 3, 4, 5, 7]


def test_documents_of_a_corpus_are_read_once_for_all_conditions(tmp_path, monkeypatch):
    read = []

    def counted(store, key):
        read.append((store.path, key))
        return read_values(store, key)

    monkeypatch.setattr(preparation, "read_values", counted)
    made = prepared(manifest(tmp_path, f"remove = {PP}", 'remove-random = "c1"'))
    assert len(made.plan.corpora) == 3
    assert {path for path, _ in read} == {made.store(text).path for text in ("train", "valid", "test")}
    assert len(set(read)) == len(read)
