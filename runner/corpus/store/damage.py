"""Explain why a store could not be read: it was replaced, or a file is damaged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

_POSSIBLY_REPLACED = {"FICT740", "FICT742", "FICT748"}  # errors that a replaced store can cause


class Verifiable(Protocol):
    """Files with known hashes."""

    def verify(self) -> None:
        """Raise InputError if a file is damaged."""


class Replaceable(Verifiable, Protocol):
    """The attributes of a store that `explain_damage` uses."""

    @property
    def path(self) -> Path:
        """The folder."""

    @property
    def index(self) -> Verifiable | None:
        """The index of the store, if it has one."""

    def is_replaced(self) -> bool:
        """Return whether the files at its path have been replaced."""


@contextmanager
def explain_damage(store: Replaceable) -> Iterator[None]:
    """Run a block that reads the store's files, and explain its failures.

    Raises InputError: FICT769 if the store was replaced before the block ended, FICT742 or FICT748 if the block failed
    and a file is damaged, and FICT746 if DuckDB cannot read or write a file. Files are verified when they are first
    opened. Later damage is detected only here.
    """
    try:
        yield
    except InputError as error:
        if any(problem.code in _POSSIBLY_REPLACED for problem in error.diagnostics):
            _check_replaced(store, error)
        raise
    except MemoryError:
        raise
    except Exception as error:
        _check_replaced(store, error)
        if not _is_out_of_memory(error):
            store.verify()
            if store.index is not None:
                store.index.verify()
        if type(error).__name__ == "IOException":  # by name, because DuckDB may not be loaded
            reason = str(error).strip().splitlines()[0]
            hint = "`--spill` sets the folder for temporary files"
            raise InputError(diagnostic("FICT746", path=store.path, reason=reason, hint=hint)) from error
        raise
    else:
        _check_replaced(store, None)


def _is_out_of_memory(error: Exception) -> bool:
    return type(error).__name__ in ("OutOfMemoryException", "ArrowMemoryError")


def _check_replaced(store: Replaceable, cause: Exception | None) -> None:
    if store.is_replaced():
        raise InputError(diagnostic("FICT769", path=store.path)) from cause
