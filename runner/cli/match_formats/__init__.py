"""The output formats of `fictc match`. Each module defines one format and is named after it."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from fictdsl.compiler import CompiledFilter
    from runner.corpus.engine import Engine
    from runner.corpus.store import Store


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """The matches of `filters` to write.

    `labels` are the names of the filters in the output. `output` is None if the format is printed.
    """

    store: Store
    filters: Sequence[CompiledFilter]
    labels: Sequence[str]
    engine: Engine
    output: Path | None

    def sids(self) -> np.ndarray:
        """Return the ids (`sid`) of the sentences that any filter matches, in corpus order."""
        return self.engine.sids(self.filters)


@dataclass(frozen=True, slots=True)
class MatchFormat:
    """A format: its module has `HELP`, `write` and, if it needs a file, `NEEDS_FILE = True`."""

    name: str
    help: str
    needs_file: bool
    write: Callable[[MatchRequest], None]


def _discover() -> dict[str, MatchFormat]:
    formats = {}
    for info in pkgutil.iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        name = info.name.rstrip("_")
        formats[name] = MatchFormat(name, module.HELP, getattr(module, "NEEDS_FILE", False), module.write)
    return formats


FORMATS = _discover()
