"""Explain why a store could not be read: it was replaced, or a file is damaged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

_BY_FILES = {"FICT740", "FICT742", "FICT748"}  # errors that a replaced store can cause


class Verified(Protocol):
    """Files with known hashes."""

    def verify(self) -> None:
        """Raise InputError if a file is damaged."""


class Replaceable(Verified, Protocol):
    """The attributes of a store that `explain_damage` uses."""

    @property
    def path(self) -> Path:
        """The folder."""

    @property
    def index(self) -> Verified | None:
        """The index of the store, if it has one."""

    def replaced(self) -> bool:
        """Return whether the files at its path have been replaced."""


@contextmanager
def explain_damage(store: Replaceable) -> Iterator[None]:
    """Run a block that reads the store's files, and explain its failures.

    Raises InputError (FICT769) if the store was replaced before the block ended, and FICT742 or FICT748 if the block
    failed and a file is damaged. Files are verified when they are first opened; damage after that is noticed only here.
    """
    try:
        yield
    except InputError as error:
        if any(problem.code in _BY_FILES for problem in error.diagnostics):
            _check_replaced(store, error)
        raise
    except MemoryError:
        raise
    except Exception as error:
        _check_replaced(store, error)
        if not _out_of_memory(error):
            store.verify()
            if store.index is not None:
                store.index.verify()
        if type(error).__name__ == "IOException":  # by name, because DuckDB may not be loaded
            reason = str(error).strip().splitlines()[0]
            hint = "`--spill` names a folder for temporary files"
            raise InputError(diagnostic("FICT746", path=store.path, reason=reason, hint=hint)) from error
        raise
    else:
        _check_replaced(store, None)


def _out_of_memory(error: Exception) -> bool:
    return type(error).__name__ in ("OutOfMemoryException", "ArrowMemoryError")


def _check_replaced(store: Replaceable, cause: Exception | None) -> None:
    if store.replaced():
        raise InputError(diagnostic("FICT769", path=store.path)) from cause
