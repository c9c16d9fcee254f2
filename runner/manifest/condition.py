"""`[[condition]]`: a training corpus as what is done to the base corpus."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from runner.manifest.part import Name, Part

CHOICES = ("remove", "keep", "remove_random")


class Condition(Part):
    """`[[condition]]`: a named training corpus. `full` is always there and needs no entry."""

    name: Name
    remove: tuple[str, ...] = Field((), strict=False)
    keep: tuple[str, ...] = Field((), strict=False)
    remove_random: str | None = None
    by: Literal["sentences", "tokens", "lengths"] = "sentences"
    disjoint: bool = False
    seed: int = Field(0, ge=0)
    allow_missing: bool = False

    @model_validator(mode="after")
    def _one_choice(self) -> Condition:
        if self.name == "full":
            raise ValueError('"full" is always there; choose another name')
        given = [name.replace("_", "-") for name in CHOICES if getattr(self, name)]
        if not given:
            raise ValueError("exactly one of remove, keep and remove-random is required")
        if len(given) > 1:
            raise ValueError(f"{given[0]} and {given[1]} exclude each other")
        return self

    @model_validator(mode="after")
    def _settings_have_a_use(self) -> Condition:
        for name in ("by", "disjoint"):
            if name in self.model_fields_set and self.remove_random is None:
                raise ValueError(f"{name} says how remove-random draws, and there is none")
        return self

    @property
    def sentences(self) -> tuple[str, ...]:
        """References to the filters that choose sentences."""
        return self.remove or self.keep
