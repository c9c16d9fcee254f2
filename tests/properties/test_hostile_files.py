"""Filters that somebody has damaged, and bytes that are none, are answered with diagnostics in every format.

The long run, 5,000 of each: `pytest tests/properties/test_hostile_files.py -m slow`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from fictdsl.compiler import compile_file
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.text import render_concise, render_text
from fictdsl.diagnostics.tool_formats import render_github, render_json, render_junit, render_sarif
from fictdsl.lint.engine import lint_file
from tests.properties.test_never_crashes import PIECES, real
from tests.support.rendered import github, junit, sarif, tame

SHORT, LONG = 60, 5_000


def damaged(rng: random.Random) -> bytes:
    """A real filter with one to six pieces, characters or bytes cut, put in, doubled or put in another's place."""
    text = rng.choice(real())
    for _ in range(rng.randint(1, 6)):
        start = rng.randint(0, len(text))
        end = min(len(text), start + rng.choice([0, 1, 3, 12, 80]))
        new = rng.choice([*PIECES, chr(rng.randrange(0x20, 0x3000)), text[start:end] * 2, ""])
        text = text[:start] + new + text[end:]
    content = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.1:
        at = rng.randint(0, len(content))
        content = content[:at] + rng.randbytes(3) + content[at:]
    return content


def noise(rng: random.Random) -> bytes:
    """Bytes: any at all, printable ones, or some after a first line that is right."""
    length = rng.choice([0, 1, 7, 60, 400])
    anything, printable = rng.randbytes(length), bytes(rng.choices(range(0x20, 0x7F), k=length))
    return rng.choice([b"", b"fict 1\n", b"fict 1\nfilter f { match { "]) + rng.choice([anything, printable])


_OF_LINT = ("FICT501", "FICT502")  # errors of lint, not of compilation: labels outside Universal Dependencies


@pytest.mark.parametrize("count", [SHORT, pytest.param(LONG, marks=pytest.mark.slow)])
@pytest.mark.parametrize("make", [damaged, noise])
def test_every_file_is_answered(make: Callable[[random.Random], bytes], count: int, tmp_path: Path) -> None:
    rng = random.Random(make.__name__)
    path = tmp_path / "hostile.fict"
    for number in range(count):
        content = make(rng)
        path.write_bytes(content)
        try:
            problems, compiled = lint_file(path), compile_file(path)
            check(problems, validated=number % 20 == 0)
        except Exception as error:
            error.add_note(f"the file was {content!r}")
            raise
        refused = [problem for problem in problems if problem.severity is Severity.ERROR]
        failed = any(problem.code not in _OF_LINT for problem in refused)
        assert failed == bool(compiled.errors), content
        for each in compiled.filters:
            assert each.statement().text.startswith(("SELECT", "WITH"))


def check(problems: list[Diagnostic], *, validated: bool) -> None:
    """Every format says as much as the others, and nothing in it acts."""
    assert tame(render_text(problems, use_colours=False))
    assert tame(concise := render_concise(problems))
    assert len(concise.splitlines()) == len(github(render_github(problems))) == len(problems)
    logs = render_json(problems), render_sarif(problems), render_junit(problems)
    assert all(log.isascii() for log in logs)
    if validated:
        sarif(logs[1])
        junit(logs[2])
