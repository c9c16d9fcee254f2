"""Show a sentence on one line with its bound words marked (`dogs/S`), truncated around them if it is long."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import accumulate, pairwise

from fictdsl.draw.pieces import Line, Piece, Style
from fictdsl.draw.text import display_width, safe
from fictdsl.draw.tree import Tree

_ELLIPSIS_WIDTH = 3  # columns of an ellipsis and the spaces around it


def context(tree: Tree, width: int | None = None) -> Line:
    """Return the sentence in at most `width` columns, or in full if it is None.

    Bound words are always shown, even if they exceed the width.

    A multiword token is shown by its form, or by its words if one of them is bound: `im`, but `in/P·dem`.
    """

    def text(index: int) -> str:
        word = tree.words[index]
        form = word.form if tree.has_bound_word(word) else tree.surface_form(index)
        return _with_label(safe(form), tree.labels.get(word.id))

    bound_indices = [id_ - 1 for id_ in sorted(tree.labels) if 0 < id_ <= len(tree.words)]
    visible_indices = words_to_show(
        len(tree.words), lambda index: display_width(text(index) + _separator(tree, index)), bound_indices, width
    )
    visible_indices = _with_first_words(tree, visible_indices)
    pieces: list[Piece] = []
    previous = -1
    for index in sorted(visible_indices):
        if index > previous + 1:
            pieces += [Piece(" " if pieces else "", "faint"), Piece("… ", "faint")]
        style: Style = "bound" if tree.words[index].id in tree.labels else "plain"
        separator = _separator(tree, index) if index + 1 in visible_indices else ""
        pieces += [Piece(text(index), style), Piece(separator, "faint")]
        previous = index
    if previous + 1 < len(tree.words):
        pieces += [Piece(" ", "faint"), Piece("…", "faint")]
    return tuple(piece for piece in pieces if piece.text)


def _with_first_words(tree: Tree, indices: Collection[int]) -> Collection[int]:
    """Return the indices without words of tokens that are shown by their form but whose first word is hidden."""

    def is_shown(index: int) -> bool:
        word = tree.words[index]
        return word.token is None or word.token.first - 1 in indices or tree.has_bound_word(word)

    return [index for index in indices if is_shown(index)]


def _with_label(form: str, label: str | None) -> str:
    return form if label is None else f"{form}/{label}"


def _separator(tree: Tree, index: int) -> str:
    """Return the text between a word and the next. Without a space, a dot separates a name from a letter or digit."""
    word = tree.words[index]
    if word.space or index + 1 == len(tree.words):
        return " " * (index + 1 < len(tree.words))
    is_inside_token = word.token is not None and word.id < word.token.last and tree.has_bound_word(word)
    is_before_letter = word.id in tree.labels and tree.words[index + 1].form[:1].isalnum()
    return "·" if is_inside_token or is_before_letter else ""


def words_to_show(
    count: int, width_of: Callable[[int], int], bound_indices: Sequence[int], width: int | None
) -> Collection[int]:
    """Return the indices of the words to show: the bound words, and the nearest other words that fit in `width`.

    Without bound words, the first word takes their place. All words are shown if `width` is None. `width_of` returns
    the columns of a word. It is called only for words that may fit.
    """
    if width is None or all(total <= width for total in accumulate(map(width_of, range(count)))):
        return range(count)
    visible_indices = set(bound_indices or [0])
    used_columns = (
        sum(map(width_of, visible_indices))
        + _ELLIPSIS_WIDTH * _gaps(visible_indices, count)
        - (count - 1 not in visible_indices)
    )
    for index in indices_by_distance(count, bound_indices):
        if index not in visible_indices:
            adjacent_count = sum(other in visible_indices or not 0 <= other < count for other in (index - 1, index + 1))
            used_columns += width_of(index) + _ELLIPSIS_WIDTH * (1 - adjacent_count) + (index == count - 1)
            if used_columns > width:
                break
            visible_indices.add(index)
    return visible_indices


def indices_by_distance(count: int, bound_indices: Sequence[int]) -> Iterator[int]:
    """Yield all indices by their distance from the nearest bound word, or from the first word if no word is bound."""
    yielded: set[int] = set()
    for distance in range(count):
        indices_at_distance = {
            index
            for start in bound_indices or [0]
            for index in (start - distance, start + distance)
            if 0 <= index < count
        }
        yield from sorted(indices_at_distance - yielded)
        yielded |= indices_at_distance


def _gaps(visible_indices: Collection[int], count: int) -> int:
    """Return the number of runs of hidden words."""
    order = [-1, *sorted(visible_indices), count]
    return sum(next_index > index + 1 for index, next_index in pairwise(order))
