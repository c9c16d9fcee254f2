"""Stages: groups of a condition's sentences, by filters or by the value of a comment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, TypeVar

from pydantic import Field, model_validator

from fictdsl.diagnostics.suggest import did_you_mean
from runner.corpus.sentences.metadata_sql import SENTENCE_COLUMNS
from runner.errors import InputError
from runner.interventions.context import BaseCorpus, ConditionContext, Entry
from runner.interventions.intervention import Arrangement
from runner.interventions.word_edit import word_edits_of
from runner.toml.raw import nested, strings
from runner.toml.table import TomlTable

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.corpus.sentences.common_size import Indices


Unit: TypeAlias = Literal["sentences", "tokens", "matches"]


class StageSettings(TomlTable):
    """The settings that `order` and `balance` share: stages by matching filters or by a comment's value."""

    filters: tuple[str, ...] = Field((), strict=False)
    key: str | None = None
    stages: tuple[str, ...] = Field((), strict=False)
    levels: tuple[Annotated[tuple[str, ...], Field(strict=False)], ...] = Field(
        (), strict=False
    )  # groups of stages that balancing makes equal
    seed: int = Field(0, ge=0)

    @model_validator(mode="after")
    def _check_levels(self) -> StageSettings:
        grouped = [stage for level in self.levels for stage in level]
        if unknown := [stage for stage in grouped if stage not in self.stages]:
            raise ValueError(f"levels names {unknown[0]}, which is not one of the stages")
        if len(set(grouped)) < len(grouped):
            raise ValueError("a stage may be in one level only")
        return self

    @model_validator(mode="after")
    def _check_criterion(self) -> StageSettings:
        if bool(self.filters) == (self.key is not None):
            raise ValueError("exactly one of filters and key is required")
        if self.balanced_by == "matches" and not self.filters:
            raise ValueError("balancing by matches requires filters")
        if len(set(self.stages)) < len(self.stages):
            raise ValueError("stages must be distinct")
        return self

    @property
    def balanced_by(self) -> Unit | None:
        """The unit in which stages are made equal, or None."""
        return None

    def groups(self, names: list[str]) -> list[list[int]]:
        """Return the stages that balancing makes equal, by index: a group for each level, or one of all stages."""
        if not self.levels:
            return [list(range(len(names)))]
        return [[names.index(stage) for stage in level] for level in self.levels]


L = TypeVar("L", bound=StageSettings)


