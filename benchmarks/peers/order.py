"""Order the dependents of every head by length, with a loop over Udapi's nodes or over the lines of CoNLL-U.

    python -m benchmarks.peers.order udapi|lines CORPUS OUTPUT

PUNCT and the head keep their positions among the dependents. The length of a dependent is the number of words in its
subtree that have a letter or digit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any


def by_udapi(corpus: Path) -> Iterator[str]:
    """Yield the reordered text of every sentence, from the nodes of Udapi."""
    from udapi.core.document import Document

    for tree in Document(str(corpus)).trees:
        words = _ordered(
            tree.children[0], lambda node: node.children, lambda node: node.upos == "PUNCT", lambda node: node.ord
        )
        yield "".join(node.form if node.no_space_after else f"{node.form} " for node in words).rstrip()


def by_lines(corpus: Path) -> Iterator[str]:
    """Yield the reordered text of every sentence, from the lines of the file."""
    for block in corpus.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
        rows = [row for row in rows if row[0].isdigit()]
        children_of: list[list[int]] = [[] for _ in range(len(rows) + 1)]
        for number, row in enumerate(rows, start=1):
            children_of[int(row[6])].append(number)
        if rows:
            yield _order_rows(rows, children_of)


def _order_rows(rows: Sequence[Sequence[str]], children_of: Sequence[Sequence[int]]) -> str:
    numbers = _ordered(
        children_of[0][0], children_of.__getitem__, lambda number: rows[number - 1][3] == "PUNCT",
        lambda number: number, lambda number: rows[number - 1][1],
    )  # fmt: skip
    ordered_rows = (rows[number - 1] for number in numbers)
    return "".join(row[1] if "SpaceAfter=No" in row[9] else f"{row[1]} " for row in ordered_rows).rstrip()


def _ordered(
    head: Any,
    children: Callable[[Any], Sequence[Any]],
    is_punct: Callable[[Any], bool],
    number: Callable[[Any], int],
    form: Callable[[Any], str] = lambda node: node.form,
) -> list[Any]:
    """Return a head and its descendants in their new order."""
    child_nodes = children(head)
    if not child_nodes:
        return [head]
    blocks = [_ordered(child, children, is_punct, number, form) for child in child_nodes]
    movable = [block for child, block in zip(child_nodes, blocks, strict=True) if not is_punct(child)]
    movable.sort(key=lambda block: sum(any(map(str.isalnum, form(word))) for word in block))
    next_movable = iter(movable)
    blocks = [
        block if is_punct(child) else next(next_movable) for child, block in zip(child_nodes, blocks, strict=True)
    ]
    head_index = sum(number(child) < number(head) for child in child_nodes)
    preceding_blocks, following_blocks = blocks[:head_index], blocks[head_index:]
    return [*chain.from_iterable(preceding_blocks), head, *chain.from_iterable(following_blocks)]


if __name__ == "__main__":
    method, source, output = sys.argv[1:]
    texts = (by_udapi if method == "udapi" else by_lines)(Path(source))
    Path(output).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
