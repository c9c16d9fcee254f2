"""Validate single tables with pydantic, and describe its errors in the terms of TOML."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from runner.toml.positions import KeyPath

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
    """Return a table of a document that may be invalid elsewhere, or None if the table is invalid."""
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
    """Return the keys that are allowed in the table at a path below `model`, or [] if the path is unknown."""
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
