"""`fictc stats frequency`, `marked` and `association`: annotation values in the parts of a corpus."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fictdsl.words import counted, inflected
from runner.cli.options import (
    PATH,
    BoundedFloat,
    Count,
    F,
    combined,
    format_option,
    gathered,
    given_options,
    relations,
)
from runner.cli.query_options import limits_options, open_corpus
from runner.cli.terminal import for_output, print_message
from runner.corpus.limits import Limits
from runner.errors import InputError
from runner.tables import Cell, Column, Table, Value, to_csv, to_text

if TYPE_CHECKING:
    from runner.corpus.statistics import Association, Frequencies, Groups
    from runner.corpus.store import Store


LOG_ODDS = (
    Column("log_odds", "log-odds", "number", spec="+.2f"),
    Column("low", "95 % low", "number", spec="+.2f"),
    Column("high", "high", "number", spec="+.2f"),
)


def by_options(*, required: bool) -> Callable[[F], F]:
    return combined(
        click.option("--by", metavar="KEY", required=required, help="Group by source, doc, sent_id or a comment."),
        click.option("--until", metavar="SEPARATOR", help="Group by the value before the first SEPARATOR."),
        relations("--until requires --by"),
    )


layer_options = combined(
    click.option(
        "--layer",
        "layers",
        multiple=True,
        metavar="LAYER",
        help="upos, xpos, deprel, a feature, form, lemma or misc.Key [default: upos, xpos, deprel and all features]. "
        "May be repeated.",
    ),
    click.option("--lower", is_flag=True, help="Count forms and lemmas in lower case."),
)
table_format_option = format_option("table", "csv", "json")
# a store, or a CoNLL-U file or a folder of them
store_argument = click.argument("store", type=PATH, metavar="STORE")


@dataclass(frozen=True)
class Parts:
    store: Path
    by: str | None
    until: str | None
    limits: Limits
    layers: tuple[str, ...] = ()
    lower: bool = False

    @cached_property
    def corpus(self) -> Store:
        return open_corpus([self.store], self.limits)

    def groups(self) -> Groups:
        from runner.corpus.statistics import read_groups, whole_corpus

        corpus = self.corpus
        if self.until == "":
            raise click.UsageError("--until expects a SEPARATOR, such as `-`")
        if self.by is None:
            return whole_corpus(corpus)
        groups = read_groups(corpus, self.by, self.until)
        if groups.sentences_without_value:
            noun = inflected(groups.sentences_without_value, "sentence has", "sentences have")
            print_message(f"note: {groups.sentences_without_value:,} {noun} no {self.by}: omitted", err=True)
        return groups

    def frequencies(self, groups: Groups) -> Frequencies:
        from runner.corpus.statistics import frequencies, resolve_layers

        return frequencies(self.corpus, groups, resolve_layers(self.corpus, self.layers), lower=self.lower)


takes_parts = gathered("parts", Parts)  # STORE, --by, --until, --layer, --lower and the limits
parts_as_table = combined(table_format_option, limits_options(), takes_parts)


def require_comparable(groups: Groups, max_parts: int | None = None) -> Groups:
    count = len(groups.names)
    if count < 2 or (max_parts is not None and count > max_parts):
        expected = "at least 2 parts" if max_parts is None else f"2 to {max_parts} parts"
        raise InputError.of("FICT796", key=groups.key, found=counted(count, "part"), needed=expected)
    return groups


def print_table(
    table: Table, output_format: str, metadata: Mapping[str, object] | None = None, notes: Sequence[str] = ()
) -> None:
    match output_format:
        case "csv":
            click.echo(to_csv(table), nl=False)
        case "json":
            click.echo(json.dumps({**(metadata or {}), "rows": table.records()}, ensure_ascii=False, indent=1))
        case _:
            click.echo("\n".join(map(for_output, [*to_text(table), *notes])))


size_options = combined(
    click.option("--min", "minimum", type=Count(1), default=5, metavar="N", help="Omit values with fewer words."),
    click.option("--top", type=Count(1), default=10, metavar="N", help="Maximum number of values of each kind."),
)


@click.command("frequency")
@store_argument
@by_options(required=False)
@layer_options
@parts_as_table
def frequency(parts: Parts, output_format: str) -> None:
    """Count the values of every annotation layer, in the corpus or in each of its parts.

    Words without a value in a layer are counted as Other. Shares are relative to all words of the part.

    \b
    Example:
      fictc stats frequency stores/ewt --layer upos --by sent_id --until -
    """
    groups = parts.groups()
    frequency_table, names = parts.frequencies(groups), groups.names

    def share(count: int, part: int) -> float | None:
        return count / frequency_table.words[part] if frequency_table.words[part] else None

    if output_format == "table":
        columns = [
            Column("layer", "layer"),
            Column("value", "value"),
            *(Column(f"words {part}", name, "count") for part, name in enumerate(names)),
            *(Column(f"share {part}", "%", "percent", spec=".2%") for part in range(len(names))),
        ]
        rows: list[dict[str, Any]] = [
            {"layer": layer, "value": value}
            | {f"words {part}": count for part, count in enumerate(part_counts)}
            | {f"share {part}": share(count, part) for part, count in enumerate(part_counts)}
            for layer, counts in frequency_table.counts.items()
            for value, part_counts in counts.items()
        ]
    else:
        columns = [Column(key, key) for key in ("layer", "value", "part", "words", "share")]
        rows = [
            {"layer": layer, "value": value, "part": names[part], "words": count, "share": share(count, part)}
            for layer, counts in frequency_table.counts.items()
            for value, part_counts in counts.items()
            for part, count in enumerate(part_counts)
        ]
    metadata = {"by": parts.by, "words": dict(zip(names, frequency_table.words, strict=True))}
    print_table(Table("frequency", "", columns, rows), output_format, metadata)


@click.command("marked")
@store_argument
@by_options(required=True)
@layer_options
@size_options
@click.option(
    "--ratio", type=BoundedFloat(1, 10**9, "no corpus has more words"), default=2.0, help="Minimum odds ratio."
)
@parts_as_table
def marked(parts: Parts, minimum: int, top: int, ratio: float, output_format: str) -> None:
    """List the values that do not occur in a part of a corpus (unseen) or occur more often than elsewhere (over-seen).

    A value is over-seen if the lower end of the 95 % confidence interval of its odds ratio against the other
    parts is at least RATIO. It is unseen if only other parts have it; the values with the highest expected counts come
    first.

    \b
    Example:
      fictc stats marked stores/childes --by speaker_role --layer xpos
    """
    from runner.corpus.statistics import overrepresented, unseen

    groups = require_comparable(parts.groups())
    counts = parts.frequencies(groups)
    rows = []
    for part in range(len(groups.names)):
        rows += [("unseen", item) for item in unseen(counts, part, minimum)[:top]]
        rows += [("over-seen", item) for item in overrepresented(counts, part, minimum, ratio)[:top]]
    columns = [
        Column("kind", "kind", value=itemgetter(0)),
        *(replace(column, value=partial(_second_cell, column)) for column in ASSOCIATION_COLUMNS),
    ]
    metadata = {"by": parts.by, "min": minimum, "ratio": ratio}
    print_table(Table("marked", "", columns, rows), output_format, metadata)


def _second_cell(column: Column, row: tuple[str, Association]) -> Value | Cell:
    return column.cell(row[1])


@click.command("association")
@store_argument
@by_options(required=True)
@click.option("--value", required=True, metavar="VALUE", help="The part to compare with all others combined.")
@layer_options
@size_options
@parts_as_table
def association(parts: Parts, value: str, minimum: int, top: int, output_format: str) -> None:
    """Rank words or tags by their association with one value of a comment.

    Results are log-odds ratios with 95 % confidence intervals. 0.5 is added to each cell count. Values are ordered by
    the end of the interval that is nearer to zero. CSV and JSON have all values, unless --top is given. Words are
    assumed to be independent, so intervals are too narrow for values that occur in bursts.

    \b
    Example:
      fictc stats association stores/childes --by speaker_role --value Mother --layer lemma
    """
    from runner.corpus.statistics import associations, select_groups

    groups = require_comparable(parts.groups())
    select_groups(groups, (value,))  # raises if the value does not exist
    ranked = associations(parts.frequencies(groups), groups.names.index(value), minimum=minimum)
    positive = [item for item in ranked if item.low > 0 and item.inside > item.expected]
    candidates = [item for item in ranked if item.high < 0 and item.inside < item.expected]
    negative = sorted(candidates, key=lambda item: (item.high, item.layer, item.value))
    is_complete = output_format != "table" and not given_options("top")
    selected = ranked if is_complete else [*positive[:top], *negative[:top]]
    notes = [
        f"of {len(ranked):,} values, {len(positive):,} are associated with {value}, {len(negative):,} with the rest"
    ]
    table = Table("association", "", ASSOCIATION_COLUMNS, selected)
    print_table(table, output_format, {"by": parts.by, "value": value, "min": minimum}, notes)


ASSOCIATION_COLUMNS = [
    Column("part", "part", value="group"),
    Column("layer", "layer"),
    Column("value", "value"),
    Column("here", "here", "count", "inside"),
    Column("elsewhere", "elsewhere", "count", "outside"),
    Column("expected", "expected", "number", spec=",.1f"),
    *LOG_ODDS,
    Column("odds_ratio", "odds ratio", "number", lambda result: math.exp(result.log_odds), spec=",.2f"),
]
