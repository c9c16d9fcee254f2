"""A text that is injected: its lines as every other reader of text sees them."""

from __future__ import annotations

import gzip

from runner.conditions.injected_text import Line, read_text_units


def test_only_a_newline_begins_a_sentence(tmp_path):
    """Whatever else ends a line somewhere is a space, so that a sentence is one line of the training text."""
    (tmp_path / "a.txt").write_bytes("\ufeffOne\u0085two.\r\nThree\rfour\u2028five.\n\x0b\n \nSix.".encode())
    assert read_text_units(tmp_path / "a.txt", "a", "document") == [
        [Line("a", 1, "One two."), Line("a", 2, "Three four five.")],
        [Line("a", 5, "Six.")],
    ]


def test_sentences_of_a_packed_text(tmp_path):
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"\n\nOne.\n\nTwo.\nThree.\n\n"))
    assert [(unit[0].number, unit[0].text) for unit in read_text_units(tmp_path / "a.txt.gz", "a", "sentence")] == [
        (3, "One."),
        (5, "Two."),
        (6, "Three."),
    ]
