"""Filters and the sentences they match into one HTML page that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fictdsl.draw.arcs import Diagram, diagram
from fictdsl.draw.markup import escaped, tag
from fictdsl.draw.svg import STYLE, drawing
from fictdsl.draw.text import right_to_left, safe
from fictdsl.draw.tree import Tree

_BOX = "overflow-x:auto;position:relative"
_START = "position:absolute;top:0;width:1px;height:1px;scroll-initial-target:nearest"
_BEFORE = 120  # px that stand left of the first bound word
_PAGE = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Entry:
    """A sentence as it stands on the page: where it is from, and a tree for each match (one bare tree for none).

    `more` says what is not drawn.
    """

    place: str
    trees: Sequence[Tree]
    more: str | None = None


@dataclass(frozen=True)
class Section:
    """A filter's part of the page: its name, what it is about, its source text, the counts in words, sentences."""

    name: str
    about: str | None
    source: str | None
    counts: str
    entries: Sequence[Entry]


def page(title: str, sections: Iterable[Section]) -> str:
    """The whole page; all texts are escaped, light and dark follow the reader's settings."""
    body = "\n".join(_section(section) for section in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(title)}</title>\n<style>\n{_PAGE}{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    parts = [tag("h1", escaped(section.name))]
    if section.about:
        parts.append(tag("p", escaped(section.about), class_="about"))
    parts.append(tag("p", escaped(section.counts), class_="counts"))
    if section.source:
        source = tag("pre", escaped(section.source))
        parts.append(tag("details", tag("summary", "The filter"), source))
    items = "\n".join(tag("li", *_entry(entry)) for entry in section.entries)
    return tag("section", *parts, f"\n<ol>\n{items}\n</ol>\n" if items else "")


def _entry(entry: Entry) -> Iterator[str]:
    yield tag("p", escaped(safe(entry.place)), class_="place")
    for tree in entry.trees:
        yield f"{sentence(tree)}{_drawn(tree)}\n"
    if entry.more is not None:
        yield tag("p", escaped(entry.more), class_="counts")


def sentence(tree: Tree) -> str:
    """The sentence as a paragraph, its bound words marked."""
    return f'<p class="sentence" dir="{_direction(tree)}">{marked(tree)}</p>'


def _drawn(tree: Tree) -> str:
    plan = diagram(tree)
    return framed(tree, drawing(tree, plan=plan), plan)


def framed(tree: Tree, drawn: str, plan: Diagram | None = None) -> str:
    """The drawing of a tree in a box that scrolls, at first to the words that are bound, in browsers that can."""
    spots = (plan or diagram(tree)).spots
    edges = [spot.middle - spot.width / 2 - _BEFORE for spot in spots if spot.name is not None]
    start = f'<i style="{_START};left:{max(0, min(edges)):.0f}px"></i>' if edges else ""
    box = f'class="drawing" dir="{_direction(tree)}" role="group" tabindex="0" style="{_BOX}"'
    return f"<div {box}>{start}{drawn}</div>"


def _direction(tree: Tree) -> str:
    return "rtl" if right_to_left(tree.text()) else "ltr"


def marked(tree: Tree) -> str:
    """The sentence as markup, each bound word marked and followed by its name."""
    parts = []
    for word in tree.words:
        form = escaped(safe(word.form))
        name = tree.labels.get(word.id)
        parts.append(form if name is None else f"<mark>{form}<sub>{escaped(name)}</sub></mark>")
        parts.append(" " if word.space else "")
    return f"<bdi>{''.join(parts).rstrip()}</bdi>"
