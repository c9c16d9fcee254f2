"""A tally to tables for people: what each filter finds, and what any two of them find together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fictdsl.draw.text import cells, cut

if TYPE_CHECKING:
    from runner.corpus.query.tally import Tally
    from runner.corpus.store.opening import Store

_WIDE = 100  # columns, where nobody says how many there are
_NAME = 32  # columns that a name has at most beside a matrix


@dataclass(frozen=True, slots=True)
class Row:
    """What one filter, or all together, found; `tokens` are the words of the matching sentences.

    `targets` gives for each `count` of the filter, as it is written, how many distinct targets it has.
    """

    name: str
    matches: int
    sentences: int
    tokens: int
    share_of_sentences: float
    share_of_tokens: float
    targets: Mapping[str, int] = field(default_factory=dict)


def rows(store: Store, tally: Tally, names: Sequence[str], targets: Sequence[Mapping[str, int]]) -> list[Row]:
    """A row for each filter, and a last one for their union."""
    whole = max(1, store.info.sentences), max(1, store.info.words)

    def row(name: str, matches: int, sentences: int, words: int, targets: Mapping[str, int]) -> Row:
        return Row(name, matches, sentences, words, sentences / whole[0], words / whole[1], targets)

    found = [
        row(name, tally.matches[place], tally.sentences[place], tally.words[place], targets[place])
        for place, name in enumerate(names)
    ]
    union = tally.matches.total(), tally.exactly.total(), tally.words_of.total()
    return [*found, row("union", *union, {})]


def table(store: Store, found: Sequence[Row]) -> Iterator[str]:
    """A line for each row and each of its targets, and one for the corpus."""
    width = max(len("corpus"), *(len(row.name) for row in found))
    yield f"{'':{width}}  {'matches':>9}  {'sentences':>9}  {'':>7}  {'tokens':>10}  {'':>7}"
    for row in found:
        yield (
            f"{row.name:{width}}  {row.matches:>9,}  {row.sentences:>9,}  {row.share_of_sentences:>7.2%}"
            f"  {row.tokens:>10,}  {row.share_of_tokens:>7.2%}"
        )
        for action, targets in row.targets.items():
            yield f"  {action}: {targets:,} different"
    yield f"{'corpus':{width}}  {'':>9}  {store.info.sentences:>9,}  {'':>7}  {store.info.words:>10,}"


def overlap(tally: Tally, names: Sequence[str], width: int | None) -> Iterator[str]:
    """The sentences that two filters match, as a triangle in as many pieces as the width asks for; then how many match
    exactly so many filters."""
    labels = [cut(f"{place:>{len(str(len(names)))}} {name}", _NAME) for place, name in enumerate(names, 1)]
    values = [
        [f"{_both(tally, row, column):,}" if column <= row else "" for column in range(len(names))]
        for row in range(len(names))
    ]
    left = max(map(cells, labels))
    size = max(len(value) for row in values for value in row) + 2
    fitting = max(1, ((width or _WIDE) - left) // size)
    yield "sentences that two filters match"
    for start in range(0, len(names), fitting):
        columns = range(start, min(start + fitting, len(names)))
        yield " " * left + "".join(f"{column + 1:>{size}}" for column in columns)
        for place in range(start, len(names)):
            line = labels[place] + " " * (left - cells(labels[place]))
            yield (line + "".join(f"{values[place][column]:>{size}}" for column in columns)).rstrip()
        yield ""
    for filters, sentences in sorted(tally.exactly.items()):
        yield f"{sentences:,} sentences match {'one filter only' if filters == 1 else f'{filters} filters'}"


def pairs(tally: Tally, names: Sequence[str]) -> list[dict[str, Any]]:
    """An entry for every two filters: the sentences that both match, and their share of those that either does."""
    found = []
    for second in range(len(names)):
        for first in range(second):
            both = tally.both[first, second]
            either = tally.sentences[first] + tally.sentences[second] - both
            share = both / either if either else 0.0
            found.append({"filters": [names[first], names[second]], "sentences": both, "jaccard": share})
    return found


def _both(tally: Tally, one: int, other: int) -> int:
    return tally.sentences[one] if one == other else tally.both[min(one, other), max(one, other)]
