"""A status line on standard error every minute while a command works and no terminal shows a progress bar.

The line distinguishes long work from a command that hangs. The command group starts a `Heartbeat` for every command;
`progress_bar` and `watch` set its status.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType

import click

INTERVAL = 60.0  # maximum seconds without a line
SILENT = ("explore", "lsp", "run-cell")  # servers, which wait for clients, and a command whose output programs read


class Heartbeat:
    """A thread that prints a line whenever `INTERVAL` seconds have passed without one.

    `status` returns a description of the progress, or "" if it is not known. The thread calls it.
    """

    def __init__(self, command: str, interval: float | None = None) -> None:
        self.status: Callable[[], str] = str
        self.quiet = command in SILENT
        self._command = command
        self._interval = INTERVAL if interval is None else interval
        self._started = self._last_line = time.monotonic()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    @classmethod
    def current(cls) -> Heartbeat | None:
        """Return the heartbeat of the running command, or None if the command was called without its group."""
        context = click.get_current_context(silent=True)
        return None if context is None else context.find_object(cls)

    def restart(self) -> None:
        """Restart the interval, because the command has just printed a line."""
        self._last_line = time.monotonic()

    def __enter__(self) -> Heartbeat:
        if not self.quiet:
            self._thread.start()
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(1.0)  # limited, in case nobody reads standard error

    def _run(self) -> None:
        while not self._ended.wait(max(0.0, self._last_line + self._interval - time.monotonic())):
            if time.monotonic() - self._last_line >= self._interval:
                self.restart()
                if not self.quiet and not sys.stderr.isatty():
                    click.echo(self._line(), err=True)

    def _line(self) -> str:
        seconds = time.monotonic() - self._started
        elapsed = f"{seconds // 60:.0f} min" if seconds >= 60 else f"{seconds:.0f} s"
        return f"fictc {self._command}: {self.status() or 'still working'} ({elapsed})"