class Staged(Arrangement[L]):
    """Arrange sentences by stages."""

    filters_key: ClassVar[str]  # the dotted key of the filters that define stages

    def check(self, entry: Entry) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each filter listed twice (FICT606), and each stage of an unknown filter (FICT605)."""
        names = [item.name for item in entry.filters.get(self.filters_key, ())]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield entry.problem("FICT606", *self.filters_key.split("."), kind="filter", name=name)
        for index, stage in strings(nested(entry.raw, f"{self.key}.stages")) if names else []:
            for name in stage_names(stage):
                if name not in names:
                    hint = did_you_mean(name, names) or f"filters of {self.key}: {', '.join(names)}"
                    yield entry.problem("FICT605", self.key, "stages", index, kind="filter", name=name, hint=hint)

    def content(self, context: ConditionContext) -> dict[str, Any]:
        """Return the settings, with the filters of each stage in place of their names."""
        settings = self.of(context)
        values = settings.model_dump(exclude={"filters", "stages"}) | {"stages": self._stage_content(context)}
        if others := self._unstaged(context):
            values["others"] = others
        content: dict[str, Any] = {self.key: values}
        if settings.key not in (None, *SENTENCE_COLUMNS):
            content["values"] = "of documents"  # comments of documents count as well as those of sentences
        if settings.balanced_by == "tokens" and word_edits_of(context):
            content["sizes"] = "edited"
        return content

    def _stage_content(self, context: ConditionContext) -> list[Any]:
        """Return the stages in their order: sorted filter keys, or values of a comment."""
        keys = {item.name: item.key for item in context.filters_of(self.filters_key)}
        stages = self.of(context).stages
        if not keys:
            return list(stages)
        return [sorted(keys[name] for name in stage_names(stage)) for stage in stages or keys]

    def _unstaged(self, context: ConditionContext) -> list[str]:
        """Return the keys of filters that no stage names. The sentences that they match are in no stage."""
        stages = self.of(context).stages
        staged = {name for stage in stages for name in stage_names(stage)}
        return sorted(item.key for item in context.filters_of(self.filters_key) if stages and item.name not in staged)

    def stage_labels(self, context: ConditionContext) -> tuple[str, ...]:
        """Return the names of the stages for a description."""
        by_filters = tuple(item.name for item in context.filters_of(self.filters_key))
        return self.of(context).stages or by_filters or (f"by {self.of(context).key}",)

    def stages(self, context: ConditionContext, sids: Indices, base: BaseCorpus) -> list[tuple[str, Indices]]:
        """Return the stages in reading order, then the sentences in no stage."""
        from runner.intervene.order import REST

        stage, names = self.stage_of_each(context, sids, base)
        stages = [(name, sids[stage == index]) for index, name in enumerate(names)]
        rest = sids[stage == REST]
        return [*self.reading_order(context, stages), *([("in no stage", rest)] if len(rest) else [])]

    def reading_order(self, context: ConditionContext, stages: list[tuple[str, Indices]]) -> list[tuple[str, Indices]]:
        """Return the stages in the order in which training reads them."""
        return stages

    def balanced(
        self, context: ConditionContext, sids: Indices, words: Indices, base: BaseCorpus
    ) -> tuple[Indices, Indices, list[str]]:
        """Return the indices of sentences after balancing, the stage of every sentence, and the names of the stages.

        The indices include the sentences in no stage. Raises InputError (FICT644) if a stage is empty.
        """
        import numpy as np

        from runner.intervene.order import REST, balance_stages

        settings = self.of(context)
        stage, names = self.stage_of_each(context, sids, base)
        self._refuse_empty(context, stage, names)
        if settings.balanced_by is None:
            return np.arange(len(sids)), stage, names
        ranks = base.ranks(f"balance:{settings.seed}")[sids]
        sizes = words if settings.balanced_by == "tokens" else np.ones(len(sids), dtype=np.int64)
        if settings.balanced_by == "matches":
            sizes = self._matches(context, sids, stage, names, base)
        chosen = balance_stages(stage, sizes, ranks, settings.groups(names))
        return np.union1d(chosen, np.flatnonzero(stage == REST)), stage, names

    def _matches(
        self, context: ConditionContext, sids: Indices, stage: Indices, names: list[str], base: BaseCorpus
    ) -> Indices:
        """Return for each sentence how often the first filter of its stage matches it; 0 if it is in no stage."""
        import numpy as np

        keys = {item.name: item.key for item in context.filters_of(self.filters_key)}
        sizes = np.zeros(len(sids), dtype=np.int64)
        for index, name in enumerate(names):
            in_stage = stage == index
            sizes[in_stage] = base.match_counts(keys[stage_names(name)[0]])[sids[in_stage]]
        return sizes

    def _refuse_empty(self, context: ConditionContext, stage: Indices, names: list[str]) -> None:
        empty = next((name for index, name in enumerate(names) if not (stage == index).any()), None)
        empty = empty if names else self.of(context).key
        if empty is not None:
            raise InputError(context.problem("FICT644", self.key, stage=empty, condition=context.name))

    def stage_of_each(self, context: ConditionContext, sids: Indices, base: BaseCorpus) -> tuple[Indices, list[str]]:
        """Return the stage of each sentence, and the names of the stages."""
        from runner.corpus.sentences.arrays import read_values
        from runner.intervene.order import stages_by_filters, stages_by_values

        settings, filters = self.of(context), context.filters_of(self.filters_key)
        if not filters:
            values = read_values(base.store, str(settings.key))
            sentence_values = [values[sid] for sid in sids.tolist()]
            names = list(settings.stages) or sorted({value for value in sentence_values if value is not None})
            return stages_by_values(sentence_values, names), names
        names = list(settings.stages) or [item.name for item in filters]
        indices = {item.name: index for index, item in enumerate(filters)}
        stages = [{indices[name] for name in stage_names(stage)} for stage in names]
        return stages_by_filters(sids, [base.matched(item.key) for item in filters], stages), names


def stage_names(stage: str) -> list[str]:
    """Return the names of the filters of a stage: `fem+occ` has the filters fem and occ."""
    return [name.strip() for name in stage.split("+")]
