"""Draw a tree as text, one line per word, or a sentence on one line with its bound words marked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal

from fictdsl.draw.tree import Lanes, Tree
from fictdsl.terminal_text import cut, display_width, safe

Style = Literal["plain", "bound", "faint"]  # bound: a word that a match binds


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    style: Style = "plain"


Line = tuple[Piece, ...]


def plain_text(lines: Sequence[Line]) -> str:
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in lines)


def width(line: Sequence[Piece]) -> int:
    return sum(display_width(piece.text) for piece in line)


_ELLIPSIS_WIDTH = 3  # columns of an ellipsis and the spaces around it


def context(tree: Tree, width: int | None = None) -> Line:
    """Return the sentence in at most `width` columns, or in full if it is None. Bound words are always shown.

    A multiword token is shown by its form, or by its words if one of them is bound: `im`, but `in/P·dem`.
    """

    def text(index: int) -> str:
        return _form(tree.shown_form(index), tree.labels.get(tree.words[index].id), None)

    visible_indices = words_to_show(
        len(tree.words), lambda index: display_width(text(index) + _separator(tree, index)), tree.bound_indices, width
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
    """Leave out words of tokens that are shown by their form but whose first word is hidden."""

    def is_shown(index: int) -> bool:
        word = tree.words[index]
        return word.token is None or word.token.first - 1 in indices or tree.has_bound_word(word)

    return [index for index in indices if is_shown(index)]


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
    """Return the indices of the bound words and of the nearest others that fit in `width` columns, or all if None."""
    if width is None or all(total <= width for total in accumulate(map(width_of, range(count)))):
        return range(count)
    visible_indices = set(bound_indices or [0])
    ends = [-1, *sorted(visible_indices), count]
    gap_count = sum(next_index > index + 1 for index, next_index in pairwise(ends))
    used_columns = (
        sum(map(width_of, visible_indices)) + _ELLIPSIS_WIDTH * gap_count - (count - 1 not in visible_indices)
    )
    for index in indices_by_distance(count, bound_indices):
        if index not in visible_indices:
            adjacent_count = sum(other in visible_indices or not 0 <= other < count for other in (index - 1, index + 1))
            used_columns += width_of(index) + _ELLIPSIS_WIDTH * (1 - adjacent_count) + (index == count - 1)
            if used_columns > width:
                break
            visible_indices.add(index)
    return visible_indices


def indices_by_distance(count: int, bound_indices: Sequence[int]) -> list[int]:
    """Return all indices by their distance from the nearest bound word, or from the first word if none is bound."""
    return sorted(range(count), key=lambda index: min(abs(index - bound) for bound in bound_indices or [0]))


_COLUMN_WIDTH = 2  # terminal columns of one column of the tree
_MAX_WORDS = 400  # words drawn in a sentence; bound words beyond this number are drawn too
_MIN_COLUMNS = 8  # minimum columns for a form with its label
# The character at a word, keyed by whether its vertical line continues above and below.
_JUNCTIONS = {(False, False): "─", (True, False): "┴", (False, True): "┬", (True, True): "┼"}


def tree_lines(tree: Tree, width: int | None = None) -> list[Line]:
    """Return a line for each word: the drawing, the form with the names bound to it, the UPOS, the relation.

    Lines are cut to `width` columns unless it is None, but may be longer in a deep tree. In a very long sentence, only
    the bound words and those nearest to them are drawn, and an ellipsis replaces each run of other words.
    """
    nearest_indices = indices_by_distance(len(tree.words), tree.bound_indices)[:_MAX_WORDS]
    visible_indices = sorted({*tree.bound_indices, *nearest_indices})
    excerpt = Tree([tree.words[index] for index in visible_indices], tree.labels)
    lines = _lines(excerpt, *_visible_heads_and_relations(tree, visible_indices), width)
    gaps = [
        line
        for line, (index, next_index) in enumerate(pairwise([-1, *visible_indices, len(tree.words)]))
        if next_index > index + 1
    ]
    for gap in reversed(gaps):
        lines.insert(gap, (Piece("…", "faint"),))
    return lines


def _visible_heads_and_relations(tree: Tree, visible_indices: Sequence[int]) -> tuple[list[int], list[str]]:
    """Return heads as lines from 1, and relations. A head that is not visible is added to the relation."""
    line_by_id = {index + 1: line for line, index in enumerate(visible_indices, 1)}
    all_heads = tree.heads()
    heads, relations = [], []
    for index in visible_indices:
        head = all_heads[index]
        hidden_head = f" of {head} {safe(tree.words[head - 1].form)}" if head and head not in line_by_id else ""
        heads.append(line_by_id.get(head, 0))
        relations.append(safe(tree.words[index].deprel) + hidden_head)
    return heads, relations


def _lines(tree: Tree, heads: Sequence[int], relations: Sequence[str], width: int | None) -> list[Line]:
    drawing = _drawing(heads)
    form_width = None if width is None else max(_MIN_COLUMNS, width - max(map(len, drawing), default=0))
    rows = [
        (_form(word.form, tree.labels.get(word.id), form_width), safe(word.upos), relation)
        for word, relation in zip(tree.words, relations, strict=True)
    ]
    widths = [display_width(branch) + display_width(form) for branch, (form, _, _) in zip(drawing, rows, strict=True)]
    first_width = max(widths, default=0)
    upos_width = max((display_width(upos) for _, upos, _ in rows), default=0)
    lines: list[Line] = []
    for word, branch, (form, upos, relation), used_width in zip(tree.words, drawing, rows, widths, strict=True):
        is_bound = word.id in tree.labels
        tail = f"{' ' * (first_width - used_width)}  {upos}{' ' * (upos_width - display_width(upos))}  {relation}"
        if width is not None and used_width + display_width(tail) > width:
            tail = cut(f" {upos} {relation}", width - used_width)
        lines.append((Piece(branch, "faint"), Piece(form, "bound" if is_bound else "plain"), Piece(tail, "faint")))
    return lines


def _form(form: str, label: str | None, width: int | None) -> str:
    """Return the form with its label. Only the form is truncated."""
    suffix = "" if label is None else f"/{label}"
    text = safe(form)
    return text + suffix if width is None else cut(text, max(1, width - display_width(suffix))) + suffix


def _drawing(heads: Sequence[int]) -> list[str]:
    """Return the drawing to the left of each word: a line from its head, and a vertical line along its dependents."""
    extents = _extents(heads)
    columns = [_COLUMN_WIDTH * column for column in _columns(heads, extents)]
    grid = [[" "] * (max(columns, default=0) + 1) for _ in heads]
    for index, (first, last) in enumerate(extents):
        if first < last:
            for row in grid[first : last + 1]:
                row[columns[index]] = "│"
    for index, head in enumerate(heads):
        row, (first, last) = grid[index], extents[index]
        row[columns[index]] = _JUNCTIONS[first < index, last > index]
        head_column = columns[head - 1] if head else -1
        if head:
            row[head_column] = {extents[head - 1][0]: "╭", extents[head - 1][1]: "╰"}.get(index, "├")
        end = max(column for column, char in enumerate(row) if char != " ")
        for column in range(head_column + 1, end):
            if row[column] == " ":  # lines of other heads stay in front
                row[column] = "─"
        row[end + 1 :] = "─ "
    return ["".join(row) for row in grid]


def _extents(heads: Sequence[int]) -> list[tuple[int, int]]:
    first, last = list(range(len(heads))), list(range(len(heads)))
    for index, head in enumerate(heads):
        if head:
            first[head - 1], last[head - 1] = min(first[head - 1], index), max(last[head - 1], index)
    return list(zip(first, last, strict=True))


def _columns(heads: Sequence[int], extents: Sequence[tuple[int, int]]) -> list[int]:
    """Return the column of each word: the first to the right of its head in which its line overlaps no other line."""
    dependents: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for index, head in enumerate(heads):
        dependents[head].append(index)
    columns, lanes = [0] * len(heads), Lanes(len(heads))
    level = [(index, 1) for index in dependents[0]]
    while level:
        for index, column in level:
            first, last = extents[index]
            columns[index] = lanes.allocate(first, last + 1, column)
        level = [(dependent, columns[index] + 1) for index, _ in level for dependent in dependents[index + 1]]
    return columns
