"""The training corpora of conditions: one per condition, or several with newly drawn random choices."""

from __future__ import annotations

from dataclasses import dataclass, replace

from runner.interventions.context import ConditionContext
from runner.interventions.intervention import selection_of
from runner.steps.resolve import Resolved

FULL = "full"


@dataclass(frozen=True, slots=True)
class Variant:
    """A training corpus of a condition.

    If random choices are drawn anew for each seed of the run, `redraw` is that seed, otherwise None. For a placebo,
    `draw` is the number of the draw, from 1, and `seed` is the seed of the models trained on it.
    """

    condition: str
    redraw: int | None = None
    draw: int | None = None
    seed: int | None = None

    @property
    def name(self) -> str:
        """The name in folders and messages: CONDITION, CONDITION/seed-N or CONDITION/draw-K."""
        if self.draw is not None:
            return f"{self.condition}/draw-{self.draw}"
        return self.condition if self.redraw is None else f"{self.condition}/seed-{self.redraw}"

    def context(self, resolved: Resolved) -> ConditionContext | None:
        """Return the condition with the choices of this variant, or None for `full`."""
        context = resolved.context(self.condition)
        if context is None:
            return None
        other = context.other
        return replace(
            context, redraw=self.redraw, draw=self.draw, other=lambda name: replace(other(name), redraw=self.redraw)
        )

    def is_used_by(self, seed: int) -> bool:
        """Return whether models with a seed of the run are trained on this corpus."""
        return seed == self.seed if self.draw is not None else self.redraw in (None, seed)


def variants(resolved: Resolved) -> list[Variant]:
    """Return all training corpora, by condition, `full` first."""
    names = [FULL, *(condition.name for condition in resolved.manifest.condition)]
    return [variant for name in names for variant in _condition_variants(name, resolved)]


def _condition_variants(name: str, resolved: Resolved) -> list[Variant]:
    seeds = resolved.manifest.experiment.seeds
    by_seed = resolved.manifest.size.redraw == "seed"
    condition = resolved.condition(name)
    if condition is not None and (draws := condition.placebo_draws):
        draw_seeds = [seeds[(draw - 1) % len(seeds)] for draw in range(1, draws + 1)]
        return [Variant(name, seed if by_seed else None, draw, seed) for draw, seed in enumerate(draw_seeds, 1)]
    return [Variant(name, seed) for seed in seeds] if by_seed else [Variant(name)]


def sets_common_size(variant: Variant, resolved: Resolved) -> bool:
    """Return whether a corpus counts for `[size] count = "smallest"`.

    A placebo does not count, nor does a control that is matched in another unit than the common size. If such a corpus
    is too small, removed sentences are put back.
    """
    context = variant.context(resolved)
    selection = None if context is None else selection_of(context)
    if context is None or selection is None:
        return True
    return variant.draw is None and selection.sets_common_size(context)
