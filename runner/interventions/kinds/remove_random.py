"""`remove-random = "CONDITION"`: without as much as another condition removes, at random."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from runner.errors import InputError
from runner.interventions.controls import OPTIONS, RandomControl
from runner.interventions.intervention import Key, Selection, selection_of
from runner.interventions.subject import BaseCorpus, Subject

if TYPE_CHECKING:
    from runner.corpus.sentences.common_size import Indices
    from runner.intervene.remove_random import By


class RemoveRandom(RandomControl, Selection[str]):
    """Remove as many sentences or tokens as another condition, or the same lengths, chosen by hash."""

    key = "remove-random"
    usage = 'remove-random = "CONDITION"'
    doc = "without as much as that condition removes, chosen by hash"
    controls = ("remove", "keep")
    options = {"by": Key(Literal["sentences", "tokens", "lengths"], "sentences")} | OPTIONS

    def by(self, subject: Subject) -> By:
        """Return what is equal to the other condition."""
        by: By = subject.values["by"]
        return by

    def content(self, subject: Subject) -> dict[str, Any]:
        """Return the filters of the other condition, and how sentences are chosen."""
        other = self.other(subject)
        selection = selection_of(other)
        assert selection is not None
        like = other.filter_keys(selection.key)
        content = {"do": self.key, "like": like, "by": self.by(subject), "seed": self.seed(subject)}
        return content | ({"kept": True} if selection.keeps else {}) | self._disjoint_content(subject)

    def _disjoint_content(self, subject: Subject) -> dict[str, Any]:
        return {"disjoint": True} if self.disjoint(subject) else {}

    def describe(self, subject: Subject) -> str:
        """Name the other condition and the measure."""
        measure = "sentences of each length" if self.by(subject) == "lengths" else self.by(subject)
        return f"without as many {measure} as {self.of(subject)} removes, at random{self.suffix(subject)}"

    def removed(self, subject: Subject, base: BaseCorpus) -> Indices:
        """Return the sentences of lowest rank. Raises InputError (FICT640) if there are too few."""
        from runner.intervene.remove_random import ShortError, random_sample_like

        other = self.other(subject)
        selection = selection_of(other)
        assert selection is not None
        like, words = selection.removed(other, base), base.sentences.words
        ranks = base.ranks(f"{self.key}:{self.seed(subject)}")
        try:
            disjoint = self.disjoint(subject)
            return random_sample_like(base.everything(), like, ranks, words, self.by(subject), disjoint=disjoint)
        except ShortError as short:
            raise InputError(self.too_short(subject, short)) from short


INTERVENTION = RemoveRandom()
