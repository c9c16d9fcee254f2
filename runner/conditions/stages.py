"""Group the sentences of a condition into stages, by filters or by the value of a comment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, TypeVar

from pydantic import Field, model_validator

from fictdsl.diagnostics.suggest import did_you_mean
from runner.conditions.condition import BaseCorpus, Condition
from runner.conditions.intervention import Arrangement
from runner.errors import InputError
from runner.toml_tables import Seed, TomlTable
from runner.toml_text import nested, strings

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.conditions.corpus import ConditionCorpus
    from runner.corpus.sentence_arrays import Indices


Unit: TypeAlias = Literal["sentences", "tokens", "matches"]


class StageSettings(TomlTable):
    """The settings that `order` and `balance` share: stages by matching filters or by a comment's value."""

    filters: tuple[str, ...] = Field((), strict=False)
    key: str | None = None
    stages: tuple[str, ...] = Field((), strict=False)
    # balancing makes the stages of each level equal in size
    levels: tuple[Annotated[tuple[str, ...], Field(strict=False)], ...] = Field((), strict=False)
    seed: Seed = 0

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
        return None

    def groups(self, names: list[str]) -> list[list[int]]:
        """Return the indices of stages that balancing makes equal: one group per level, or one group of all stages."""
        if not self.levels:
            return [list(range(len(names)))]
        return [[names.index(stage) for stage in level] for level in self.levels]


L = TypeVar("L", bound=StageSettings)


