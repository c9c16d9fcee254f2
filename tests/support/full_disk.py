"""A disk that is full: no file of this process, or of those that it starts, may grow."""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def fill(most: int = 0) -> None:
    """From now on no file grows past so many bytes (Python ignores the signal of it).

    Nor does Python keep what it compiles: up to 3.13 it leaves half a `.pyc` where the disk is full, and cannot read it.
    """
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


@contextmanager
def space_again() -> Iterator[None]:
    """Make space after the block, however it ends."""
    before = sys.dont_write_bytecode
    try:
        yield
    finally:
        sys.dont_write_bytecode = before
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
