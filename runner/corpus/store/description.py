"""Validate the hash, the types of values and the consistency of `store.json` and `index.json`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, get_args

from fictdsl.schema import tables
from runner.corpus.store.layers import Kind, Layer
from runner.corpus.store.value_files import VALUES
from runner.workspace import key

Validator = Callable[[Any], bool]


def _is_instance(*kinds: type) -> Validator:
    return lambda value: isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _is_list(validator: Validator) -> Validator:
    return lambda value: isinstance(value, list) and all(map(validator, value))


def _is_map(validator: Validator) -> Validator:
    return lambda value: isinstance(value, dict) and all(map(validator, value.values()))


def _is_one_of(*values: str) -> Validator:
    return lambda value: isinstance(value, str) and value in values


def _is_record(**validators: Validator) -> Validator:
    def validate(value: Any) -> bool:
        return (
            isinstance(value, dict)
            and value.keys() == validators.keys()
            and all(validator(value[name]) for name, validator in validators.items())
        )

    return validate


_TEXT = _is_instance(str)
_FILE = _is_record(size=_is_count, sha256=_TEXT)


def _is_files(value: Any) -> bool:
    """Return whether a value maps file names to sizes and hashes. Operating systems reject names with NUL."""
    return _is_map(_FILE)(value) and not any("\0" in name for name in value)


_VALUES = _is_map(_is_map(_is_count))
_STORE: Mapping[str, Validator] = {
    "counts": _is_record(sentences=_is_count, words=_is_count, chunks=_is_count),
    "sources": _is_list(
        _is_record(label=_TEXT, sha256=_TEXT, sentences=_is_count, words=_is_count, rejected=_is_count)
    ),
    "annotator": _is_instance(dict, type(None)),
    "features": _is_map(_TEXT),
    "values": _VALUES,
    "files": _is_files,
    "ends": _is_list(_is_count),
    "absent": _is_map(_is_list(_is_count)),
    "copies": _is_list(_TEXT),
    "layers": _is_map(
        _is_record(
            kind=_is_one_of(*get_args(Kind)),
            names=_is_list(_TEXT),
            source=_TEXT,
            sha256=_TEXT,
            rows=_is_count,
            values=_VALUES,
        )
    ),
    "text": _is_instance(bool),
}


_INDEX: Mapping[str, Validator] = {
    "tokens": _TEXT,
    "projections": _is_list(_is_record(by=_TEXT, file=_TEXT, rows=_is_count, columns=_is_list(_TEXT))),
    "files": _is_files,
}


def digest_error(content: Mapping[str, Any], digest: object) -> str | None:
    """Return an error message if `digest` is not the sha256 of `content`, otherwise None."""
    try:
        is_correct = digest == key(content)
    except ValueError:  # NaN or infinity, which no description contains
        is_correct = False
    return None if is_correct else "its sha256 does not match its content"


def store_schema_error(content: Mapping[str, Any]) -> str | None:
    """Return an error message if a key of `store.json` is missing or has a value of a wrong type, otherwise None."""
    return _schema_error(content, _STORE)


def index_schema_error(content: Mapping[str, Any]) -> str | None:
    """Return an error message if a key or a value of `index.json` is invalid, otherwise None."""
    if (reason := _schema_error(content, _INDEX)) is not None:
        return reason
    missing = next(
        (projection["file"] for projection in content["projections"] if projection["file"] not in content["files"]),
        None,
    )
    if missing is not None:
        return f"its `files` have no {missing}"
    outside_name = next((name for name in content["files"] if "/" in name), None)
    return None if outside_name is None else f"its `files` name {outside_name}, which is outside the index"


def consistency_error(content: Mapping[str, Any]) -> str | None:
    """Return an error message if values of a well-typed `store.json` contradict each other, otherwise None.

    The number of chunks is first compared with the length of `ends`. A damaged number may be huge, so no work depends
    on it before this check.
    """
    counts, ends, files = content["counts"], content["ends"], content["files"]
    chunks = counts["chunks"]
    if len(ends) != chunks:
        return f"it has {len(ends):,} `ends` for {chunks:,} chunks"
    if (
        any(start > end for start, end in pairwise((0, *ends, counts["sentences"])))
        or (ends or [0])[-1] != counts["sentences"]
    ):
        return "its `ends` and its `counts` disagree"
    for name in ("sentences", "words"):
        if sum(source[name] for source in content["sources"]) != counts[name]:
            return f"its `sources` and its `counts` have different numbers of {name}"
    if any(chunk >= chunks for numbers in content["absent"].values() for chunk in numbers):
        return "its `absent` names a chunk that does not exist"
    missing = next((name for name in _required_files(content) if name not in files), None)
    if missing is not None:
        return f"its `files` have no {missing}"
    outside_name = next((name for name in files if name.startswith("/") or ".." in name.split("/")), None)
    return None if outside_name is None else f"its `files` name {outside_name}, which is outside the store"


def _required_files(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the files that every store with these chunks and layers has."""
    layers = [Layer.of(name, entry) for name, entry in content["layers"].items()]
    yield VALUES
    for chunk in range(content["counts"]["chunks"]):
        yield from (f"{table}/{chunk:05d}.parquet" for table in tables(text=content["text"]))
        yield from (layer.file(chunk) for layer in layers)


def _schema_error(content: Mapping[str, Any], validators: Mapping[str, Validator]) -> str | None:
    invalid = (name for name, validator in validators.items() if name not in content or not validator(content[name]))
    name = next(invalid, None)
    return None if name is None else f"its `{name}` is missing or has the wrong type"
