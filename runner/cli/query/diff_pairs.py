"""Pairs of filters that `fictc diff` compares, and their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.query.compare import Comparison
    from runner.corpus.query.matched_sentences import MatchedSentence


@dataclass(frozen=True)
class Pair:
    """Two filters; `same` if their definitions are equal up to names and order."""

    first: CompiledFilter
    second: CompiledFilter
    same: bool

    @property
    def name(self) -> str:
        """The name of the pair in a table."""
        first, second = self.first.name, self.second.name
        return first if first == second else f"{first} → {second}"


@dataclass(frozen=True)
class Outcome:
    """The comparison of a pair, with sample sentences and the matches of the filter that matches them."""

    pair: Pair
    comparison: Comparison
    gained: Sequence[MatchedSentence]
    lost: Sequence[MatchedSentence]


def paired(
    first: Sequence[CompiledFilter], second: Sequence[CompiledFilter]
) -> tuple[list[Pair], list[tuple[str, str]]]:
    """Return the pairs of filters with the same name, and the side and name of the others.

    Single filters are compared whatever their names. Raises UsageError if there is no pair.
    """
    if len(first) == len(second) == 1:
        return [_pair(first[0], second[0])], []
    by_name = {compiled.name: compiled for compiled in second}
    pairs = [_pair(compiled, by_name[compiled.name]) for compiled in first if compiled.name in by_name]
    if not pairs:
        raise click.UsageError("A and B have no filter of the same name")
    names = {pair.first.name for pair in pairs}
    unpaired = [("A", compiled.name) for compiled in first if compiled.name not in names]
    return pairs, unpaired + [("B", compiled.name) for compiled in second if compiled.name not in names]


def _pair(first: CompiledFilter, second: CompiledFilter) -> Pair:
    from fictdsl.lint.logic.normal_form import normal_form

    first_form, second_form = (normal_form(replace(compiled.ir, actions=())) for compiled in (first, second))
    return Pair(first, second, first_form == second_form)
