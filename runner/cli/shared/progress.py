"""Show progress on stderr: a bar on a terminal and a line a minute elsewhere, JSON lines, or nothing."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import click

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.cli.shared.messages import has_colours

Style = Literal["auto", "json", "none"]
Advance = Callable[[int, int], None]  # done, total

_LOG_INTERVAL = 5.0  # seconds between two JSON lines
_LINE_INTERVAL = 60.0  # maximum seconds without a line where no terminal shows a bar


def progress_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option `--progress`. The command receives it as `progress`."""
    return click.option(
        "--progress",
        type=click.Choice(["auto", "json", "none"]),
        default="auto",
        show_default=True,
        help="Progress on stderr: a bar on a terminal and a line per minute elsewhere (auto), a JSON line every few "
        "seconds (json), or nothing (none).",
    )(command)


@contextmanager
def progress_bar(title: str, style: Style = "auto", *, unit: str = "", total: int | None = None) -> Iterator[Advance]:
    """Yield a function that shows the progress for (done, total). A total of 0 is unknown.

    `total` is the total before the first call. If `unit` is "bytes", sizes are shown in larger units, such as MB,
    except in JSON. Nothing is printed to stdout.
    """
    match style:
        case "auto" if sys.stderr.isatty():
            with _bar(title, unit, total) as advance:
                yield advance
        case "auto":
            with _line_a_minute(title, unit) as advance:
                yield advance
        case "json":
            yield _logger(title, unit)
        case "none":
            yield lambda done, total: None  # noqa: ARG005


@contextmanager
def counting_bar(title: str, style: Style = "auto", *, unit: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yield a function that adds to the progress, as shown by `progress_bar`."""
    done = 0
    with progress_bar(title, style, unit=unit) as advance:

        def count(number: int) -> None:
            nonlocal done
            done += number
            advance(done, total)

        yield count


@contextmanager
def minute_lines(status: Callable[[], str]) -> Iterator[Callable[[], None]]:
    """Print a line with the status whenever a minute has passed without one. A thread calls `status`.

    Yield a function that restarts the minute, for commands that have printed another line.
    """
    context = click.get_current_context(silent=True)
    command = "fictc" if context is None else context.command_path
    started = last_line = time.monotonic()
    ended = threading.Event()

    def restart() -> None:
        nonlocal last_line
        last_line = time.monotonic()

    def print_lines() -> None:
        while not ended.wait(max(0.0, last_line + _LINE_INTERVAL - time.monotonic())):
            if time.monotonic() - last_line >= _LINE_INTERVAL:
                restart()
                click.echo(f"{command}: {status()} ({elapsed(last_line - started)})", err=True)

    thread = threading.Thread(target=print_lines, daemon=True)
    thread.start()
    try:
        yield restart
    finally:
        ended.set()
        thread.join(1.0)  # limited, in case nobody reads standard error


def elapsed(seconds: float) -> str:
    """Return a time in minutes, or in seconds if it is shorter."""
    return f"{seconds // 60:.0f} min" if seconds >= 60 else f"{seconds:.0f} s"


@contextmanager
def _line_a_minute(title: str, unit: str) -> Iterator[Advance]:
    progress = (0, 0)

    def advance(done: int, total: int) -> None:
        nonlocal progress
        progress = done, total

    with minute_lines(lambda: _status(title, unit, *progress)):
        yield advance


def _status(title: str, unit: str, done: int, total: int) -> str:
    """Return the status, such as `Importing, 120 of 400 MB`; a total of 0 is unknown."""
    unit_size, noun = (1_000_000, "MB") if unit == "bytes" else (1, unit)
    suffix = f" of {total // unit_size:,}" if total else ""
    return f"{title}, {done // unit_size:,}{suffix} {noun}".rstrip() if done else title


@contextmanager
def _bar(title: str, unit: str, total: int | None) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    count_column = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = [
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        count_column,
        TextColumn("" if unit == "bytes" else unit),
    ]
    with Progress(
        *columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done, total: progress.update(task, completed=done, total=total or None)


def _logger(title: str, unit: str) -> Advance:
    started = time.monotonic()
    last_logged = started - _LOG_INTERVAL

    def advance(done: int, total: int) -> None:
        nonlocal last_logged
        now = time.monotonic()
        if now - last_logged >= _LOG_INTERVAL or (total and done >= total):
            last_logged = now
            event = {"event": "progress", "what": title, "done": done, "total": total, "unit": unit}
            click.echo(json.dumps({**event, "seconds": round(now - started, 1)}), err=True)

    return advance


def show_notes(notes: Sequence[Diagnostic]) -> None:
    """Print diagnostics that are not errors, such as warnings about accepted input, to stderr."""
    if notes:
        from fictdsl.diagnostics.text import render_text

        click.echo(render_text(notes, use_colours=has_colours(sys.stderr)), err=True)
