"""The words of a reference text, whose frequencies say which words are rare."""

from __future__ import annotations

import pytest

from runner.conditions.substitute import words_of

TREE = "1-2\tdon't\t_\n1\tdo\tdo\n2\tn't\tnot\n2.1\tgone\tgo\n\n"


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(("text", "parsed"), [("do n't\n", False), (TREE, True), (f"# text = don't\n{TREE}", True)])
def test_a_byte_order_mark_is_no_word(tmp_path, mark, text, parsed) -> None:
    path = tmp_path / "reference"
    path.write_text(mark + text, encoding="utf-8")
    assert list(words_of(path, "none", parsed=parsed)) == ["do", "n't"]
