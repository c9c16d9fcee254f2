"""`fictc coverage`: the share of a benchmark's items that filters match."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.shared.complete import filters
from runner.cli.shared.filters import HELP, labels, load_filters, note_missing_features
from runner.cli.shared.limits import limits_options
from runner.cli.shared.lists import lists_option
from runner.cli.shared.messages import say
from runner.cli.shared.numbers import Whole
from runner.corpus.store.limits import Limits
from runner.execute.prepare.coverage import SIDES

if TYPE_CHECKING:
    from fictdsl.syntax.parsing.word_lists import ListOverrides
    from runner.execute.prepare.coverage import Share

_WIDTH = 110  # of a table that names its filters in the heading


@click.command(
    name="coverage",
    help=f"""Say which share of the items of a benchmark each filter matches: the "% BLiMP items targeted" of the
    FiCT paper.

    {HELP}

    SUITE is a folder of BLiMP's .jsonl files, one .jsonl file, or a .csv with the columns good, bad and perhaps
    paradigm. Filters look at trees, so its sentences must be parsed first, once:

    \b
      fictc coverage --suite blimp --sentences items.txt
      fictc annotate items.txt --input sentences --models MODELS --output blimp-parses
      fictc coverage fict15 --suite blimp --parses blimp-parses

    A sentence is found among the parses by its text. A * marks the paradigms that a filter names as its targets.
    """,
)
@click.argument("filter", nargs=-1, metavar="[FILTER]...", shell_complete=filters)
@click.option("--suite", required=True, type=click.Path(path_type=Path), metavar="SUITE", help="The benchmark.")
@click.option("--parses", type=click.Path(path_type=Path), metavar="STORE", help="The store of its parsed sentences.")
@click.option(
    "--sentences",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the sentences to be parsed to this file, one a line, and stop.",
)
@click.option(
    "--side",
    type=click.Choice(SIDES),
    default="good",
    show_default=True,
    help="Which sentence of an item must match: the acceptable one, the other, either, or both.",
)
@click.option("--paradigm", "paradigms", multiple=True, help="Only this paradigm; may be repeated.", metavar="NAME")
@click.option("--limit", type=Whole(min=1), help="Only the first N items of each paradigm.", metavar="N")
@click.option("--format", "kind", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True)
@lists_option
@limits_options()
@click.pass_context
def command(
    context: click.Context,
    filter: tuple[str, ...],  # noqa: A002 - the metavar of its help
    suite: Path,
    parses: Path | None,
    sentences: Path | None,
    side: str,
    paradigms: tuple[str, ...],
    limit: int | None,
    kind: str,
    limits: Limits,
    lists: ListOverrides,
) -> None:
    """See the help above."""
    from runner.execute.prepare import coverage
    from runner.score.suites.suite import load_suite

    if sentences is None and (parses is None or not filter):
        raise click.UsageError("Give filters and --parses STORE, or --sentences FILE to write what is to be parsed.")
    if sentences is not None and (parses is not None or filter):
        raise click.UsageError("--sentences only writes what is to be parsed: leave out --parses and filters.")
    items = load_suite(suite, limit=limit, paradigms=paradigms)
    if sentences is not None:
        given = context.get_parameter_source("side") is not click.core.ParameterSource.DEFAULT
        _write(coverage.sentences(items, side if given else "both"), sentences)
        return
    from dataclasses import replace

    from runner.corpus.store.opening import Store

    assert parses is not None
    filters = load_filters(filter, lists)
    store = Store.open(parses, limits)
    note_missing_features(store, filters)
    named = [replace(one, name=label) for label, one in zip(labels(filters), filters, strict=True)]
    found = coverage.shares(items, store, named, side)
    _note_unparsed(found)
    match kind:
        case "json":
            click.echo(json.dumps({"suite": items.name, "side": side, "shares": list(map(_record, found))}, indent=2))
        case "csv":
            from runner.report.results.spreadsheet import csv_text

            click.echo(csv_text([_record(found[0]), *(_record(share).values() for share in found)]), nl=False)
        case _:
            click.echo("\n".join(_table(found)))


def _write(texts: Sequence[str], path: Path) -> None:
    from runner.workspace import write_text

    write_text(path, "".join(f"{text}\n" for text in texts))
    say(f"{path}: {len(texts):,} sentences", err=True)


def _note_unparsed(found: Sequence[Share]) -> None:
    first = [share for share in found if share.filter == found[0].filter]
    left_out = sum(share.unparsed for share in first)
    if left_out:
        total = left_out + sum(share.items for share in first)
        say(f"note: {left_out:,} of {total:,} items are left out: the store lacks their sentences", err=True)


def _record(share: Share) -> dict[str, object]:
    return {
        "filter": share.filter,
        "paradigm": share.paradigm,
        "target": share.target,
        "items": share.items,
        "matched": share.matched,
        "share": share.share,
        "unparsed": share.unparsed,
    }


def _table(found: Sequence[Share]) -> Iterator[str]:
    """Paradigms by filters; in a wide table filters are numbered, and listed below it."""
    from runner.execute.prepare.coverage import of_targets

    filters = list(dict.fromkeys(share.filter for share in found))
    cells = {(share.paradigm, share.filter): share for share in found}
    paradigms = [name for name in dict.fromkeys(s.paradigm for s in found) if cells[name, filters[0]].items]
    first = max(map(len, [*paradigms, "own targets"]))
    numbered = first + 7 + sum(max(7, len(name) + 2) for name in filters) > _WIDTH
    heads = [f"[{number}]" for number in range(1, len(filters) + 1)] if numbered else filters
    widths = [max(7, len(head) + 2) for head in heads]
    yield f"{'':{first}}  items" + "".join(f"{head + ' ':>{w}}" for head, w in zip(heads, widths, strict=True))
    for paradigm in paradigms:
        row = [cells[paradigm, name] for name in filters]
        shown = [f"{_percent(share.matched, share.items)}{'*' if share.target else ' '}" for share in row]
        yield f"{paradigm:{first}}  {row[0].items:>5,}" + "".join(
            f"{cell:>{width}}" for cell, width in zip(shown, widths, strict=True)
        )
    own = of_targets(found)
    sums = [_percent(*own[name]) + " " if name in own else "– " for name in filters]
    yield f"{'own targets':{first}}       " + "".join(f"{s:>{width}}" for s, width in zip(sums, widths, strict=True))
    yield "Per cent of the items that a filter matches; * the filter names the paradigm as its target."
    if numbered:
        yield from (f"[{number}] {name}" for number, name in enumerate(filters, 1))


def _percent(matched: int, items: int) -> str:
    return "·" if not matched else f"{100 * matched / items:.1f}"
