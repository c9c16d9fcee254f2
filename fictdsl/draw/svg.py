"""Draw a tree as an arc diagram in SVG: words on a line, UPOS and bound names below, labelled arcs above."""

from __future__ import annotations

from pathlib import Path

from fictdsl.draw.arcs import STEP, Arc, Diagram, PlacedWord, diagram
from fictdsl.draw.markup import escaped, number, tag
from fictdsl.draw.text import safe
from fictdsl.draw.tree import Tree

STYLE = (Path(__file__).parent / "tree.css").read_text(encoding="utf-8")
_TOP = 14.0
_BEND = 7.0  # radius of an arc's corners


def svg(tree: Tree, title: str | None = None) -> str:
    """Return a self-contained SVG document, for a file or a notebook."""
    head, _, rest = drawing(tree, title).partition(">")
    head = head.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return f"{head}><style>{STYLE}</style>{rest}\n"


def drawing(tree: Tree, title: str | None = None, layout: Diagram | None = None) -> str:
    """Return an `<svg>` element for a page that includes `STYLE`.

    `title` defaults to the sentence. `layout` is the diagram of the tree, if it has been computed before.
    """
    layout = layout or diagram(tree)
    ground = _TOP + STEP * layout.levels  # y at which arcs end
    height = ground + (66 if tree.labels else 46)
    parts = [
        tag("title", escaped(safe(title or tree.text()))),
        tag("desc", escaped(_description(tree))),
        tag("rect", class_="ground", width=layout.width, height=height, rx=6),
        *(_box(word, ground) for word in layout.words if word.name is not None),
        *(_line(arc, ground) for arc in reversed(layout.arcs)),
        *(_label(arc, ground) for arc in layout.arcs),
        *(_word(word, ground) for word in layout.words),
    ]
    size = {
        "viewBox": f"0 0 {number(layout.width)} {number(height)}",
        "width": number(layout.width),
        "height": number(height),
    }
    return tag("svg", "\n" + "\n".join(parts) + "\n", class_="fict-tree", role="img", **size)


def _description(tree: Tree) -> str:
    """Return the tree as text, for screen readers."""
    forms = {word.id: safe(word.form) for word in tree.words}
    bound = [f"{name} is {forms[word]} ({word})" for word, name in tree.labels.items() if word in forms]
    edges = [
        f"{word.id} {forms[word.id]}: {safe(word.upos)}, {safe(word.deprel)}"
        + (f" of {head} {forms[head]}" if head else "")
        for word, head in zip(tree.words, tree.heads(), strict=True)
    ]
    return "; ".join([*bound, *edges])


def _arc_top(arc: Arc, ground: float) -> float:
    return ground - STEP * arc.level + 6


def _line(arc: Arc, ground: float) -> str:
    top, end = _arc_top(arc, ground), ground
    if arc.start == arc.end:
        path = f"M{number(arc.end)} {number(top)}V{number(end)}"
    else:
        bend = _BEND if arc.end > arc.start else -_BEND
        path = (
            f"M{number(arc.start)} {number(end)}V{number(top + _BEND)}"
            f"Q{number(arc.start)} {number(top)} {number(arc.start + bend)} {number(top)}"
            f"H{number(arc.end - bend)}Q{number(arc.end)} {number(top)} {number(arc.end)} {number(top + _BEND)}"
            f"V{number(end)}"
        )
    point = f"M{number(arc.end - 3.5)} {number(end - 6)}h7l-3.5 7z"
    css_class = "arc bound" if arc.bound else "arc"
    return tag("path", class_=css_class, d=path) + tag("path", class_=f"{css_class} point", d=point)


def _label(arc: Arc, ground: float) -> str:
    css_class = "label bound" if arc.bound else "label"
    middle = (arc.start + arc.end) / 2
    return tag("text", escaped(arc.label), class_=css_class, x=middle, y=_arc_top(arc, ground) + 3.5)


def _box(word: PlacedWord, ground: float) -> str:
    return tag("rect", class_="box", x=word.middle - word.width / 2, y=ground + 3, width=word.width, height=57, rx=5)


def _word(word: PlacedWord, ground: float) -> str:
    bound = "" if word.name is None else " bound"
    lines = [("form" + bound, word.form, 21.0), ("tag", word.tag, 37.0)]
    lines += [] if word.name is None else [("name", word.name, 54.0)]
    return "".join(
        tag("text", escaped(text), class_=css_class, x=word.middle, y=ground + y) for css_class, text, y in lines
    )
