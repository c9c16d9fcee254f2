"""Lay out the arc diagram of a tree: positions of words, and levels and end points of arcs.

Words are on a line, with arcs above it. Words are moved apart until the labels of all arcs fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fictdsl.draw.lanes import Lanes, NestedLevels
from fictdsl.draw.text import ems, right_to_left, safe
from fictdsl.draw.tree import Tree

_FORM_SIZE, _TAG_SIZE, LABEL_SIZE, _NAME_SIZE = 16.0, 10.5, 11.0, 12.0  # font sizes, in px
LEVEL_HEIGHT = 21.0  # height of one level of arcs
_WORD_SPACING = 16.0  # between two words
_PORT_SPACING = 5.0  # between the ends of two arcs at the same word
_LABEL_PADDING = 14.0  # left and right of the label of an arc, in total
_FRAME_PADDING = 10.0  # left and right of a bound word, in total
_BOLD_WIDTH = 1.08  # width of bold text, relative to regular text
_MARGIN = 12.0  # left and right of the diagram


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc from `start` (x at the head) to `end` (x at the dependent); the lowest `level` is 1.

    The arc of a root is a vertical line: `start` equals `end`. `bound` is True if a match binds both words. `dependent`
    is the id of the word at the end.
    """

    start: float
    end: float
    level: int
    label: str
    bound: bool
    dependent: int


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word: the x of its middle, its width, and its texts from top to bottom."""

    middle: float
    width: float
    form: str
    tag: str
    name: str | None


@dataclass(frozen=True, slots=True)
class Diagram:
    """All words in the order of the sentence, and all arcs, the lowest first."""

    words: tuple[PlacedWord, ...]
    arcs: tuple[Arc, ...]
    width: float

    @property
    def level_count(self) -> int:
        """The number of levels of arcs."""
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
    total_width = (
        max((middle + width / 2 for middle, width in zip(middles, widths, strict=True)), default=0.0) + _MARGIN
    )
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
    """Return the offset of each arc's start from the middle of its head, by the indices of head and dependent.

    Longer arcs start closer to the middle.
    """
    dependents_by_side: dict[tuple[int, bool], list[int]] = {}
    for index, head in enumerate(heads):
        if head:
            dependents_by_side.setdefault((head - 1, index > head - 1), []).append(index)
    ports: dict[tuple[int, int], float] = {}
    for (head, is_right), dependents in dependents_by_side.items():
        by_length = sorted(dependents, key=lambda index: -abs(index - head))
        for rank, index in enumerate(by_length, 1):
            ports[head, index] = _PORT_SPACING * rank if is_right else -_PORT_SPACING * rank
    return ports


def _width(tree: Tree, index: int, outermost_port: float) -> float:
    word = tree.words[index]
    name = tree.labels.get(word.id)
    form_width = ems(safe(word.form)) * _FORM_SIZE * (1 if name is None else _BOLD_WIDTH)
    text_width = max(
        form_width, ems(safe(word.upos)) * _TAG_SIZE, 0 if name is None else ems(name) * _NAME_SIZE * _BOLD_WIDTH
    )
    return max(text_width + (0 if name is None else _FRAME_PADDING), 2 * outermost_port)


def _middles(
    widths: Sequence[float], heads: Sequence[int], label_widths: Sequence[float], ports: dict[tuple[int, int], float]
) -> list[float]:
    """Return the middle of each word, as far left as earlier words and the labels of arcs allow."""
    arcs: list[list[tuple[int, float]]] = [[] for _ in widths]  # by right word: left word and minimum distance
    for index, head in enumerate(heads):
        if head:
            port = ports[head - 1, index]
            distance = label_widths[index] + abs(port)
            arcs[max(index, head - 1)].append((min(index, head - 1), distance))
    middles: list[float] = []
    for index, width in enumerate(widths):
        minima = [middles[left] + distance for left, distance in arcs[index]]
        left_edge = middles[-1] + widths[index - 1] / 2 + _WORD_SPACING if middles else _MARGIN
        middles.append(max([left_edge + width / 2, *minima]))
    return middles
