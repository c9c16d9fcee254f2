"""`[[condition]]`: the interventions that derive a training corpus from the base corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, create_model, model_validator

from runner.interventions.intervention import Intervention, Phase
from runner.interventions.registry import BY_KEY, INTERVENTIONS, OPTIONS, active, enumeration
from runner.interventions.word_edit import TreeEdit, WordEdit
from runner.toml.table import Name, TomlTable

TEXTS = ("train", "valid", "test")  # reserved: no condition may have these names
TARGET = r"^[a-z0-9_-]+/[A-Za-z0-9_-]+$"  # as in `targets` of a filter


class ConditionTable(TomlTable):
    """`[[condition]]`: a named training corpus. The condition `full` always exists and has no entry.

    `Condition` adds the keys of all interventions.
    """

    name: Name

    @model_validator(mode="after")
    def _check_interventions(self) -> ConditionTable:
        if self.name.casefold() == "full":
            raise ValueError('"full" is the name of the unchanged corpus; choose another name')
        if self.name.casefold() in TEXTS:
            raise ValueError(f'"{self.name}" is the name of a text of the corpus; choose another name')
        if not self.interventions:
            raise ValueError(f"it has no intervention; one of {enumeration(BY_KEY)} is required")
        for phase in Phase:
            phase_interventions = [item for item in self.interventions if item.phase is phase]
            if len({item.group for item in phase_interventions}) > 1:
                raise ValueError(f"{phase_interventions[-2].key} and {phase_interventions[-1].key} exclude each other")
        for first, second in pairwise(item for item in self.interventions if isinstance(item, WordEdit)):
            if first.phase is not second.phase and not isinstance(first, TreeEdit):
                raise ValueError(f"{first.key} and {second.key} exclude each other")
        return self

    @model_validator(mode="after")
    def _check_unused(self) -> ConditionTable:
        for name, option in OPTIONS.items():
            users = [item.key for item in INTERVENTIONS if name in item.options]
            is_set = _field(name) in self.model_fields_set
            if option.is_checked and is_set and not any(name in item.options for item in self.interventions):
                raise ValueError(f"{name} requires {'one of ' * (len(users) > 1)}{enumeration(users)}")
        return self

    @property
    def values(self) -> Mapping[str, Any]:
        """The values of its keys, with defaults."""
        return {info.alias or name: self.__dict__[name] for name, info in type(self).model_fields.items()}

    @property
    def interventions(self) -> list[Intervention[Any]]:
        """Its interventions, in the order in which they are applied."""
        return active(self.values)

    @property
    def reads_once(self) -> Intervention[Any] | None:
        """The intervention for which training reads the lines in order and once, if any."""
        return next((item for item in self.interventions if item.reads_once), None)

    @property
    def references(self) -> list[tuple[tuple[str, ...], Intervention[Any]]]:
        """The keys that name another condition: the path of each with the name at its end, and its intervention."""
        values = ((item, self.values[item.key]) for item in self.interventions)
        paths = ((path, item) for item, value in values for path in (item.control_of(value), item.control(value)))
        return [(path, item) for path, item in paths if path is not None]

    @property
    def control_of(self) -> str | None:
        """The name of the condition that this one is a control of."""
        paths = (item.control_of(self.values[item.key]) for item in self.interventions)
        return next((path[-1] for path in paths if path is not None), None)

    @property
    def placebo_draws(self) -> int | None:
        """The number of draws of a placebo, or None for other conditions."""
        counts = (item.draws(self.values) for item in self.interventions)
        return next((count for count in counts if count is not None), None)

    def may_be_named(self, by: Intervention[Any]) -> bool:
        """Return whether an intervention of another condition may name this one, as its control or what it controls.

        Interventions that name a condition themselves do not count.
        """
        referring = {item.key for _, item in self.references}
        return any(item.key in by.controls and item.key not in referring for item in self.interventions)


def _field(key: str) -> str:
    return key.replace("-", "_")


def _fields() -> Iterator[tuple[str, Any]]:
    keys = {item.key: item.value for item in INTERVENTIONS} | dict(OPTIONS)
    yield from ((_field(name), (key.type, key.default)) for name, key in keys.items())


if TYPE_CHECKING:

    class Condition(ConditionTable):
        """A condition with the keys of all interventions."""

else:
    Condition = create_model(
        "Condition",
        __base__=ConditionTable,
        __doc__=ConditionTable.__doc__,
        **dict(_fields()),
        allow_missing=(bool, False),
        allow_empty=(bool, False),
        targets=(tuple[Annotated[str, Field(pattern=TARGET)], ...], Field((), strict=False)),
    )
