"""The base class of TOML tables, and the type of names."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from runner.file_names import invalid_reason

_NAME_PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
_NAME_REASON = (
    "a name begins with a letter (A–Z, a–z) or digit and has only letters, digits, `.`, `_` and `-`, at most 64 of them"
)


def matching(pattern: str, reason: str) -> AfterValidator:
    """Return a validator for strings that match a whole pattern. `reason` says in words what is expected."""

    def check(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(reason)
        return text

    return AfterValidator(check)


def _portable(name: str) -> str:
    reason = invalid_reason(name)
    if reason is not None:
        raise ValueError(f"the name is used for files and folders, and {reason}")
    return name


Name = Annotated[str, matching(_NAME_PATTERN, _NAME_REASON), AfterValidator(_portable)]


class TomlTable(BaseModel):
    """A TOML table: strict, immutable, and without unknown keys. A `_` in a field name is a `-` in the key."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,  # TOML allows both
        alias_generator=lambda name: name.replace("_", "-"),
    )
