"""A sentence into one line with its bound words marked, `dogs/S`: whole, or cut to what stands around them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fictdsl.draw.pieces import Line, Piece
from fictdsl.draw.text import cells, safe
from fictdsl.draw.tree import Tree

_GAP = 3  # columns of an ellipsis with the spaces around it


def context(tree: Tree, width: int | None = None) -> Line:
    """The sentence in at most `width` columns; the bound words are always there, be they too many for that."""
    texts = [_marked(safe(word.form), tree.labels.get(word.id)) for word in tree.words]
    spaces = [_after(tree, number) for number in range(len(texts))]
    sizes = [cells(text + space) for text, space in zip(texts, spaces, strict=True)]
    bound = [number for number, word in enumerate(tree.words) if word.id in tree.labels]
    kept = around(sizes, bound, width)
    pieces: list[Piece] = []
    for number, (word, text) in enumerate(zip(tree.words, texts, strict=True)):
        if number in kept:
            space = spaces[number] if number + 1 in kept else " "
            pieces += [Piece(text, "bound" if word.id in tree.labels else "plain"), Piece(space, "faint")]
        elif not number or number - 1 in kept:
            pieces.append(Piece("… ", "faint"))
    return _without_end(pieces)


def _marked(form: str, label: str | None) -> str:
    return form if label is None else f"{form}/{label}"


def _after(tree: Tree, number: int) -> str:
    """What stands between a word and the next: where there is no space, a dot keeps a name apart from letters."""
    word = tree.words[number]
    if word.space or number + 1 == len(tree.words):
        return " " * (number + 1 < len(tree.words))
    return "·" if word.id in tree.labels and tree.words[number + 1].form[:1].isalnum() else ""


def _without_end(pieces: list[Piece]) -> Line:
    """The pieces without the space after the last."""
    while pieces and not pieces[-1].text.strip():
        pieces.pop()
    return (*pieces[:-1], Piece(pieces[-1].text.rstrip(), pieces[-1].style)) if pieces else ()


def around(sizes: Sequence[int], bound: Sequence[int], width: int | None) -> Collection[int]:
    """The words to show, counted from 0: the bound ones, then the nearest to them as long as they fit."""
    count = len(sizes)
    if width is None or sum(sizes) <= width:
        return range(count)
    kept = set(bound or [0])
    nearest = sorted(range(count), key=lambda number: (min(abs(number - one) for one in bound or [0]), number))
    for number in nearest:
        if number not in kept:
            kept.add(number)
            if _taken(sizes, kept) > width:
                kept.discard(number)
                break
    return kept


def _taken(sizes: Sequence[int], kept: Collection[int]) -> int:
    """How many columns at most these words take, with an ellipsis for each run of others."""
    gaps = sum(number not in kept and (not number or number - 1 in kept) for number in range(len(sizes)))
    return sum(sizes[number] for number in kept) + _GAP * gaps - (len(sizes) - 1 not in kept)
