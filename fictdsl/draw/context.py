"""Show a sentence on one line with its bound words marked (`dogs/S`), truncated around them if it is long."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import accumulate, pairwise

from fictdsl.draw.pieces import Line, Piece, Style
from fictdsl.draw.text import display_width, safe
from fictdsl.draw.tree import Tree

_GAP = 3  # columns of an ellipsis and the spaces around it


def context(tree: Tree, width: int | None = None) -> Line:
    """Return the sentence in at most `width` columns. Bound words are always shown, even if they exceed it."""

    def text(index: int) -> str:
        word = tree.words[index]
        return _marked(safe(word.form), tree.labels.get(word.id))

    bound = [id_ - 1 for id_ in sorted(tree.labels) if 0 < id_ <= len(tree.words)]
    visible = words_to_show(
        len(tree.words), lambda index: display_width(text(index) + _separator(tree, index)), bound, width
    )
    pieces: list[Piece] = []
    previous = -1
    for index in sorted(visible):
        if index > previous + 1:
            pieces += [Piece(" " if pieces else "", "faint"), Piece("… ", "faint")]
        style: Style = "bound" if tree.words[index].id in tree.labels else "plain"
        separator = _separator(tree, index) if index + 1 in visible else ""
        pieces += [Piece(text(index), style), Piece(separator, "faint")]
        previous = index
    if previous + 1 < len(tree.words):
        pieces += [Piece(" ", "faint"), Piece("…", "faint")]
    return tuple(piece for piece in pieces if piece.text)


def _marked(form: str, label: str | None) -> str:
    return form if label is None else f"{form}/{label}"


def _separator(tree: Tree, index: int) -> str:
    """Return the text between a word and the next. Without a space, a dot separates a name from a letter or digit."""
    word = tree.words[index]
    if word.space or index + 1 == len(tree.words):
        return " " * (index + 1 < len(tree.words))
    return "·" if word.id in tree.labels and tree.words[index + 1].form[:1].isalnum() else ""


def words_to_show(
    count: int, width_of: Callable[[int], int], bound: Sequence[int], width: int | None
) -> Collection[int]:
    """Return the indices of the words to show: the bound ones, then the nearest to them as long as they fit.

    `width_of` returns the columns of a word. It is called only for words that may fit.
    """
    if width is None or all(total <= width for total in accumulate(map(width_of, range(count)))):
        return range(count)
    visible = set(bound or [0])
    columns = sum(map(width_of, visible)) + _GAP * _gaps(visible, count) - (count - 1 not in visible)
    for index in nearest(count, bound):
        if index not in visible:
            adjacent = sum(other in visible or not 0 <= other < count for other in (index - 1, index + 1))
            columns += width_of(index) + _GAP * (1 - adjacent) + (index == count - 1)
            if columns > width:
                break
            visible.add(index)
    return visible


def nearest(count: int, bound: Sequence[int]) -> Iterator[int]:
    """Yield the indices of all words by their distance from the nearest bound word, or from the first word."""
    seen: set[int] = set()
    for distance in range(count):
        reached = {
            index for start in bound or [0] for index in (start - distance, start + distance) if 0 <= index < count
        }
        yield from sorted(reached - seen)
        seen |= reached


def _gaps(visible: Collection[int], count: int) -> int:
    """Return the number of runs of hidden words."""
    order = [-1, *sorted(visible), count]
    return sum(after > before + 1 for before, after in pairwise(order))
