"""Render filters and the sentences they match as a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fictdsl.draw.arcs import Diagram, diagram
from fictdsl.draw.markup import escaped, tag
from fictdsl.draw.svg import STYLE, drawing
from fictdsl.draw.text import right_to_left, safe
from fictdsl.draw.tree import Tree

_BOX_STYLE = "overflow-x:auto;position:relative"
_START_STYLE = "position:absolute;top:0;width:1px;height:1px;scroll-initial-target:nearest"
_LEFT_MARGIN = 120  # px left of the first bound word
_PAGE_STYLE = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Entry:
    """A sentence on the page: its origin, and a tree for each match, or one without bound words if there is none.

    `more` is a note on matches that are not drawn.
    """

    origin: str
    trees: Sequence[Tree]
    more: str | None = None


@dataclass(frozen=True)
class Section:
    """The section of a filter: its name, description, source text, a sentence with counts, and matching sentences.

    `heading` stands above the source text.
    """

    name: str
    about: str | None
    source: str | None
    counts: str
    entries: Sequence[Entry]
    heading: str = "The filter"


def page(title: str, sections: Iterable[Section]) -> str:
    """Return the page. All texts are escaped; the colour scheme follows the reader's settings."""
    body = "\n".join(_section(section) for section in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(title)}</title>\n<style>\n{_PAGE_STYLE}{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    parts = [tag("h1", escaped(section.name))]
    if section.about:
        parts.append(tag("p", escaped(section.about), class_="about"))
    parts.append(tag("p", escaped(section.counts), class_="counts"))
    if section.source:
        source = tag("pre", escaped(section.source))
        parts.append(tag("details", tag("summary", escaped(section.heading)), source))
    items = "\n".join(tag("li", *_entry(entry)) for entry in section.entries)
    return tag("section", *parts, f"\n<ol>\n{items}\n</ol>\n" if items else "")


def _entry(entry: Entry) -> Iterator[str]:
    yield tag("p", escaped(safe(entry.origin)), class_="place")
    for tree in entry.trees:
        yield f"{sentence(tree)}{_figure(tree)}\n"
    if entry.more is not None:
        yield tag("p", escaped(entry.more), class_="counts")


def sentence(tree: Tree) -> str:
    """Return the sentence as a paragraph with its bound words marked."""
    return f'<p class="sentence" dir="{_direction(tree)}">{marked(tree)}</p>'


def _figure(tree: Tree) -> str:
    layout = diagram(tree)
    return framed(tree, drawing(tree, layout=layout), layout)


def framed(tree: Tree, image: str, layout: Diagram | None = None) -> str:
    """Return a drawing in a box that scrolls. The box is first scrolled to the first bound word if the browser can."""
    words = (layout or diagram(tree)).words
    edges = [word.middle - word.width / 2 - _LEFT_MARGIN for word in words if word.name is not None]
    start = f'<i style="{_START_STYLE};left:{max(0, min(edges)):.0f}px"></i>' if edges else ""
    box = f'class="drawing" dir="{_direction(tree)}" role="group" tabindex="0" style="{_BOX_STYLE}"'
    return f"<div {box}>{start}{image}</div>"


def _direction(tree: Tree) -> str:
    return "rtl" if right_to_left(tree.text()) else "ltr"


def marked(tree: Tree) -> str:
    """Return the sentence as markup, with each bound word marked and followed by its name."""
    parts = []
    for word in tree.words:
        form = escaped(safe(word.form))
        name = tree.labels.get(word.id)
        parts.append(form if name is None else f"<mark>{form}<sub>{escaped(name)}</sub></mark>")
        parts.append(" " if word.space else "")
    return f"<bdi>{''.join(parts).rstrip()}</bdi>"
