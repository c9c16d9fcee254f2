"""`remove-random = "CONDITION"`: sentences removed at random, as much as another condition removes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fictdsl.words import inflected
from runner.conditions.condition import BaseCorpus, Condition
from runner.conditions.intervention import Key, Selection, selection_of
from runner.conditions.random_controls import OPTIONS, RandomControl
from runner.conditions.shares import share_content
from runner.errors import InputError
from runner.toml_tables import Range

if TYPE_CHECKING:
    from runner.conditions.samples import SampleBy
    from runner.corpus.sentence_arrays import Indices


class RemoveRandom(RandomControl, Selection[str]):
    key = "remove-random"
    usage = 'remove-random = "CONDITION"'
    doc = "without as much as that condition removes, chosen by hash"
    controls = ("remove", "keep")
    options = {
        "by": Key(Literal["sentences", "tokens", "lengths"], "sentences"),
        "draws": Key(Annotated[int, Range(1, 10_000, "every draw trains every model")] | None),
    } | OPTIONS

    def by(self, condition: Condition) -> SampleBy:
        """Return the unit; lengths if `by` and the common size differ, so that both agree after sampling."""
        by: SampleBy = condition.values["by"]
        return "lengths" if self._size_unit(by) != condition.size_unit else by

    def _size_unit(self, by: SampleBy) -> str:
        return "tokens" if by == "tokens" else "lines"

    def draws(self, values: Mapping[str, Any]) -> int | None:
        draws: int | None = values["draws"]
        return draws

    def content(self, condition: Condition) -> dict[str, Any]:
        other = self.other(condition)
        selection = selection_of(other)
        assert selection is not None
        like = other.filter_keys(selection.key)
        content = {"do": self.key, "like": like, "by": self.by(condition), "seed": condition.values["seed"]}
        share = share_content(other, selection.filters(other)) if selection.key == "remove" else {}
        flags = {"share": share, "kept": selection.keeps, "disjoint": self.disjoint(condition)}
        return content | {name: value for name, value in flags.items() if value} | condition.redrawn

    def describe(self, condition: Condition) -> str:
        measure = "sentences of each length" if self.by(condition) == "lengths" else self.by(condition)
        draws = self.draws(condition.values)
        suffix = self.suffix(condition) + (f", in {draws} {inflected(draws, 'draw', 'draws')}" if draws else "")
        return f"without as many {measure} as {self.of(condition)} removes, at random{suffix}"

    def sets_common_size(self, condition: Condition) -> bool:
        return self._size_unit(self.by(condition)) == condition.size_unit

    def facts(self, condition: Condition) -> dict[str, Any]:
        return {"by": self.by(condition)}

    def removed_sentences(self, condition: Condition, base: BaseCorpus) -> Indices:
        from runner.conditions.samples import TooFewError, random_sample_like

        other = self.other(condition)
        selection = selection_of(other)
        assert selection is not None
        like, words = selection.removed_sentences(other, base), base.sentences.words
        ranks = base.ranks(f"{self.key}:{self.seed(condition)}")
        try:
            disjoint = self.disjoint(condition)
            return random_sample_like(base.everything(), like, ranks, words, self.by(condition), disjoint=disjoint)
        except TooFewError as error:
            raise InputError(self.shortage(condition, error)) from error


INTERVENTION = RemoveRandom()
