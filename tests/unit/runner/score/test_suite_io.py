"""Any suite is written and read again as it was."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from runner.score.any_suite import BY_NAME, open_suite, read_suite, sentences_of, write_suite
from runner.score.ratings import Rated, Sentences
from runner.score.suite_files import Pair, Suite
from runner.score.syntaxgym import SyntaxGym
from tests.unit.runner.score.test_syntaxgym import SUITE


def again(suite, folder):
    write_suite(suite, folder)
    (path,) = folder.iterdir()
    assert path.name in {kind.file for kind in BY_NAME.values()}
    return read_suite(path)


def test_pairs(tmp_path):
    suite = Suite("s", [Pair("p", "agreement", "", 3, "Dogs bark.", 'Dogs "barks", and\u2028so.')])
    assert again(suite, tmp_path) == suite
    assert list(sentences_of(suite)) == ["Dogs bark.", 'Dogs "barks", and\u2028so.']


def test_sentences(tmp_path):
    suite = Sentences(
        "sentences", [Rated('It said, "no".', 0.1 + 0.2), Rated("A dog.", None), Rated("Ein Hündchen", -1)]
    )
    assert again(suite, tmp_path) == suite
    assert list(sentences_of(suite)) == [item.text for item in suite.items]


TEXTS = (
    st.text().map(str.strip).filter(lambda text: text and "\r" not in text)
)  # a carriage return is read as a newline
RATINGS = st.none() | st.floats(allow_nan=False, allow_infinity=False)


@given(items=st.lists(st.builds(Rated, TEXTS, RATINGS), min_size=1))
@example(items=[Rated("John left\x85 early.", 4.5), Rated("Mary\u2028slept.\nOr not.", 2.0), Rated("A\x0bdog.", None)])
def test_any_sentences(items):
    with tempfile.TemporaryDirectory() as folder:
        suite = Sentences("sentences", items)
        assert again(suite, Path(folder)) == suite


def test_syntaxgym(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "b.json").write_text(json.dumps(SUITE))
    (tmp_path / "in" / "a.json").write_text(json.dumps(SUITE | {"meta": {"name": "another"}}))
    suite = open_suite(tmp_path / "in", "syntaxgym", limit=1)
    assert isinstance(suite, SyntaxGym)
    found = again(suite, tmp_path / "out")
    assert isinstance(found, SyntaxGym)
    assert (found.name, found.sentences) == (suite.name, suite.sentences)
    assert {name: [one.text for one in formulas] for name, formulas in found.predictions.items()} == {
        name: [one.text for one in formulas] for name, formulas in suite.predictions.items()
    }
    assert next(iter(sentences_of(found))) == "the cats see the dogs ."


@pytest.mark.parametrize("limit", [1, 2])
def test_the_same_suite_gives_the_same_bytes(tmp_path, limit):
    suite = Sentences("s", [Rated("A dog.", 1.5)] * limit)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_suite(suite, tmp_path / name)
    one, two = ((tmp_path / name / BY_NAME["sentences"].file).read_bytes() for name in ("one", "two"))
    assert one == two
    assert one.count(b"A dog.") == limit
