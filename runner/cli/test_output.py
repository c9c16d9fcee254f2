"""Output of `fictc test`: text, JSON and JUnit XML."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.junit import Case, Suite, render_suites
from fictdsl.diagnostics.junit import Failure as CaseFailure
from fictdsl.words import counted
from runner.cli.terminal import safe
from runner.examples.tallies import Failure, FilterResult
from runner.tables import aligned

if TYPE_CHECKING:
    from fictdsl.branches import PartCoverage
    from runner.examples.example_files import Example


def as_text(results: Sequence[FilterResult], *, with_sql: bool, branches: bool) -> Iterator[str]:
    """Yield the failures, a line per filter, the unexercised parts (with `branches`), and the totals."""
    for result in results:
        for failure in result.failures:
            yield (
                "\n  ".join(
                    [f"FAILED {_heading(result, failure)}", *map(safe, failure.problems), *_word_lines(failure.example)]
                )
                + "\n"
            )
    names = [_display_name(result) for result in results]
    width = max([6, *map(len, names)])
    yield f"{'filter':<{width}}  match   pass  failed  parts"
    for name, result in zip(names, results, strict=True):
        parts = f"{len(result.parts) - len(result.unexercised)}/{len(result.parts)}"
        counts = f"{result.positive_count:>5}  {result.negative_count:>5}"
        yield f"{name:<{width}}  {counts}  {len(result.failures) or '–':>6}  {parts:>5}"
    if branches:
        yield from _unexercised_lines(results)
    total = sum(result.positive_count + result.negative_count for result in results)
    failed = sum(len(result.failures) for result in results)
    engines = "the reference and the SQL" if with_sql else "the reference"
    kind_counts = Counter(result.kind for result in results)
    totals = [counted(kind_counts[kind], kind) for kind in ("filter", "rewrite") if kind_counts[kind]] or ["0 filters"]
    counts = ", ".join([*totals, counted(total, "example")])
    yield f"{counts}, run by {engines}: {failed or 'none'} failed."
    unexercised = sum(len(result.unexercised) for result in results)
    if unexercised:
        affected = counted(sum(bool(result.unexercised) for result in results), "filter")
        suffix = "" if branches else "; --branches lists them"
        yield f"No example exercises {counted(unexercised, 'part')} of {affected}{suffix}."


def _display_name(result: FilterResult) -> str:
    """Return FOLDER/NAME, as shipped filters are named, or NAME for a filter in the current directory."""
    folder = result.file.parent.name
    return f"{folder}/{result.name}" if folder else result.name


def _unexercised_lines(results: Sequence[FilterResult]) -> Iterator[str]:
    rows = [
        (_display_name(result), part.kind, _location(part), part.text)
        for result in results
        for part in result.unexercised
    ]
    if not rows:
        yield "\nEvery part of every filter is exercised by some example.\n"
        return
    yield "\nParts that no example exercises:"
    for line in aligned([(*row[:3], safe(row[3])) for row in rows], ()):
        yield f"  {line}"
    yield ""


def _location(part: PartCoverage) -> str:
    line, column = part.source.position(part.span.start)
    return f"{part.source.name}:{line}:{column}"


def _heading(result: FilterResult, failure: Failure) -> str:
    location = f"{failure.example.path}:{failure.example.line}" if failure.example else str(result.file)
    return f"{location}: {result.name}"


def _word_lines(example: Example | None) -> list[str]:
    """Return a line with the forms and ids of the words, or no line if there is no example."""
    return [] if example is None else [safe(" ".join(f"{word.form}/{word.id}" for word in example.sentence.words))]


def as_json(results: Sequence[FilterResult], *, with_sql: bool) -> str:
    """Return an object with `engines`, and `filters` with their counts, failures and parts."""
    engines = ["reference", *(["sql"] if with_sql else [])]
    return json.dumps({"engines": engines, "filters": [_filter_record(result) for result in results]}, indent=2)


def _filter_record(result: FilterResult) -> dict[str, Any]:
    return {
        "file": str(result.file),
        "name": result.name,
        "kind": result.kind,
        "match": result.positive_count,
        "pass": result.negative_count,
        "failures": [
            {
                "file": str(failure.example.path if failure.example else result.file),
                "line": failure.example.line if failure.example else None,
                "problems": list(failure.problems),
                "words": [word.form for word in failure.example.sentence.words] if failure.example else None,
            }
            for failure in result.failures
        ],
        "parts": [_part_record(part) for part in result.parts],
    }


def _part_record(part: PartCoverage) -> dict[str, Any]:
    line, column = part.source.position(part.span.start)
    entry = {"kind": part.kind, "text": part.text, "file": part.source.name, "line": line, "column": column}
    return {**entry, "examples": part.examples}


def as_junit(results: Sequence[FilterResult]) -> str:
    """Return JUnit XML with a suite per filter and a case per example; an unmet `--min` is a separate case."""
    return render_suites([Suite(f"{result.file}::{result.name}", tuple(_cases(result))) for result in results])


def _cases(result: FilterResult) -> Iterator[Case]:
    for example in result.passed:
        yield Case(_case_name(example))
    for failure in result.failures:
        name = _case_name(failure.example) if failure.example else "enough examples"
        text = "\n".join([*failure.problems, *_word_lines(failure.example)])
        yield Case(name, (CaseFailure("example", failure.problems[0], text),))


def _case_name(example: Example) -> str:
    expected = "match" if example.positive else "pass"
    return f"{example.sentence.sent_id or 'example'} at line {example.line}: {expected}"
