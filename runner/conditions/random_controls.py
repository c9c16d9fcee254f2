"""Random controls: as much removed or changed as by another condition, but at random."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from runner.conditions.condition import BaseCorpus, Condition
from runner.conditions.intervention import SEED, Intervention, Key, WordEdit
from runner.conditions.shares import (
    affected_sentences,
    has_share,
    remaining_after_removal,
    removal_content,
    share_content,
)
from runner.errors import InputError

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.conditions.edits import Edit
    from runner.conditions.samples import TooFewError
    from runner.corpus.store import Store


OPTIONS = {"disjoint": Key(bool, False), "seed": SEED}


class RandomControl(Intervention[str]):
    value = Key(str | None)
    options = OPTIONS

    def control_of(self, value: str) -> tuple[str, ...]:
        return (self.key, value)

    def other(self, condition: Condition) -> Condition:
        return condition.other(self.of(condition))

    def seed(self, condition: Condition) -> int:
        return condition.seed(condition.values["seed"])

    def disjoint(self, condition: Condition) -> bool:
        return bool(condition.values["disjoint"])

    def suffix(self, condition: Condition) -> str:
        return ", disjoint from these" if self.disjoint(condition) else ""

    def shortage(self, condition: Condition, error: TooFewError) -> Diagnostic:
        parameters: dict[str, Any] = {"condition": condition.name, "like": self.of(condition)}
        parameters |= {"wanted": error.requested, "found": error.available, "unit": error.unit}
        return condition.problem("FICT640", self.key, **parameters)


class RandomEdit(RandomControl, WordEdit[str]):
    participle: ClassVar[str]  # for the description

    def describe(self, condition: Condition) -> str:
        return f"words {self.participle} at random, as many as in {self.of(condition)}{self.suffix(condition)}"

    def content(self, condition: Condition) -> dict[str, Any]:
        other = self.other(condition)
        like, share = other.filter_keys(*self.controls), share_content(other, other.filters_of(*self.controls))
        content = {"like": like, "seed": condition.values["seed"], "disjoint": self.disjoint(condition)}
        removals = [removal_content(other), removal_content(condition)]
        after = {"after": removals} if any(removal is not None for removal in removals) else {}
        return content | ({"share": share} if share else {}) | after | condition.redrawn

    def edits(self, condition: Condition, store: Store, base: BaseCorpus, folder: Path | None) -> Iterator[Edit]:
        """Yield edits in the sentences that this condition keeps. Raises InputError (FICT640) if there are too few."""
        import numpy as np

        from runner.conditions.edit_random import random_edits
        from runner.conditions.samples import TooFewError

        other = self.other(condition)
        filters = other.filters_of(*self.controls)
        counted_sids = remaining_after_removal(other, base)
        if has_share(other):
            affected = affected_sentences(other, filters, base)
            counted_sids = affected if counted_sids is None else np.intersect1d(affected, counted_sids)
        allowed_sids = remaining_after_removal(condition, base)
        try:
            disjoint = self.disjoint(condition)
            yield from random_edits(store, filters, self.seed(condition), disjoint, counted_sids, allowed_sids)
        except TooFewError as error:
            raise InputError(self.shortage(condition, error)) from error
