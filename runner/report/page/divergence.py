"""Divergences between parts of a corpus to a heatmap and to a page of its own."""

from __future__ import annotations

from runner.corpus.stats.divergence import Divergence, Layer, nats_to_bits
from runner.corpus.stats.frequencies import Frequencies
from runner.report.page.shell import Part, shell
from runner.report.render.svg import CHARACTER, box, drawing, escaped, hint, standalone, tag, words
from runner.report.views.views import Cell, Head, View, text, value

WIDTH, HEIGHT, GAP = 66, 24, 2
STEPS = 6
LAYERS = "Mean over pairs of parts; share is of the sum over layers and pairs."


def heatmap(found: Divergence, base: str) -> str:
    """Means of every two parts over layers, and each layer's mean beside them, as an `<svg>` without style."""
    largest = max(found.pairs.values(), default=0.0) or 1.0
    left = max(len(name) for name in found.names) * CHARACTER + 16
    top = 30 + max(len(name) for name in found.names) * 4.6
    body = [words(f"mean over layers, {_unit(base)}", 0, 14, class_="small muted")]
    for j, name in enumerate(found.names):
        x = left + j * (WIDTH + GAP) + WIDTH / 2 - 4
        place = f"translate({x:.1f} {top - 6:.1f}) rotate(-35)"
        body.append(tag("text", escaped(name), transform=place, class_="small"))
    for i, name in enumerate(found.names):
        y = top + i * (HEIGHT + GAP)
        body.append(words(name, left - 10, y + 16, class_="end"))
        for j in range(len(found.names)):
            pair = (min(i, j), max(i, j))
            x = left + j * (WIDTH + GAP)
            mean = found.pairs.get(pair)
            if i == j or mean is None:
                body.append(box(x, y, WIDTH, HEIGHT, "none"))
                continue
            shade = f"p{1 + min(STEPS - 1, int(STEPS * mean / largest))}"
            shown = words(scaled(mean, base), x + WIDTH / 2, y + 16, class_=f"middle on-{shade}")
            body.append(tag("g", hint(_tip(found, pair, base)), box(x, y, WIDTH, HEIGHT, shade), shown))
    width = left + len(found.names) * (WIDTH + GAP) + max(len(name) for name in found.names) * 5.4
    height = top + len(found.names) * (HEIGHT + GAP) + 8
    return drawing(body, width, height, "Jensen-Shannon divergence between parts of the corpus")


def svg(found: Divergence, base: str) -> str:
    """The heatmap as a file of its own."""
    return standalone(heatmap(found, base))


def page(found: Divergence, counts: Frequencies, base: str, corpus: str) -> str:
    """A page with the heatmap, the layers by their contribution, each layer's pairs, and the sizes of the parts."""
    limit = "1 bit" if base == "2" else "ln 2 = 0.693 nats"
    intro = (
        "Jensen-Shannon divergence (not its square root, the distance) between the distributions of values over all "
        f"words of two parts, words without a value of a layer as Other; in {_unit(base)}, at most {limit}. The mean "
        "over layers is unweighted, over those that both parts have. Forms and lemmas are layers only if asked for."
    )
    sections: list[Part] = [
        ("mean", "Between parts", intro, heatmap(found, base), None),
        ("layers", "Layers by contribution", LAYERS, "", _layers(found, base)),
        ("pairs", "Every pair", "", "", _pairs(found, base)),
        ("parts", "Parts", "", "", _parts(counts)),
    ]
    return shell(f"{corpus} by {counts.groups.key}", "Corpus statistics", sections)


def scaled(nats: float | None, base: str) -> str:
    """A divergence in the base that was asked for."""
    return "–" if nats is None else f"{nats_to_bits(nats) if base == '2' else nats:.4f}"


def _unit(base: str) -> str:
    return "bits" if base == "2" else "nats"


def _tip(found: Divergence, pair: tuple[int, int], base: str) -> str:
    a, b = (found.names[place] for place in pair)
    ranked = sorted((layer for layer in found.layers if pair in layer.pairs), key=lambda layer: -layer.pairs[pair])
    lines = [f"{a} · {b}: {scaled(found.pairs[pair], base)} {_unit(base)}, the mean of {len(ranked)} layers"]
    return "\n".join([*lines, *(f"{layer.name} {scaled(layer.pairs[pair], base)}" for layer in ranked[:6])])


def _layers(found: Divergence, base: str) -> View:
    heads = (
        Head("layer", number=False),
        Head("mean", f"over pairs, {_unit(base)}"),
        Head("share", "of the sum over layers and pairs"),
        Head("values that add most", number=False),
        Head("absent in", "parts in which no word has a value; their pairs are not averaged", number=False),
    )
    rows = tuple(_layer(found, layer, base) for layer in found.layers)
    return View("layers", heads, rows)


def _layer(found: Divergence, layer: Layer, base: str) -> tuple[Cell, ...]:
    most = ", ".join(f"{value} {share:.0%}" for value, share in layer.values[:4])
    absent = ", ".join(found.names[place] for place in layer.absent)
    share = found.share(layer)
    return (
        text(layer.name, "name"),
        value(scaled(layer.mean, base), layer.mean),
        value(f"{share:.1%}", share),
        text(most, "quiet"),
        text(absent, "quiet"),
    )


def _pairs(found: Divergence, base: str) -> View:
    heads = (
        Head("parts", number=False),
        Head("mean"),
        *(Head(layer.name) for layer in found.layers),
    )
    rows = tuple(
        (
            text(f"{found.names[a]} · {found.names[b]}", "name"),
            value(scaled(mean, base), mean),
            *(value(scaled(layer.pairs.get((a, b)), base), layer.pairs.get((a, b))) for layer in found.layers),
        )
        for (a, b), mean in sorted(found.pairs.items(), key=lambda entry: -entry[1])
    )
    return View("pairs", heads, rows)


def _parts(counts: Frequencies) -> View:
    heads = (Head("part", number=False), Head("sentences"), Head("words"))
    rows = tuple(
        (text(name, "name"), value(f"{n:,}", n), value(f"{total:,}", total))
        for name, n, total in zip(counts.groups.names, counts.groups.sentences, counts.words, strict=True)
    )
    return View("parts", heads, rows)
