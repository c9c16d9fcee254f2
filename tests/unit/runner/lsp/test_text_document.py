import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.lsp.text_document import UNITS, TextDocument

# A line end of each kind, letters beyond the Basic Multilingual Plane, and letters that NFC puts together.
TEXT = "a\U0001d54fb\r\ne\u0301x\n\U0001f600\u0301\rz"


@pytest.mark.parametrize(
    ("encoding", "end"), [("utf-8", 6), ("utf-16", 4), ("utf-32", 3)], ids=["utf-8", "utf-16", "utf-32"]
)
def test_characters_are_counted_in_the_units_agreed_on(encoding, end):
    document = TextDocument(TEXT, encoding)
    assert document.position(document.text.index("\r\n")) == (0, end)
    assert document.offset(0, end) == document.text.index("\r\n")
    assert document.offset(0, 99) == document.text.index("\r\n")


def test_text_that_is_not_normalised_keeps_its_places():
    document = TextDocument("q\u0301\u0300e\u0301 = N\n\ufb2ee\u0301!")
    assert document.text != document.written
    assert document.position(document.text.index("N")) == (0, 8)
    assert document.offset(0, 8) == document.text.index("N")
    assert document.position(document.text.index("!")) == (1, 3)
    assert document.offset(1, 3) == document.text.index("!")


def test_a_byte_order_mark_is_no_part_of_what_is_read():
    document = TextDocument("\ufefffict 1\n\ufeffx")
    assert document.text == "fict 1\n\ufeffx"
    assert document.position(5) == (0, 6)
    assert document.position(0) == (0, 1)
    assert document.offset(1, 1) == 8


def test_places_past_the_end_are_the_end():
    document = TextDocument("ab\ncd")
    assert [document.offset(9, 0), document.offset(1, 9), document.position(99)] == [5, 5, (1, 2)]


letters = st.text(st.sampled_from("ab \n\r\u0301\u0327\ufeff\U0001f600\uac00\u11a8\u1100\u1161\ud800\u2028"))


@given(letters, st.sampled_from(sorted(UNITS)))
def test_every_place_of_normalised_text_is_found_again(text, encoding):
    text = unicodedata.normalize("NFC", text).lstrip("\ufeff")
    document = TextDocument(text, encoding)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n" or offset == 0:
            assert document.offset(*document.position(offset)) == offset


@given(letters, st.integers(-1, 9), st.integers(0, 20))
def test_any_text_has_places(text, line, character):
    document = TextDocument(text)
    offset = document.offset(line, character)
    assert 0 <= offset <= len(document.text)
    found = document.position(offset)
    assert document.offset(*found) <= offset
