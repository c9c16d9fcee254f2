"""Filters of two sides into the pairs that are compared, and what became of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.query.compare import Comparison
    from runner.corpus.query.matched_sentences import Found


@dataclass(frozen=True)
class Pair:
    """Two filters; `same` if they match the same words by their definition, up to names and order."""

    first: CompiledFilter
    second: CompiledFilter
    same: bool

    @property
    def name(self) -> str:
        """What the pair is called in a table."""
        one, other = self.first.name, self.second.name
        return one if one == other else f"{one} → {other}"


@dataclass(frozen=True)
class Outcome:
    """A pair, what it came to, and sentences to look at: with the matches of the filter that has them."""

    pair: Pair
    found: Comparison
    gained: Sequence[Found]
    lost: Sequence[Found]


def paired(
    first: Sequence[CompiledFilter], second: Sequence[CompiledFilter]
) -> tuple[list[Pair], list[tuple[str, str]]]:
    """The filters that are compared, and those of one side only. Single filters are compared whatever their names."""
    if len(first) == len(second) == 1:
        return [_pair(first[0], second[0])], []
    theirs = {one.name: one for one in second}
    pairs = [_pair(one, theirs[one.name]) for one in first if one.name in theirs]
    if not pairs:
        raise click.UsageError("A and B have no filter of the same name")
    names = {pair.first.name for pair in pairs}
    alone = [("A", one.name) for one in first if one.name not in names]
    return pairs, alone + [("B", one.name) for one in second if one.name not in names]


def _pair(first: CompiledFilter, second: CompiledFilter) -> Pair:
    from fictdsl.lint.logic.normal_form import normal_form

    one, other = (normal_form(replace(compiled.ir, actions=())) for compiled in (first, second))
    return Pair(first, second, one == other)
