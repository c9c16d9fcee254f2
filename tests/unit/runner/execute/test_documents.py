"""Where documents begin: in a text, and in what a condition leaves of it and puts into it."""

from __future__ import annotations

import numpy as np
import pytest

from runner.execute.documents import condition_documents, text_documents
from runner.intervene.inserts import from_text, write_units
from tests.support.corpora import store

ROW = "1\tYes\tyes\tINTJ\t_\t_\t0\troot\t_\t_\n\n"
# sentences 0 and 1 are in no document, 2 to 4 are in a, 5 to 7 in b
TEXT = ROW * 2 + "# newdoc id = a\n" + ROW * 3 + "# newdoc id = b\n" + ROW * 3


@pytest.fixture
def base(tmp_path):
    return store(tmp_path, TEXT)


def test_documents_of_a_text(base):
    assert text_documents(base).tolist() == [0, 1, 2, 5]


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
    assert condition_documents(base, np.array(sids, dtype=np.int64), None).tolist() == begins


def test_an_injected_unit_is_a_document(base, tmp_path):
    (tmp_path / "plain.txt").write_text("One.\nTwo.\n\nThree.\n\nFour.\nFive.\n", encoding="utf-8")
    write_units(from_text(tmp_path / "plain.txt", "plain", "document"), tmp_path / "units.parquet")
    sids = np.array([2, -1, -2, 3, -3, -4, -5, 5])
    assert condition_documents(base, sids, tmp_path / "units.parquet").tolist() == [0, 1, 3, 4, 5, 7]
