"""Words spell the text that they came from."""

from __future__ import annotations

import pytest

from runner.corpus.surface import Token, declared_text, read_surface, rebuilt_text

NO = "SpaceAfter=No"


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["1 a _", "2 b _"], "a b"),
        ([f"1 a X=1|{NO}", "2 , _"], "a,"),
        (["1 a NotSpaceAfter=No", "2 b _"], "a b"),
        (["1-2 can't _", "1 ca _", "2 n't _", f"3 go {NO}"], "can't go"),
        ([f"1-2 can't {NO}", f"1 ca {NO}", f"2 n't {NO}", "3 . _"], "can't."),
        (["1 x _", "2-3 ab _", "2 a _", "3 b _", f"4-5 cd {NO}", "4 c _", "5 d _"], "x ab cd"),
    ],
)
def test_rebuilt_text(tokens: list[str], text: str) -> None:
    columns = (token.split(" ") for token in tokens)
    rows = ("\t".join([word_id, form, *"_" * 7, misc]) for word_id, form, misc in columns)
    assert rebuilt_text("\n".join(rows)) == text


@pytest.mark.parametrize(
    ("comments", "text"),
    [
        (["# sent_id = text", "# text = a"], "a"),
        (["# text =  a "], " a "),
        (["#text=a"], "a"),
        (["# text = a", "# text = b"], "a"),
        (["# text_en = a"], None),
        (["# newpar"], None),
    ],
)
def test_declared_text(comments: list[str], text: str | None) -> None:
    assert declared_text(comments) == text


BLOCK = """# text = I can't  go.
1	I	I	PRON	PRP	_	4	nsubj	_	_
2-3	can't	_	_	_	_	_	_	_	_
2	ca	can	AUX	MD	_	4	aux	_	_
3	n't	not	PART	RB	_	4	advmod	_	_
3.1	X	X	X	X	_	_	_	4:dep	_
4	go	go	VERB	VB	_	0	root	_	SpaceAfter=No
5	.	.	PUNCT	.	_	4	punct	_	_
"""


def test_how_a_sentence_is_spelt() -> None:
    found = read_surface(BLOCK, "I can't  go.")
    assert found.tokens == (Token("I", 1, 1), Token("can't", 2, 3), Token("go", 4, 4), Token(".", 5, 5))
    assert found.gaps == ("", " ", "  ", "", "")
    assert [row[3] for row in found.rows] == ["PRON", "AUX", "PART", "VERB", "PUNCT"]


@pytest.mark.parametrize(
    ("text", "gaps"),
    [
        (" I\u00a0can't go. ", (" ", "\u00a0", " ", "", " ")),
        ("I can't go .", ("", " ", " ", " ", "")),  # the text knows better than SpaceAfter
        ("I can't leave.", ("", " ", " ", "", "")),  # a text of other tokens knows nothing
        ("I can't go. Now.", ("", " ", " ", "", "")),
        ("So I can't go.", ("", " ", " ", "", "")),
    ],
)
def test_gaps(text: str, gaps: tuple[str, ...]) -> None:
    assert read_surface(BLOCK, text).gaps == gaps


def test_windows_line_ends_are_no_part_of_a_word() -> None:
    assert read_surface(BLOCK.replace("\n", "\r\n"), "I can't  go.") == read_surface(BLOCK, "I can't  go.")
