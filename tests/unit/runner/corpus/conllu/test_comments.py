"""Comments that spell a number have it as one, whatever the others are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from runner.corpus.conllu import columns
from runner.corpus.conllu.comments import comments
from runner.corpus.conllu.line_index import Rows, rows, split
from runner.corpus.files.blocks import FileNotes
from runner.corpus.files.pieces import Piece


@given(st.lists(st.text("+-.0123456789ex٣ ", max_size=6) | st.sampled_from(["9" * 18, "9" * 19, "9" * 400])))
def test_numbers_of_comments(values: list[str]) -> None:
    about = "".join(f"# key = {value}\n" for value in values)
    text = f"{about}1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    lines = split(Piece(1, text.encode()), FileNotes())
    found = rows(lines)
    assert isinstance(found, Rows)
    read = comments(lines, found.comments)
    assert read.value.to_pylist() == [value.strip() for value in values]
    assert read.num.to_pylist() == [columns.number(value.strip()) for value in values]
