"""The base class of TOML tables, and the types of names and numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict
from pydantic_core import core_schema

from runner.file_names import invalid_reason

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler

V = TypeVar("V")

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


@dataclass(frozen=True, slots=True)
class Range:
    """The allowed values of a number: from `least` to `most`, without those that are `open`. `reason` explains `most`.

    Values that are not numbers, which a key may have instead of one, are valid.
    """

    least: float
    most: float
    reason: str
    least_open: bool = False
    most_open: bool = False

    def __str__(self) -> str:
        least, most = (f"{value:,}" if isinstance(value, int) else f"{value:g}" for value in (self.least, self.most))
        if not (self.least_open or self.most_open):
            return f"from {least} to {most}"
        bounds = "above" if self.least_open else "at least", "below" if self.most_open else "at most"
        return f"{bounds[0]} {least} and {bounds[1]} {most}"

    def check(self, value: V) -> V:
        """Return the value. Raises ValueError with the range and its reason if the value is a number outside."""
        if isinstance(value, int | float):
            is_above = self.least < value if self.least_open else self.least <= value
            is_below = value < self.most if self.most_open else value <= self.most
            if not (is_above and is_below):
                raise ValueError(f"it should be {self} ({self.reason})")
        return value

    def check_all(self, value: V) -> V:
        """Check the numbers in a value of nested lists and tables, as `check` does."""
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for part in inner:
            self.check_all(part)
        return self.check(value)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        """Check a value after its type."""
        return core_schema.no_info_after_validator_function(self.check, handler(source))


SHARE = Range(0, 1, "it is a share")
Seed = Annotated[int, Range(0, 2**31 - 1, "random generators take 31 bits on every platform")]


class TomlTable(BaseModel):
    """A TOML table: strict, immutable, and without unknown keys. A `_` in a field name is a `-` in the key."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,  # TOML allows both
        alias_generator=lambda name: name.replace("_", "-"),
    )
