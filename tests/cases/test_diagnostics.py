"""The gallery of messages, `diagnostics/FICT….md`: each case is a situation and what people are shown in it.

A case begins at a `##` heading. It has files, blocks ```file NAME and ```bytes NAME (in which `\\xff` is a byte), and
one thing that is done with them, in their folder:

- ```fict is the text of `example.fict`, which is linted; with ```fict escaped, `\\x00` and `\\ud800` in it are
  characters, and with ```fict alone it stands in no folder;
- ```sh is a session of commands, `$ fictc …` a line; what the last one says is shown;
- ```python is a script, for what takes more than files and commands to come about. It may prepare the other two.

What is shown stands in a block ```text. `FICTC_ACCEPT=1 pytest tests/cases/test_diagnostics.py` writes it anew.

The file is named after the code it shows; linting shows only diagnostics of that code's family (FICT1…, FICT2…), so
that a new lint does not disturb a case about syntax. The code itself must be among them, in every case.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.text import render_text
from fictdsl.lint.engine import lint_text
from fictdsl.lint.rules import RULES
from tests.support.gallery import Case, accept, cases, printed, put_files, raised, unescaped

GALLERY = Path(__file__).parent / "diagnostics"
LINT = Path(__file__).parent / "lint"
ACCEPT = os.environ.get("FICTC_ACCEPT") == "1"
CASES = cases(GALLERY)


def code(case: Case) -> str:
    return case.path.stem.split("-")[0]


def parameters() -> list[object]:
    trained = [any("tiny_stanza" in script for _, script in case.all("python")) for case in CASES]
    return [
        pytest.param(case, id=f"{case.path.stem}: {case.title}", marks=[pytest.mark.stanza] if stanza else [])
        for case, stanza in zip(CASES, trained, strict=True)
    ]


@pytest.mark.parametrize("case", parameters())
def test_messages_are_as_shown(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    put_files(case, folder)
    shown = ""
    for _, script in case.all("python"):
        shown = raised(script, monkeypatch=monkeypatch, request=request)
    for _, session in case.all("sh"):
        shown = printed(session)
    for info, written in case.all("fict"):
        text = unescaped(written) if info == "escaped" else written
        found = lint_text(text, "example.fict", None if info == "alone" else folder)
        shown = family(found, code(case))
    shown = re.sub(r"(?<=//127\.0\.0\.1:)\d{5}", "8000", shown.replace(f"{folder}/", ""))  # a free port
    assert f"[{code(case)}]" in shown, f"the page is about {code(case)}, and this is said:\n{shown}"
    if ACCEPT:
        accept(case, shown)
    else:
        assert shown == case.only("text")[1]


def family(found: Iterable[Diagnostic], wanted: str) -> str:
    return render_text([problem for problem in found if problem.code[4] == wanted[4]], use_colours=False) + "\n"


def test_every_code_has_a_case() -> None:
    """No code is exempt: what cannot be raised is no message, and is deleted."""
    speaking = {case.path.stem for case in cases(LINT) if any(content for _, content in case.all("text"))}
    linted = {rule.code for rule in RULES if rule.name in speaking}
    assert set(CATALOGUE) - {code(case) for case in CASES} - linted == set()


def test_every_page_has_its_name_and_a_case() -> None:
    for path in GALLERY.glob("*.md"):
        named = path.stem.split("-")[0]
        assert path.stem == f"{named}-{CATALOGUE[named].name}"
    assert {case.path for case in CASES} == set(GALLERY.glob("*.md"))


def test_every_case_says_one_thing() -> None:
    assert len({(case.path, case.title) for case in CASES}) == len(CASES)
    for case in CASES:
        assert len(case.all("text")) == 1 and len(case.all("sh") + case.all("fict")) <= 1, case.title
        assert all(re.fullmatch(r"(\$ fictc [^\n]+\n)+", session) for _, session in case.all("sh")), case.title
