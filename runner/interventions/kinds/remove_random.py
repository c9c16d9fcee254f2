"""`remove-random = "CONDITION"`: without as much as another condition removes, at random."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from runner.errors import InputError
from runner.interventions.controls import OPTIONS, RandomControl
from runner.interventions.intervention import Key, Selection, selection_of
from runner.interventions.shares import share_content
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
    options = {
        "by": Key(Literal["sentences", "tokens", "lengths"], "sentences"),
        "draws": Key(int | None, Field(None, ge=1)),
    } | OPTIONS

    def by(self, subject: Subject) -> By:
        """Return what is equal to the other condition.

        If `by` is in another unit than the common size, sentences of the same lengths are removed: then both numbers
        are equal, after the common size is drawn too.
        """
        by: By = subject.values["by"]
        return "lengths" if self._unit(by) != subject.size_unit else by

    def _unit(self, by: By) -> str:
        return "tokens" if by == "tokens" else "lines"

    def draws(self, values: Mapping[str, Any]) -> int | None:
        """Return the number of draws of a placebo."""
        draws: int | None = values["draws"]
        return draws

    def content(self, subject: Subject) -> dict[str, Any]:
        """Return the filters of the other condition, and how sentences are chosen."""
        other = self.other(subject)
        selection = selection_of(other)
        assert selection is not None
        like = other.filter_keys(selection.key)
        content = {"do": self.key, "like": like, "by": self.by(subject), "seed": subject.values["seed"]}
        share = share_content(other, selection.filters(other)) if selection.key == "remove" else {}
        flags = {"share": share, "kept": selection.keeps, "disjoint": self.disjoint(subject)}
        return content | {name: value for name, value in flags.items() if value} | subject.redrawn

    def describe(self, subject: Subject) -> str:
        """Name the other condition and the measure."""
        measure = "sentences of each length" if self.by(subject) == "lengths" else self.by(subject)
        return f"without as many {measure} as {self.of(subject)} removes, at random{self._suffix(subject)}"

    def _suffix(self, subject: Subject) -> str:
        draws = self.draws(subject.values)
        return self.suffix(subject) + (f", in {draws} draw{'s' * (draws > 1)}" if draws else "")

    def has_size(self, subject: Subject) -> bool:
        """Return whether it is matched in the unit of the common size, and so no smaller than the other condition."""
        return self._unit(self.by(subject)) == subject.size_unit

    def facts(self, subject: Subject) -> dict[str, Any]:
        """Return what is equal to the other condition."""
        return {"by": self.by(subject)}

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
