"""`fictc stats`: overlap, co-occurrence and divergence of a corpus and its parts."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli import query_options, stats_counts
from runner.cli.options import FILE, PATH, BoundedInt, check_written, format_option, relations
from runner.cli.terminal import for_output, print_message
from runner.corpus.filter_arguments import filter_labels
from runner.tables import Column, Table, aligned
from runner.workspace import write_text

if TYPE_CHECKING:
    from runner.corpus.statistics import Divergence, Frequencies


@click.command(
    name="cooccurrence",
    help=f"""Count the sentences that each pair of filters matches together and separately.

    {query_options.FILTER_HELP}
    {query_options.QUERY_HELP}

    `expected` is the number of sentences that both filters would match if they were independent. The log-odds ratio
    would then be 0. Its 95 % confidence interval assumes that sentences are independent.

    \b
    Example:
      fictc stats cooccurrence fict15/passive.fict fict15/npi-only.fict --corpus stores/ewt
    """,
)
@click.argument(
    "filter", nargs=-1, required=True, metavar="FILTER FILTER...", shell_complete=query_options.complete_filters
)
@query_options.corpus_option()
@stats_counts.table_format_option
@query_options.lists_option
@query_options.limits_options()
@query_options.takes_query
def cooccurrence(query: query_options.Query, output_format: str) -> None:
    from runner.corpus import engine, statistics

    filters = query.filters()
    if len(filters) < 2:
        raise click.UsageError("expected at least two filters")
    store = query.open_corpus(filters)
    tally, labels, total = engine.LocalEngine(store).tally(filters), filter_labels(filters), store.info.sentences
    rows: list[dict[str, str | float | None]] = []
    for a, b in combinations(range(len(filters)), 2):
        both, count_a, count_b = tally.sentences_of_pair[a, b], tally.sentences[a], tally.sentences[b]
        expected = count_a * count_b / total if total else 0.0
        neither = total - count_a - count_b + both
        estimate, low, high = statistics.log_odds(both, count_a - both, count_b - both, neither)
        pmi = math.log2(both / expected) if both and expected else None
        counts = {"both": both, "only_a": count_a - both, "only_b": count_b - both, "neither": neither}
        odds = {"log_odds": estimate, "low": low, "high": high}
        rows.append({"a": labels[a], "b": labels[b], **counts, "expected": expected, "pmi": pmi, **odds})
    columns = [
        Column("a", "a"),
        Column("b", "b"),
        Column("both", "both", "count"),
        Column("only_a", "only a", "count"),
        Column("only_b", "only b", "count"),
        Column("neither", "neither", "count"),
        Column("expected", "expected", "number", spec=",.1f"),
        Column("pmi", "PMI, bits", "number", spec="+.2f"),
        *stats_counts.LOG_ODDS,
    ]
    stats_counts.print_table(Table("cooccurrence", "", columns, rows), output_format, {"sentences": total})


MAX_PARTS = 60  # the number of pairs is quadratic


@click.command("divergence")
@stats_counts.store_argument
@stats_counts.by_options(required=True)
@click.option(
    "--part", "selected", multiple=True, metavar="VALUE", help="Compare only this part [default: all]. May be repeated."
)
@stats_counts.layer_options
@click.option(
    "--base", type=click.Choice(["e", "2"]), default="e", help="Base of the logarithm: e for nats, 2 for bits."
)
@format_option("table", "json")
@click.option(
    "--output", "-o", type=FILE, metavar="FILE", help="Write the heatmap: FILE.html with tables, or FILE.svg."
)
@query_options.limits_options()
@stats_counts.takes_parts
@relations("--output excludes --format")
def divergence(
    parts: stats_counts.Parts, selected: tuple[str, ...], base: str, output_format: str, output: Path | None
) -> None:
    """Compute the Jensen-Shannon divergence between parts of a corpus over the values of their annotations.

    The measure is the divergence, not its square root: at most ln 2 = 0.693 nats, or 1 bit. The distribution of a part
    is over all its words; words without a value in a layer count as Other. The mean over layers is unweighted, over the
    layers that both parts have; layers that a part lacks are listed. Layers are ranked by their mean over pairs.

    \b
    Example:
      fictc stats divergence stores/ewt --by sent_id --until - --output genres.html
    """
    from runner.corpus.statistics import divergence as compute_divergence
    from runner.corpus.statistics import select_groups
    from runner.report.divergence import page, svg

    check_written("--output", output, ".html", ".svg")
    groups = parts.groups()
    groups = select_groups(groups, tuple(dict.fromkeys(selected))) if selected else groups
    counts = parts.frequencies(stats_counts.require_comparable(groups, MAX_PARTS))
    result = compute_divergence(counts)
    if output is not None:
        document = (
            svg(result, base) if output.suffix.lower() == ".svg" else page(result, counts, base, parts.store.name)
        )
        write_text(output, document)
        print_message(output)
    elif output_format == "json":
        click.echo(json.dumps(_divergence_record(result, counts), ensure_ascii=False, indent=1))
    else:
        _print_table(result, counts, base)


def _divergence_record(result: Divergence, counts: Frequencies) -> dict[str, Any]:
    from runner.corpus.statistics import nats_to_bits

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
    from runner.corpus.statistics import nats_to_bits

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


MAX_LISTED = 20  # sentences listed below the table for each part


@click.command("overlap")
@stats_counts.store_argument
@click.argument("suite", type=PATH, metavar="SUITE")
@stats_counts.by_options(required=False)
@click.option(
    "--words", type=BoundedInt(0, 1000, "few sentences have more"), default=5, help="Words per n-gram; 0: none."
)
@click.option(
    "--characters",
    type=BoundedInt(0, 1000, "few sentences have more"),
    default=20,
    help="Characters per n-gram; 0: none.",
)
@stats_counts.parts_as_table
def overlap(parts: stats_counts.Parts, suite: Path, words: int, characters: int, output_format: str) -> None:
    """Count the sentences and n-grams of a benchmark that a corpus contains, and list the sentences.

    SUITE is as for `fictc score`. N-grams are of words and of characters. They are compared in lower case and do not
    cross sentences. `with all` counts the sentences of the benchmark whose n-grams are all in the corpus.

    \b
    Example:
      fictc stats overlap stores/ewt blimp --words 6
    """
    from runner.corpus.overlap import overlap as compute_overlap
    from runner.score.any_suite import open_suite, sentences_of

    corpus, groups, benchmark = parts.corpus, parts.groups(), open_suite(suite)
    result = compute_overlap(corpus, groups, list(sentences_of(benchmark)), words, characters)
    rows: list[dict[str, str | int | None]] = []
    for part, name in enumerate(groups.names):
        for measure, sentences in (
            ("sentences, exactly", result.exact),
            ("sentences, but for case and space", result.folded),
        ):
            rows.append({"part": name, "what": measure, "found": len(sentences[part]), "of": result.sentences})
            rows[-1] |= dict.fromkeys(("sentences_some", "sentences_all", "sentences_long_enough"))
        rows += [
            {
                "part": name,
                "what": f"{ngrams.n}-grams of {ngrams.kind}",
                "found": ngrams.found[part],
                "of": ngrams.distinct,
                "sentences_some": ngrams.sentences_with_some[part],
                "sentences_all": ngrams.sentences_with_all[part],
                "sentences_long_enough": ngrams.with_ngrams,
            }
            for ngrams in result.shared
        ]
    columns = [
        Column("part", "part"),
        Column("what", "what"),
        Column("found", "found", "count"),
        Column("of", "of", "count"),
        Column("sentences_some", "sentences with any", "count"),
        Column("sentences_all", "with all", "count"),
        Column("sentences_long_enough", "of", "count"),
    ]
    listed = {
        name: {"exactly": list(result.exact[part]), "but_for_case_and_space": list(result.folded[part])}
        for part, name in enumerate(groups.names)
    }
    notes = [
        f"  {name}: {text}" for name, lists in listed.items() for text in lists["but_for_case_and_space"][:MAX_LISTED]
    ]
    table = Table("overlap", "", columns, rows)
    stats_counts.print_table(table, output_format, {"suite": benchmark.name, "listed": listed}, notes)


_COUNTS = [stats_counts.frequency, stats_counts.marked, stats_counts.association]


@click.group("stats", commands=[*_COUNTS, divergence, cooccurrence, overlap])
def command() -> None:
    """Compute statistics of a corpus and compare its parts.

    `--by KEY` splits a corpus into parts by `source`, `doc`, `sent_id` or any comment, such as `# genre = weblog`. With
    `--until SEPARATOR`, only the value before the first SEPARATOR names the part.

    \b
    Examples:
      fictc stats frequency stores/ewt --layer upos --by sent_id --until -
      fictc stats divergence stores/ewt --by sent_id --until - --output genres.html
      fictc stats marked stores/childes --by speaker_role
      fictc stats association stores/childes --by speaker_role --value Mother --layer lemma
      fictc stats cooccurrence fict15/passive.fict fict15/npi-only.fict --corpus stores/ewt
      fictc stats overlap stores/ewt blimp
    """
