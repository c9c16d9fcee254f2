"""A sentence into one line with its bound words marked, `dogs/S`: whole, or cut to what stands around them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import accumulate, pairwise

from fictdsl.draw.pieces import Line, Piece, Style
from fictdsl.draw.text import cells, safe
from fictdsl.draw.tree import Tree

_GAP = 3  # columns of an ellipsis with the spaces around it


def context(tree: Tree, width: int | None = None) -> Line:
    """The sentence in at most `width` columns; the bound words are always there, be they too many for that."""

    def text(number: int) -> str:
        word = tree.words[number]
        return _marked(safe(word.form), tree.labels.get(word.id))

    bound = [id_ - 1 for id_ in sorted(tree.labels) if 0 < id_ <= len(tree.words)]
    kept = around(len(tree.words), lambda number: cells(text(number) + _after(tree, number)), bound, width)
    pieces: list[Piece] = []
    last = -1
    for number in sorted(kept):
        if number > last + 1:
            pieces += [Piece(" " if pieces else "", "faint"), Piece("… ", "faint")]
        style: Style = "bound" if tree.words[number].id in tree.labels else "plain"
        pieces += [Piece(text(number), style), Piece(_after(tree, number) if number + 1 in kept else "", "faint")]
        last = number
    if last + 1 < len(tree.words):
        pieces += [Piece(" ", "faint"), Piece("…", "faint")]
    return tuple(piece for piece in pieces if piece.text)


def _marked(form: str, label: str | None) -> str:
    return form if label is None else f"{form}/{label}"


def _after(tree: Tree, number: int) -> str:
    """What stands between a word and the next: where there is no space, a dot keeps a name apart from letters."""
    word = tree.words[number]
    if word.space or number + 1 == len(tree.words):
        return " " * (number + 1 < len(tree.words))
    return "·" if word.id in tree.labels and tree.words[number + 1].form[:1].isalnum() else ""


def around(count: int, size: Callable[[int], int], bound: Sequence[int], width: int | None) -> Collection[int]:
    """The words to show, counted from 0: the bound ones, then the nearest to them as long as they fit.

    The size of a word, in columns, is asked only for those near enough.
    """
    if width is None or all(total <= width for total in accumulate(map(size, range(count)))):
        return range(count)
    kept = set(bound or [0])
    taken = sum(map(size, kept)) + _GAP * _gaps(kept, count) - (count - 1 not in kept)
    for number in nearest(count, bound):
        if number not in kept:
            beside = sum(other in kept or not 0 <= other < count for other in (number - 1, number + 1))
            taken += size(number) + _GAP * (1 - beside) + (number == count - 1)
            if taken > width:
                break
            kept.add(number)
    return kept


def nearest(count: int, bound: Sequence[int]) -> Iterator[int]:
    """The words of a sentence, counted from 0, by how far they are from the nearest bound one, or from the first."""
    seen: set[int] = set()
    for distance in range(count):
        reached = {number for at in bound or [0] for number in (at - distance, at + distance) if 0 <= number < count}
        yield from sorted(reached - seen)
        seen |= reached


def _gaps(kept: Collection[int], count: int) -> int:
    """How many runs of words are left out."""
    order = [-1, *sorted(kept), count]
    return sum(after > before + 1 for before, after in pairwise(order))
