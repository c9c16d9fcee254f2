"""The gallery of layouts, `format/<topic>.md`: each case is a text and its canonical layout.

A case begins at a `##` heading and holds a block ```fict, as typed, and a block ```text, as formatted.
`FICTC_ACCEPT=1 pytest tests/cases/test_format.py` writes these anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fictdsl.lint.engine import lint_text
from fictdsl.syntax.printer import format_text
from tests.support.gallery import Case, accept, cases

CASES = cases(Path(__file__).parent / "format")


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_texts_are_laid_out_as_shown(case: Case) -> None:
    formatted = format_text(case.only("fict")[1]).text
    assert formatted is not None
    if os.environ.get("FICTC_ACCEPT") == "1":
        accept(case, formatted)
    else:
        assert formatted == case.only("text")[1]
        assert format_text(formatted).text == formatted


def test_what_comments_silence_stays_silent(tmp_path: Path) -> None:
    [case] = [case for case in CASES if case.title.startswith("What is silenced")]

    def codes(text: str) -> set[str]:
        return {problem.code for problem in lint_text(text, "x.fict", tmp_path)}

    before, after = case.only("fict")[1], case.only("text")[1]
    assert codes(before.replace("# fict:", "# ")) >= {"FICT501", "FICT506"}
    for text in (before, after):
        assert not codes(text) & {"FICT501", "FICT506", "FICT527"}
