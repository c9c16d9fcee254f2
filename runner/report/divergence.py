"""The divergence between parts of a corpus, as a heatmap and as a page."""

from __future__ import annotations

from functools import partial

from runner.corpus.statistics import Divergence, Frequencies, Layer, nats_to_bits
from runner.report.markup import (
    CHARACTER_WIDTH,
    PageSection,
    box,
    drawing,
    escaped,
    shell,
    standalone,
    svg_text,
    tag,
    tooltip,
)
from runner.tables import Cell, Column, Table

WIDTH, HEIGHT, GAP = 66, 24, 2  # pixels: size of a cell, space between cells
STEPS = 6  # number of shades
PART_COLUMNS = (
    Column("part", "part", "text", lambda part: str(part[0]), css_class="name"),
    Column("sentences", "sentences", "count", lambda part: int(part[1])),
    Column("words", "words", "count", lambda part: int(part[2])),
)
LAYERS_NOTE = "Mean over pairs of parts. A share is relative to the sum over layers and pairs."


def heatmap(divergence: Divergence, base: str) -> str:
    """Return the mean divergence between every two parts, in bits (`base` "2") or nats ("e"), as unstyled `<svg>`."""
    largest = max(divergence.pairs.values(), default=0.0) or 1.0
    left = max(len(name) for name in divergence.names) * CHARACTER_WIDTH + 16
    top = 30 + max(len(name) for name in divergence.names) * 4.6
    body = [svg_text(f"mean over layers, {_unit(base)}", 0, 14, class_="small muted")]
    for j, name in enumerate(divergence.names):
        x = left + j * (WIDTH + GAP) + WIDTH / 2 - 4
        transform_text = f"translate({x:.1f} {top - 6:.1f}) rotate(-35)"
        body.append(tag("text", escaped(name), transform=transform_text, class_="small"))
    for i, name in enumerate(divergence.names):
        y = top + i * (HEIGHT + GAP)
        body.append(svg_text(name, left - 10, y + 16, class_="end"))
        for j in range(len(divergence.names)):
            pair = (min(i, j), max(i, j))
            x = left + j * (WIDTH + GAP)
            mean = divergence.pairs.get(pair)
            if i == j or mean is None:
                body.append(box(x, y, WIDTH, HEIGHT, "none"))
                continue
            shade = f"p{1 + min(STEPS - 1, int(STEPS * mean / largest))}"
            label = svg_text(format_divergence(mean, base), x + WIDTH / 2, y + 16, class_=f"middle on-{shade}")
            body.append(tag("g", tooltip(_tip(divergence, pair, base)), box(x, y, WIDTH, HEIGHT, shade), label))
    width = left + len(divergence.names) * (WIDTH + GAP) + max(len(name) for name in divergence.names) * 5.4
    height = top + len(divergence.names) * (HEIGHT + GAP) + 8
    return drawing(body, width, height, "Jensen-Shannon divergence between parts of the corpus")


def svg(divergence: Divergence, base: str) -> str:
    return standalone(heatmap(divergence, base))


def page(divergence: Divergence, counts: Frequencies, base: str, corpus: str) -> str:
    maximum = "1 bit" if base == "2" else "ln 2 = 0.693 nats"
    intro = (
        "Jensen-Shannon divergence (not its square root, the distance) between the distributions of a layer's values "
        f"over all words of two parts. Words without a value count as Other. The unit is {_unit(base)}, at most "
        f"{maximum}. The mean over layers is unweighted and includes the layers that both parts have. Forms and lemmas "
        "are included only on request."
    )
    parts = tuple(zip(counts.groups.names, counts.groups.sentences, counts.words, strict=True))
    sections: list[PageSection] = [
        ("mean", "Between parts", intro, heatmap(divergence, base), None),
        ("layers", "Layers by contribution", LAYERS_NOTE, "", _layers(divergence, base)),
        ("pairs", "Every pair", "", "", _pairs(divergence, base)),
        ("parts", "Parts", "", "", Table("parts", "", PART_COLUMNS, parts)),
    ]
    return shell(f"{corpus} by {counts.groups.key}", "Corpus statistics", sections)


def format_divergence(nats: float | None, base: str) -> str:
    return "–" if nats is None else f"{nats_to_bits(nats) if base == '2' else nats:.4f}"


def _unit(base: str) -> str:
    return "bits" if base == "2" else "nats"


def _tip(divergence: Divergence, pair: tuple[int, int], base: str) -> str:
    a, b = (divergence.names[index] for index in pair)
    ranked = sorted((layer for layer in divergence.layers if pair in layer.pairs), key=lambda layer: -layer.pairs[pair])
    lines = [
        f"{a} · {b}: {format_divergence(divergence.pairs[pair], base)} {_unit(base)}, the mean of {len(ranked)} layers"
    ]
    return "\n".join([*lines, *(f"{layer.name} {format_divergence(layer.pairs[pair], base)}" for layer in ranked[:6])])


def _layers(divergence: Divergence, base: str) -> Table:
    def largest(layer: Layer) -> str:
        return ", ".join(f"{value} {100 * share:.0f} %" for value, share in layer.values[:4])

    def absent(layer: Layer) -> str:
        return ", ".join(divergence.names[index] for index in layer.absent)

    columns = (
        Column("layer", "layer", "text", "name", css_class="name"),
        Column("mean", "mean", "number", lambda layer: _cell(base, layer.mean), f"over pairs, {_unit(base)}"),
        Column("share", "share, %", "percent", divergence.share, "relative to the sum over layers and pairs"),
        Column("largest", "largest contributions", "text", largest, css_class="quiet"),
        Column(
            *("absent", "absent in", "text", absent),
            "parts in which no word has a value; their pairs are excluded",
            css_class="quiet",
        ),
    )
    return Table("layers", "", columns, divergence.layers)


def _pairs(divergence: Divergence, base: str) -> Table:
    def names(pair: tuple[int, int]) -> str:
        return " · ".join(divergence.names[index] for index in pair)

    def of_layer(layer: Layer, pair: tuple[int, int]) -> Cell:
        return _cell(base, layer.pairs.get(pair))

    columns = (
        Column("parts", "parts", "text", names, css_class="name"),
        Column("mean", "mean", "number", lambda pair: _cell(base, divergence.pairs[pair])),
        *(Column(f"layer {layer.name}", layer.name, "number", partial(of_layer, layer)) for layer in divergence.layers),
    )
    pairs = sorted(divergence.pairs, key=lambda pair: -divergence.pairs[pair])
    return Table("pairs", "", columns, pairs)


def _cell(base: str, nats: float | None) -> Cell:
    return Cell(nats, text=format_divergence(nats, base))
