"""Simulate a full disk: no file of this process or its children may grow."""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def fill(most: int = 0) -> None:
    """Limit the size of files to `most` bytes from now on (Python ignores the signal).

    Also disable `.pyc` files: up to 3.13, Python leaves half a file on a full disk and then cannot read it.
    """
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


@contextmanager
def space_again() -> Iterator[None]:
    """Remove the limit after the block, however it ends."""
    before = sys.dont_write_bytecode
    try:
        yield
    finally:
        sys.dont_write_bytecode = before
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
