"""Table rows of matches: keyword in context, text, arc diagrams or trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from fictdsl.draw.svg import diagram, drawing, escaped, tag
from fictdsl.draw.terminal import Piece, tree_lines
from fictdsl.draw.text import right_to_left, safe
from fictdsl.draw.tree import Tree, labels, words
from runner.corpus.sentences.lookup import SentenceLocation

VIEWS = ("kwic", "text", "arcs", "tree")
_CONTEXT = 25  # words shown on each side of the bound words


@dataclass(frozen=True)
class Row:
    """A match: the location and the CoNLL-U block of its sentence, and the id of the word bound to each name."""

    location: SentenceLocation
    block: str
    match: Mapping[str, int]

    @cached_property
    def tree(self) -> Tree:
        """The tree with the bound words labelled."""
        return Tree(words(self.block), labels(self.match))


def rows_html(rows: Sequence[Row], view: str) -> str:
    """Return the rows of a view as table rows."""
    render = {"kwic": _kwic, "text": _text, "arcs": _arcs, "tree": _tree}[view]
    return "".join(_row(row, render(row)) for row in rows)


def changed_html(location: SentenceLocation, before: Tree, after: Tree | None) -> str:
    """Return a table row with a sentence before and after a rewrite, with changed words marked."""
    texts = [tag("bdi", "(dropped)" if tree is None else _words(tree, 0, len(tree.words))) for tree in (before, after)]
    position = tag("th", _position(location), scope="row", dir="ltr")
    return tag("tr", position, *(tag("td", text, class_="sentence") for text in texts), dir=_direction(before))


def arcs_html(tree: Tree) -> str:
    """Return an arc diagram. `data-deps` and `data-heads` list the dependent and the head of each arc."""
    layout = diagram(tree)
    dependents = " ".join(str(arc.dependent) for arc in layout.arcs)
    heads = tree.heads()
    heads_of_arcs = " ".join(str(heads[arc.dependent - 1]) for arc in layout.arcs)
    return tag(
        "div",
        drawing(tree, layout=layout),
        class_="drawing",
        tabindex="0",
        role="group",
        data_deps=dependents,
        data_heads=heads_of_arcs,
    )


def tree_html(tree: Tree) -> str:
    """Return a tree drawn with characters."""
    lines = ("".join(map(_piece, line)).rstrip() for line in tree_lines(tree))
    return tag("pre", "\n".join(lines), class_="tree", tabindex="0")


def _piece(piece: Piece) -> str:
    return tag("b", escaped(piece.text), class_="bound") if piece.style == "bound" else escaped(piece.text)


def _row(row: Row, cells: str) -> str:
    location = row.location
    match = " ".join(f"{name}:{word}" for name, word in row.match.items())
    title = safe(location.sent_id or f"{location.source}:{location.number}")
    opener = tag("button", _position(location), class_="open", type="button", title=title, aria_expanded="false")
    attributes = {"data_sid": str(location.sid), "data_match": match, "dir": _direction(row.tree)}
    return tag("tr", tag("th", opener, scope="row", dir="ltr"), cells, **attributes)


def _position(location: SentenceLocation) -> str:
    """Return the source and number of a sentence. A narrow window hides the source."""
    return tag("bdi", tag("span", escaped(safe(f"{location.source}:")), class_="source"), str(location.number))


def _kwic(row: Row) -> str:
    tree = row.tree
    bound = sorted(row.match.values()) or [1]
    first, last = bound[0] - 1, bound[-1]
    start, end = max(0, first - _CONTEXT), min(len(tree.words), last + _CONTEXT)
    left = ("… " if start else "") + _words(tree, start, first)
    right = _words(tree, last, end) + (" …" if end < len(tree.words) else "")
    return (
        tag("td", tag("bdi", left), class_="left")
        + tag("td", tag("bdi", _words(tree, first, last)), class_="middle")
        + tag("td", tag("bdi", right), class_="right")
    )


def _text(row: Row) -> str:
    return tag("td", tag("bdi", _words(row.tree, 0, len(row.tree.words))), colspan="3", class_="sentence")


def _arcs(row: Row) -> str:
    return tag("td", arcs_html(row.tree), colspan="3")


def _tree(row: Row) -> str:
    return tag("td", tree_html(row.tree), colspan="3")


def _words(tree: Tree, start: int, end: int) -> str:
    """Return words as HTML: `b` with the name for a bound word, `i` for any other. `data-w` is the word id.

    A dot separates the words of a multiword token that is not their concatenation, such as *im*: `in·dem`.
    """
    pieces = []
    for word in tree.words[start:end]:
        name, form = tree.labels.get(word.id), escaped(safe(word.form))
        if name is None:
            pieces.append(f'<i data-w="{word.id}">{form}</i>')
        else:
            pieces.append(f'<b data-w="{word.id}">{form}<sub>{escaped(name)}</sub></b>')
        is_inside_token = word.token is not None and word.id < word.token.last
        pieces.append(" " if word.space else "·" * is_inside_token)
    return "".join(pieces)


def _direction(tree: Tree) -> str:
    return "rtl" if right_to_left(tree.text()) else "ltr"
