"""`fictc stats frequency`, `marked` and `association`: values of annotations in parts of a corpus."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.shared.limits import limits_options
from runner.cli.shared.numbers import BoundedFloat, BoundedInt
from runner.cli.stats.options import (
    LOG_ODDS,
    Cell,
    Column,
    by_options,
    comparable,
    format_option,
    groups_of,
    layer_option,
    show,
    store_argument,
)
from runner.corpus.store.limits import Limits

if TYPE_CHECKING:
    from runner.corpus.stats.association import Association

minimum_option = click.option(
    "--min", "minimum", type=BoundedInt(min=1), default=5, show_default=True, metavar="N",
    help="Leave out values that fewer words have.",
)  # fmt: skip
top_option = click.option(
    "--top", type=BoundedInt(min=1), default=10, show_default=True, metavar="N", help="Values shown of each kind."
)


@click.command("frequency")
@store_argument
@by_options(required=False)
@layer_option
@format_option
@limits_options()
def frequency(
    store: Path, by: str | None, until: str | None, layers: tuple[str, ...], kind: str, limits: Limits
) -> None:
    """Count the values of every layer of annotation, in the corpus or in each part of it.

    Words without a value of a layer are counted as Other. Shares are of all words of the part.

    \b
    Example:
      fictc stats frequency stores/ewt --layer upos --by sent_id --until -
    """
    from runner.corpus.stats.frequencies import frequencies, layers_of
    from runner.corpus.store.opening import Store

    opened = Store.open(store, limits)
    groups = groups_of(opened, by, until)
    found = frequencies(opened, groups, layers_of(opened, layers))
    names = groups.names
    columns = [Column("layer", "layer"), Column("value", "value")]
    rows: list[list[Cell]] = []
    if kind == "table":
        columns += [Column(name, name) for name in names] + [Column(f"{name} share", "%", ".2%") for name in names]
        for layer, counts in found.counts.items():
            for value, each in counts.items():
                shares = [n / whole if whole else None for n, whole in zip(each, found.words, strict=True)]
                rows.append([layer, value, *each, *shares])
    else:
        columns += [Column("part", "part"), Column("words", "words"), Column("share", "share")]
        for layer, counts in found.counts.items():
            for value, each in counts.items():
                for name, n, whole in zip(names, each, found.words, strict=True):
                    rows.append([layer, value, name, n, n / whole if whole else None])
    about = {"by": by, "words": dict(zip(names, found.words, strict=True))}
    show(columns, rows, kind, about)


@click.command("marked")
@store_argument
@by_options(required=True)
@layer_option
@minimum_option
@top_option
@click.option("--ratio", type=BoundedFloat(min=1), default=2.0, show_default=True, help="Least odds ratio.")
@format_option
@limits_options()
def marked(
    store: Path,
    by: str,
    until: str | None,
    layers: tuple[str, ...],
    minimum: int,
    top: int,
    ratio: float,
    kind: str,
    limits: Limits,
) -> None:
    """Name the values that each part of a corpus never has (unseen), and those that it has far too often (over-seen).

    Over-seen is a value whose odds are RATIO times those in the other parts even at the lower end of the 95 % interval
    of the log-odds ratio; unseen one that others have, those first that would be expected most often.

    \b
    Example:
      fictc stats marked stores/childes --by speaker_role --layer xpos
    """
    from runner.corpus.stats.association import overseen, unseen
    from runner.corpus.stats.frequencies import frequencies, layers_of
    from runner.corpus.store.opening import Store

    opened = Store.open(store, limits)
    groups = comparable(groups_of(opened, by, until))
    found = frequencies(opened, groups, layers_of(opened, layers))
    rows: list[list[Cell]] = []
    for place in range(len(groups.names)):
        rows += [["unseen", *_row(one)] for one in unseen(found, place, minimum)[:top]]
        rows += [["over-seen", *_row(one)] for one in overseen(found, place, minimum, ratio)[:top]]
    show([Column("kind", "kind"), *COLUMNS], rows, kind, {"by": by, "min": minimum, "ratio": ratio})


@click.command("association")
@store_argument
@by_options(required=True)
@click.option("--value", required=True, metavar="VALUE", help="The part that is compared with all others together.")
@layer_option
@minimum_option
@top_option
@format_option
@limits_options()
def association(
    store: Path,
    by: str,
    until: str | None,
    value: str,
    layers: tuple[str, ...],
    minimum: int,
    top: int,
    kind: str,
    limits: Limits,
) -> None:
    """Rank words or tags by how strongly they go with one value of a comment: log-odds ratios with 95 % intervals.

    With half a word added to each cell; the order is by the end of the interval that is nearer to zero. Words are taken
    as independent, so that intervals are too narrow where a value comes in bursts.

    \b
    Example:
      fictc stats association stores/childes --by speaker_role --value Mother --layer lemma
    """
    from runner.corpus.stats.association import associations
    from runner.corpus.stats.frequencies import frequencies, layers_of
    from runner.corpus.stats.groups import chosen
    from runner.corpus.store.opening import Store

    opened = Store.open(store, limits)
    groups = comparable(groups_of(opened, by, until))
    chosen(groups, (value,))  # the value is there
    found = frequencies(opened, groups, layers_of(opened, layers))
    ranked = associations(found, groups.names.index(value), minimum=minimum)
    for_it = [one for one in ranked if one.low > 0 and one.here > one.expected]
    rest = [one for one in ranked if one.high < 0 and one.here < one.expected]
    against = sorted(rest, key=lambda one: (one.high, one.layer, one.value))
    shown = ranked if kind != "table" else [*for_it[:top], *against[:top]]
    notes = [f"{len(for_it):,} values go with {value}, {len(against):,} with the rest, of {len(ranked):,}"]
    show(COLUMNS, [_row(one) for one in shown], kind, {"by": by, "value": value, "min": minimum}, notes)


COLUMNS = [
    Column("part", "part"),
    Column("layer", "layer"),
    Column("value", "value"),
    Column("here", "here"),
    Column("elsewhere", "elsewhere"),
    Column("expected", "expected", ",.1f"),
    *LOG_ODDS,
    Column("odds_ratio", "odds ratio", ",.2f"),
]


def _row(one: Association) -> list[Cell]:
    counts = (one.here, one.elsewhere, one.expected)
    return [one.group, one.layer, one.value, *counts, one.log_odds, one.low, one.high, math.exp(one.log_odds)]
