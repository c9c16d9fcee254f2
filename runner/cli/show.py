"""`fictc show`: matches in context, the bound words marked."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fictdsl.draw.context import context
from fictdsl.draw.terminal import tree_lines
from fictdsl.draw.tree import Tree, Word, labels
from runner.cli.filters import HELP, corpus_option, load_filters, note_missing_features
from runner.cli.terminal import faint, styled, terminal_width

if TYPE_CHECKING:
    import numpy as np

    from fictdsl.compiler import CompiledFilter
    from runner.corpus.lookup import Place
    from runner.corpus.store import Store

Match = Mapping[str, int]


@dataclass(frozen=True)
class Found:
    """A sentence to show, with its matches (none with `--not`)."""

    place: Place
    words: Sequence[Word]
    matches: Sequence[Match]


@click.command(
    name="show",
    help=f"""Show the matches of a filter in their sentences, with the bound words marked: `dogs/S` is the word for S.

    {HELP}
    """,
)
@click.argument("filter", metavar="FILTER")
@corpus_option
@click.option("-n", "number", type=click.IntRange(1), default=10, show_default=True, help="How many sentences to show.")
@click.option(
    "--seed", type=click.IntRange(0), help="Choose the sentences by chance, with this seed, not from the first on."
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["kwic", "tree", "json"]),
    default="kwic",
    show_default=True,
    help="kwic: a line for each match, cut to the terminal. tree: the dependency tree. json: an object a line.",
)
@click.option("--not", "negated", is_flag=True, help="Show sentences that do not match.")
def command(filter: str, corpus: Path, number: int, seed: int | None, kind: str, *, negated: bool) -> None:  # noqa: A002
    """See the help above."""
    from runner.corpus.store import Store

    filters = load_filters([filter])
    store = Store.open(corpus)
    note_missing_features(store, filters)
    several = len(filters) > 1
    for compiled in filters:
        if several and kind != "json":
            click.echo(click.style(compiled.name, bold=True) if sys.stdout.isatty() else compiled.name)
        sids, total = _chosen(store, compiled, number, seed, negated=negated)
        for found in _sentences(store, compiled, sids, negated=negated):
            match kind:
                case "json":
                    click.echo(json.dumps(_json(found, compiled)))
                case "tree":
                    click.echo("\n".join(_tree(found)) + "\n")
                case _:
                    click.echo("\n".join(_kwic(found)))
        shown = f"{len(sids):,} of {total:,} sentences that {'do not match' if negated else 'match'}"
        click.echo(faint(shown) if sys.stderr.isatty() else shown, err=True)


def _chosen(
    store: Store, compiled: CompiledFilter, number: int, seed: int | None, *, negated: bool
) -> tuple[np.ndarray, int]:
    """The sentences to show, in corpus order, and how many there are to choose from."""
    import numpy as np

    from runner.corpus.apply import matching_sids

    sids = matching_sids(store, [compiled.statement()])
    if negated:
        sids = np.setdiff1d(np.arange(store.info.sentences), sids, assume_unique=True)
    chosen = sids if seed is None else np.random.default_rng(seed).permutation(sids)
    return np.sort(chosen[:number]), len(sids)


def _sentences(store: Store, compiled: CompiledFilter, sids: np.ndarray, *, negated: bool) -> Iterator[Found]:
    from runner.corpus.apply import match_in
    from runner.corpus.lookup import places, trees

    matches: dict[int, list[Match]] = {}
    if not negated:
        table = match_in(store, compiled.statement(), sids)
        for sid, *ids in zip(*(column.to_pylist() for column in table.columns), strict=True):
            bound = {name: word for name, word in zip(compiled.names, ids, strict=True) if word is not None}
            matches.setdefault(sid, []).append(bound)
    for place, words in zip(places(store, sids), trees(store, sids), strict=True):
        yield Found(place, words, matches.get(place.sid, []))


def _json(found: Found, compiled: CompiledFilter) -> dict[str, Any]:
    place = found.place
    return {
        "filter": compiled.name,
        "source": place.source,
        "number": place.number,
        "sent_id": place.sent_id,
        "words": [{"id": word.id, "form": word.form, "space_after": word.space} for word in found.words],
        "matches": list(found.matches),
    }


def _trees(found: Found) -> list[Tree]:
    """The sentence once for each match, or once with nothing bound."""
    return [Tree(found.words, labels(match)) for match in found.matches or [{}]]


def _kwic(found: Found) -> Iterator[str]:
    place = f"{found.place.source}:{found.place.number}"
    width = terminal_width()
    for tree in _trees(found):
        yield f"{faint(place)}  {styled(context(tree, width and width - len(place) - 2))}"


def _tree(found: Found) -> Iterator[str]:
    place = found.place
    yield faint(f"{place.source}:{place.number}" + (f"  {place.sent_id}" if place.sent_id else ""))
    for tree in _trees(found):
        yield styled(context(tree))
        yield from map(styled, tree_lines(tree, terminal_width()))
