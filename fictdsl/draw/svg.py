"""Draw a tree as an arc diagram in SVG: words on a line, UPOS and bound names below, labelled arcs above."""

from __future__ import annotations

from pathlib import Path

from fictdsl.draw.arcs import LEVEL_HEIGHT, Arc, Diagram, PlacedWord, diagram
from fictdsl.draw.markup import escaped, number, tag
from fictdsl.draw.text import safe
from fictdsl.draw.tree import Tree

STYLE = (Path(__file__).parent / "tree.css").read_text(encoding="utf-8")
_TOP_MARGIN = 14.0
_CORNER_RADIUS = 7.0  # radius of an arc's corners


def svg(tree: Tree, title: str | None = None) -> str:
    """Return a self-contained SVG document, for a file or a notebook."""
    opening, _, content = drawing(tree, title).partition(">")
    opening = opening.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return f"{opening}><style>{STYLE}</style>{content}\n"


def drawing(tree: Tree, title: str | None = None, layout: Diagram | None = None) -> str:
    """Return an `<svg>` element for a page that includes `STYLE`.

    `title` defaults to the sentence. `layout` is the diagram of the tree, if it has been computed before.
    """
    layout = layout or diagram(tree)
    arcs_bottom = _TOP_MARGIN + LEVEL_HEIGHT * layout.level_count  # y at which arcs end
    height = arcs_bottom + (66 if tree.labels else 46)
    elements = [
        tag("title", escaped(safe(title or tree.text()))),
        tag("desc", escaped(_description(tree))),
        tag("rect", class_="ground", width=layout.width, height=height, rx=6),
        *(_box(word, arcs_bottom) for word in layout.words if word.name is not None),
        *(_arc_path(arc, arcs_bottom) for arc in reversed(layout.arcs)),
        *(_label(arc, arcs_bottom) for arc in layout.arcs),
        *(_word(word, arcs_bottom) for word in layout.words),
    ]
    size = {
        "viewBox": f"0 0 {number(layout.width)} {number(height)}",
        "width": number(layout.width),
        "height": number(height),
    }
    return tag("svg", "\n" + "\n".join(elements) + "\n", class_="fict-tree", role="img", **size)


def _description(tree: Tree) -> str:
    """Return the tree as text, for screen readers."""
    forms = {word.id: safe(word.form) for word in tree.words}
    bindings = [f"{name} is {forms[word_id]} ({word_id})" for word_id, name in tree.labels.items() if word_id in forms]
    edges = [
        f"{word.id} {forms[word.id]}: {safe(word.upos)}, {safe(word.deprel)}"
        + (f" of {head} {forms[head]}" if head else "")
        for word, head in zip(tree.words, tree.heads(), strict=True)
    ]
    return "; ".join([*bindings, *edges])


def _arc_top(arc: Arc, arcs_bottom: float) -> float:
    return arcs_bottom - LEVEL_HEIGHT * arc.level + 6


def _arc_path(arc: Arc, arcs_bottom: float) -> str:
    top, bottom = _arc_top(arc, arcs_bottom), arcs_bottom
    if arc.start == arc.end:
        path = f"M{number(arc.end)} {number(top)}V{number(bottom)}"
    else:
        signed_radius = _CORNER_RADIUS if arc.end > arc.start else -_CORNER_RADIUS
        path = (
            f"M{number(arc.start)} {number(bottom)}V{number(top + _CORNER_RADIUS)}"
            f"Q{number(arc.start)} {number(top)} {number(arc.start + signed_radius)} {number(top)}"
            f"H{number(arc.end - signed_radius)}Q{number(arc.end)} {number(top)} "
            f"{number(arc.end)} {number(top + _CORNER_RADIUS)}"
            f"V{number(bottom)}"
        )
    arrowhead = f"M{number(arc.end - 3.5)} {number(bottom - 6)}h7l-3.5 7z"
    css_class = "arc bound" if arc.bound else "arc"
    return tag("path", class_=css_class, d=path) + tag("path", class_=f"{css_class} point", d=arrowhead)


def _label(arc: Arc, arcs_bottom: float) -> str:
    css_class = "label bound" if arc.bound else "label"
    middle = (arc.start + arc.end) / 2
    return tag("text", escaped(arc.label), class_=css_class, x=middle, y=_arc_top(arc, arcs_bottom) + 3.5)


def _box(word: PlacedWord, arcs_bottom: float) -> str:
    return tag(
        "rect", class_="box", x=word.middle - word.width / 2, y=arcs_bottom + 3, width=word.width, height=57, rx=5
    )


def _word(word: PlacedWord, arcs_bottom: float) -> str:
    class_suffix = "" if word.name is None else " bound"
    lines = [("form" + class_suffix, word.form, 21.0), ("tag", word.tag, 37.0)]
    lines += [] if word.name is None else [("name", word.name, 54.0)]
    return "".join(
        tag("text", escaped(text), class_=css_class, x=word.middle, y=arcs_bottom + y) for css_class, text, y in lines
    )
