"""Random controls: interventions that change as much as another condition does, at random positions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.errors import InputError
from runner.interventions.context import BaseCorpus, ConditionContext
from runner.interventions.intervention import SEED, Intervention, Key
from runner.interventions.shares import (
    affected_sentences,
    has_share,
    remaining_after_removal,
    removal_content,
    share_content,
)
from runner.interventions.word_edit import WordEdit

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.corpus.sentence_arrays import Indices
    from runner.corpus.store import Store
    from runner.intervene.edits import Edit
    from runner.intervene.remove_random import TooFewError

OPTIONS = {"disjoint": Key(bool, False), "seed": SEED}


class RandomControl(Intervention[str]):
    """A random control of the condition that the value of its key names."""

    value = Key(str | None)
    options = OPTIONS

    def control_of(self, value: str) -> tuple[str, ...]:
        """Return the key and the name of the other condition."""
        return (self.key, value)

    def other(self, context: ConditionContext) -> ConditionContext:
        """Return the other condition."""
        return context.other(self.of(context))

    def seed(self, context: ConditionContext) -> int:
        """Return the seed of the random choice."""
        return context.seed(context.values["seed"])

    def disjoint(self, context: ConditionContext) -> bool:
        """Return whether the choice avoids what the other condition changes."""
        return bool(context.values["disjoint"])

    def suffix(self, context: ConditionContext) -> str:
        """Return the end of the description."""
        return ", disjoint from these" if self.disjoint(context) else ""

    def shortage(self, context: ConditionContext, error: TooFewError) -> Diagnostic:
        """Return diagnostic FICT640: there are too few sentences or words to draw from."""
        parameters: dict[str, Any] = {"condition": context.name, "like": self.of(context)}
        parameters |= {"wanted": error.requested, "found": error.available, "unit": error.unit}
        return context.problem("FICT640", self.key, **parameters)


class RandomEdit(RandomControl, WordEdit[str]):
    """Edit as many words, subtrees and spans as the filters of another condition do."""

    def content(self, context: ConditionContext) -> dict[str, Any]:
        """Return the filters and the share of the other condition, the random choice, and the removals of both."""
        other = self.other(context)
        like, share = other.filter_keys(*self.controls), share_content(other, other.filters_of(*self.controls))
        content = {"like": like, "seed": context.values["seed"], "disjoint": self.disjoint(context)}
        removals = [removal_content(other), removal_content(context)]
        after = {"after": removals} if any(removal is not None for removal in removals) else {}
        return content | ({"share": share} if share else {}) | after | context.redrawn

    def edits(self, context: ConditionContext, store: Store, base: BaseCorpus, folder: Path | None) -> Iterator[Edit]:
        """Yield the sentences with edited words. Raises InputError (FICT640) if there are too few positions.

        Edits of the other condition count in the sentences that it keeps. Positions are in those that this one keeps.
        """
        from runner.intervene.edit_random import random_edits
        from runner.intervene.remove_random import TooFewError

        other = self.other(context)
        filters = other.filters_of(*self.controls)
        counted_sids = remaining_after_removal(other, base)
        if has_share(other):
            counted_sids = _intersection(affected_sentences(other, filters, base), counted_sids)
        allowed_sids = remaining_after_removal(context, base)
        try:
            disjoint = self.disjoint(context)
            yield from random_edits(store, filters, self.seed(context), disjoint, counted_sids, allowed_sids)
        except TooFewError as error:
            raise InputError(self.shortage(context, error)) from error


def _intersection(sids: Indices, others: Indices | None) -> Indices:
    """Return the sentences in both, or all of `sids` if `others` is None."""
    import numpy as np

    return sids if others is None else np.intersect1d(sids, others)
