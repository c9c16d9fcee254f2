"""`order = {…}`: stages that training reads one after another, once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import model_validator

from runner.conditions.condition import BaseCorpus, Condition
from runner.conditions.intervention import Key
from runner.conditions.stages import Staged, StageSettings, Unit

if TYPE_CHECKING:
    from runner.conditions.corpus import ConditionCorpus
    from runner.corpus.sentence_arrays import Indices


class OrderSettings(StageSettings):
    balance: Unit | None = None
    rest: Literal["drop", "first", "last", "interleave"] = "drop"
    reverse: bool = False
    shuffle: bool = False

    @model_validator(mode="after")
    def _check_unused(self) -> OrderSettings:
        if self.levels and self.balance is None:
            raise ValueError("levels requires balance")
        if "seed" in self.model_fields_set and self.balance is None and not self.shuffle:
            raise ValueError("seed requires balance or shuffle")
        return self

    @property
    def balanced_by(self) -> Unit | None:
        return self.balance


class Order(Staged[OrderSettings]):
    key = "order"
    usage = "order = { filters = […], stages = […] }"
    doc = "after sentences of the common size are drawn, sorted into stages that are read one after another"
    value = Key(OrderSettings | None)
    filters_key = "order.filters"
    filter_lists = ("order.filters",)
    reads_once = True

    def content(self, condition: Condition) -> dict[str, Any]:
        return super().content(condition) | {"names": list(self.stage_labels(condition))}

    def describe(self, condition: Condition) -> str:
        settings, stages = self.of(condition), self.stage_labels(condition)
        ordered_stages = reversed(stages) if settings.reverse else stages
        by_key = f"sorted by {settings.key}{', reversed' * settings.reverse}"
        balance_text = f", as many {settings.balance} each" if settings.balance else ""
        return (f"in the order {' → '.join(ordered_stages)}" if stages else by_key) + balance_text

    def reading_order(self, condition: Condition, stages: list[tuple[str, Indices]]) -> list[tuple[str, Indices]]:
        return stages[::-1] if self.of(condition).reverse else stages

    def arrange(
        self, condition: Condition, corpus: ConditionCorpus, base: BaseCorpus, units: Path | None
    ) -> ConditionCorpus:
        import numpy as np

        from runner.conditions.samples import order_by_stage

        settings = self.of(condition)
        selected, stage_of_line, names = self.balanced(condition, corpus, base)
        if settings.shuffle:
            ranks = base.ranks(f"order:{settings.seed}")[corpus.sids[selected]]
            selected = selected[np.argsort(ranks, kind="stable")]
        staged = order_by_stage(stage_of_line[selected], len(names), settings.rest, reverse=settings.reverse)
        order = selected[staged]
        first_lines = [(name, int(np.argmax(stage_of_line[order] == index))) for index, name in enumerate(names)]
        stages = tuple(sorted(first_lines, key=lambda entry: entry[1]))
        return replace(corpus.selected(order), stages=stages)


INTERVENTION = Order()
