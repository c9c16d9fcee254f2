"""`fictc stats divergence`: how far the parts of a corpus differ in their annotations, layer by layer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.shared.limits import limits_options
from runner.cli.shared.messages import print_message
from runner.cli.stats.options import by_options, comparable, groups_of, layer_option, store_argument
from runner.corpus.store.limits import Limits

if TYPE_CHECKING:
    from runner.corpus.stats.divergence import Divergence
    from runner.corpus.stats.frequencies import Frequencies

MOST = 60  # parts: their pairs grow with the square


@click.command("divergence")
@store_argument
@by_options(required=True)
@click.option("--part", "parts", multiple=True, metavar="VALUE", help="Only this part; may be repeated [all].")
@layer_option
@click.option("--base", type=click.Choice(["e", "2"]), default="e", show_default=True, help="Nats, or bits.")
@click.option("--format", "kind", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Draw the heatmap: FILE.html with its tables, or FILE.svg alone.",
)
@limits_options()
def divergence(
    store: Path,
    by: str,
    until: str | None,
    parts: tuple[str, ...],
    layers: tuple[str, ...],
    base: str,
    kind: str,
    output: Path | None,
    limits: Limits,
) -> None:
    """Measure the Jensen-Shannon divergence between parts of a corpus over the values of their annotations.

    The divergence, not its square root: at most ln 2 = 0.693 nats, or 1 bit. A part's distribution is over all its
    words, those without a value of a layer as Other. The mean over layers is unweighted, over those that both parts
    have; a layer that a part has not at all is named. Layers are ranked by their mean over pairs.

    \b
    Example:
      fictc stats divergence stores/ewt --by sent_id --until - --output genres.html
    """
    from runner.corpus.stats.divergence import divergence as diverging
    from runner.corpus.stats.frequencies import frequencies, layers_of
    from runner.corpus.stats.groups import chosen
    from runner.corpus.store.opening import Store
    from runner.report.page.divergence import page, svg
    from runner.workspace import write_text

    opened = Store.open(store, limits)
    groups = groups_of(opened, by, until)
    groups = comparable(chosen(groups, tuple(dict.fromkeys(parts))) if parts else groups, MOST)
    counts = frequencies(opened, groups, layers_of(opened, layers))
    found = diverging(counts)
    if output is not None:
        drawn = svg(found, base) if output.suffix.lower() == ".svg" else page(found, counts, base, store.name)
        write_text(output, drawn)
        print_message(output)
    elif kind == "json":
        click.echo(json.dumps(_document(found, counts), ensure_ascii=False, indent=1))
    else:
        _table(found, counts, base)


def _document(found: Divergence, counts: Frequencies) -> dict[str, Any]:
    from runner.corpus.stats.divergence import in_base_2

    def pairs(values: dict[tuple[int, int], float]) -> list[dict[str, Any]]:
        return [
            {"a": found.names[a], "b": found.names[b], "nats": value, "bits": in_base_2(value)}
            for (a, b), value in values.items()
        ]

    return {
        "measure": "Jensen-Shannon divergence (not its square root), unweighted mean over layers that both parts have",
        "by": counts.groups.key,
        "parts": [
            {"name": name, "sentences": n, "words": words}
            for name, n, words in zip(found.names, counts.groups.sentences, counts.words, strict=True)
        ],
        "mean": pairs(found.pairs),
        "layers": [
            {
                "layer": layer.name,
                "mean_nats": layer.mean,
                "mean_bits": None if layer.mean is None else in_base_2(layer.mean),
                "share": found.share(layer),
                "absent_in": [found.names[i] for i in layer.absent],
                "values": [{"value": value, "share": share} for value, share in layer.values],
                "pairs": pairs(layer.pairs),
            }
            for layer in found.layers
        ],
    }


def _table(found: Divergence, counts: Frequencies, base: str) -> None:
    from runner.cli.shared.terminal import for_output
    from runner.corpus.stats.divergence import in_base_2
    from runner.report.tables.aligned import aligned

    def written(value: float | None) -> str:
        return "–" if value is None else f"{in_base_2(value) if base == '2' else value:.4f}"

    unit = "bits" if base == "2" else "nats"
    size = len(found.names)
    matrix = [["", "sentences", "words", *found.names]]
    for i, name in enumerate(found.names):
        row = [written(found.pairs.get((min(i, j), max(i, j)))) if i != j else "" for j in range(size)]
        matrix.append([name, f"{counts.groups.sentences[i]:,}", f"{counts.words[i]:,}", *row])
    layers = [["layer", "mean", "share", "most from", "absent in"]]
    for layer in found.layers:
        most = ", ".join(f"{value} {share:.0%}" for value, share in layer.values[:3])
        absent = ", ".join(found.names[i] for i in layer.absent)
        layers.append([layer.name, written(layer.mean), f"{found.share(layer):.1%}", most, absent])
    title = f"Jensen-Shannon divergence in {unit}, unweighted mean over layers"
    lines = [title, *aligned(matrix), "", "Layers, by their mean over pairs", *aligned(layers)]
    click.echo(for_output("\n".join(lines)))
