"""Draw trees as arc diagrams in SVG, and pages of sentences with their trees in HTML.

Words are on a line, with UPOS and bound names below and labelled arcs above. Words are moved apart until the labels of
all arcs fit.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from fictdsl.draw.tree import Lanes, Tree
from fictdsl.terminal_text import safe


def tag(name: str, *inside: str, **attributes: str | float | None) -> str:
    """Return `<name a="…">inside</name>`, with attributes escaped, `_` in them as `-`, and a final `_` dropped."""
    attribute_text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{attribute_text}>{''.join(inside)}</{name}>" if inside else f"<{name}{attribute_text}/>"


def number(value: str | float) -> str:
    """Return a number with at most one decimal, or text unchanged."""
    if isinstance(value, str):
        return value
    text = f"{value:.1f}"
    return text.removesuffix(".0")


def escaped(content: str) -> str:
    """Return text with markup characters escaped and without C0 control characters other than tab and newline."""
    if not content.isprintable():
        content = "".join(char for char in content if char >= " " or char in "\t\n")
    return escape(content)


class NestedLevels:
    """An index of intervals, to find the highest level of those inside a given interval."""

    def __init__(self, size: int) -> None:
        """Create a Fenwick tree over the starts of intervals.

        Each node has ends and levels, both ascending. An interval that ends no earlier and is no higher than another
        one is dropped, since it never changes a result.
        """
        self._ends: list[list[int]] = [[] for _ in range(size + 1)]
        self._levels: list[list[int]] = [[] for _ in range(size + 1)]
        self._size = size

    def add(self, first: int, last: int, level: int) -> None:
        node = self._size - first
        while node <= self._size:
            ends, levels = self._ends[node], self._levels[node]
            index = bisect_right(ends, last)
            if not index or levels[index - 1] < level:
                start = bisect_left(ends, last)
                stop = bisect_right(levels, level, start)
                ends[start:stop], levels[start:stop] = [last], [level]
            node += node & -node

    def highest(self, first: int, last: int) -> int:
        highest, node = 0, self._size - first
        while node:
            index = bisect_right(self._ends[node], last)
            highest = max(highest, self._levels[node][index - 1]) if index else highest
            node -= node & -node
        return highest


_FORM_SIZE, _TAG_SIZE, LABEL_SIZE, _NAME_SIZE = 16.0, 10.5, 11.0, 12.0  # font sizes, in px
LEVEL_HEIGHT = 21.0  # height of one level of arcs
_WORD_SPACING = 16.0  # between two words
_PORT_SPACING = 5.0  # between the ends of two arcs at the same word
_LABEL_PADDING = 14.0  # left and right of the label of an arc, in total
_FRAME_PADDING = 10.0  # left and right of a bound word, in total
_BOLD_WIDTH = 1.08  # width of bold text, relative to regular text
_MARGIN = 12.0  # left and right of the diagram
_NARROW = frozenset("iljtfrI.,:;!|'\"`()[]{}-/\\ ")
_WIDE = frozenset("mwMWQ@%&—…")


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc from `start` (x at the head) to `end` (x at the dependent), equal for a root. The lowest level is 1."""

    start: float
    end: float
    level: int
    label: str
    bound: bool  # a match binds both words
    dependent: int  # an id


@dataclass(frozen=True, slots=True)
class PlacedWord:
    middle: float
    width: float
    form: str
    tag: str
    name: str | None


@dataclass(frozen=True, slots=True)
class Diagram:
    words: tuple[PlacedWord, ...]
    arcs: tuple[Arc, ...]
    width: float

    @property
    def level_count(self) -> int:
        return max((arc.level for arc in self.arcs), default=0)


def diagram(tree: Tree) -> Diagram:
    """Lay out a tree, from right to left for right-to-left scripts."""
    heads = tree.heads()
    relations = [safe(word.deprel) for word in tree.words]
    levels = _levels(heads)
    ports = _ports(heads)
    outermost_ports = [0.0] * len(heads)  # distance of the outermost port from the middle of each word
    for (head, _), port in ports.items():
        outermost_ports[head] = max(outermost_ports[head], abs(port))
    widths = [_width(tree, index, outermost_ports[index]) for index in range(len(heads))]
    middles = _middles(widths, heads, [ems(relation) * LABEL_SIZE + _LABEL_PADDING for relation in relations], ports)
    right_edges = [middle + width / 2 for middle, width in zip(middles, widths, strict=True)]
    total_width = max(right_edges, default=0.0) + _MARGIN
    is_mirrored = right_to_left(tree.text())

    def x(position: float) -> float:
        return total_width - position if is_mirrored else position

    words = tuple(
        PlacedWord(x(middle), width, safe(word.form), safe(word.upos), tree.labels.get(word.id))
        for word, middle, width in zip(tree.words, middles, widths, strict=True)
    )
    arcs = []
    for index, head in enumerate(heads):
        end = middles[index]
        start = middles[head - 1] + ports[head - 1, index] if head else end
        is_bound = head in tree.labels and tree.words[index].id in tree.labels
        arcs.append(Arc(x(start), x(end), levels[index], relations[index], is_bound, tree.words[index].id))
    return Diagram(words, tuple(sorted(arcs, key=lambda arc: arc.level)), total_width)


