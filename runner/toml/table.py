"""The base class of all tables of a manifest, and the type of names."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from runner.file_names import invalid_reason

NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"


def _portable(name: str) -> str:
    reason = invalid_reason(name)
    if reason is not None:
        raise ValueError(f"the name is used for files and folders, and {reason}")
    return name


Name = Annotated[str, Field(pattern=NAME), AfterValidator(_portable)]


class TomlTable(BaseModel):
    """A table of a manifest: strict, immutable, and without unknown keys. A `_` in a field name is a `-` in the key."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,  # TOML allows both
        alias_generator=lambda name: name.replace("_", "-"),
    )
