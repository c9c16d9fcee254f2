import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.lsp.documents.page import UNITS, Page

# A line end of each kind, letters beyond the Basic Multilingual Plane, and letters that NFC puts together.
TEXT = "a\U0001d54fb\r\ne\u0301x\n\U0001f600\u0301\rz"


@pytest.mark.parametrize(
    ("encoding", "end"), [("utf-8", 6), ("utf-16", 4), ("utf-32", 3)], ids=["utf-8", "utf-16", "utf-32"]
)
def test_characters_are_counted_in_the_units_agreed_on(encoding, end):
    page = Page(TEXT, encoding)
    assert page.position(page.text.index("\r\n")) == (0, end)
    assert page.offset(0, end) == page.text.index("\r\n")
    assert page.offset(0, 99) == page.text.index("\r\n")


def test_text_that_is_not_normalised_keeps_its_places():
    page = Page("q\u0301\u0300e\u0301 = N\n\ufb2ee\u0301!")
    assert page.text != page.written
    assert page.position(page.text.index("N")) == (0, 8)
    assert page.offset(0, 8) == page.text.index("N")
    assert page.position(page.text.index("!")) == (1, 3)
    assert page.offset(1, 3) == page.text.index("!")


def test_a_byte_order_mark_is_no_part_of_what_is_read():
    page = Page("\ufefffict 1\n\ufeffx")
    assert page.text == "fict 1\n\ufeffx"
    assert page.position(5) == (0, 6)
    assert page.position(0) == (0, 1)
    assert page.offset(1, 1) == 8


def test_places_past_the_end_are_the_end():
    page = Page("ab\ncd")
    assert [page.offset(9, 0), page.offset(1, 9), page.position(99)] == [5, 5, (1, 2)]


letters = st.text(st.sampled_from("ab \n\r\u0301\u0327\ufeff\U0001f600\uac00\u11a8\u1100\u1161\ud800\u2028"))


@given(letters, st.sampled_from(sorted(UNITS)))
def test_every_place_of_normalised_text_is_found_again(text, encoding):
    text = unicodedata.normalize("NFC", text).lstrip("\ufeff")
    page = Page(text, encoding)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n" or offset == 0:
            assert page.offset(*page.position(offset)) == offset


@given(letters, st.integers(-1, 9), st.integers(0, 20))
def test_any_text_has_places(text, line, character):
    page = Page(text)
    offset = page.offset(line, character)
    assert 0 <= offset <= len(page.text)
    found = page.position(offset)
    assert page.offset(*found) <= offset
