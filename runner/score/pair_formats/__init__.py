"""Formats of minimal pairs. Each module reads the files that it claims."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from runner.errors import InputError
from runner.score.suite_files import PAIR_SUFFIXES, Pair, Suite, check_paradigms, suite_files
from runner.score.suite_kind import Answer, Usage

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class PairFormat:
    """A format of minimal pairs: the `NAME` (for messages), `claims` and `pairs` of its module.

    `claims` returns how many columns of a file the format asks for, 1 if it asks for none, or 0 for another format; the
    highest number reads the file. A module may have `USAGE`, `ALONE`, a pattern of paradigms that no mean includes, and
    an `answer` to a table of scores.
    """

    name: str
    claims: Callable[[Path], int]
    pairs: Callable[[Path], Iterator[Pair]]
    usage: Usage | None = None
    alone: re.Pattern[str] | None = None
    answer: Callable[[pa.Table], Answer | None] = lambda _: None


def load_suite(
    path: Path, name: str | None = None, *, limit: int | None = None, paradigms: Sequence[str] | None = None
) -> Suite:
    """Read minimal pairs, up to `limit` of each paradigm. Raises InputError (FICT811, 812, 817)."""
    pairs = read_pairs(path)
    check_paradigms(path, paradigms or (), dict.fromkeys(pair.paradigm for pair in pairs))
    pairs_by_paradigm: dict[str, list[Pair]] = {}
    for pair in pairs:
        if not paradigms or pair.paradigm in paradigms:
            pairs_by_paradigm.setdefault(pair.paradigm, []).append(pair)
    selected = [pair for group in pairs_by_paradigm.values() for pair in _uniquely_numbered(group)[:limit]]
    return Suite(name or path.stem, selected)


def _uniquely_numbered(pairs: list[Pair]) -> list[Pair]:
    numbers = {pair.item for pair in pairs}
    if len(numbers) == len(pairs) and min(numbers) >= 0:
        return pairs
    return [replace(pair, item=index) for index, pair in enumerate(pairs)]


def read_pairs(path: Path) -> list[Pair]:
    """Read pairs in the format of the path, else a file per paradigm. Raises InputError (FICT811)."""
    if not path.exists():
        raise InputError.of("FICT811", path=path, reason="no such file or folder")
    if (format_ := format_of(path)) is not None:
        return list(format_.pairs(path))
    if path.is_dir():
        return _pairs_of_files(path, suite_files(path, PAIR_SUFFIXES))
    names = ", ".join(format_.name for format_ in FORMATS)
    reason = f"its suffix is {path.suffix or 'empty'}; the formats of pairs are {names}"
    raise InputError.of("FICT811", path=path, reason=reason)


def format_of(path: Path) -> PairFormat | None:
    format_ = max(FORMATS, key=lambda each: each.claims(path))
    return format_ if format_.claims(path) else None


def _pairs_of_files(folder: Path, files: Sequence[Path]) -> list[Pair]:
    if not files:
        reason = f"neither the folder nor a folder below it has a {' or '.join(PAIR_SUFFIXES)} file"
        raise InputError.of("FICT811", path=folder, reason=reason)
    pairs: list[Pair] = []
    files_by_paradigm: dict[str, Path] = {}
    for file in files:
        pairs += (file_pairs := read_pairs(file))
        if any(pair.paradigm == file.stem for pair in file_pairs):
            other = files_by_paradigm.setdefault(file.stem, file)
            if other is not file:
                both = " and ".join(str(each.relative_to(folder)) for each in (other, file))
                reason = f"the pairs of {both} would be one paradigm, {file.stem}; score the folders one by one"
                raise InputError.of("FICT811", path=folder, reason=reason)
    return pairs


def first_pairs(path: Path) -> list[Pair]:
    files = suite_files(path, PAIR_SUFFIXES) if path.is_dir() and format_of(path) is None else []
    formats = [(file, format_) for file in files if (format_ := format_of(file)) is not None]
    return [pair for file, format_ in formats for pair in islice(format_.pairs(file), 1)] or read_pairs(path)


def stands_alone(paradigm: str) -> bool:
    """Return whether no mean includes a paradigm, because it is one of two that would cancel out."""
    return any(format_.alone is not None and format_.alone.fullmatch(paradigm) for format_ in FORMATS)


def _discover() -> Iterator[PairFormat]:
    for info in pkgutil.iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        own = {name.lower(): getattr(module, name) for name in ("USAGE", "ALONE", "answer") if hasattr(module, name)}
        yield PairFormat(module.NAME, module.claims, module.pairs, **own)


FORMATS = tuple(_discover())
