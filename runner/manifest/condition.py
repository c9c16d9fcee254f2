"""`[[condition]]`: the interventions that derive a training corpus from the base corpus."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, create_model, model_validator

from fictdsl.words import listed
from runner.conditions.intervention import Intervention, Phase, TreeEdit, WordEdit
from runner.conditions.registry import BY_KEY, INTERVENTIONS, OPTIONS, active_interventions
from runner.toml_tables import Name, TomlTable, matching

TEXTS = ("train", "valid", "test")  # reserved: no condition may have these names
TARGET = "[a-z0-9_-]+/[A-Za-z0-9_-]+"  # as in `targets` of a filter
_TARGET_REASON = "a target is SUITE/PARADIGM, such as blimp/existential_there_quantifiers_1"


def _field(key: str) -> str:
    return key.replace("-", "_")


if TYPE_CHECKING:
    _Keys = TomlTable
else:
    _Keys = create_model(
        "_Keys",
        __base__=TomlTable,
        name=(Name, ...),
        **{_field(item.key): (item.value.type, item.value.default) for item in INTERVENTIONS},
        **{_field(name): (key.type, key.default) for name, key in OPTIONS.items()},
        allow_missing=(bool, False),
        allow_empty=(bool, False),
        targets=(tuple[Annotated[str, matching(TARGET, _TARGET_REASON)], ...], Field((), strict=False)),
    )


class ConditionTable(_Keys):
    """`[[condition]]`: a named training corpus. The condition `full` always exists and has no entry."""

    if TYPE_CHECKING:
        name: Name

    @model_validator(mode="after")
    def _check_interventions(self) -> ConditionTable:
        if self.name.casefold() == "full":
            raise ValueError('"full" is the name of the unchanged corpus; choose another name')
        if self.name.casefold() in TEXTS:
            raise ValueError(f'"{self.name}" is the name of a text of the corpus; choose another name')
        if not self.interventions:
            raise ValueError(f"it has no intervention; one of {listed(list(BY_KEY))} is required")
        for phase in Phase:
            phase_interventions = [intervention for intervention in self.interventions if intervention.phase is phase]
            if len({intervention.group for intervention in phase_interventions}) > 1:
                raise ValueError(f"{phase_interventions[-2].key} and {phase_interventions[-1].key} exclude each other")
        for first, second in pairwise(
            intervention for intervention in self.interventions if isinstance(intervention, WordEdit)
        ):
            if first.phase is not second.phase and not isinstance(first, TreeEdit):
                raise ValueError(f"{first.key} and {second.key} exclude each other")
        return self

    @model_validator(mode="after")
    def _check_unused(self) -> ConditionTable:
        for name, option in OPTIONS.items():
            users = [intervention.key for intervention in INTERVENTIONS if name in intervention.options]
            is_set = _field(name) in self.model_fields_set
            if (
                option.is_checked
                and is_set
                and not any(name in intervention.options for intervention in self.interventions)
            ):
                raise ValueError(f"{name} requires {'one of ' * (len(users) > 1)}{listed(users)}")
        return self

    @property
    def values(self) -> Mapping[str, Any]:
        return {info.alias or name: self.__dict__[name] for name, info in type(self).model_fields.items()}

    @property
    def interventions(self) -> list[Intervention[Any]]:
        return active_interventions(self.values)

    @property
    def reads_once(self) -> Intervention[Any] | None:
        """The intervention that makes training read the lines once and in order, if any."""
        return next((intervention for intervention in self.interventions if intervention.reads_once), None)

    @property
    def references(self) -> list[tuple[tuple[str, ...], Intervention[Any]]]:
        """The references to other conditions: the path of each key followed by the name, and the key's intervention."""
        values = ((intervention, self.values[intervention.key]) for intervention in self.interventions)
        paths = (
            (path, intervention)
            for intervention, value in values
            for path in (intervention.control_of(value), intervention.control(value))
        )
        return [(path, intervention) for path, intervention in paths if path is not None]

    @property
    def control_of(self) -> str | None:
        paths = (intervention.control_of(self.values[intervention.key]) for intervention in self.interventions)
        return next((path[-1] for path in paths if path is not None), None)

    @property
    def placebo_draws(self) -> int | None:
        """The number of draws of a placebo, or None for other conditions."""
        counts = (intervention.draws(self.values) for intervention in self.interventions)
        return next((count for count in counts if count is not None), None)

    def may_be_named(self, referrer: Intervention[Any]) -> bool:
        """Return whether an intervention of another condition may name this one as its control, or as what it controls.

        Interventions of this condition that name a condition themselves do not count.
        """
        referring_keys = {intervention.key for _, intervention in self.references}
        return any(
            intervention.key in referrer.controls and intervention.key not in referring_keys
            for intervention in self.interventions
        )
