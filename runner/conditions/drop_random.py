"""`drop-random = "CONDITION"`: words dropped at random positions, as many as in another condition."""

from __future__ import annotations

from runner.conditions.random_controls import RandomEdit


class DropRandom(RandomEdit):
    key = "drop-random"
    usage = 'drop-random = "CONDITION"'
    doc = "with as many words, subtrees and spans of the same sizes dropped at random places"
    controls = ("drop",)
    participle = "dropped"


INTERVENTION = DropRandom()
