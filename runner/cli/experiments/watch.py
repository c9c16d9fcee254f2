"""Events of a run to progress on the terminal: bars where somebody watches, a line a step where nobody does."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.display import shown
from runner.cli.shared.heartbeat import Heartbeat
from runner.cli.shared.messages import say

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from runner.execute.records.events import Listener
    from runner.steps.plan import Plan


_NAMED = 4  # cells that a line names


@contextmanager
def watch(plan: Plan) -> Iterator[Listener]:
    """A listener for `execute.run` that shows how far it is, on standard error."""
    if not sys.stderr.isatty():
        yield _Lines(len(plan.steps()), Heartbeat.current())
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
        yield _Bars(progress, len(plan.steps()))


class _Lines:
    """One line when a step is done; in between, the heartbeat says which step is going on, and how far training is."""

    def __init__(self, total: int, heartbeat: Heartbeat | None) -> None:
        self.total = total
        self.done: set[str] = set()
        self.step = ""
        self.cells: dict[str, float] = {}  # the share of its training that each cell has behind it
        self.heartbeat = heartbeat
        if heartbeat is not None:
            heartbeat.status = self._status

    def __call__(self, event: dict[str, Any]) -> None:
        match event.get("event"):
            case "start":
                self.step = str(event.get("step"))
            case "train":
                self.cells[str(event.get("cell"))] = event.get("step", 0) / max(1, event.get("steps") or 0)
            case "done" if event.get("step") != "report":
                self.done.add(str(event["step"]))
                if str(event["step"]).startswith("train:"):
                    self.cells.pop(str(event.get("cell")), None)
                if not event.get("cached"):
                    say(f"[{len(self.done)}/{self.total}] {event['step']}", err=True)
                    if self.heartbeat is not None:
                        self.heartbeat.printed()

    def _status(self) -> str:
        training = [f"{cell} {share:.0%}" for cell, share in sorted(self.cells.copy().items())]
        more = [f"and {len(training) - _NAMED} more"] if len(training) > _NAMED else []
        doing = ", ".join([*training[:_NAMED], *more]) or self.step
        return f"[{len(self.done)}/{self.total}] {doing}".rstrip()


class _Bars:
    """One bar for all steps and one for each model in training, with its speed and loss."""

    def __init__(self, progress: Progress, total: int) -> None:
        self.progress = progress
        self.steps = progress.add_task("steps", total=total, note="")
        self.cells: dict[str, TaskID] = {}
        self.done: set[str] = set()

    def __call__(self, event: dict[str, Any]) -> None:
        cell = str(event.get("cell", ""))
        match event.get("event"):
            case "done" if event.get("step") != "report":
                self.done.add(str(event["step"]))
                self.progress.update(self.steps, completed=len(self.done), note=shown(str(event["step"])))
                if str(event["step"]).startswith("train:") and cell in self.cells:
                    self.progress.remove_task(self.cells.pop(cell))
            case "start":
                self.progress.update(self.steps, note=shown(str(event.get("step"))))
            case "train":
                self._training(cell, event)

    def _training(self, cell: str, event: dict[str, Any]) -> None:
        if cell not in self.cells:
            self.cells[cell] = self.progress.add_task(shown(cell), total=event.get("steps"), note="")
        speed, loss = event.get("tokens_per_second", 0), event.get("loss", 0.0)
        self.progress.update(
            self.cells[cell], completed=event.get("step", 0), note=f"{speed:,.0f} tokens/s, loss {loss:.2f}"
        )
