"""Tallies of examples into a table for people, JSON, or JUnit XML."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.junit import Case, Suite, render_suites
from fictdsl.diagnostics.junit import Failure as CaseFailure
from runner.cli.examples.tallies import Failure, Tally
from runner.cli.shared.terminal import safe

if TYPE_CHECKING:
    from fictdsl.branches.exercised import Use
    from runner.cli.examples.examples import Example


def as_text(tallies: Sequence[Tally], *, with_sql: bool, branches: bool) -> Iterator[str]:
    """The failures, then a line for each filter, then (with `branches`) what is unexercised, then the sums."""
    for tally in tallies:
        for failure in tally.failures:
            yield (
                "\n  ".join([f"FAILED {_heading(tally, failure)}", *failure.problems, *_words(failure.example)]) + "\n"
            )
    names = [_named(tally) for tally in tallies]
    width = max([6, *map(len, names)])
    yield f"{'filter':<{width}}  match   pass  failed  parts"
    for name, tally in zip(names, tallies, strict=True):
        parts = f"{len(tally.parts) - len(tally.unexercised)}/{len(tally.parts)}"
        yield (
            f"{name:<{width}}  {tally.positive:>5}  {tally.negative:>5}  {len(tally.failures) or '–':>6}  {parts:>5}"
        )
    if branches:
        yield from _unexercised(tallies)
    total = sum(tally.positive + tally.negative for tally in tallies)
    failed = sum(len(tally.failures) for tally in tallies)
    engines = "the reference and the SQL" if with_sql else "the reference"
    counts = f"{_counted(len(tallies), 'filter')}, {_counted(total, 'example')}"
    yield f"{counts}, judged by {engines}: {failed or 'none'} failed."
    idle = sum(len(tally.unexercised) for tally in tallies)
    if idle:
        where = _counted(sum(bool(tally.unexercised) for tally in tallies), "filter")
        more = "" if branches else "; --branches lists them"
        yield f"No example exercises {_counted(idle, 'part')} of {where}{more}."


def _named(tally: Tally) -> str:
    """The filter with its folder, as shipped filters are named; alone where the folder is the open one."""
    folder = tally.file.parent.name
    return f"{folder}/{tally.name}" if folder else tally.name


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _unexercised(tallies: Sequence[Tally]) -> Iterator[str]:
    rows = [(_named(tally), part.kind, _place(part), part.text) for tally in tallies for part in tally.unexercised]
    if not rows:
        yield "\nEvery part of every filter is exercised by some example.\n"
        return
    yield "\nParts that no example exercises:"
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield f"  {'  '.join(cells)}  {safe(row[3])}"
    yield ""


def _place(part: Use) -> str:
    line, column = part.source.position(part.span.start)
    return f"{part.source.name}:{line}:{column}"


def _heading(tally: Tally, failure: Failure) -> str:
    where = f"{failure.example.path}:{failure.example.line}" if failure.example else str(tally.file)
    return f"{where}: {tally.name}"


def _words(example: Example | None) -> list[str]:
    """The sentence, its words numbered as `# bind` numbers them."""
    return [] if example is None else [safe(" ".join(f"{word.form}/{word.id}" for word in example.sentence.words))]


def as_json(tallies: Sequence[Tally], *, with_sql: bool) -> str:
    """One object: `engines`, and `filters` with their counts, failures and parts."""
    engines = ["reference", *(["sql"] if with_sql else [])]
    return json.dumps({"engines": engines, "filters": [_filter(tally) for tally in tallies]}, indent=2)


def _filter(tally: Tally) -> dict[str, Any]:
    return {
        "file": str(tally.file),
        "name": tally.name,
        "match": tally.positive,
        "pass": tally.negative,
        "failures": [
            {
                "file": str(failure.example.path if failure.example else tally.file),
                "line": failure.example.line if failure.example else None,
                "problems": list(failure.problems),
                "words": [word.form for word in failure.example.sentence.words] if failure.example else None,
            }
            for failure in tally.failures
        ],
        "parts": [_part(part) for part in tally.parts],
    }


def _part(part: Use) -> dict[str, Any]:
    line, column = part.source.position(part.span.start)
    found = {"kind": part.kind, "text": part.text, "file": part.source.name, "line": line, "column": column}
    return {**found, "examples": part.examples}


def as_junit(tallies: Sequence[Tally]) -> str:
    """A suite for each filter with a case for each example; an unmet `--min` is a case of its own."""
    return render_suites([Suite(f"{tally.file}::{tally.name}", tuple(_cases(tally))) for tally in tallies])


def _cases(tally: Tally) -> Iterator[Case]:
    for example in tally.passed:
        yield Case(_case_name(example))
    for failure in tally.failures:
        name = _case_name(failure.example) if failure.example else "enough examples"
        text = "\n".join([*failure.problems, *_words(failure.example)])
        yield Case(name, (CaseFailure("example", failure.problems[0], text),))


def _case_name(example: Example) -> str:
    expected = "match" if example.positive else "pass"
    return f"{example.sentence.sent_id or 'example'} at line {example.line}: {expected}"
