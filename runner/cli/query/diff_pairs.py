"""Pairs of filters that `fictc diff` compares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from runner.corpus.show.differences import FilterPair, filter_pair

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter


def check_names_differ(kind: str, *sides: Sequence[CompiledFilter]) -> None:
    """Raise UsageError if filters of a side have the same name. `kind` is filter or rewrite."""
    for side, filters in zip("AB", sides, strict=True):
        labels: dict[str, str] = {}
        for compiled in filters:
            label = f"{compiled.path}::{compiled.name}"
            if compiled.name in labels:
                raise click.UsageError(f"two {kind}s of {side} have the same name: {labels[compiled.name]}, {label}")
            labels[compiled.name] = label


def pair_filters(
    first: Sequence[CompiledFilter], second: Sequence[CompiledFilter]
) -> tuple[list[FilterPair], list[tuple[str, str]]]:
    """Return the pairs of filters with the same name, and the side and name of each unpaired filter.

    If each side has one filter, they form a pair whatever their names. Raises UsageError if there is no pair, or if
    filters of one side have the same name.
    """
    if len(first) == len(second) == 1:
        return [filter_pair(first[0], second[0])], []
    check_names_differ("filter", first, second)
    by_name = {compiled.name: compiled for compiled in second}
    pairs = [filter_pair(compiled, by_name[compiled.name]) for compiled in first if compiled.name in by_name]
    if not pairs:
        raise click.UsageError("A and B have no filter of the same name")
    names = {pair.first.name for pair in pairs}
    unpaired = [("A", compiled.name) for compiled in first if compiled.name not in names]
    return pairs, unpaired + [("B", compiled.name) for compiled in second if compiled.name not in names]
