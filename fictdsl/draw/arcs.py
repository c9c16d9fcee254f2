"""A tree into the geometry of its arc diagram: where words stand, how high arcs rise, where they touch the words.

Words stand on a line, arcs above it. A sentence that needs more room becomes wider; nothing is ever squeezed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fictdsl.draw.lanes import Inside, Lanes
from fictdsl.draw.text import ems, right_to_left, safe
from fictdsl.draw.tree import Tree

FORM, TAG, LABEL, NAME = 16.0, 10.5, 11.0, 12.0  # sizes of type, in px
STEP = 21.0  # from one level of arcs to the next
_GAP = 16.0  # between two words
_PORT = 5.0  # between the places where two arcs touch a word
_PAD = 14.0  # beside the label of an arc, both sides together
_FRAME = 10.0  # beside a bound word, both sides together
_BOLD = 1.08
_MARGIN = 12.0


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc from `start` (x at the head) to `end` (x at the dependent), `level` steps high from 1 on.

    A root has a line from above: `start` equals `end`. `bound` says that a match binds both its words.
    """

    start: float
    end: float
    level: int
    label: str
    bound: bool


@dataclass(frozen=True, slots=True)
class Spot:
    """A word: the x of its middle, the width of what stands there, the texts below each other."""

    middle: float
    width: float
    form: str
    tag: str
    name: str | None


@dataclass(frozen=True, slots=True)
class Diagram:
    """All spots in the order of the sentence, and all arcs, the lowest first."""

    spots: tuple[Spot, ...]
    arcs: tuple[Arc, ...]
    width: float

    @property
    def levels(self) -> int:
        """How many levels the arcs need."""
        return max((arc.level for arc in self.arcs), default=0)


def diagram(tree: Tree) -> Diagram:
    """Lay a tree out, from right to left where its script runs that way."""
    heads = tree.heads()
    names = [safe(word.deprel) for word in tree.words]
    levels = _levels(heads)
    ports = _ports(heads)
    touched = [0.0] * len(heads)  # how far from the middle of a word arcs begin
    for (head, _), port in ports.items():
        touched[head] = max(touched[head], abs(port))
    widths = [_width(tree, index, touched[index]) for index in range(len(heads))]
    middles = _middles(widths, heads, [ems(name) * LABEL + _PAD for name in names], ports)
    total = max((m + w / 2 for m, w in zip(middles, widths, strict=True)), default=0.0) + _MARGIN
    mirrored = right_to_left(tree.text())

    def x(place: float) -> float:
        return total - place if mirrored else place

    spots = tuple(
        Spot(x(middle), width, safe(word.form), safe(word.upos), tree.labels.get(word.id))
        for word, middle, width in zip(tree.words, middles, widths, strict=True)
    )
    arcs = []
    for index, head in enumerate(heads):
        end = middles[index]
        start = middles[head - 1] + ports[head - 1, index] if head else end
        bound = head in tree.labels and tree.words[index].id in tree.labels
        arcs.append(Arc(x(start), x(end), levels[index], names[index], bound))
    return Diagram(spots, tuple(sorted(arcs, key=lambda arc: arc.level)), total)


def _levels(heads: Sequence[int]) -> list[int]:
    """The level of each word's arc: above all that it spans, and on none where another arc is in its way."""
    levels = [0] * len(heads)
    lanes, inside = Lanes(len(heads)), Inside(len(heads))  # the cell of a word is what lies between it and the next
    arcs = [(*sorted((index, head - 1)), index) for index, head in enumerate(heads) if head]
    for first, last, index in sorted(arcs, key=lambda arc: (arc[1] - arc[0], arc)):
        levels[index] = lanes.take(first, last, inside.highest(first, last)) + 1
        inside.add(first, last, levels[index])
    for index, head in enumerate(heads):
        if not head:
            levels[index] = 1 + lanes.taken(max(index - 1, 0), index + 1).bit_length()
    return levels


def _ports(heads: Sequence[int]) -> dict[tuple[int, int], float]:
    """How far from the middle of its head each dependent's arc begins: the longer the arc, the nearer."""
    sides: dict[tuple[int, bool], list[int]] = {}
    for index, head in enumerate(heads):
        if head:
            sides.setdefault((head - 1, index > head - 1), []).append(index)
    found: dict[tuple[int, int], float] = {}
    for (head, right), dependents in sides.items():
        by_length = sorted(dependents, key=lambda index: -abs(index - head))
        for place, index in enumerate(by_length, 1):
            found[head, index] = _PORT * place if right else -_PORT * place
    return found


def _width(tree: Tree, index: int, touched: float) -> float:
    word = tree.words[index]
    name = tree.labels.get(word.id)
    form = ems(safe(word.form)) * FORM * (1 if name is None else _BOLD)
    widest = max(form, ems(safe(word.upos)) * TAG, 0 if name is None else ems(name) * NAME * _BOLD)
    return max(widest + (0 if name is None else _FRAME), 2 * touched)


def _middles(
    widths: Sequence[float], heads: Sequence[int], needs: Sequence[float], ports: dict[tuple[int, int], float]
) -> list[float]:
    """The middle of each word, as far left as the words before it and the labels of the arcs to them allow."""
    arcs: list[list[tuple[int, float]]] = [[] for _ in widths]  # at the right word: the left one, the distance
    for index, head in enumerate(heads):
        if head:
            port = ports[head - 1, index]
            distance = needs[index] + abs(port)
            arcs[max(index, head - 1)].append((min(index, head - 1), distance))
    middles: list[float] = []
    for index, width in enumerate(widths):
        least = [middles[left] + distance for left, distance in arcs[index]]
        before = middles[-1] + widths[index - 1] / 2 + _GAP if middles else _MARGIN
        middles.append(max([before + width / 2, *least]))
    return middles
