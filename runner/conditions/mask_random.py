"""`mask-random = "CONDITION"`: words masked at random positions, as many as in another condition."""

from __future__ import annotations

from runner.conditions.random_controls import RandomEdit


class MaskRandom(RandomEdit):
    key = "mask-random"
    usage = 'mask-random = "CONDITION"'
    doc = "with as many words, subtrees and spans of the same sizes masked at random places"
    controls = ("mask",)
    participle = "masked"


INTERVENTION = MaskRandom()
