"""Format a dataclass tree as indented text, to print the stages of the compiler."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

_WIDTH = 100  # characters of a line, without its indentation


def dump(value: object) -> str:
    """Return the tree without spans, one field per line; a value that fits is on one line."""
    return "\n".join(_lines(value))


def _lines(value: object) -> Iterator[str]:
    one_line = _one_line(value)
    if len(one_line) <= _WIDTH or not (is_dataclass(value) or isinstance(value, tuple)):
        yield one_line
        return
    if isinstance(value, tuple):
        for item in value:
            lines = iter(_lines(item))
            yield f"- {next(lines)}"
            yield from (f"  {line}" for line in lines)
        return
    yield type(value).__name__
    for name, field_value in _fields_without_span(value):
        one_line = _one_line(field_value)
        if len(one_line) + len(name) <= _WIDTH:
            yield f"  {name}: {one_line}"
        else:
            yield f"  {name}:"
            yield from (f"    {line}" for line in _lines(field_value))


def _fields_without_span(value: object) -> list[tuple[str, object]]:
    names = [field.name for field in fields(value) if field.name != "span"]  # type: ignore[arg-type]
    return [(name, getattr(value, name)) for name in names]


def _one_line(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_one_line(item) for item in value)}]"
    if is_dataclass(value):
        arguments = (f"{name}={_one_line(field_value)}" for name, field_value in _fields_without_span(value))
        return f"{type(value).__name__}({', '.join(arguments)})"
    return repr(value)
