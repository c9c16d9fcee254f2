"""Formats of minimal pairs. Each module reads the files that it claims."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.score.suites.pair import Pair


@dataclass(frozen=True, slots=True)
class Format:
    """A format of minimal pairs: the `NAME` (for messages), `claims` and `pairs` of its module."""

    name: str
    claims: Callable[[Path], bool]
    pairs: Callable[[Path], Iterator[Pair]]


def read_pairs(path: Path) -> list[Pair]:
    """Read the pairs of a file or folder in the first format that claims it, in the order of module names.

    Raises InputError (FICT811) if the path does not exist or no format claims it, and as `pairs` of the format does.
    """
    if not path.exists():
        raise InputError(diagnostic("FICT811", path=path, reason="no such file or folder"))
    for format_ in FORMATS:
        if format_.claims(path):
            return list(format_.pairs(path))
    if path.is_dir():
        raise InputError(diagnostic("FICT811", path=path, reason="the folder contains no .jsonl file"))
    names = ", ".join(format_.name for format_ in FORMATS)
    reason = f"its suffix is {path.suffix or 'empty'}; the formats of pairs are {names}"
    raise InputError(diagnostic("FICT811", path=path, reason=reason))


def first_pairs(path: Path) -> list[Pair]:
    """Return the first pair of each file in a folder of .jsonl files, without parsing the rest; otherwise all pairs.

    Raises InputError as `read_pairs` does.
    """
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else []
    claimed = [(format_, file) for file in files for format_ in FORMATS if format_.claims(file)]
    return [pair for format_, file in claimed for pair in islice(format_.pairs(file), 1)] or read_pairs(path)


def _discover() -> Iterator[Format]:
    for info in pkgutil.iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        yield Format(module.NAME, module.claims, module.pairs)


FORMATS = tuple(_discover())
