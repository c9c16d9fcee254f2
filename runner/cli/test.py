"""`fictc test`: run the example sentences of filters, and print the results as text, JSON or JUnit XML."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fictdsl.diagnostics.tool_formats import Case, Suite, render_suites
from fictdsl.diagnostics.tool_formats import Failure as CaseFailure
from fictdsl.terminal_text import safe
from fictdsl.words import counted
from runner.cli.options import PATH, Count, format_option, relations
from runner.cli.query_options import complete_paths, lists_option, load_filters, load_rewrites
from runner.cli.terminal import FINDINGS, OK, for_output
from runner.examples.tallies import FilterResult, run_examples
from runner.tables import aligned

if TYPE_CHECKING:
    from fictdsl.branches import PartCoverage
    from fictdsl.compiler import CompiledFilter
    from fictdsl.syntax.files import ListOverrides
    from runner.examples.example_files import Example


def _as_text(results: Sequence[FilterResult], *, with_sql: bool, branches: bool) -> Iterator[str]:
    for result in results:
        for failure in result.failures:
            example = failure.example
            yield f"FAILED {f'{example.path}:{example.line}' if example else result.file}: {result.name}"
            yield from (f"  {line}" for line in (*map(safe, failure.problems), *_word_lines(failure.example)))
            yield ""
    rows = [["filter", "match", " pass", "failed", "parts"]]
    for result in results:
        parts = f"{len(result.parts) - len(result.unexercised)}/{len(result.parts)}"
        failures = str(len(result.failures) or "–")
        rows.append([_name(result), str(result.positive_count), str(result.negative_count), failures, parts])
    yield from aligned(rows, range(1, 5))
    if branches:
        yield from _unexercised_lines(results)
    total = sum(result.positive_count + result.negative_count for result in results)
    failed = sum(len(result.failures) for result in results)
    engines = "the reference and the SQL" if with_sql else "the reference"
    kind_counts = Counter(result.kind for result in results)
    totals = [counted(kind_counts[kind], kind) for kind in ("filter", "rewrite") if kind_counts[kind]] or ["0 filters"]
    counts = ", ".join([*totals, counted(total, "example")])
    yield f"{counts}, run by {engines}: {failed or 'none'} failed."
    if unexercised := sum(len(result.unexercised) for result in results):
        affected = counted(sum(bool(result.unexercised) for result in results), "filter")
        suffix = "" if branches else "; --branches lists them"
        yield f"No example exercises {counted(unexercised, 'part')} of {affected}{suffix}."


def _name(result: FilterResult) -> str:
    folder = result.file.parent.name
    return f"{folder}/{result.name}" if folder else result.name


def _unexercised_lines(results: Sequence[FilterResult]) -> Iterator[str]:
    rows = []
    for result in results:
        for part in result.unexercised:
            file, line, column = _position(part).values()
            rows.append((_name(result), part.kind, f"{file}:{line}:{column}", safe(part.text)))
    if rows:
        yield "\nParts that no example exercises:"
        yield from (f"  {line}" for line in aligned(rows, ()))
        yield ""
    else:
        yield "\nEvery part of every filter is exercised by some example.\n"


def _position(part: PartCoverage) -> dict[str, Any]:
    line, column = part.source.position(part.span.start)
    return {"file": part.source.name, "line": line, "column": column}


def _word_lines(example: Example | None) -> list[str]:
    return [] if example is None else [safe(" ".join(f"{word.form}/{word.id}" for word in example.sentence.words))]


def _filter_record(result: FilterResult) -> dict[str, Any]:
    failures = [
        {
            "file": str(failure.example.path if failure.example else result.file),
            "line": failure.example.line if failure.example else None,
            "problems": list(failure.problems),
            "words": [word.form for word in failure.example.sentence.words] if failure.example else None,
        }
        for failure in result.failures
    ]
    parts = [
        {"kind": part.kind, "text": part.text, **_position(part), "examples": part.examples} for part in result.parts
    ]
    return {
        "file": str(result.file),
        "name": result.name,
        "kind": result.kind,
        "match": result.positive_count,
        "pass": result.negative_count,
        "failures": failures,
        "parts": parts,
    }


def _cases(result: FilterResult) -> Iterator[Case]:
    """Yield a case per example; an unmet `--min` is a separate case."""
    for example in result.passed:
        yield Case(_case_name(example))
    for failure in result.failures:
        name = _case_name(failure.example) if failure.example else "enough examples"
        text = "\n".join([*failure.problems, *_word_lines(failure.example)])
        yield Case(name, (CaseFailure("example", failure.problems[0], text),))


def _case_name(example: Example) -> str:
    expected = "match" if example.positive else "pass"
    return f"{example.sentence.sent_id or 'example'} at line {example.line}: {expected}"


@click.command(name="test")
@click.argument("paths", nargs=-1, metavar="[PATHS]...", shell_complete=complete_paths)
@click.option(
    "--min",
    "minimum",
    type=Count(),
    default=0,
    show_default=False,
    metavar="N",
    help="Require N examples of each outcome.",
)
@click.option("--reference-only", is_flag=True, help="Run only the reference interpreter, even if DuckDB is installed.")
@click.option("--branches", is_flag=True, help="List the parts of filters that no example exercises.")
@format_option(
    "text",
    "json",
    "junit",
    help="json: with every part of every filter and the examples that exercise it. junit: for CI servers.",
)
@click.option("--accept", is_flag=True, help="Add a corpus sentence to the examples of a filter.")
@click.option("--corpus", "-c", type=PATH, metavar="STORE", help="With --accept: the corpus store.")
@click.option(
    "--sentence",
    metavar="SENTENCE",
    help="With --accept: the sent_id of the sentence, or SOURCE:NUMBER as printed by `fictc show`.",
)
@click.option(
    "--expect",
    type=click.Choice(["match", "pass"]),
    help="With --accept: the expected outcome [default: the current outcome].",
)
@click.option("--force", is_flag=True, help="With --accept: write the example even if it fails now.")
@lists_option
@relations(
    "--min, --reference-only, --branches, --format excludes --accept",
    "--accept requires PATHS, --corpus, --sentence",
    "--corpus, --sentence, --expect, --force requires --accept",
)
def command(
    paths: tuple[str, ...],
    minimum: int,
    output_format: str,
    lists: ListOverrides,
    corpus: Path | None,
    sentence: str | None,
    expect: str | None,
    *,
    reference_only: bool,
    branches: bool,
    accept: bool,
    force: bool,
) -> int:
    """Run the example sentences of each filter and rewrite.

    PATHS are filter files or folders of them [default: the current directory]. The examples of `folder/name.fict` are
    the trees in `folder/examples/name.conllu`, with these comments:

    \b
      # expect = match       or pass: the filter must not match the sentence
      # filter = name        required if the file has several filters; name.value for a member of a family
      # bind = V:3 S:2       optional: in some match V is word 3 and S is word 2
      # expect-text = text   optional, for a rewrite that matches: the text that
                             it makes; empty if it drops the sentence

    A tree with the comment `# expect = rewritten` is the expected result of a rewrite of the tree before it.

    Each example is run by the reference interpreter and, if DuckDB is installed, by the compiled SQL; both must find
    the same matches. Exits with 1 if an example fails or, with --min, examples are missing.

    The parts of a filter are the branches of each `either`, the sides of each `or`, the values of each `a|b`, each
    `without`, count and call of a pattern, and the members of a family. An example exercises an alternative if it
    matches only through it, and a `without`, a count or a call if the outcome would change without it.

    With --accept, a corpus sentence becomes an example of the one filter that PATHS name: the tree with all its
    comments, the expected outcome, and the words of each match; for a rewrite also the text and tree that it makes.

    \b
    Examples:
      fictc test filters --min 3 --branches
      fictc test filters/passive.fict --accept --corpus stores/ewt --sentence s12
    """
    if accept:
        assert corpus is not None and sentence is not None
        return _accept(paths, lists, corpus, sentence, expect, force=force)
    filters_by_file: dict[Path, list[CompiledFilter]] = {}
    for compiled in load_filters(paths or (".",), lists, with_matches=True):
        if compiled.path is not None:
            filters_by_file.setdefault(compiled.path, []).append(compiled)
    results, with_sql = run_examples(filters_by_file, with_sql=not reference_only, min_examples=minimum)
    match output_format:
        case "json":
            record = {"engines": ["reference", "sql"][: 1 + with_sql], "filters": [*map(_filter_record, results)]}
            click.echo(json.dumps(record, indent=2))
        case "junit":
            suites = [Suite(f"{result.file}::{result.name}", tuple(_cases(result))) for result in results]
            click.echo(render_suites(suites))
        case _:
            click.echo("\n".join(_as_text(results, with_sql=with_sql, branches=branches)))
    return FINDINGS if any(result.failures for result in results) else OK


def _accept(
    paths: Sequence[str], lists: ListOverrides, corpus: Path, sentence: str, expect: str | None, *, force: bool
) -> int:
    from runner.examples.example_files import accept

    filters = load_filters(paths, lists, with_matches=True)
    if len(filters) != 1:
        labels = [f"{compiled.path}::{compiled.name}" for compiled in filters[:8]]
        names = ", ".join(labels) + (" …" if len(filters) > 8 else "")
        raise click.UsageError(f"--accept expects one filter, found {len(filters)}: {names}.")
    rewrite = next(iter(load_rewrites(paths, lists)), None)
    for line in accept(filters[0], rewrite, corpus, sentence, expect, force=force):
        click.echo(for_output(line))
    return OK
