"""What is said to people who write as another tool has taught them, or whose fingers slip: `habits/*.md`.

A case is a block ```clause (of a `match`), ```item (of a file) or ```file, and a block ```text with all errors in it,
a line each; an empty one where it is right here too. `FICTC_ACCEPT=1 pytest tests/cases/test_habits.py` writes these.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.diagnostics.text import render_concise
from fictdsl.lint.engine import lint_text
from tests.support.gallery import Case, accept, cases

ACCEPT = os.environ.get("FICTC_ACCEPT") == "1"
CASES = cases(Path(__file__).parent / "habits")
WHOLE = {"file": "{}", "item": "fict 1\n{}", "clause": 'fict 1\nfilter f {{ about "x" match {{\n{}}} }}\n'}


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_habits_are_answered(case: Case) -> None:
    [(kind, written)] = [(kind, content) for kind, _, content in case.blocks if kind in WHOLE]
    found = lint_text(WHOLE[kind].format(written), "f.fict")
    shown = render_concise([problem for problem in found if problem.severity is Severity.ERROR])
    shown += "\n" if shown else ""
    if ACCEPT:
        accept(case, shown)
    else:
        assert shown == case.only("text")[1]


def test_there_are_many() -> None:
    assert len(CASES) > 150
    assert len({(case.path, case.title) for case in CASES}) == len(CASES)
