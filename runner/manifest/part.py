"""What all parts of a manifest have in common: how keys are written and what a name may be."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from runner.file_names import refusal

NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"


def _portable(name: str) -> str:
    reason = refusal(name)
    if reason is not None:
        raise ValueError(f"files and folders are called by this name, and {reason}")
    return name


Name = Annotated[str, Field(pattern=NAME), AfterValidator(_portable)]


class Part(BaseModel):
    """Common rules: no unknown keys, nothing is converted, nothing changes, numbers are finite; hyphens in keys."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,  # TOML has both
        alias_generator=lambda name: name.replace("_", "-"),
    )
