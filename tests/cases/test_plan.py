"""The gallery of rewrites, `plan/<pass>.md`: filters, and their plans before and after one pass, in plain words.

A case begins at a `##` heading and holds a block ```fict of clauses (with a word after `fict`: the copied columns that
there are, and no others; or `raw`), and blocks ```before and ```after, one step a line, of which
`FICTC_ACCEPT=1 pytest tests/cases/test_plan.py` writes the latter two anew: read them, since a test cannot.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from fictdsl.compiler import compile_text
from fictdsl.english.steps import describe_steps
from fictdsl.plan.build import build
from fictdsl.plan.nodes import Plan
from fictdsl.plan.passes import PASSES, verify
from fictdsl.schema import RAW, Layout
from fictdsl.semantics.lower import node_names
from fictdsl.semantics.resolve import resolve
from tests.support.tables import COPIES

GALLERY = Path(__file__).parent / "plan"
ACCEPT = os.environ.get("FICTC_ACCEPT") == "1"
_CASE = re.compile(
    r"^## ([^\n]*)\n\n```fict([^\n]*)\n(.*?)^```\n\n```before\n(.*?)^```\n\n```after\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Case:
    path: Path
    title: str
    copies: str
    fict: str
    before: str
    after: str

    def said(self) -> tuple[str, str]:
        compilation = compile_text(f"fict 1\nfilter case {{ match {{\n{self.fict}}} }}\n", "case.fict")
        assert not compilation.errors, compilation.errors
        (compiled,) = compilation.filters
        layout = Layout(copies=frozenset(self.copies.split()) if self.copies else COPIES)
        layout = RAW if self.copies.strip() == "raw" else layout
        names = node_names(resolve(compiled.module), compiled.definition, compiled.value)
        plan = build(compiled.ir, layout)
        for rewrite in PASSES:
            before, plan = plan, rewrite(plan, layout)
            verify(plan)
            if rewrite.__name__ == self.path.stem:
                return _said(before, names), _said(plan, names)
        raise AssertionError(f"there is no pass {self.path.stem}")


def _said(plan: Plan, names: dict[int, str]) -> str:
    steps = "".join(f"{number}. {line}\n" for number, line in enumerate(describe_steps(plan, names), 1))
    return steps + "".join(f"-> step {output.source + 1}\n" for output in plan.outputs)


CASES = [
    Case(path, *found) for path in sorted(GALLERY.glob("*.md")) for found in _CASE.findall(path.read_text("utf-8"))
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_the_plans_are_as_shown(case: Case) -> None:
    before, after = case.said()
    if ACCEPT:
        page = case.path.read_text("utf-8")
        head = f"```fict{case.copies}\n{case.fict}```"
        old, new = (
            f"{head}\n\n```before\n{one}```\n\n```after\n{other}```"
            for one, other in ((case.before, case.after), (before, after))
        )
        case.path.write_text(page.replace(old, new), "utf-8")
    else:
        assert (before, after) == (case.before, case.after)


def test_every_heading_is_a_case() -> None:
    headings = sum(page.read_text("utf-8").count("\n## ") for page in GALLERY.glob("*.md"))
    assert headings == len(CASES) == len({(case.path, case.title) for case in CASES})


def test_every_pass_has_its_page() -> None:
    assert {path.stem for path in GALLERY.glob("*.md")} == {rewrite.__name__ for rewrite in PASSES}
