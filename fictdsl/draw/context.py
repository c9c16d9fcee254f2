"""A sentence into one line with its bound words marked, `dogs/S`: whole, or cut to the part around them."""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.draw.pieces import Line, Piece
from fictdsl.draw.text import cells, safe
from fictdsl.draw.tree import Tree


def context(tree: Tree, width: int | None = None) -> Line:
    """The sentence in at most `width` columns, unless the words from the first to the last bound one need more."""
    texts = [_marked(safe(word.form), tree.labels.get(word.id)) for word in tree.words]
    sizes = [cells(text) + word.space for text, word in zip(texts, tree.words, strict=True)]
    bound = sorted(word for word in tree.labels if 0 < word <= len(texts))
    start, end = window(sizes, bound, width)
    pieces = [Piece("… ", "faint")] if start else []
    for word, text in zip(tree.words[start:end], texts[start:end], strict=True):
        space = " " * (word.space and word.id < end)
        if word.id in tree.labels:
            pieces += [Piece(text, "bound"), Piece(space)]
        else:
            pieces.append(Piece(text + space))
    return (*pieces, Piece(" …", "faint")) if end < len(texts) else tuple(pieces)


def _marked(form: str, label: str | None) -> str:
    return form if label is None else f"{form}/{label}"


def window(sizes: Sequence[int], bound: Sequence[int], width: int | None) -> tuple[int, int]:
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
