"""`fictc show`: matches in context, the bound words marked."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.filters import HELP, corpus_option, load_filters, note_missing_features
from runner.cli.terminal import faint, highlighted, safe

if TYPE_CHECKING:
    import numpy as np

    from fictdsl.compiler import CompiledFilter
    from runner.corpus.lookup import Place, Token
    from runner.corpus.store import Store

Match = Mapping[str, int]


@dataclass(frozen=True)
class Found:
    """A sentence to show, with its matches (none with `--not`)."""

    place: Place
    words: Sequence[Token]
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


def _labels(match: Match) -> dict[int, str]:
    """The names bound to each word, joined where there are several."""
    labels: dict[int, str] = {}
    for name, word in match.items():
        labels[word] = f"{labels[word]},{name}" if word in labels else name
    return labels


def _kwic(found: Found) -> Iterator[str]:
    place = f"{found.place.source}:{found.place.number}"
    width = shutil.get_terminal_size((100, 24)).columns - len(place) - 2 if sys.stdout.isatty() else None
    for match in found.matches or [{}]:
        yield f"{faint(place)}  {_line(found.words, _labels(match), width)}"


def _line(words: Sequence[Token], labels: Mapping[int, str], width: int | None) -> str:
    """The sentence with its bound words marked; where it is too wide, the part around them."""
    plain = [safe(word.form) + (f"/{labels[word.id]}" if word.id in labels else "") for word in words]
    sizes = [len(text) + word.space for text, word in zip(plain, words, strict=True)]
    start, end = _window(sizes, sorted(labels), width)
    parts = ["… "] if start else []
    for word, text in zip(words[start:end], plain[start:end], strict=True):
        parts.append((highlighted(text) if word.id in labels else text) + " " * word.space)
    return "".join(parts).rstrip() + (" …" if end < len(words) else "")


def _window(sizes: Sequence[int], bound: Sequence[int], width: int | None) -> tuple[int, int]:
    """The words to show: all that are bound, and as many around them, left and right in turn, as fit."""
    if width is None or sum(sizes) <= width:
        return 0, len(sizes)
    start, end = (bound[0] - 1, bound[-1]) if bound else (0, 1)
    room = width - 4 - sum(sizes[start:end])
    while True:
        left = start > 0 and sizes[start - 1] <= room
        if left:
            start -= 1
            room -= sizes[start]
        right = end < len(sizes) and sizes[end] <= room
        if right:
            room -= sizes[end]
            end += 1
        if not left and not right:
            return start, end


def _tree(found: Found) -> Iterator[str]:
    place = found.place
    yield faint(f"{place.source}:{place.number}" + (f"  {place.sent_id}" if place.sent_id else ""))
    children: dict[int, list[Token]] = {}
    for word in found.words:
        children.setdefault(word.head, []).append(word)
    for match in found.matches or [{}]:
        labels = _labels(match)
        yield _line(found.words, labels, None)
        stack = [(word, "", "") for word in children.get(0, [])]
        while stack:
            word, indent, below = stack.pop()
            text = safe(word.form)
            shown = highlighted(f"{text}/{labels[word.id]}") if word.id in labels else text
            yield f"{indent}{shown}  {faint(f'{word.upos} {word.deprel}')}"
            under = children.get(word.id, [])
            for number, child in reversed(list(enumerate(under))):
                last = number == len(under) - 1
                stack.append((child, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  ")))
