"""`fictc show`: matches in context, as trees and drawings, counted, or what only just fails to match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.shared.complete import filters
from runner.cli.shared.filters import HELP, corpus_option, labels, load_filters, note_missing_features
from runner.cli.shared.limits import limits_options
from runner.cli.shared.lists import lists_option
from runner.cli.shared.manifest import FOLDER
from runner.cli.shared.numbers import Whole
from runner.cli.show.condition import show_condition
from runner.cli.show.request import FORMATS, NEAR, SENTENCES, Wanted
from runner.corpus.store.limits import Limits

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.syntax.parsing.word_lists import ListOverrides
    from runner.cli.show.formats import Group
    from runner.corpus.store.opening import Store


@click.command(
    name="show",
    help=f"""Show the matches of a filter in their sentences, the words it binds marked: `dogs/S` is the word for S.

    {HELP}

    \b
    With --by, matches are counted. Keys:
      doc, source, sent_id, length, genre, any comment of the corpus
      upos(X), lemma(X), form(X), xpos(X), deprel(X), Number(X), misc.Key(X), lower(form(X))
    genre is the comment of that name or meta::genre, for the sentence or its document; without one it is what the
    name of the document begins with (answers-2007… is answers).

    \b
    Examples:
      fictc show filters/passive.fict --corpus stores/ewt --sample 20 --format tree
      fictc show filters/passive.fict --corpus stores/ewt --by 'genre,lemma(V)'
      fictc show filters/passive.fict --corpus stores/ewt --near-miss
      fictc show experiments/demo/manifest.toml --condition passive --sample 20
    """,
)
@click.argument("filter", nargs=-1, required=True, metavar="FILTER...", shell_complete=filters)
@corpus_option(required=False)
@click.option("--condition", metavar="NAME", help="Show what this condition of a manifest, given for FILTER, changes.")
@click.option("--data", type=FOLDER, help="With --condition: the folder that ${data} stands for.")
@click.option("--allow", type=FOLDER, multiple=True, help="With --condition: another folder that may be read.")
@click.option("--cache", type=FOLDER, envvar="FICTC_CACHE", help="With --condition: finished steps [runs/.cache].")
@click.option(
    "-n",
    "number",
    type=Whole(1),
    metavar="N",
    help=f"How many sentences (default {SENTENCES}) or rows to show.",
)
@click.option("--sample", type=Whole(1), metavar="N", help="Show N sentences chosen by chance.")
@click.option("--seed", type=click.IntRange(0), metavar="S", help="What the choice by chance depends on (default 0).")
@click.option(
    "--format",
    "kind",
    type=click.Choice(FORMATS),
    default="kwic",
    show_default=True,
    help="kwic: a line for each match. tree: trees for the terminal. svg: arc diagrams. html: a page of them. "
    "conllu: the sentences, with a comment for each match. tsv: a row for each match. jsonl: an object a line.",
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Write to this file; for svg, to this folder or *.svg file."
)
@click.option("--not", "negated", is_flag=True, help="Show sentences that do not match.")
@click.option(
    "--near-miss", "near", is_flag=True, help="Show sentences that meet all conditions but one, and say which."
)
@click.option("--by", metavar="KEYS", help="Count the matches for each value of these keys, such as genre,upos(X).")
@lists_option
@limits_options(timeout=30.0)
def command(
    filter: tuple[str, ...],  # noqa: A002 - the metavar of its help
    corpus: Path | None,
    limits: Limits,
    lists: ListOverrides,
    condition: str | None,
    data: Path | None,
    allow: tuple[Path, ...],
    cache: Path | None,
    **options: object,
) -> None:
    """See the help above."""
    from runner.cli.show.output import print_groups, print_table
    from runner.corpus.store.opening import Store

    wanted = Wanted(**options)  # type: ignore[arg-type]
    _check(wanted)
    if condition is not None:
        _check_condition(filter, corpus, wanted)
        if lists:
            raise click.UsageError("--list is for filters; a manifest says it itself, in [lists]")
        show_condition(Path(filter[0]), condition, wanted, data, allow, cache)
        return
    if corpus is None:
        raise click.UsageError("Missing option '--corpus' / '-c'.")
    filters = load_filters(filter, lists)
    store = Store.open(corpus, limits)
    note_missing_features(store, filters)
    named = [replace(one, name=label) for label, one in zip(labels(filters), filters, strict=True)]
    if wanted.by is not None:
        print_table(store, named, wanted)
    else:
        print_groups(list(_groups(store, named, wanted)), wanted)


def _check_condition(arguments: tuple[str, ...], corpus: Path | None, wanted: Wanted) -> None:
    """Refuse what a condition has no use for."""
    if len(arguments) != 1 or corpus is not None:
        raise click.UsageError("--condition takes one manifest, which says what its corpus is")
    if wanted.kind not in ("kwic", "jsonl") or wanted.negated or wanted.near or wanted.by is not None:
        raise click.UsageError("--condition shows lines, or objects with --format jsonl")


def _check(wanted: Wanted) -> None:
    """Refuse options that contradict each other."""
    chosen = [name for name, on in (("--not", wanted.negated), ("--near-miss", wanted.near), ("--by", wanted.by)) if on]
    if len(chosen) > 1:
        raise click.UsageError(f"{chosen[0]} and {chosen[1]} cannot be used together")
    if wanted.sample is not None and wanted.number is not None:
        raise click.UsageError("-n and --sample cannot be used together")
    if wanted.by is not None and (wanted.sample is not None or wanted.seed is not None):
        raise click.UsageError("--by counts all matches, so there is nothing to choose by chance")
    if wanted.by is not None and wanted.kind not in ("kwic", "tsv", "jsonl"):
        raise click.UsageError(
            f"--by gives a table; --format {wanted.kind} is for sentences (tsv and jsonl are for both)"
        )
    if wanted.near and (wanted.sample is not None or wanted.seed is not None):
        raise click.UsageError("--near-miss shows the first sentences; --sample and --seed are for matches")


def _groups(store: Store, filters: Sequence[CompiledFilter], wanted: Wanted) -> Iterator[Group]:
    for compiled in filters:
        yield from _near(store, compiled, wanted) if wanted.near else [_group(store, compiled, wanted)]


def _group(store: Store, compiled: CompiledFilter, wanted: Wanted) -> Group:
    import numpy as np

    from runner.cli.show.formats import Group
    from runner.corpus.query.matched_sentences import chosen, find
    from runner.corpus.query.matches import matching_sids

    sids = matching_sids(store, [compiled.statement(layout=store.layout)])
    if wanted.negated:
        sids = np.setdiff1d(np.arange(store.info.sentences), sids, assume_unique=True)
    seed = 0 if wanted.sample is not None and wanted.seed is None else wanted.seed
    picked = chosen(sids, wanted.sample or wanted.number or SENTENCES, seed)
    verb = "do not match" if wanted.negated else "match"
    counts = f"{len(picked):,} of {len(sids):,} sentences that {verb}"
    found = list(find(store, None if wanted.negated else compiled, picked))
    return Group(compiled, () if wanted.negated else compiled.names, counts, found)


def _near(store: Store, compiled: CompiledFilter, wanted: Wanted) -> Iterator[Group]:
    from runner.cli.show.formats import Group
    from runner.corpus.query.matched_sentences import find
    from runner.corpus.query.near_misses import near_misses

    for near in near_misses(store, compiled, wanted.number or NEAR):
        counts = (
            f"not counted in {store.limits.timeout:g} s" if near.sentences is None else f"{near.sentences:,} sentences"
        )
        found = [replace(one, matches=one.matches[:1]) for one in find(store, near.weaker, near.sids)]
        yield Group(compiled, near.weaker.names, counts, found, near.left_out, near.line)
