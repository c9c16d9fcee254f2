"""Write text or corpora to a file or to standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

import click

from runner.cli.shared.terminal import block_for_output


@contextmanager
def open_output(path: Path | None = None) -> Iterator[IO[bytes]]:
    """Open a file that is published when it is complete or, without a path, standard output.

    On a terminal, control characters are escaped; each write must then consist of complete lines.
    """
    if path is not None:
        from runner.workspace import atomic_write

        with atomic_write(path) as temp, temp.open("wb") as file:
            yield file
    elif sys.stdout.isatty():
        yield cast("IO[bytes]", _Terminal())
    else:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()


def write_output(text: str, path: Path | None) -> None:
    """Write a text to a file that is published when it is complete or, without a path, print it."""
    if path is None:
        click.echo(text, nl=False)
    else:
        from runner.workspace import write_text

        write_text(path, text)


class _Terminal:
    """A binary file that prints lines of text with control characters escaped."""

    def write(self, data: bytes | memoryview) -> int:
        if text := bytes(data).decode():
            click.echo(block_for_output(text.removesuffix("\n")))
        return len(data)

    def writelines(self, lines: Iterable[bytes | memoryview]) -> None:
        for line in lines:
            self.write(line)
