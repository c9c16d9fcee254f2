"""Progress of a run on standard error: bars on a terminal, a line per step and per minute elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.display import printable
from runner.cli.shared.messages import print_message
from runner.cli.shared.progress import minute_lines

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from runner.execute.records.events import Listener
    from runner.steps.plan import Plan


_MAX_NAMED_CELLS = 4  # cells named in a status line


@contextmanager
def watch(plan: Plan, total_steps: int | None = None) -> Iterator[Listener]:
    """Yield a listener for `execute.run` that shows the progress on standard error.

    If the number of steps is not known in advance, `total_steps` is None.
    """
    from runner.execute.planned import match_titles

    titles = match_titles(plan)
    if not sys.stderr.isatty():
        listener = _LineListener(total_steps, titles)
        with minute_lines(listener.status) as listener.restart_minute:
            yield listener
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        yield _BarListener(progress, total_steps, titles)


class _LineListener:
    """Prints a line per finished step that was not cached. `status` describes what is done in between."""

    def __init__(self, total_steps: int | None, titles: Mapping[str, str]) -> None:
        self.total_steps = total_steps
        self.titles = titles  # by step id; other steps are shown by their ids
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
        """Return the steps done, and the cells in training or the current step."""
        training = [f"{cell} {share:.0%}" for cell, share in sorted(self.cell_shares.copy().items())]
        remaining = [f"and {len(training) - _MAX_NAMED_CELLS} more"] if len(training) > _MAX_NAMED_CELLS else []
        activity = ", ".join([*training[:_MAX_NAMED_CELLS], *remaining]) or self.step
        return f"{self._count()} {activity}".rstrip()


class _BarListener:
    """Shows a bar for all steps, and one per cell in training with its speed and loss."""

    def __init__(self, progress: Progress, total_steps: int | None, titles: Mapping[str, str]) -> None:
        self.progress = progress
        self.titles = titles  # by step id; other steps are shown by their ids
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
        if cell not in self.cell_tasks:
            self.cell_tasks[cell] = self.progress.add_task(printable(cell), total=event.get("steps"), note="")
        speed, loss = event.get("tokens_per_second", 0), event.get("loss", 0.0)
        self.progress.update(
            self.cell_tasks[cell], completed=event.get("step", 0), note=f"{speed:,.0f} tokens/s, loss {loss:.2f}"
        )
