"""The base class of TOML tables, and errors of pydantic in the terms of TOML."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails, core_schema

from runner.readers import invalid_reason
from runner.toml_text import KeyPath

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler


V = TypeVar("V")

_NAME_PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
_NAME_REASON = (
    "a name begins with a letter (A–Z, a–z) or digit and has only letters, digits, `.`, `_` and `-`, at most 64 of them"
)


def matching(pattern: str, reason: str) -> AfterValidator:
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
    """The allowed values of a number, without `open` ends; `reason` explains `most`. Other types are valid."""

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
        if isinstance(value, int | float):
            is_above = self.least < value if self.least_open else self.least <= value
            is_below = value < self.most if self.most_open else value <= self.most
            if not (is_above and is_below):
                raise ValueError(f"it should be {self} ({self.reason})")
        return value

    def check_all(self, value: V) -> V:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for part in inner:
            self.check_all(part)
        return self.check(value)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
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


_TABLE, _WHOLE_NUMBER = "it should be a table", "it should be a whole number"
_REASONS = {
    "tuple_type": "it should be a list",
    "list_type": "it should be a list",
    "model_type": _TABLE,
    "dict_type": _TABLE,
    "too_short": "it is empty",
    "int_type": _WHOLE_NUMBER,
    "int_from_float": _WHOLE_NUMBER,
    "float_type": "it should be a number",
    "bool_type": "it should be `true` or `false`",
    "string_type": "it should be a string in quotation marks",
}
_UNQUOTED = {"int_type", "float_type", "bool_type"}


Table = TypeVar("Table", bound=BaseModel)


def valid_table(model: type[Table], raw: Any) -> Table | None:
    try:
        return model.model_validate(raw)
    except ValidationError:
        return None


def independent_errors(errors: list[ErrorDetails]) -> Iterator[ErrorDetails]:
    """Yield the errors that do not follow from others. A list with invalid entries is also reported as too short."""
    for error in errors:
        deeper_errors = (other for other in errors if len(other["loc"]) > len(error["loc"]))
        if error["type"] != "too_short" or not any(
            other["loc"][: len(error["loc"])] == error["loc"] for other in deeper_errors
        ):
            yield error


def keys_at(model: type[BaseModel], path: KeyPath) -> list[str]:
    table_model = model
    for key in path:
        if isinstance(key, int):
            continue
        annotations = {(info.alias or name): info.annotation for name, info in table_model.model_fields.items()}
        nested = next(iter(_models(annotations.get(key))), None)
        if nested is None:
            return []
        table_model = nested
    return [info.alias or name for name, info in table_model.model_fields.items()]


def reason_of(error: ErrorDetails) -> str:
    """Return the reason for an error, with the invalid value if it is a string, a number or a boolean."""
    reason = _REASONS.get(error["type"], error["msg"].removeprefix("Value error, "))
    value = error.get("input")
    if error["type"] in _UNQUOTED and isinstance(value, str):
        reason += " without quotation marks"
    suffix = f", found {_shown(value)}" if isinstance(value, str | int | float) else ""
    return reason[:1].lower() + reason[1:] + suffix


def _shown(value: str | float) -> str:
    """Return a value as in TOML, or the power of ten near a whole number of more than 20 digits."""
    if isinstance(value, int) and not -(10**20) < value < 10**20:
        return f"about {'-' * (value < 0)}1e{math.log10(abs(value)):.0f}"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in getattr(annotation, "__args__", ()):
        yield from _models(argument)
