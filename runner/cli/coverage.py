"""`fictc coverage`: the share of a benchmark's items that filters match."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fictdsl.words import counted, inflected, listed
from runner.audit import coverage
from runner.cli import query_options
from runner.cli.options import FILE, PATH, Count, check_suffix, format_option, given_options, relations
from runner.cli.terminal import print_message, write_output
from runner.corpus.limits import Limits
from runner.tables import csv_text
from runner.workspace import write_text

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.syntax.files import ListOverrides


_MAX_WIDTH = 110  # of a table with filter names in the heading


@click.command(
    name="coverage",
    help=f"""Report the share of a benchmark's items that each filter matches: the "% BLiMP items targeted" of the FiCT
    paper.

    {query_options.FILTER_HELP}

    SUITE is a folder of BLiMP's .jsonl files, one .jsonl file, or a .csv with the columns good, bad and, optionally,
    paradigm. Filters match trees, so its sentences must be parsed once:

    \b
      fictc coverage --suite blimp --sentences items.txt
      fictc annotate items.txt --input sentences --models MODELS --output blimp-parses
      fictc coverage fict15 --suite blimp --parses blimp-parses --format html --output coverage.html

    The parse of a sentence is looked up by its text. Without --suite, the comments of the trees say what they are:
    blimp::uid (the paradigm), blimp::field, blimp::side (good or bad); the sentences of a pair have the same sent_id up
    to its last hyphen. A * marks the paradigms that a filter targets.
    """,
)
@click.argument("filter", nargs=-1, metavar="[FILTER]...", shell_complete=query_options.complete_filters)
@click.option("--suite", type=PATH, metavar="SUITE", help="The benchmark [default: as the comments of STORE say].")
@click.option(
    "--parses",
    type=PATH,
    metavar="STORE",
    help="Corpus store or CoNLL-U file of the parsed sentences of the benchmark.",
)
@click.option(
    "--sentences", type=FILE, metavar="FILE", help="Only write the sentences to be parsed to this file, one per line."
)
@click.option(
    "--side",
    type=click.Choice(list(coverage.SIDES)),
    default="good",
    help="The sentence of an item that must match: the acceptable one, the unacceptable one, either, or both.",
)
@click.option(
    "--paradigm", "paradigms", multiple=True, help="Report only this paradigm. May be repeated.", metavar="NAME"
)
@click.option("--limit", type=Count(1), help="Use only the first N items of each paradigm.", metavar="N")
@format_option(
    "table",
    "json",
    "csv",
    "html",
    "svg",
    help="table, json, csv: counts of each filter and paradigm. svg: a heatmap. html: a page with it and with tables.",
)
@click.option("--output", "-o", type=FILE, metavar="FILE", help="Output file [default: standard output].")
@query_options.lists_option
@query_options.limits_options()
@relations("--sentences excludes --parses, FILTER, --output", "--sentences, --paradigm, --limit requires --suite")
def command(
    filter: tuple[str, ...],  # noqa: A002 - click shows the name
    suite: Path | None,
    parses: Path | None,
    sentences: Path | None,
    side: str,
    paradigms: tuple[str, ...],
    limit: int | None,
    output_format: str,
    output: Path | None,
    limits: Limits,
    lists: ListOverrides,
) -> None:
    from runner.corpus.match_keys import comment_keys_of
    from runner.score.pair_formats import load_suite

    if sentences is None and (parses is None or not filter):
        raise click.UsageError(
            "expected filters and --parses STORE, or --sentences FILE to write the sentences to be parsed"
        )
    check_suffix(output, output_format, ("json", "csv", "html", "svg"))
    loaded_suite = None if suite is None else load_suite(suite, limit=limit, paradigms=paradigms)
    if sentences is not None:
        assert loaded_suite is not None
        texts = coverage.sentences(loaded_suite, side if given_options("side") else "both")
        write_text(sentences, "".join(f"{' '.join(text.splitlines())}\n" for text in texts))
        print_message(f"{sentences}: {counted(len(texts), 'sentence')}", err=True)
        return

    assert parses is not None
    filters = query_options.load_filters(filter, lists)
    store = query_options.open_corpus([parses], limits)
    if loaded_suite is None and not set(coverage.COMMENTS) <= set(comment_keys_of(store)):
        raise click.UsageError(
            f"expected --suite SUITE: the sentences of {parses} lack the comments {listed(coverage.COMMENTS)}"
        )
    query_options.note_absent_labels(store, filters)
    labelled_filters = query_options.labelled(filters)
    shares = coverage.shares(loaded_suite, store, labelled_filters, side)
    _note_unparsed(shares)
    name = loaded_suite.name if loaded_suite else parses.stem
    write_output(_text(shares, name, side, labelled_filters, output_format), output)
    if output is not None:
        print_message(output)


def _text(
    shares: Sequence[coverage.Share], name: str, side: str, filters: Sequence[CompiledFilter], output_format: str
) -> str:
    if output_format == "table":
        return "".join(f"{line}\n" for line in _table(shares))
    if output_format in ("html", "svg"):
        from runner.report.coverage import page, svg

        sets = {compiled.name: compiled.path.absolute().parent.name for compiled in filters if compiled.path}
        return svg(shares, name, sets) if output_format == "svg" else page(shares, name, side, sets)
    records = [_share_record(share) for share in shares]
    if output_format == "csv":
        return csv_text([records[0], *(record.values() for record in records)])
    return json.dumps({"suite": name, "side": side, "shares": records}, indent=2) + "\n"


def _note_unparsed(shares: Sequence[coverage.Share]) -> None:
    first_filter_shares = [share for share in shares if share.filter == shares[0].filter]
    skipped = sum(share.unparsed for share in first_filter_shares)
    if skipped:
        total = skipped + sum(share.items for share in first_filter_shares)
        verb = inflected(skipped, "is", "are")
        subject = f"{skipped:,} of {counted(total, 'item')}"
        print_message(f"note: {subject} {verb} skipped: the store lacks their sentences", err=True)


def _share_record(share: coverage.Share) -> dict[str, object]:
    return {
        "filter": share.filter,
        "paradigm": share.paradigm,
        "target": bool(share.targets),
        "items": share.items,
        "matched": share.matched,
        "share": share.share,
        "unparsed": share.unparsed,
    }


def _table(shares: Sequence[coverage.Share]) -> Iterator[str]:
    filters = list(dict.fromkeys(share.filter for share in shares))
    cells = {(share.paradigm, share.filter): share for share in shares}
    paradigms = [name for name in dict.fromkeys(share.paradigm for share in shares) if cells[name, filters[0]].items]
    name_width = max(map(len, [*paradigms, "own targets"]))
    has_numbered_headings = name_width + 7 + sum(max(7, len(name) + 2) for name in filters) > _MAX_WIDTH
    headings = [f"[{number}]" for number in range(1, len(filters) + 1)] if has_numbered_headings else filters
    widths = [max(7, len(heading) + 2) for heading in headings]

    def line(label: str, items: str, texts: Iterable[str]) -> str:
        aligned = (f"{text:>{width}}" for text, width in zip(texts, widths, strict=True))
        return f"{label:{name_width}}  {items:>5}{''.join(aligned)}"

    yield line("", "items", (f"{heading} " for heading in headings))
    for paradigm in paradigms:
        row = [cells[paradigm, name] for name in filters]
        texts = (f"{_percent(share.matched, share.items)}{'*' if share.targets else ' '}" for share in row)
        yield line(paradigm, f"{row[0].items:,}", texts)
    targets = coverage.count_targets(shares)
    yield line("own targets", "", (f"{_percent(*targets[name])} " if name in targets else "– " for name in filters))
    yield "Percentage of items that a filter matches. * marks a paradigm that the filter targets."
    if has_numbered_headings:
        yield from (f"[{number}] {name}" for number, name in enumerate(filters, 1))


def _percent(matched: int, items: int) -> str:
    return "·" if not matched else f"{100 * matched / items:.1f}"
