"""Show progress on stderr: bars on a terminal, JSON lines, a line a minute or a step elsewhere, or nothing."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import click

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.terminal_text import printable
from runner.cli.terminal import has_colours, print_message

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, TaskID

    from runner.execute.state import Listener
    from runner.steps.plan import RunPlan


Style = Literal["auto", "json", "none"]
Advance = Callable[[int, int], None]  # done, total

_LOG_INTERVAL = 5.0  # seconds between two JSON lines
_LINE_INTERVAL = 60.0  # maximum seconds without a line where no terminal shows a bar


def progress_option(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--progress",
        type=click.Choice(["auto", "json", "none"]),
        default="auto",
        help="Progress on stderr: a bar on a terminal and a line per minute elsewhere (auto), a JSON line every few "
        "seconds (json), or nothing (none).",
    )(command)


@contextmanager
def progress_bar(title: str, style: Style = "auto", *, unit: str = "") -> Iterator[Advance]:
    """Yield a function that shows the progress for (done, total) on standard error. A total of 0 is unknown."""
    match style:
        case "auto" if sys.stderr.isatty():
            with _bar(title, unit) as advance:
                yield advance
        case "auto":
            progress = (0, 0)

            def keep(done: int, total: int) -> None:
                nonlocal progress
                progress = done, total

            with minute_lines(lambda: _status(title, unit, *progress)):
                yield keep
        case "json":
            yield _logger(title, unit)
        case "none":
            yield lambda done, total: None  # noqa: ARG005


@contextmanager
def counting_bar(title: str, style: Style = "auto", *, unit: str, total: int) -> Iterator[Callable[[int], None]]:
    done = 0
    with progress_bar(title, style, unit=unit) as advance:

        def count(number: int) -> None:
            nonlocal done
            done += number
            advance(done, total)

        yield count


@contextmanager
def minute_lines(status: Callable[[], str]) -> Iterator[Callable[[], None]]:
    """A thread prints a line when a minute has passed without one. Yield a function that restarts the minute."""
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
    return f"{seconds // 60:.0f} min" if seconds >= 60 else f"{seconds:.0f} s"


def _status(title: str, unit: str, done: int, total: int) -> str:
    unit_size, noun = (1_000_000, "MB") if unit == "bytes" else (1, unit)
    suffix = f" of {total // unit_size:,}" if total else ""
    return f"{title}, {done // unit_size:,}{suffix} {noun}".rstrip() if done else title


@contextmanager
def _bar(title: str, unit: str) -> Iterator[Advance]:
    from rich.progress import DownloadColumn, MofNCompleteColumn, TextColumn

    count_column = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    with _display(count_column, TextColumn("" if unit == "bytes" else unit), transient=True) as progress:
        task = progress.add_task(title, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total or None)


def _display(*columns: ProgressColumn, transient: bool = False) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    description = TextColumn("{task.description}", markup=False)
    times = TimeElapsedColumn(), TimeRemainingColumn()
    return Progress(description, BarColumn(), *columns, *times, console=Console(stderr=True), transient=transient)


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
    if notes:
        from fictdsl.diagnostics.text import render_text

        click.echo(render_text(notes, use_colours=has_colours(sys.stderr)), err=True)


_MAX_NAMED_CELLS = 4  # cells named in a status line


@contextmanager
def watch(plan: RunPlan, total_steps: int | None = None) -> Iterator[Listener]:
    if not sys.stderr.isatty():
        listener = _LineListener(total_steps, plan.titles)
        with minute_lines(listener.status) as listener.restart_minute:
            yield listener
        return
    from rich.progress import MofNCompleteColumn, TextColumn

    with _display(MofNCompleteColumn(), TextColumn("{task.fields[note]}", markup=False)) as progress:
        yield _BarListener(progress, total_steps, plan.titles)


class _LineListener:
    def __init__(self, total_steps: int | None, titles: Mapping[str, str]) -> None:
        self.total_steps = total_steps
        self.titles = titles  # by step id
        self.done_steps: set[str] = set()
        self.step = ""
        self.cell_shares: dict[str, float] = {}  # finished share of the training of each cell
        self.restart_minute: Callable[[], None] = lambda: None

    def __call__(self, event: dict[str, Any]) -> None:
        match event.get("event"):
            case "start":
                step = str(event.get("step"))
                self.step = self.titles.get(step, step)
            case "warning":
                print_message(event["message"], err=True)
            case "train":
                self.cell_shares[str(event.get("cell"))] = event.get("step", 0) / max(1, event.get("steps") or 0)
            case "done" if event.get("step") != "report":
                step = str(event["step"])
                self.done_steps.add(step)
                if step.startswith("train:"):
                    self.cell_shares.pop(str(event.get("cell")), None)
                if not event.get("cached"):
                    title = self.titles.get(step, step)
                    print_message(f"{self._count()} {title}", err=True)
                    self.restart_minute()

    def _count(self) -> str:
        total = "" if self.total_steps is None else f"/{self.total_steps}"
        return f"[{len(self.done_steps)}{total}]"

    def status(self) -> str:
        from runner.steps.names import cell_title

        training = [f"{cell_title(cell)} {share:.0%}" for cell, share in sorted(self.cell_shares.copy().items())]
        remaining = [f"and {len(training) - _MAX_NAMED_CELLS} more"] if len(training) > _MAX_NAMED_CELLS else []
        activity = ", ".join([*training[:_MAX_NAMED_CELLS], *remaining]) or self.step
        return f"{self._count()} {activity}".rstrip()


class _BarListener:
    def __init__(self, progress: Progress, total_steps: int | None, titles: Mapping[str, str]) -> None:
        self.progress = progress
        self.titles = titles  # by step id
        self.step_task = progress.add_task("steps", total=total_steps, note="")
        self.cell_tasks: dict[str, TaskID] = {}
        self.done_steps: set[str] = set()

    def __call__(self, event: dict[str, Any]) -> None:
        cell = str(event.get("cell", ""))
        match event.get("event"):
            case "done" if event.get("step") != "report":
                step = str(event["step"])
                self.done_steps.add(step)
                self.progress.update(self.step_task, completed=len(self.done_steps), note=self._title(step))
                if step.startswith("train:") and cell in self.cell_tasks:
                    self.progress.remove_task(self.cell_tasks.pop(cell))
            case "start":
                self.progress.update(self.step_task, note=self._title(str(event.get("step"))))
            case "warning":
                self.progress.console.print(printable(str(event["message"])), markup=False, highlight=False)
            case "train":
                self._update_training(cell, event)

    def _title(self, step: str) -> str:
        return printable(self.titles.get(step, step))

    def _update_training(self, cell: str, event: dict[str, Any]) -> None:
        from runner.steps.names import cell_title

        if cell not in self.cell_tasks:
            title = printable(cell_title(cell))
            self.cell_tasks[cell] = self.progress.add_task(title, total=event.get("steps"), note="")
        speed, loss = event.get("tokens_per_second", 0), event.get("loss", 0.0)
        self.progress.update(
            self.cell_tasks[cell], completed=event.get("step", 0), note=f"{speed:,.0f} tokens/s, loss {loss:.2f}"
        )
