"""The gallery of messages, `diagnostics/FICT….md`: each case is a text and what people are shown for it.

A case begins at a `##` heading and holds

- a block ```fict, the text of `example.fict`; with ```fict escaped, `\\x00` and `\\ud800` in it are characters, and
  with ```fict alone it stands in no folder;
- blocks ```file NAME, other files beside it; with ```bytes NAME, `\\xff` in them is a byte;
- a block ```text, what is shown. `FICTC_ACCEPT=1 pytest tests/cases/test_diagnostics.py` writes it anew.

The file is named after the code it shows, and shows only diagnostics of that code's family (FICT1…, FICT2…), so
that a new lint does not disturb a case about syntax. The code itself must be among them, in every case.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from fictdsl import compiler
from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.codes.syntax import CODES as SYNTAX
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.render_text import render

GALLERY = Path(__file__).parent / "diagnostics"
ACCEPT = os.environ.get("FICTC_ACCEPT") == "1"
# Shown by tests/unit/fictdsl/syntax/test_load.py: nobody wants a megabyte or 65 files in a page.
TOO_LARGE_TO_SHOW = {"FICT143", "FICT144"}

_BLOCK = re.compile(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ESCAPE = re.compile(r"\\x([0-9a-f]{2})|\\u([0-9a-f]{4})")


@dataclass(frozen=True)
class Case:
    """One heading of a file of the gallery, with its blocks: (kind, info, content)."""

    path: Path
    title: str
    blocks: tuple[tuple[str, str, str], ...]

    @property
    def code(self) -> str:
        return self.path.stem.split("-")[0]

    def only(self, kind: str) -> tuple[str, str]:
        found = [(info, content) for name, info, content in self.blocks if name == kind]
        assert len(found) == 1, f"{self.path.name}: {self.title}: needs one block ```{kind}"
        return found[0]


def cases() -> list[Case]:
    found = []
    for path in sorted(GALLERY.glob("*.md")):
        for section in re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            title, _, body = section.partition("\n")
            blocks = tuple((m[1], m[2].strip(), m[3]) for m in _BLOCK.finditer(body))
            found.append(Case(path, title.strip(), blocks))
    return found


CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=[f"{case.path.stem}: {case.title}" for case in CASES])
def test_messages_are_as_shown(case: Case, tmp_path: Path) -> None:
    info, text = case.only("fict")
    text = unescaped(text) if info == "escaped" else text
    for kind, name, content in case.blocks:
        if kind in ("file", "bytes"):
            target = tmp_path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(unescaped(content).encode("latin-1") if kind == "bytes" else content.encode())
    shown = [d for d in diagnose(text, None if info == "alone" else tmp_path) if d.code[4] == case.code[4]]
    assert case.code in {d.code for d in shown}, f"the file is about {case.code}, the text gives {shown}"
    rendered = render(shown, color=False) + "\n"
    if ACCEPT:
        accept(case, rendered)
    else:
        assert rendered == case.only("text")[1]


def diagnose(text: str, base: Path | None) -> Iterable[Diagnostic]:
    """All that is said of a text: by the linter, once there is one, else by the compiler."""
    lint_text = getattr(compiler, "lint_text", None)
    found = (lint_text or compiler.compile_text)(text, "example.fict", base)
    return getattr(found, "diagnostics", found)


def unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text)


def accept(case: Case, rendered: str) -> None:
    page = case.path.read_text(encoding="utf-8")
    start = page.index(f"\n## {case.title}\n") + 1
    end = page.find("\n## ", start)
    end = len(page) if end < 0 else end + 1
    section, block = page[start:end], f"```text\n{rendered}```"
    if (old := re.search(r"^```text\n.*?^```$", section, re.MULTILINE | re.DOTALL)) is not None:
        section = section[: old.start()] + block + section[old.end() :]
    else:
        section = section.rstrip("\n") + f"\n\n{block}\n" + ("\n" if end < len(page) else "")
    case.path.write_text(page[:start] + section + page[end:], encoding="utf-8")


def test_files_are_named_after_their_code() -> None:
    for path in GALLERY.glob("*.md"):
        code = path.stem.split("-")[0]
        assert path.stem == f"{code}-{CATALOGUE[code].name}"


def test_every_syntax_message_is_shown() -> None:
    assert {entry.code for entry in SYNTAX} - TOO_LARGE_TO_SHOW <= {case.code for case in CASES}


def test_titles_are_unique() -> None:
    assert len({(case.path, case.title) for case in CASES}) == len(CASES)
