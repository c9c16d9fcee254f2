"""The rules that `store.json` and `index.json` obey: hash, types of values, and values that agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from runner.corpus.store.layers import Layer
from runner.corpus.store.schema import TABLES, VALUES
from runner.workspace import key

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
_FILES = _map(_record(size=_count, sha256=_TEXT))
_VALUES = _map(_map(_count))
_REQUIRED: Mapping[str, Shape] = {
    "counts": _record(sentences=_count, words=_count, chunks=_count),
    "sources": _list(_record(label=_TEXT, sha256=_TEXT, sentences=_count, words=_count, rejected=_count)),
    "annotator": _is(dict, type(None)),
    "features": _map(_TEXT),
    "values": _VALUES,
    "files": _FILES,
}
_OPTIONAL: Mapping[str, Shape] = {
    "ends": _list(_count),
    "absent": _map(_list(_count)),
    "copies": _list(_TEXT),
    "layers": _map(_record(kind=_TEXT, names=_list(_TEXT), source=_TEXT, sha256=_TEXT, rows=_count, values=_VALUES)),
    "text": _is(bool),
}


_INDEX: Mapping[str, Shape] = {
    "tokens": _TEXT,
    "projections": _list(_record(by=_TEXT, file=_TEXT, rows=_count, columns=_list(_TEXT))),
    "files": _FILES,
}


def fault(content: Mapping[str, Any], digest: object) -> str | None:
    """Return what is wrong with a description that must have the sha256 `digest`, None if it has."""
    try:
        right = digest == key(content)
    except ValueError:  # NaN or infinity, which no description is written with
        right = False
    return None if right else "its sha256 is not that of its own content"


def misshapen_store(content: Mapping[str, Any]) -> str | None:
    """Return which key of `store.json` is missing or has a value of another type, None if all is right."""
    return _misshapen(content, _REQUIRED, _OPTIONAL)


def misshapen_index(content: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the keys and values of `index.json`, None if all is right."""
    if (reason := _misshapen(content, _INDEX, {})) is not None:
        return reason
    unknown = next((each["file"] for each in content["projections"] if each["file"] not in content["files"]), None)
    return None if unknown is None else f"its `files` have no {unknown}"


def disagreement(content: Mapping[str, Any]) -> str | None:
    """Return which values of a well-shaped `store.json` of this version contradict each other, None if none do.

    The number of chunks is compared first with what is listed for each chunk; nothing here takes time or memory in
    proportion to a number alone.
    """
    counts, ends, files = content["counts"], content.get("ends", []), content["files"]
    chunks = counts["chunks"]
    if len(ends) != chunks:
        return f"its `ends` are {len(ends):,}, and its chunks are {chunks:,}"
    if (
        any(start > end for start, end in pairwise((0, *ends, counts["sentences"])))
        or (ends or [0])[-1] != counts["sentences"]
    ):
        return "its `ends` and its `counts` disagree"
    for name in ("sentences", "words"):
        if sum(source[name] for source in content["sources"]) != counts[name]:
            return f"its `sources` and its `counts` have different numbers of {name}"
    if any(chunk >= chunks for missing in content.get("absent", {}).values() for chunk in missing):
        return "its `absent` names a chunk that it has not"
    missing = next((name for name in _needed(content) if name not in files), None)
    if missing is not None:
        return f"its `files` have no {missing}"
    outside = next((name for name in files if name.startswith("/") or ".." in name.split("/")), None)
    return None if outside is None else f"its `files` name {outside}, which lies outside the store"


def _needed(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the files that are read by rule."""
    layers = [Layer.of(name, entry) for name, entry in content.get("layers", {}).items()]
    tables = [table for table in TABLES if table != "raw" or content.get("text", True)]
    yield VALUES
    for chunk in range(content["counts"]["chunks"]):
        yield from (f"{table}/{chunk:05d}.parquet" for table in tables)
        yield from (layer.file(chunk) for layer in layers)


def _misshapen(content: Mapping[str, Any], required: Mapping[str, Shape], optional: Mapping[str, Shape]) -> str | None:
    wrong = [name for name, shape in required.items() if name not in content or not shape(content[name])]
    wrong += [name for name, shape in optional.items() if name in content and not shape(content[name])]
    return f"its `{wrong[0]}` is missing or of another type" if wrong else None
