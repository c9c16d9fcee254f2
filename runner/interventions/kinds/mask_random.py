"""`mask-random = "CONDITION"`: as much masked as in another condition, at random places."""

from __future__ import annotations

from runner.interventions.context import ConditionContext
from runner.interventions.controls import RandomEdit


class MaskRandom(RandomEdit):
    """Mask words at random places."""

    key = "mask-random"
    usage = 'mask-random = "CONDITION"'
    doc = "with as many words, subtrees and spans of the same sizes masked at random places"
    controls = ("mask",)

    def describe(self, context: ConditionContext) -> str:
        """Name the other condition."""
        return f"words masked at random, as many as in {self.of(context)}{self.suffix(context)}"


INTERVENTION = MaskRandom()
