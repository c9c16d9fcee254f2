"""Comments that spell a number have it as one, whatever the others are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from runner.corpus import conllu_columns
from runner.corpus.byte_columns import Piece, Rows, index_lines, parse_rows
from runner.corpus.conllu_tables import parse_comments


@given(st.lists(st.text("+-.0123456789ex٣ ", max_size=6) | st.sampled_from(["9" * 18, "9" * 19, "9" * 400])))
def test_numbers_of_comments(values: list[str]) -> None:
    about = "".join(f"# key = {value}\n" for value in values)
    text = f"{about}1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    lines = index_lines(Piece(1, text.encode()), conllu_columns.Notes())
    found = parse_rows(lines)
    assert isinstance(found, Rows)
    read = parse_comments(lines, found.comments)
    assert read.value.to_pylist() == [value.strip() for value in values]
    assert read.num.to_pylist() == [conllu_columns.parse_number(value.strip()) for value in values]
