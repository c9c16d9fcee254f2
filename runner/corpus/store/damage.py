"""Explain why a store could not be read: it was replaced meanwhile, or a file is damaged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

_BY_FILES = {"FICT740", "FICT742", "FICT748"}  # said of files that another store may have put in their place


class Verified(Protocol):
    """Files that can be compared with their hashes."""

    def verify(self) -> None:
        """Raise InputError for files that are damaged."""


class Replaceable(Verified, Protocol):
    """What a store offers here."""

    @property
    def path(self) -> Path:
        """The folder."""

    @property
    def index(self) -> Verified | None:
        """The sorted copies of its words' rows, if it has some."""

    def replaced(self) -> bool:
        """Whether other files are at its path now."""


@contextmanager
def reading(store: Replaceable) -> Iterator[None]:
    """Run a block that reads the store's files; files of two stores are never taken for one.

    Raises InputError (FICT769) if the store was replaced before the block ended, and FICT742 or FICT748 if the block
    failed and a file is damaged. Files are verified when they are opened first and remembered by size, time and inode,
    so that a disk that loses bits is noticed only here.
    """
    try:
        yield
    except InputError as error:
        if any(found.code in _BY_FILES for found in error.diagnostics):
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
        if type(error).__name__ == "IOException":  # of DuckDB, which need not be loaded here
            reason = str(error).strip().splitlines()[0]
            hint = "`--spill` names a folder with room for what does not fit into memory"
            raise InputError(diagnostic("FICT746", path=store.path, reason=reason, hint=hint)) from error
        raise
    else:
        _check_replaced(store, None)


def _out_of_memory(error: Exception) -> bool:
    return type(error).__name__ in ("OutOfMemoryException", "ArrowMemoryError")


def _check_replaced(store: Replaceable, cause: Exception | None) -> None:
    if store.replaced():
        raise InputError(diagnostic("FICT769", path=store.path)) from cause
