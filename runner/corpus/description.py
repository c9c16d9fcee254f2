"""The shape of `store.json`: which values of which types a description of a store has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Shape = Callable[[Any], bool]


def _is(*kinds: type) -> Shape:
    return lambda value: isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _list(shape: Shape) -> Shape:
    return lambda value: isinstance(value, list) and all(map(shape, value))


def _map(shape: Shape) -> Shape:
    return lambda value: isinstance(value, dict) and all(map(shape, value.values()))


def _record(**shapes: Shape) -> Shape:
    def fits(value: Any) -> bool:
        return (
            isinstance(value, dict)
            and value.keys() == shapes.keys()
            and all(shape(value[name]) for name, shape in shapes.items())
        )

    return fits


_TEXT = _is(str)
_VALUES = _map(_map(_count))
_REQUIRED: Mapping[str, Shape] = {
    "counts": _record(sentences=_count, words=_count, chunks=_count),
    "sources": _list(_record(label=_TEXT, sha256=_TEXT, sentences=_count, words=_count, rejected=_count)),
    "annotator": _is(dict, type(None)),
    "features": _map(_TEXT),
    "values": _VALUES,
    "files": _map(_record(size=_count, sha256=_TEXT)),
}
_OPTIONAL: Mapping[str, Shape] = {
    "ends": _list(_count),
    "absent": _map(_list(_count)),
    "copies": _list(_TEXT),
    "layers": _map(_record(kind=_TEXT, names=_list(_TEXT), source=_TEXT, sha256=_TEXT, rows=_count, values=_VALUES)),
    "text": _is(bool),
}


def misshapen(content: Mapping[str, Any]) -> str | None:
    """Return the first key of a description that is missing or has a value of another type, None if all is right."""
    for name, shape in _REQUIRED.items():
        if name not in content or not shape(content[name]):
            return name
    return next((name for name, shape in _OPTIONAL.items() if name in content and not shape(content[name])), None)
