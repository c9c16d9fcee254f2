"""What all parts of a manifest have in common: how keys are written and what a name may be."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
Name = Annotated[str, Field(pattern=NAME)]


class Part(BaseModel):
    """Common rules: no unknown keys, nothing is converted, nothing changes, numbers are finite; hyphens in keys."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,  # TOML has both
        alias_generator=lambda name: name.replace("_", "-"),
    )
