"""The gallery of descriptions, `english/<construct>.md`: filters, and what they say in plain English.

A case begins at a `##` heading and holds a block ```fict (a whole file, or just clauses) and a block ```text, which
`FICTC_ACCEPT=1 pytest tests/cases/test_english.py` writes anew: read it, since a test cannot.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from fictdsl.compiler import CompiledFilter, compile_text
from fictdsl.english.describe import describe

GALLERY = Path(__file__).parent / "english"
ACCEPT = os.environ.get("FICTC_ACCEPT") == "1"
_CASE = re.compile(r"^## ([^\n]*)\n\n```fict\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Case:
    path: Path
    title: str
    fict: str
    text: str

    def compiled(self) -> tuple[CompiledFilter, ...]:
        whole = self.fict if self.fict.startswith("fict 1") else f"fict 1\nfilter case {{ match {{\n{self.fict}}} }}\n"
        compilation = compile_text(whole, "case.fict")
        assert not compilation.errors, compilation.errors
        return compilation.filters


CASES = [
    Case(path, *found) for path in sorted(GALLERY.glob("*.md")) for found in _CASE.findall(path.read_text("utf-8"))
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_the_description_is_as_shown(case: Case) -> None:
    said = "\n\n".join("\n".join(describe(compiled)) for compiled in case.compiled()) + "\n"
    if ACCEPT:
        page = case.path.read_text("utf-8")
        old, new = (f"```fict\n{case.fict}```\n\n```text\n{text}```" for text in (case.text, said))
        case.path.write_text(page.replace(old, new), "utf-8")
    else:
        assert said == case.text


def test_every_heading_is_a_case() -> None:
    headings = sum(page.read_text("utf-8").count("\n## ") for page in GALLERY.glob("*.md"))
    assert headings == len(CASES) == len({(case.path, case.title) for case in CASES})