def _levels(heads: Sequence[int]) -> list[int]:
    """Return the level of each word's arc. It is above the arcs nested in it, and overlapping arcs differ in level."""
    levels = [0] * len(heads)
    lanes = Lanes(len(heads))  # a cell is the space between a word and the next
    nested_levels = NestedLevels(len(heads))
    arcs = [(*sorted((index, head - 1)), index) for index, head in enumerate(heads) if head]
    for left, right, index in sorted(arcs, key=lambda arc: (arc[1] - arc[0], arc)):
        levels[index] = lanes.allocate(left, right, nested_levels.highest(left, right)) + 1
        nested_levels.add(left, right, levels[index])
    for index, head in enumerate(heads):
        if not head:
            levels[index] = 1 + lanes.occupied(max(index - 1, 0), index + 1).bit_length()
    return levels


def _ports(heads: Sequence[int]) -> dict[tuple[int, int], float]:
    """Return the offset of each arc from the middle of its head, by head and dependent. Longer arcs are closer."""
    arcs = [(head - 1, index) for index, head in enumerate(heads) if head]
    counts: Counter[tuple[int, int]] = Counter()
    ports: dict[tuple[int, int], float] = {}
    for head, index in sorted(arcs, key=lambda arc: -abs(arc[1] - arc[0])):
        side = 1 if index > head else -1
        counts[head, side] += 1
        ports[head, index] = side * _PORT_SPACING * counts[head, side]
    return ports


def _width(tree: Tree, index: int, outermost_port: float) -> float:
    word = tree.words[index]
    name = tree.labels.get(word.id)
    form_width = ems(safe(word.form)) * _FORM_SIZE * (1 if name is None else _BOLD_WIDTH)
    text_width = max(form_width, ems(safe(word.upos)) * _TAG_SIZE)
    if name is not None:
        text_width = max(text_width, ems(name) * _NAME_SIZE * _BOLD_WIDTH) + _FRAME_PADDING
    return max(text_width, 2 * outermost_port)


def _middles(
    widths: Sequence[float], heads: Sequence[int], label_widths: Sequence[float], ports: dict[tuple[int, int], float]
) -> list[float]:
    """Return the middle of each word, as far left as earlier words and the labels of arcs allow."""
    arcs: list[list[tuple[int, float]]] = [[] for _ in widths]  # by right word: left word and minimum distance
    for index, head in enumerate(heads):
        if head:
            distance = label_widths[index] + abs(ports[head - 1, index])
            arcs[max(index, head - 1)].append((min(index, head - 1), distance))
    middles: list[float] = []
    for index, width in enumerate(widths):
        minima = [middles[left] + distance for left, distance in arcs[index]]
        left_edge = middles[-1] + widths[index - 1] / 2 + _WORD_SPACING if middles else _MARGIN
        middles.append(max([left_edge + width / 2, *minima]))
    return middles


def ems(text: str) -> float:
    """Estimate the width of a text in a proportional font, in em. Tends to overestimate."""
    return sum(_em(char) for char in text)


def _em(char: str) -> float:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    if char in _NARROW:
        return 0.4
    return 0.98 if char in _WIDE else 0.72 if char.isupper() else 0.63


def right_to_left(text: str) -> bool:
    directions = [unicodedata.bidirectional(char) for char in text]
    return sum(direction in ("R", "AL") for direction in directions) > directions.count("L")


STYLE = (Path(__file__).parent / "tree.css").read_text(encoding="utf-8")
_TOP_MARGIN = 14.0
_CORNER_RADIUS = 7.0  # radius of an arc's corners


def svg(tree: Tree, title: str | None = None) -> str:
    opening, _, content = drawing(tree, title).partition(">")
    opening = opening.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return f"{opening}><style>{STYLE}</style>{content}\n"


def drawing(tree: Tree, title: str | None = None, layout: Diagram | None = None) -> str:
    """Return an `<svg>` element for a page that includes `STYLE`. `title` defaults to the sentence."""
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
    x, y = number(layout.width), number(height)
    size = {"viewBox": f"0 0 {x} {y}", "width": x, "height": y}
    return tag("svg", "\n" + "\n".join(elements) + "\n", class_="fict-tree", role="img", **size)


def _description(tree: Tree) -> str:
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
        layout = diagram(tree)
        yield f"{sentence(tree)}{framed(tree, drawing(tree, layout=layout), layout)}\n"
    if entry.note is not None:
        yield tag("p", escaped(entry.note), class_="counts")


def sentence(tree: Tree) -> str:
    return f'<p class="sentence" dir="{_direction(tree)}">{marked(tree)}</p>'


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
    """Return the sentence as markup. A multiword token with a bound word is shown by its words, with dots between."""
    fragments = []
    for index, word in enumerate(tree.words):
        form = escaped(safe(tree.shown_form(index)))
        name = tree.labels.get(word.id)
        fragments.append(form if name is None else f"<mark>{form}<sub>{escaped(name)}</sub></mark>")
        is_inside_token = word.token is not None and word.id < word.token.last and tree.has_bound_word(word)
        fragments.append("·" if is_inside_token else " " if word.space else "")
    return f"<bdi>{''.join(fragments).rstrip()}</bdi>"
