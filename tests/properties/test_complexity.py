"""Time grows with the size of a file, not with its square: parts of many kinds, four times as many of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.text import render_concise, render_text
from fictdsl.diagnostics.tool_formats import render_github, render_json, render_sarif
from fictdsl.lint.baseline import baseline_of
from fictdsl.lint.engine import lint_text
from fictdsl.semantics.check import MAX_FAMILY
from fictdsl.source import Source
from fictdsl.syntax.printer import format_text
from runner.lsp.text_document import TextDocument

SMALL, LARGE = 80, 320
SQUARE = (LARGE / SMALL) ** 2


def joined(separator: str, pattern: str, count: int) -> str:
    return separator.join(pattern.replace("#", str(number)) for number in range(count))


def in_filter(body: str, before: str = "") -> str:
    return f"fict 1\n\n{before}filter f {{\n  match {{\n    {body}\n  }}\n}}\n"


SHAPES: dict[str, Callable[[int], str]] = {
    "alternatives of tests": lambda n: in_filter(f"A[{joined(' or ', 'form = a#', n)}]"),
    "tests that all hold": lambda n: in_filter(f"A[{joined(', ', 'form != a#', n)}]"),
    "features": lambda n: in_filter(f"A[{joined(' or ', 'F# = a', n)}]"),
    "values": lambda n: in_filter(f"A[form = {joined('|', 'a#', n)}]"),
    "values in braces": lambda n: in_filter(f"A[form in {{{joined(', ', 'a#', n)}}}]"),
    "regular expressions": lambda n: in_filter(f"A[{joined(' or ', 'form = /a#.*/', n)}]"),
    "labels": lambda n: in_filter(f"A -[{joined('|', 'nsubj:a#', n)}]-> B"),
    "clauses": lambda n: in_filter(joined("\n    ", "A[form != a#]", n)),
    "branches": lambda n: in_filter(joined(" ", "either { A[form = a#] } or { A[lemma = a#] }", n)),
    "branches with names of their own": lambda n: in_filter(
        "A " + joined(" ", "either { A -> B } or { A -> C -> D }", n)
    ),
    "without": lambda n: in_filter("A " + joined("\n    ", "without { A[form = a#] }", n)),
    "filters": lambda n: "fict 1\n" + joined("\n", "filter f# { match { A[form = a#] } }", n),
    "equal filters": lambda n: "fict 1\n" + joined("\n", "filter f# { match { A[form = a] } }", n),
    "families": lambda n: "fict 1\n" + joined("\n", "filter f# for v in {a, b} { match { A[form = $v] } }", n),
    "lists": lambda n: in_filter("A[form in @l0]", joined("\n", "list l# = {a#, b}", n) + "\n"),
    "lists on one line": lambda n: in_filter("A[form in @l0]", joined(" ", "list l# = {a#, b}", n) + "\n"),
    "entries": lambda n: in_filter("A[form in @l]", f"list l = {{{joined(', ', 'a#', n)}}}\n"),
    "patterns": lambda n: in_filter("p0(A)", joined("\n", "pattern p#(X) { X[form = a#] }", n) + "\n"),
    "calls": lambda n: in_filter(joined(" ", "p#(A)", n), joined("\n", "pattern p#(X) { X[form = a#] }", n) + "\n"),
    "unknown lists": lambda n: in_filter(joined(" ", "A[form in @m#]", n), joined("\n", "list l# = {a}", n) + "\n"),
    "comments": lambda n: in_filter(joined("\n    ", "A[form != a#] # comment #", n)),
    "comments that silence a line": lambda n: in_filter(
        joined("\n    ", "A[form != a#] # fict: ignore[FICT510] reason", n)
    ),
    "comments that silence an item": lambda n: (
        "fict 1\n" + joined("\n", "# fict: ignore[FICT510] reason\nfilter f# { match { A[form = a#] } }", n)
    ),
    "comments above one item": lambda n: (
        "fict 1\n" + "# fict: ignore[FICT510] reason\n" * n + "filter f { match { A[form = a] } }"
    ),
    "notes": lambda n: in_filter("A").replace("  match", joined("\n", '  note "n#"', n) + "\n  match"),
}
FORMS: dict[str, Callable[[Sequence[Diagnostic]], object]] = {
    "text": lambda found: render_text(found, use_colours=False),
    "concise": render_concise,
    "json": render_json,
    "sarif": render_sarif,
    "github": render_github,
    "baseline": lambda found: baseline_of(found, Path()),
}


def seconds(work: Callable[[], object]) -> float:
    """The CPU time of the quicker of two runs."""
    times = []
    for _ in range(2):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def assert_not_square(work: Callable[[int], Callable[[], object]]) -> None:
    """Four times the size takes less than ten times as long, a hundredth of a second aside."""
    assert seconds(work(LARGE)) < 0.6 * SQUARE * (seconds(work(SMALL)) + 0.01)


@pytest.mark.parametrize("shape", SHAPES)
def test_lint_is_not_quadratic(shape: str) -> None:
    lint_text(in_filter("A"))
    assert_not_square(lambda size: lambda: lint_text(SHAPES[shape](size)))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_formatter_is_not_quadratic(shape: str) -> None:
    assert_not_square(lambda size: lambda: format_text(SHAPES[shape](size)))


@pytest.mark.parametrize("form", FORMS)
def test_many_findings_on_one_line_are_shown_in_linear_time(form: str) -> None:
    def work(size: int) -> Callable[[], object]:
        found = lint_text(SHAPES["alternatives of tests"](4 * size))
        assert len(found) > size
        return lambda: FORMS[form](found)

    assert_not_square(work)


def test_columns_in_code_units_are_found_in_linear_time() -> None:
    def work(size: int) -> Callable[[], object]:
        text = "𝒳é" * (30 * size)
        source, document = Source.of(text), TextDocument(text)
        offsets = range(0, len(text), 30)
        assert document.offset(*document.position(len(text) - 1)) == len(text) - 1
        return lambda: [(source.position_utf16(offset), document.position(offset)) for offset in offsets]

    assert_not_square(work)


def test_a_family_of_many_values_is_refused_at_once() -> None:
    values = joined(", ", "v#", 5_000)
    text = f"fict 1\nfilter f for v in {{{values}}} {{ match {{ A[form = $v] }} }}"
    start = time.process_time()
    found = lint_text(text)
    assert [(problem.code, problem.severity.value) for problem in found] == [("FICT410", "error")]
    assert str(MAX_FAMILY) in found[0].message
    assert time.process_time() - start < 5


def test_a_large_filter_may_have_few_values() -> None:
    tests = joined(" or ", "form = $v", 2_000)
    text = f"fict 1\nfilter f for v in {{{joined(', ', 'v#', 30)}}} {{ match {{ A[{tests}] }} }}"
    [problem] = [problem for problem in lint_text(text) if problem.code == "FICT410"]
    assert problem.message == "family `f` has 30 values; at most 25 are supported for a filter of 2000 tests"
