"""`drop-random = "CONDITION"`: as much dropped as in another condition, at random places."""

from __future__ import annotations

from runner.interventions.controls import RandomEdit
from runner.interventions.subject import Subject


class DropRandom(RandomEdit):
    """Drop words at random places."""

    key = "drop-random"
    usage = 'drop-random = "CONDITION"'
    doc = "with as many words, subtrees and spans of the same sizes dropped at random places"
    controls = ("drop",)

    def describe(self, subject: Subject) -> str:
        """Name the other condition."""
        return f"words dropped at random, as many as in {self.of(subject)}{self.suffix(subject)}"


INTERVENTION = DropRandom()
