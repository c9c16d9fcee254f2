"""Tables of `fictc count`: the counts of each filter, and the overlap of each pair of filters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fictdsl.draw.text import cut, display_width
from runner.counted import counted

if TYPE_CHECKING:
    from runner.corpus.query.tally import Tally
    from runner.corpus.store.opening import Store

_DEFAULT_WIDTH = 100  # terminal columns, if the width is unknown
_MAX_LABEL_WIDTH = 32  # terminal columns of a row label in the matrix


@dataclass(frozen=True, slots=True)
class Row:
    """The counts of one filter, or of the union; `tokens` are the words of the matching sentences.

    `targets` maps each `count` action of the filter, as written, to the number of its distinct targets.
    """

    name: str
    matches: int
    sentences: int
    tokens: int
    share_of_sentences: float
    share_of_tokens: float
    targets: Mapping[str, int] = field(default_factory=dict)


def rows(store: Store, tally: Tally, names: Sequence[str], targets: Sequence[Mapping[str, int]]) -> list[Row]:
    """Return a row per filter, and a last one for their union."""
    totals = max(1, store.info.sentences), max(1, store.info.words)

    def row(name: str, matches: int, sentences: int, words: int, targets: Mapping[str, int]) -> Row:
        return Row(name, matches, sentences, words, sentences / totals[0], words / totals[1], targets)

    filter_rows = [
        row(name, tally.matches[index], tally.sentences[index], tally.words[index], targets[index])
        for index, name in enumerate(names)
    ]
    union = tally.matches.total(), tally.sentences_by_filter_count.total(), tally.words_by_filter_count.total()
    return [*filter_rows, row("union", *union, {})]


def table(store: Store, rows: Sequence[Row]) -> Iterator[str]:
    """Yield a line per row and per `count` action, and one for the corpus."""
    width = max(len("corpus"), *(len(row.name) for row in rows))
    yield f"{'':{width}}  {'matches':>9}  {'sentences':>9}  {'':>7}  {'tokens':>10}  {'':>7}"
    for row in rows:
        yield (
            f"{row.name:{width}}  {row.matches:>9,}  {row.sentences:>9,}  {row.share_of_sentences:>7.2%}"
            f"  {row.tokens:>10,}  {row.share_of_tokens:>7.2%}"
        )
        for action, target_count in row.targets.items():
            yield f"  {action}: {target_count:,} distinct"
    yield f"{'corpus':{width}}  {'':>9}  {store.info.sentences:>9,}  {'':>7}  {store.info.words:>10,}"


def overlap(tally: Tally, names: Sequence[str], width: int | None) -> Iterator[str]:
    """Yield the number of sentences that both filters of each pair match, and the number that exactly n filters match.

    The pairs form the lower triangle of a matrix, split into blocks of columns that fit in `width` terminal columns.
    """
    labels = [cut(f"{index:>{len(str(len(names)))}} {name}", _MAX_LABEL_WIDTH) for index, name in enumerate(names, 1)]
    values = [
        [f"{_shared_sentences(tally, row, column):,}" if column <= row else "" for column in range(len(names))]
        for row in range(len(names))
    ]
    label_width = max(map(display_width, labels))
    cell_width = max(len(value) for row in values for value in row) + 2
    columns_per_block = max(1, ((width or _DEFAULT_WIDTH) - label_width) // cell_width)
    yield "sentences that two filters match"
    for start in range(0, len(names), columns_per_block):
        columns = range(start, min(start + columns_per_block, len(names)))
        yield " " * label_width + "".join(f"{column + 1:>{cell_width}}" for column in columns)
        for index in range(start, len(names)):
            line = labels[index] + " " * (label_width - display_width(labels[index]))
            yield (line + "".join(f"{values[index][column]:>{cell_width}}" for column in columns)).rstrip()
        yield ""
    for filter_count, sentences in sorted(tally.sentences_by_filter_count.items()):
        matched = "one filter only" if filter_count == 1 else f"{filter_count} filters"
        yield f"{counted(sentences, 'sentence')} {'matches' if sentences == 1 else 'match'} {matched}"


def pairs(tally: Tally, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return, for each pair of filters, the number of sentences that both match and the Jaccard index."""
    entries = []
    for second in range(len(names)):
        for first in range(second):
            both = tally.sentences_of_pair[first, second]
            either = tally.sentences[first] + tally.sentences[second] - both
            jaccard = both / either if either else 0.0
            entries.append({"filters": [names[first], names[second]], "sentences": both, "jaccard": jaccard})
    return entries


def _shared_sentences(tally: Tally, first: int, second: int) -> int:
    return (
        tally.sentences[first] if first == second else tally.sentences_of_pair[min(first, second), max(first, second)]
    )
