"""Render filters and the sentences they match as a self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fictdsl.draw.svg import STYLE, Diagram, diagram, drawing, escaped, right_to_left, tag
from fictdsl.draw.tree import Tree
from fictdsl.terminal_text import safe

_BOX_STYLE = "overflow-x:auto;position:relative"
_SCROLL_TARGET_STYLE = "position:absolute;top:0;width:1px;height:1px;scroll-initial-target:nearest"
_LEFT_MARGIN = 120  # px left of the leftmost bound word
_PAGE_STYLE = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Entry:
    """A sentence on the page, and a tree for each match; without a match, a tree without bound words."""

    origin: str
    trees: Sequence[Tree]
    note: str | None = None


@dataclass(frozen=True)
class Section:
    """The section of a filter. `heading` is shown above the source text."""

    name: str
    about: str | None
    source: str | None
    counts: str
    entries: Sequence[Entry]
    heading: str = "The filter"


def page(title: str, sections: Iterable[Section]) -> str:
    body = "\n".join(_section(section) for section in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(title)}</title>\n<style>\n{_PAGE_STYLE}{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    elements = [tag("h1", escaped(section.name))]
    if section.about:
        elements.append(tag("p", escaped(section.about), class_="about"))
    elements.append(tag("p", escaped(section.counts), class_="counts"))
    if section.source:
        source = tag("pre", escaped(section.source))
        elements.append(tag("details", tag("summary", escaped(section.heading)), source))
    items = "\n".join(tag("li", *_entry(entry)) for entry in section.entries)
    return tag("section", *elements, f"\n<ol>\n{items}\n</ol>\n" if items else "")


def _entry(entry: Entry) -> Iterator[str]:
    yield tag("p", escaped(safe(entry.origin)), class_="place")
    for tree in entry.trees:
        yield f"{sentence(tree)}{_figure(tree)}\n"
    if entry.note is not None:
        yield tag("p", escaped(entry.note), class_="counts")


def sentence(tree: Tree) -> str:
    return f'<p class="sentence" dir="{_direction(tree)}">{marked(tree)}</p>'


def _figure(tree: Tree) -> str:
    layout = diagram(tree)
    return framed(tree, drawing(tree, layout=layout), layout)


def framed(tree: Tree, image: str, layout: Diagram | None = None) -> str:
    """Return a drawing in a scrollable box, which browsers that can open at the leftmost bound word."""
    words = (layout or diagram(tree)).words
    left_edges = [word.middle - word.width / 2 - _LEFT_MARGIN for word in words if word.name is not None]
    scroll_target = f'<i style="{_SCROLL_TARGET_STYLE};left:{max(0, min(left_edges)):.0f}px"></i>' if left_edges else ""
    box_attributes = f'class="drawing" dir="{_direction(tree)}" role="group" tabindex="0" style="{_BOX_STYLE}"'
    return f"<div {box_attributes}>{scroll_target}{image}</div>"


def _direction(tree: Tree) -> str:
    return "rtl" if right_to_left(tree.text()) else "ltr"


def marked(tree: Tree) -> str:
    """Return the sentence as markup, with each bound word marked and followed by its name.

    A multiword token is shown by its form, or by its words with dots between them if one of them is bound.
    """
    fragments = []
    for index, word in enumerate(tree.words):
        is_split = tree.has_bound_word(word)
        form = escaped(safe(word.form if is_split else tree.surface_form(index)))
        name = tree.labels.get(word.id)
        fragments.append(form if name is None else f"<mark>{form}<sub>{escaped(name)}</sub></mark>")
        is_inside_token = is_split and word.token is not None and word.id < word.token.last
        fragments.append("·" if is_inside_token else " " if word.space else "")
    return f"<bdi>{''.join(fragments).rstrip()}</bdi>"
