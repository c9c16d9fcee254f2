"""Words spell the text that they came from."""

from __future__ import annotations

import pytest

from runner.corpus.surface import Range, declared_text, rebuild

NO = "SpaceAfter=No"


@pytest.mark.parametrize(
    ("forms", "miscs", "ranges", "text"),
    [
        (["a", "b"], ["_", "_"], [], "a b"),
        (["a", ","], [f"X=1|{NO}", "_"], [], "a,"),
        (["a", "b"], ["NotSpaceAfter=No", "_"], [], "a b"),
        (["ca", "n't", "go"], ["_", "_", NO], [Range(1, 2, "can't", "_")], "can't go"),
        (["ca", "n't", "."], [NO, NO, "_"], [Range(1, 2, "can't", NO)], "can't."),
        (["x", "a", "b", "c", "d"], ["_"] * 5, [Range(2, 3, "ab", "_"), Range(4, 5, "cd", NO)], "x ab cd"),
    ],
)
def test_rebuild(forms: list[str], miscs: list[str], ranges: list[Range], text: str) -> None:
    assert rebuild(forms, miscs, ranges) == text


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
