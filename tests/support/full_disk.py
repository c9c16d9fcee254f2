"""A disk that is full: no file of this process, or of those that it starts, may grow."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager


def fill(most: int = 0) -> None:
    """From now on no file grows past so many bytes (Python ignores the signal of it)."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


@contextmanager
def space_again() -> Iterator[None]:
    """Make space after the block, however it ends."""
    try:
        yield
    finally:
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
