"""`fictc diff`: the sentences that are gained and lost where one filter takes the place of another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.query.diff_pairs import Outcome, Pair, paired
from runner.cli.shared.complete import filters as complete
from runner.cli.shared.filters import HELP, check_lists, note_missing_features
from runner.cli.shared.limits import limits_options
from runner.cli.shared.lists import lists_option
from runner.cli.shared.messages import say
from runner.cli.shared.numbers import Whole
from runner.corpus.query.filters import load_filters
from runner.corpus.store.limits import Limits

if TYPE_CHECKING:
    import numpy as np

    from fictdsl.compiler import CompiledFilter
    from fictdsl.syntax.parsing.word_lists import ListOverrides
    from runner.corpus.query.matched_sentences import Found
    from runner.corpus.store.opening import Store

EXAMPLES = 5  # of each kind, where one pair of filters is compared and nothing else is asked for


@click.command(
    name="diff",
    help=f"""Compare what two filters match: sentences that B matches and A does not are gained, the others lost.

    {HELP.replace("FILTER is one of", "A and B are each one of")}

    Where A or B has several filters, those of the same name are compared. Whether two filters are the same up to
    names and order is known without a corpus.

    \b
    Example:
      fictc diff fict15/agr-pp-mod fict15-paper/agr-pp-mod --corpus stores/ewt
    """,
)
@click.argument("a", metavar="A", shell_complete=complete)
@click.argument("b", metavar="B", shell_complete=complete)
@click.option(
    "--corpus",
    "-c",
    type=click.Path(path_type=Path),
    metavar="STORE",
    help="The corpus: a store made by `fictc import` or `fictc annotate`.",
)
@click.option(
    "-n",
    "number",
    type=click.IntRange(0),
    help=f"How many sentences of each kind to show; by default {EXAMPLES}, or none where there are several pairs, "
    "or all with ids and conllu.",
)
@click.option("--sample", type=Whole(1), metavar="N", help="Show N sentences of each kind chosen by chance.")
@click.option("--seed", type=click.IntRange(0), default=0, help="What the choice by chance depends on (default 0).")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "json", "ids", "conllu"]),
    default="text",
    show_default=True,
    help="text: counts, and sentences with the bound words marked. ids: + or - and the sent_id of each sentence "
    "(source:number for one that has none). conllu: the sentences, with comments for what was gained or lost.",
)
@lists_option
@limits_options()
def command(
    a: str,
    b: str,
    corpus: Path | None,
    number: int | None,
    sample: int | None,
    seed: int,
    kind: str,
    limits: Limits,
    lists: ListOverrides,
) -> None:
    """See the help above."""
    from runner.cli.query import diff_formats as formats

    if sample is not None and number is not None:
        raise click.UsageError("-n and --sample cannot be used together")
    first, second = load_filters([a], lists), load_filters([b], lists)
    check_lists([*first, *second], lists)
    pairs, alone = paired(first, second)
    for side in ("A", "B"):
        if names := [name for where, name in alone if where == side]:
            say(f"note: only {side} has {', '.join(names)}", err=True)
    if corpus is None:
        if not all(pair.same for pair in pairs):
            differ = ", ".join(pair.name for pair in pairs if not pair.same)
            raise click.UsageError(f"these are different filters: {differ}. --corpus STORE shows what they match")
        for pair in pairs:
            click.echo(formats.sameness(pair))
        return
    from runner.corpus.store.opening import Store

    store = Store.open(corpus, limits)
    note_missing_features(store, [pair.first for pair in pairs])
    note_missing_features(store, [pair.second for pair in pairs if not pair.same])
    if number is None and sample is None:
        number = None if kind in ("ids", "conllu") else EXAMPLES if len(pairs) == 1 else 0
    outcomes = [_outcome(store, pair, number if sample is None else sample, seed if sample else None) for pair in pairs]
    for line in {"text": formats.text, "json": formats.as_json, "ids": formats.ids, "conllu": formats.conllu}[kind](
        outcomes, store
    ):
        click.echo(line)


def _outcome(store: Store, pair: Pair, number: int | None, seed: int | None) -> Outcome:
    from runner.corpus.query.compare import compare
    from runner.corpus.query.matched_sentences import chosen, find

    found = compare(store, pair.first, pair.second)

    def shown(compiled: CompiledFilter, sids: np.ndarray) -> list[Found]:
        return list(find(store, compiled, chosen(sids, len(sids) if number is None else number, seed)))

    return Outcome(pair, found, shown(pair.second, found.gained), shown(pair.first, found.lost))
