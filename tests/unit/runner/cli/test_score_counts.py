"""The sentences from which unigrams are counted."""

from pathlib import Path

from runner.cli.score import sentences_of


def test_a_byte_order_mark_and_line_ends_belong_to_no_sentence(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_bytes("\ufeffDogs bark.\r\n  Cats sleep.\r\n".encode())
    assert list(sentences_of(text)) == ["Dogs bark.", "Cats sleep."]
