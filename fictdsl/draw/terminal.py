"""Draw a tree as text: one line per word in the order of the sentence, with the tree on the left."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise

from fictdsl.draw.context import nearest
from fictdsl.draw.lanes import Lanes
from fictdsl.draw.pieces import Line, Piece
from fictdsl.draw.text import cut, display_width, safe
from fictdsl.draw.tree import Tree

_STEP = 2  # columns from a head to its dependents
_MAX_WORDS = 400  # of a sentence that are drawn, besides bound words
_MIN_COLUMNS = 8  # for a form with its label, however narrow the terminal is
# The character at a word, by whether its vertical line continues above and below.
_CORNERS = {(False, False): "─", (True, False): "┴", (False, True): "┬", (True, True): "┼"}


def tree_lines(tree: Tree, width: int | None = None) -> list[Line]:
    """Return a line for each word: the drawing, the form with its label, UPOS and relation.

    Lines are cut to `width` columns, if any.

    Of a very long sentence, only the words around the bound ones are drawn. An ellipsis replaces the others.
    """
    visible = _visible(tree)
    excerpt = Tree([tree.words[index] for index in visible], tree.labels)
    lines = _lines(excerpt, *_excerpt(tree, visible), width)
    gaps = [
        index for index, (before, after) in enumerate(pairwise([-1, *visible, len(tree.words)])) if after > before + 1
    ]
    for gap in reversed(gaps):
        lines.insert(gap, (Piece("…", "faint"),))
    return lines


def _visible(tree: Tree) -> list[int]:
    """Return the indices of the words that are drawn."""
    bound = [id_ - 1 for id_ in sorted(tree.labels) if 0 < id_ <= len(tree.words)]
    return sorted({*bound, *islice(nearest(len(tree.words), bound), _MAX_WORDS)})


def _excerpt(tree: Tree, visible: Sequence[int]) -> tuple[list[int], list[str]]:
    """Return the heads and relations of the visible words. A relation ends with its head if that is not visible."""
    lines = {index + 1: line for line, index in enumerate(visible, 1)}
    all_heads = tree.heads()
    heads, relations = [], []
    for index in visible:
        head = all_heads[index]
        hidden = f" of {head} {safe(tree.words[head - 1].form)}" if head and head not in lines else ""
        heads.append(lines.get(head, 0))
        relations.append(safe(tree.words[index].deprel) + hidden)
    return heads, relations


def _lines(tree: Tree, heads: Sequence[int], relations: Sequence[str], width: int | None) -> list[Line]:
    drawing = _drawing(heads)
    room = None if width is None else max(_MIN_COLUMNS, width - max(map(len, drawing), default=0))
    rows = [
        (_form(word.form, tree.labels.get(word.id), room), safe(word.upos), relation)
        for word, relation in zip(tree.words, relations, strict=True)
    ]
    widths = [display_width(branch) + display_width(form) for branch, (form, _, _) in zip(drawing, rows, strict=True)]
    first_width = max(widths, default=0)
    upos_width = max((display_width(upos) for _, upos, _ in rows), default=0)
    lines: list[Line] = []
    for word, branch, (form, upos, deprel), used in zip(tree.words, drawing, rows, widths, strict=True):
        bound = word.id in tree.labels
        tail = f"{' ' * (first_width - used)}  {upos}{' ' * (upos_width - display_width(upos))}  {deprel}"
        if width is not None and used + display_width(tail) > width:
            tail = cut(f" {upos} {deprel}", width - used)
        lines.append((Piece(branch, "faint"), Piece(form, "bound" if bound else "plain"), Piece(tail, "faint")))
    return lines


def _form(form: str, label: str | None, room: int | None) -> str:
    """Return the form with its label. Only the form is truncated if necessary."""
    mark = "" if label is None else f"/{label}"
    text = safe(form)
    return text + mark if room is None else cut(text, max(1, room - display_width(mark))) + mark


def _drawing(heads: Sequence[int]) -> list[str]:
    """Return the drawing left of each word: a line from its head, and a line up and down to its dependents."""
    extents = _extents(heads)
    columns = [_STEP * column for column in _columns(heads, extents)]
    grid = [[" "] * (max(columns, default=0) + 1) for _ in heads]
    for index, (first, last) in enumerate(extents):
        if first < last:
            for row in grid[first : last + 1]:
                row[columns[index]] = "│"
    for index, head in enumerate(heads):
        row, (first, last) = grid[index], extents[index]
        row[columns[index]] = _CORNERS[first < index, last > index]
        begin = columns[head - 1] if head else -1
        if head:
            row[begin] = {extents[head - 1][0]: "╭", extents[head - 1][1]: "╰"}.get(index, "├")
        end = max(column for column, char in enumerate(row) if char != " ")
        for column in range(begin + 1, end):
            if row[column] == " ":  # lines of other heads stay in front
                row[column] = "─"
        row[end + 1 :] = "─ "
    return ["".join(row) for row in grid]


def _extents(heads: Sequence[int]) -> list[tuple[int, int]]:
    """Return, for each word, the indices of the first and the last word among itself and its dependents."""
    first, last = list(range(len(heads))), list(range(len(heads)))
    for index, head in enumerate(heads):
        if head:
            first[head - 1], last[head - 1] = min(first[head - 1], index), max(last[head - 1], index)
    return list(zip(first, last, strict=True))


def _columns(heads: Sequence[int], extents: Sequence[tuple[int, int]]) -> list[int]:
    """Return the column of each word: the first column right of its head's in which its line overlaps no other."""
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
