"""A worker process, which runs calls one after the other and interrupts a call that is cancelled."""

from __future__ import annotations

import signal
import threading
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.processes.lifetime import set_worker_signals
from runner.errors import InputError, refused

Call = tuple[Callable[..., Any], tuple[Any, ...]]

READY = -1  # the call id of the message that a worker sends when it is prepared


class CancelledCallError(BaseException):
    """Raised in the main thread of a worker whose call is cancelled."""


class CallDiagnostics(Exception):  # noqa: N818 - the content of an InputError, which crosses processes
    """The diagnostics of a call that raised InputError, or to which the system refused a file or memory."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics


class _Calls:
    """The queue of calls that a thread receives, the id of the running call, and the ids of cancelled calls."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._waiting: SimpleQueue[tuple[int, Call] | None] = SimpleQueue()
        self._running: int | None = None
        self._cancelled: set[int] = set()
        signal.signal(signal.SIGUSR1, self._interrupt)
        threading.Thread(target=self._receive, daemon=True).start()

    def run(self) -> None:
        """Answer calls until the parent closes the connection."""
        while (message := self._waiting.get()) is not None:
            call_id, call = message
            try:
                answer: tuple[bool, object] = (True, self._result(call_id, call))
            except CancelledCallError:
                answer = (False, None)
            except InputError as error:
                answer = (False, CallDiagnostics(error.diagnostics))
            except (OSError, MemoryError) as error:
                answer = (False, CallDiagnostics(refused(error).diagnostics))
            except Exception as error:  # noqa: BLE001 - raised again in the parent
                error.add_note(traceback.format_exc())
                answer = (False, error)
            self._cancelled.discard(call_id)
            try:
                self._connection.send((call_id, *answer))
            except Exception as error:  # noqa: BLE001 - the answer cannot be pickled
                self._connection.send((call_id, False, RuntimeError(str(error))))

    def _result(self, call_id: int, call: Call) -> object:
        """Return the result of a call. Raises CancelledCallError if it is cancelled before it has ended.

        Only this method can be interrupted, so the exception does not reach the code that answers the call.
        """
        function, arguments = call
        try:
            self._running = call_id
            if call_id in self._cancelled:
                raise CancelledCallError
            return function(*arguments)
        finally:
            self._running = None

    def _receive(self) -> None:
        main = threading.main_thread()
        while True:
            try:
                command, call_id, call = self._connection.recv()
            except (EOFError, OSError):
                self._waiting.put(None)
                return
            if command == "call":
                self._waiting.put((call_id, call))
            else:
                self._cancelled.add(call_id)
                signal.pthread_kill(main.ident or 0, signal.SIGUSR1)

    def _interrupt(self, *_: object) -> None:
        """Raise CancelledCallError in the main thread if the running call is cancelled."""
        if self._running in self._cancelled:
            self._running = None
            raise CancelledCallError


def run_worker(connection: Connection, prepare: Call) -> None:
    """Run `prepare`, send `READY`, then run the calls that arrive at a connection."""
    set_worker_signals()
    function, arguments = prepare
    function(*arguments)
    calls = _Calls(connection)
    connection.send((READY, True, None))
    calls.run()
