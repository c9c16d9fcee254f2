"""Numbers of long work into what a person or a log sees on stderr: a bar, a JSON line now and then, or nothing."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import click

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.cli.shared.heartbeat import Heartbeat

Style = Literal["auto", "json", "none"]
Advance = Callable[[int, int], None]  # done, total

_EVERY = 5.0  # seconds between two lines of a log


def progress_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option `--progress` of commands that take long; it arrives as `progress`."""
    return click.option(
        "--progress",
        type=click.Choice(["auto", "json", "none"]),
        default="auto",
        show_default=True,
        help="How to show progress on stderr: a bar on a terminal, a line a minute elsewhere (auto), "
        "one JSON line every few seconds, or nothing.",
    )(command)


@contextmanager
def progress_bar(what: str, style: Style = "auto", *, unit: str = "", total: int | None = None) -> Iterator[Advance]:
    """Yield a function that takes (done, total); `unit` "bytes" counts megabytes.

    A total of 0 means that it is not known. Nothing is printed to stdout, ever.
    """
    heartbeat = Heartbeat.current()
    if heartbeat is not None and style != "auto":
        heartbeat.quiet = True
    match style:
        case "auto" if sys.stderr.isatty():
            with _bar(what, unit, total) as advance:
                yield advance
        case "auto" if heartbeat is not None:
            with _beating(heartbeat, what, unit) as advance:
                yield advance
        case "json":
            yield _logger(what, unit)
        case _:
            yield lambda done, total: None  # noqa: ARG005


@contextmanager
def _beating(heartbeat: Heartbeat, what: str, unit: str) -> Iterator[Advance]:
    """Let the lines of the heartbeat say how far the work is."""
    reached = (0, 0)

    def advance(done: int, total: int) -> None:
        nonlocal reached
        reached = done, total

    heartbeat.status = lambda: _reached(what, unit, *reached)
    try:
        yield advance
    finally:
        heartbeat.status = str


def _reached(what: str, unit: str, done: int, total: int) -> str:
    """Return `Importing, 120 of 400 MB`; a total of 0 is not known."""
    size, noun = (1_000_000, "MB") if unit == "bytes" else (1, unit)
    of = f" of {total // size:,}" if total else ""
    return f"{what}, {done // size:,}{of} {noun}".rstrip() if done else what


@contextmanager
def _bar(what: str, unit: str, total: int | None) -> Iterator[Advance]:
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

    count = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    shown = [
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        count,
        TextColumn("" if unit == "bytes" else unit),
    ]
    with Progress(
        *shown, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bars:
        task = bars.add_task(what, total=total)
        yield lambda done, total: bars.update(task, completed=done, total=total or None)


def _logger(what: str, unit: str) -> Advance:
    started = time.monotonic()
    last = started - _EVERY

    def advance(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _EVERY or (total and done >= total):
            last = now
            event = {"event": "progress", "what": what, "done": done, "total": total, "unit": unit}
            click.echo(json.dumps({**event, "seconds": round(now - started, 1)}), err=True)

    return advance


def show_notes(notes: Sequence[Diagnostic]) -> None:
    """Print diagnostics that stop nothing, such as warnings about what was accepted, to stderr."""
    if notes:
        from fictdsl.diagnostics.render_text import render

        click.echo(render(notes, color=sys.stderr.isatty()), err=True)