class Staged(Arrangement[L]):
    filters_key: ClassVar[str]  # the dotted key of the filters that define stages

    def check(self, condition: Condition) -> Iterator[Diagnostic]:
        names = [filter_.name for filter_ in condition.filters.get(self.filters_key, ())]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield condition.problem("FICT606", *self.filters_key.split("."), kind="filter", name=name)
        for index, stage in strings(nested(condition.values, f"{self.key}.stages")) if names else []:
            for name in filter_names_of_stage(stage):
                if name not in names:
                    hint = did_you_mean(name, names) or f"filters of {self.key}: {', '.join(names)}"
                    yield condition.problem("FICT605", self.key, "stages", index, kind="filter", name=name, hint=hint)

    def content(self, condition: Condition) -> dict[str, Any]:
        settings, keys = self.of(condition), self.keys(condition)
        filters_of = [filter_names_of_stage(stage) for stage in settings.stages or keys]
        stages = [sorted(keys[name] for name in names) for names in filters_of] if keys else list(settings.stages)
        values = settings.model_dump(exclude={"filters", "stages"}) | {"stages": stages}
        # the sentences that filters of no stage match are outside all stages
        staged = {name for names in filters_of for name in names}
        if others := sorted(key for name, key in keys.items() if name not in staged):
            values["others"] = others
        return {self.key: values}

    def keys(self, condition: Condition) -> dict[str, str]:
        return {filter_.name: filter_.key for filter_ in condition.filters_of(self.filters_key)}

    def stage_labels(self, condition: Condition) -> tuple[str, ...]:
        return self.of(condition).stages or tuple(self.keys(condition))

    def stages(self, condition: Condition, sids: Indices, base: BaseCorpus) -> list[tuple[str, Indices]]:
        from runner.conditions.samples import REST

        stage_of_sentence, names = self.stage_of_each(condition, sids, base)
        stages = [(name, sids[stage_of_sentence == index]) for index, name in enumerate(names)]
        unstaged_sids = sids[stage_of_sentence == REST]
        return [
            *self.reading_order(condition, stages),
            *([("in no stage", unstaged_sids)] if len(unstaged_sids) else []),
        ]

    def reading_order(self, condition: Condition, stages: list[tuple[str, Indices]]) -> list[tuple[str, Indices]]:
        return stages

    def balanced(
        self, condition: Condition, corpus: ConditionCorpus, base: BaseCorpus
    ) -> tuple[Indices, Indices, list[str]]:
        """Return the indices of the lines to keep, the stage of every line and the names of the stages.

        Lines outside all stages are kept. Raises InputError (FICT644) if a stage is empty, before or after balancing.
        """
        import numpy as np

        from runner.conditions.samples import REST, balance_stages

        settings, sids = self.of(condition), corpus.sids
        stage_of_sentence, names = self.stage_of_each(condition, sids, base)
        self._check_not_empty(condition, stage_of_sentence, names, base)
        if settings.balanced_by is None:
            return np.arange(len(sids)), stage_of_sentence, names
        ranks = base.ranks(f"balance:{settings.seed}")[sids]
        sizes = corpus.lengths if settings.balanced_by == "tokens" else np.ones(len(sids), dtype=np.int64)
        if settings.balanced_by == "matches":  # of the first filter of each stage
            sizes, keys = np.zeros(len(sids), dtype=np.int64), self.keys(condition)
            for index, name in enumerate(names):
                in_stage = stage_of_sentence == index
                sizes[in_stage] = base.match_counts(keys[filter_names_of_stage(name)[0]])[sids[in_stage]]
        chosen = balance_stages(stage_of_sentence, sizes, ranks, settings.groups(names))
        emptied_stage = _empty_stage(stage_of_sentence[chosen], names)
        if emptied_stage is not None:
            reason = f"each of its sentences has more {settings.balanced_by} than the smallest stage"
            hint = f"balancing by {settings.balanced_by} left none: {reason}"
            raise InputError(self._stage_problem(condition, emptied_stage, hint))
        return np.union1d(chosen, np.flatnonzero(stage_of_sentence == REST)), stage_of_sentence, names

    def _check_not_empty(
        self, condition: Condition, stage_of_sentence: Indices, names: list[str], base: BaseCorpus
    ) -> None:
        key = self.of(condition).key
        empty_stage = _empty_stage(stage_of_sentence, names) if names else key
        if empty_stage is not None:
            hint = None if key is None else _value_hint(base, key, empty_stage)
            raise InputError(self._stage_problem(condition, empty_stage, hint))

    def _stage_problem(self, condition: Condition, stage: str, hint: str | None) -> Diagnostic:
        return condition.problem("FICT644", self.key, hint=hint, stage=stage, condition=condition.name)

    def stage_of_each(self, condition: Condition, sids: Indices, base: BaseCorpus) -> tuple[Indices, list[str]]:
        from runner.conditions.samples import stages_by_filters, stages_by_values
        from runner.corpus.sentence_arrays import read_values

        settings, filters = self.of(condition), condition.filters_of(self.filters_key)
        if not filters:
            values = read_values(base.store, str(settings.key))
            sentence_values = [values[sid] for sid in sids.tolist()]
            names = list(settings.stages) or sorted({value for value in sentence_values if value is not None})
            return stages_by_values(sentence_values, names), names
        names = list(settings.stages) or [filter_.name for filter_ in filters]
        indices = {filter_.name: index for index, filter_ in enumerate(filters)}
        stages = [{indices[name] for name in filter_names_of_stage(stage)} for stage in names]
        return stages_by_filters(sids, [base.matched(filter_.key) for filter_ in filters], stages), names


def _empty_stage(stage_of_sentence: Indices, names: list[str]) -> str | None:
    return next((name for index, name in enumerate(names) if not (stage_of_sentence == index).any()), None)


def _value_hint(base: BaseCorpus, key: str, stage: str) -> str | None:
    from runner.corpus.sentence_arrays import read_values

    values = sorted({value for value in read_values(base.store, key) if value is not None})
    if not values:
        return f"no sentence has a value of `{key}`"
    return None if stage in values else did_you_mean(stage, values) or f"values of {key}: {', '.join(values[:8])}"


def filter_names_of_stage(stage: str) -> list[str]:
    return [name.strip() for name in stage.split("+")]
