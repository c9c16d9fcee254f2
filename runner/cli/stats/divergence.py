"""`fictc stats divergence`: the divergence of the parts of a corpus in their annotations, by layer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.options.corpora import open_corpus
from runner.cli.options.format import format_option
from runner.cli.options.limits import limits_options
from runner.cli.options.relations import option
from runner.cli.shared.messages import print_message
from runner.cli.stats.options import (
    by_options,
    groups_of,
    layer_option,
    lower_option,
    require_comparable,
    store_argument,
)
from runner.corpus.store.limits import Limits

if TYPE_CHECKING:
    from runner.corpus.stats.divergence import Divergence
    from runner.corpus.stats.frequencies import Frequencies

MAX_PARTS = 60  # the number of pairs is quadratic


@click.command("divergence")
@store_argument
@by_options(required=True)
@click.option(
    "--part", "parts", multiple=True, metavar="VALUE", help="Compare only this part [default: all]. May be repeated."
)
@layer_option
@lower_option
@click.option(
    "--base",
    type=click.Choice(["e", "2"]),
    default="e",
    show_default=True,
    help="Base of the logarithm: e for nats, 2 for bits.",
)
@format_option("table", "json")
@option(
    "--output",
    "-o",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the heatmap: FILE.html with tables, or FILE.svg.",
    excludes="--format",
)
@limits_options()
def divergence(
    store: Path,
    by: str,
    until: str | None,
    parts: tuple[str, ...],
    layers: tuple[str, ...],
    lower: bool,
    base: str,
    output_format: str,
    output: Path | None,
    limits: Limits,
) -> None:
    """Compute the Jensen-Shannon divergence between parts of a corpus over the values of their annotations.

    The measure is the divergence, not its square root: at most ln 2 = 0.693 nats, or 1 bit. The distribution of a part
    is over all its words; words without a value in a layer count as Other. The mean over layers is unweighted, over the
    layers that both parts have; layers that a part lacks are listed. Layers are ranked by their mean over pairs.

    \b
    Example:
      fictc stats divergence stores/ewt --by sent_id --until - --output genres.html
    """
    from runner.corpus.stats.divergence import divergence as compute_divergence
    from runner.corpus.stats.frequencies import frequencies, resolve_layers
    from runner.corpus.stats.groups import select_groups
    from runner.report.page.divergence import page, svg
    from runner.workspace import write_text

    _check_output(output)
    corpus = open_corpus([store], limits)
    groups = groups_of(corpus, by, until)
    groups = require_comparable(select_groups(groups, tuple(dict.fromkeys(parts))) if parts else groups, MAX_PARTS)
    counts = frequencies(corpus, groups, resolve_layers(corpus, layers), lower=lower)
    result = compute_divergence(counts)
    if output is not None:
        document = svg(result, base) if output.suffix.lower() == ".svg" else page(result, counts, base, store.name)
        write_text(output, document)
        print_message(output)
    elif output_format == "json":
        click.echo(json.dumps(_divergence_record(result, counts), ensure_ascii=False, indent=1))
    else:
        _print_table(result, counts, base)


def _check_output(output: Path | None) -> None:
    """Raise UsageError for an output file that is no heatmap."""
    if output is not None and output.suffix.lower() not in (".html", ".htm", ".svg"):
        raise click.UsageError(f"--output writes a .html or .svg file, not {output.name}.")


def _divergence_record(result: Divergence, counts: Frequencies) -> dict[str, Any]:
    from runner.corpus.stats.divergence import nats_to_bits

    def pairs(values: dict[tuple[int, int], float]) -> list[dict[str, Any]]:
        return [
            {"a": result.names[a], "b": result.names[b], "nats": value, "bits": nats_to_bits(value)}
            for (a, b), value in values.items()
        ]

    return {
        "measure": "Jensen-Shannon divergence (not its square root), unweighted mean over layers that both parts have",
        "by": counts.groups.key,
        "parts": [
            {"name": name, "sentences": sentence_count, "words": words}
            for name, sentence_count, words in zip(result.names, counts.groups.sentences, counts.words, strict=True)
        ],
        "mean": pairs(result.pairs),
        "layers": [
            {
                "layer": layer.name,
                "mean_nats": layer.mean,
                "mean_bits": None if layer.mean is None else nats_to_bits(layer.mean),
                "share": result.share(layer),
                "absent_in": [result.names[i] for i in layer.absent],
                "values": [{"value": value, "share": share} for value, share in layer.values],
                "pairs": pairs(layer.pairs),
            }
            for layer in result.layers
        ],
    }


def _print_table(result: Divergence, counts: Frequencies, base: str) -> None:
    from runner.cli.shared.terminal import for_output
    from runner.corpus.stats.divergence import nats_to_bits
    from runner.tables import aligned

    def format_value(value: float | None) -> str:
        return "–" if value is None else f"{nats_to_bits(value) if base == '2' else value:.4f}"

    unit = "bits" if base == "2" else "nats"
    part_count = len(result.names)
    matrix = [["", "sentences", "words", *result.names]]
    for i, name in enumerate(result.names):
        row = [format_value(result.pairs.get((min(i, j), max(i, j)))) if i != j else "" for j in range(part_count)]
        matrix.append([name, f"{counts.groups.sentences[i]:,}", f"{counts.words[i]:,}", *row])
    layers = [["layer", "mean", "share", "most from", "absent in"]]
    for layer in result.layers:
        top_values = ", ".join(f"{value} {share:.0%}" for value, share in layer.values[:3])
        absent = ", ".join(result.names[i] for i in layer.absent)
        layers.append([layer.name, format_value(layer.mean), f"{result.share(layer):.1%}", top_values, absent])
    title = f"Jensen-Shannon divergence in {unit}, unweighted mean over layers"
    lines = [title, *aligned(matrix), "", "Layers, by their mean over pairs", *aligned(layers)]
    click.echo("\n".join(map(for_output, lines)))
