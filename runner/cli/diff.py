"""`fictc diff`: compare the matches of two filters, or the results of two rewrites on a corpus."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.corpus_options import corpus_option, limits_options, open_corpus
from runner.cli.diff_output import pair_filters
from runner.cli.filter_options import (
    FILTER_HELP,
    check_lists,
    complete_filters,
    lists_option,
    note_absent_labels,
    note_filters_beside,
)
from runner.cli.messages import print_message
from runner.cli.options import SEED, Count, format_option, relations
from runner.cli.terminal import block_for_output
from runner.corpus.filter_arguments import load_filters, load_rewrites
from runner.corpus.limits import Limits

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledRewrite
    from fictdsl.syntax.word_lists import ListOverrides


DEFAULT_EXAMPLES = 5  # default number of sentences of each kind for a single pair


@click.command(
    name="diff",
    help=f"""Compare the matches of two filters: gained sentences match only B, lost sentences match only A.

    {FILTER_HELP.replace("FILTER is one of", "A and B are each one of")}

    If A or B has several filters, those of the same name are compared. Without a corpus, the command reports whether
    the filters differ only in names and order.

    For two rewrites, the command shows the sentences whose resulting text or tree differs.

    \b
    Examples:
      fictc diff fict15/agr-pp-mod fict15-paper/agr-pp-mod --corpus stores/ewt
      fictc diff dative.fict dative-strict.fict --corpus stores/ewt
    """,
)
@click.argument("a", metavar="A", shell_complete=complete_filters)
@click.argument("b", metavar="B", shell_complete=complete_filters)
@corpus_option(required=False)
@click.option(
    "-n",
    "limit",
    type=Count(),
    help=f"Sentences of each kind to show [default: {DEFAULT_EXAMPLES}; none for several pairs; all for ids and "
    "conllu].",
)
@click.option("--sample", type=Count(1), metavar="N", help="Show a random sample of N sentences of each kind.")
@click.option("--seed", type=SEED, default=0, help="Seed for the random sample, and for random rewrites [default: 0].")
@format_option(
    "text",
    "json",
    "ids",
    "conllu",
    help="text: counts, and sentences with the bound words marked. ids: + or - and the sent_id of each sentence "
    "(source:number if it has none). conllu: the sentences, with a comment that says gained or lost.",
)
@lists_option
@limits_options()
@relations("-n, --sample, --seed, --format requires --corpus", "-n excludes --sample")
def command(
    a: str,
    b: str,
    corpus: tuple[Path, ...],
    limit: int | None,
    sample: int | None,
    seed: int,
    output_format: str,
    limits: Limits,
    lists: ListOverrides,
) -> None:
    from runner.cli import diff_output as formats

    if any(rewrites := [load_rewrites([argument], lists) for argument in (a, b)]):
        check_lists([rewrite.matching for side in rewrites for rewrite in side], lists)
        note_filters_beside([rewrite for side in rewrites for rewrite in side], (a, b), lists)
        _diff_rewrites(a, b, rewrites, corpus, limit, sample, seed, output_format, limits)
        return
    first, second = load_filters([a], lists), load_filters([b], lists)
    check_lists([*first, *second], lists)
    pairs, unpaired = pair_filters(first, second)
    for side in ("A", "B"):
        if names := [name for owner, name in unpaired if owner == side]:
            print_message(f"note: only {side} has {', '.join(names)}", err=True)
    if not corpus:
        if not all(pair.same for pair in pairs):
            different = ", ".join(pair.name for pair in pairs if not pair.same)
            raise click.UsageError(f"these filters differ: {different}. Compare their matches with --corpus STORE")
        for pair in pairs:
            click.echo(formats.equality_line(pair))
        return
    from runner.corpus.show import compare_pair

    store = open_corpus(corpus, limits)
    note_absent_labels(store, [*(pair.first for pair in pairs), *(pair.second for pair in pairs if not pair.same)])
    example_count = _example_count(limit, sample, output_format, len(pairs))
    outcomes = [compare_pair(store, pair, example_count, seed if sample else None) for pair in pairs]
    _print(formats.FORMATTERS[output_format](outcomes, store), output_format)


def _diff_rewrites(
    a: str,
    b: str,
    rewrites: list[list[CompiledRewrite]],
    corpus: tuple[Path, ...],
    limit: int | None,
    sample: int | None,
    seed: int,
    output_format: str,
    limits: Limits,
) -> None:
    from runner.cli import diff_output as formats

    if not all(rewrites):
        raise click.UsageError(f"{a if rewrites[0] else b} has a rewrite, and {b if rewrites[0] else a} has none")
    pairs = formats.pair_rewrites(*rewrites)
    if not corpus:
        if names := ", ".join(pair.name for pair in pairs if not pair.same):
            raise click.UsageError(f"these rewrites differ: {names}. Compare their results with --corpus STORE")
        for pair in pairs:
            click.echo(formats.rewrite_equality_line(pair))
        return
    store = open_corpus(corpus, limits)
    note_absent_labels(store, [rewrite.matching for pair in pairs for rewrite in (pair.first, pair.second)])
    example_count, sample_seed = _example_count(limit, sample, output_format, len(pairs)), seed if sample else None
    outcomes = [formats.rewrite_outcome(store, pair, example_count, sample_seed, seed) for pair in pairs]
    _print(formats.REWRITE_FORMATTERS[output_format](outcomes, store), output_format)


def _print(lines: Iterable[str], output_format: str) -> None:
    escape = block_for_output if output_format == "conllu" else str  # the other formats are escaped
    for line in lines:
        click.echo(escape(line))


def _example_count(limit: int | None, sample: int | None, output_format: str, pair_count: int) -> int | None:
    """Return the number of sentences of each kind to show, or None for all."""
    if limit is None and sample is None:
        return None if output_format in ("ids", "conllu") else DEFAULT_EXAMPLES if pair_count == 1 else 0
    return limit if sample is None else sample
