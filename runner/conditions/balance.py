"""`balance = {…}`: stages of equal size, in the order of the corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from runner.conditions.condition import BaseCorpus, Condition
from runner.conditions.intervention import Key
from runner.conditions.stages import Staged, StageSettings, Unit, filter_names_of_stage

if TYPE_CHECKING:
    from runner.conditions.corpus import ConditionCorpus


class BalanceSettings(StageSettings):
    by: Unit = "sentences"
    rest: Literal["drop", "keep"] = "drop"

    @property
    def balanced_by(self) -> Unit:
        return self.by


class Balance(Staged[BalanceSettings]):
    key = "balance"
    usage = 'balance = { key = "genre" }'
    doc = "after sentences of the common size are drawn, with an equal amount of each stage, in the order of the corpus"
    value = Key(BalanceSettings | None)
    filters_key = "balance.filters"
    filter_lists = ("balance.filters",)

    def content(self, condition: Condition) -> dict[str, Any]:
        content, keys = super().content(condition), self.keys(condition)
        if self.of(condition).by == "matches":
            content["counted"] = [keys[filter_names_of_stage(stage)[0]] for stage in self.of(condition).stages or keys]
        return content

    def describe(self, condition: Condition) -> str:
        settings = self.of(condition)
        stages = ", ".join(self.stage_labels(condition)) or f"each {settings.key}"
        return f"as many {settings.by} of {stages}"

    def arrange(
        self, condition: Condition, corpus: ConditionCorpus, base: BaseCorpus, units: Path | None
    ) -> ConditionCorpus:
        from runner.conditions.samples import REST

        selected, stage, _ = self.balanced(condition, corpus, base)
        keeps_rest = self.of(condition).rest == "keep"
        return corpus.selected(selected if keeps_rest else selected[stage[selected] != REST])


INTERVENTION = Balance()
