"""A tree into lines of text: a word a line, in the order of the sentence, the tree drawn at the left."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, pairwise

from fictdsl.draw.context import nearest
from fictdsl.draw.lanes import Lanes
from fictdsl.draw.pieces import Line, Piece
from fictdsl.draw.text import cells, cut, safe
from fictdsl.draw.tree import Tree

_STEP = 2  # columns from a head to its dependents
_LONGEST = 400  # words of a sentence that are drawn, apart from bound ones
_LEAST = 8  # columns that a form always has, however narrow the terminal is
_TURNS = {(False, False): "─", (True, False): "┴", (False, True): "┬", (True, True): "┼"}


def tree_lines(tree: Tree, width: int | None = None) -> list[Line]:
    """A line for each word: the drawing, the form with its name, UPOS and relation; at most `width` columns.

    Of a very long sentence, what stands around the bound words; an ellipsis is where words are left out.
    """
    kept = _kept(tree)
    excerpt = Tree([tree.words[number] for number in kept], tree.labels)
    lines = _lines(excerpt, *_excerpt(tree, kept), width)
    gaps = [
        number for number, (before, after) in enumerate(pairwise([-1, *kept, len(tree.words)])) if after > before + 1
    ]
    for gap in reversed(gaps):
        lines.insert(gap, (Piece("…", "faint"),))
    return lines


def _kept(tree: Tree) -> list[int]:
    """The words that have a line, counted from 0."""
    bound = [id_ - 1 for id_ in sorted(tree.labels) if 0 < id_ <= len(tree.words)]
    return sorted({*bound, *islice(nearest(len(tree.words), bound), _LONGEST)})


def _excerpt(tree: Tree, kept: Sequence[int]) -> tuple[list[int], list[str]]:
    """The heads of the words that are kept, and their relations: a head that is not kept is named with the relation."""
    places = {number + 1: place for place, number in enumerate(kept, 1)}
    all_heads = tree.heads()
    heads, relations = [], []
    for number in kept:
        head = all_heads[number]
        out = f" of {head} {safe(tree.words[head - 1].form)}" if head and head not in places else ""
        heads.append(places.get(head, 0))
        relations.append(safe(tree.words[number].deprel) + out)
    return heads, relations


def _lines(tree: Tree, heads: Sequence[int], relations: Sequence[str], width: int | None) -> list[Line]:
    drawing = _drawing(heads)
    room = None if width is None else max(_LEAST, width - max(map(len, drawing), default=0))
    shown = [
        (_form(word.form, tree.labels.get(word.id), room), safe(word.upos), relation)
        for word, relation in zip(tree.words, relations, strict=True)
    ]
    starts = [cells(drawn) + cells(form) for drawn, (form, _, _) in zip(drawing, shown, strict=True)]
    columns = max(starts, default=0), max((cells(upos) for _, upos, _ in shown), default=0)
    lines: list[Line] = []
    for word, drawn, (form, upos, deprel), start in zip(tree.words, drawing, shown, starts, strict=True):
        bound = word.id in tree.labels
        tail = f"{' ' * (columns[0] - start)}  {upos}{' ' * (columns[1] - cells(upos))}  {deprel}"
        if width is not None and start + cells(tail) > width:
            tail = cut(f" {upos} {deprel}", width - start)
        lines.append((Piece(drawn, "faint"), Piece(form, "bound" if bound else "plain"), Piece(tail, "faint")))
    return lines


def _form(form: str, label: str | None, room: int | None) -> str:
    """The form as it is shown; where it is cut, its name is not."""
    mark = "" if label is None else f"/{label}"
    text = safe(form)
    return text + mark if room is None else cut(text, max(1, room - cells(mark))) + mark


def _drawing(heads: Sequence[int]) -> list[str]:
    """The drawing left of each word: a line from its head, and one up and down to its dependents."""
    reach = _reach(heads)
    at = [_STEP * column for column in _columns(heads, reach)]
    grid = [[" "] * (max(at, default=0) + 1) for _ in heads]
    for number, (first, last) in enumerate(reach):
        if first < last:
            for row in grid[first : last + 1]:
                row[at[number]] = "│"
    for number, head in enumerate(heads):
        row, (first, last) = grid[number], reach[number]
        row[at[number]] = _TURNS[first < number, last > number]
        begin = at[head - 1] if head else -1
        if head:
            row[begin] = {reach[head - 1][0]: "╭", reach[head - 1][1]: "╰"}.get(number, "├")
        end = max(place for place, char in enumerate(row) if char != " ")
        for place in range(begin + 1, end):
            if row[place] == " ":  # a line of another head that is in the way stays: ours runs behind it
                row[place] = "─"
        row[end + 1 :] = "─ "
    return ["".join(row) for row in grid]


def _reach(heads: Sequence[int]) -> list[tuple[int, int]]:
    """For each word the first and the last of itself and its dependents; here words count from 0."""
    first, last = list(range(len(heads))), list(range(len(heads)))
    for number, head in enumerate(heads):
        if head:
            first[head - 1], last[head - 1] = min(first[head - 1], number), max(last[head - 1], number)
    return list(zip(first, last, strict=True))


def _columns(heads: Sequence[int], reach: Sequence[tuple[int, int]]) -> list[int]:
    """The column of each word: right of its head's, one further where another's line would run over it."""
    dependents: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for number, head in enumerate(heads):
        dependents[head].append(number)
    columns, lanes = [0] * len(heads), Lanes(len(heads))
    level = [(number, 1) for number in dependents[0]]
    while level:
        for number, column in level:
            first, last = reach[number]
            columns[number] = lanes.take(first, last + 1, column)
        level = [(below, columns[number] + 1) for number, _ in level for below in dependents[number + 1]]
    return columns
