"""Pairs of filters that `fictc diff` compares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from runner.corpus.show.differences import FilterPair, filter_pair

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter


def pair_filters(
    first: Sequence[CompiledFilter], second: Sequence[CompiledFilter]
) -> tuple[list[FilterPair], list[tuple[str, str]]]:
    """Return the pairs of filters with the same name, and the side and name of each unpaired filter.

    If each side has one filter, they form a pair whatever their names. Raises UsageError if there is no pair.
    """
    if len(first) == len(second) == 1:
        return [filter_pair(first[0], second[0])], []
    by_name = {compiled.name: compiled for compiled in second}
    pairs = [filter_pair(compiled, by_name[compiled.name]) for compiled in first if compiled.name in by_name]
    if not pairs:
        raise click.UsageError("A and B have no filter of the same name")
    names = {pair.first.name for pair in pairs}
    unpaired = [("A", compiled.name) for compiled in first if compiled.name not in names]
    return pairs, unpaired + [("B", compiled.name) for compiled in second if compiled.name not in names]
