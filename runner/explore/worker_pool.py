"""A pool of worker processes for an event loop, whose calls can be cancelled."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from queue import SimpleQueue
from shutil import rmtree
from typing import Any, ParamSpec, TypeVar, cast

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.limits import Limits
from runner.corpus.processes import block_interrupts, set_worker_signals
from runner.errors import InputError, refused

Call = tuple[Callable[..., Any], tuple[Any, ...]]

READY = -1  # the call id of the message that a worker sends when it is prepared


class CancelledCallError(BaseException):
    """Raised in the main thread of a worker whose call is cancelled."""


class CallDiagnostics(Exception):  # noqa: N818 - the content of an InputError, which crosses processes
    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics


class _Calls:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._waiting: SimpleQueue[tuple[int, Call] | None] = SimpleQueue()
        self._running: int | None = None
        self._cancelled: set[int] = set()
        signal.signal(signal.SIGUSR1, self._interrupt)
        threading.Thread(target=self._receive, daemon=True).start()

    def run(self) -> None:
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
        """Only this method can be interrupted, so the exception does not reach the code that answers the call."""
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
        if self._running in self._cancelled:
            self._running = None
            raise CancelledCallError


def run_worker(connection: Connection, prepare: Call) -> None:
    set_worker_signals()
    function, arguments = prepare
    function(*arguments)
    calls = _Calls(connection)
    connection.send((READY, True, None))
    calls.run()


P = ParamSpec("P")
R = TypeVar("R")

GRACE_SECONDS = 0.5  # time for an interrupted call to end before its process is killed


class OutOfTime(Exception):  # noqa: N818 - an answer, not a fault
    """A call did not end within its time limit."""


class LostWorker(Exception):  # noqa: N818 - an answer, not a fault
    """A worker process ended during a call, for instance for lack of memory."""


class _Worker:
    def __init__(self, prepare: Call, limits: Limits) -> None:
        self._limits = limits
        context = multiprocessing.get_context("spawn")
        self._connection, worker_end = context.Pipe()
        self.process = context.Process(target=run_worker, args=(worker_end, prepare), daemon=True)
        with block_interrupts():
            self.process.start()
        worker_end.close()
        self._loop = asyncio.get_running_loop()
        self._call_ids, self._call_id = count(), READY
        self._answer: asyncio.Future[tuple[bool, object]] = self._loop.create_future()
        self._loop.add_reader(self._connection.fileno(), self._read)

    async def wait_until_ready(self) -> None:
        if self._call_id == READY:
            await asyncio.shield(self._answer)

    async def call(self, call: Call) -> tuple[bool, object]:
        self._answer, self._call_id = self._loop.create_future(), next(self._call_ids)
        try:
            self._connection.send(("call", self._call_id, call))
        except OSError:  # the process has ended since the last call
            return False, LostWorker()
        return await asyncio.shield(self._answer)

    async def cancel(self) -> bool:
        """Interrupt the call, if any, or kill the process. Return whether the process survives."""
        if self._call_id == READY:
            return True
        with suppress(OSError):
            self._connection.send(("cancel", self._call_id, None))
        ended, _ = await asyncio.wait([self._answer], timeout=GRACE_SECONDS)
        if ended and self.process.is_alive():
            return True
        self.kill()
        return False

    def kill(self) -> None:
        if self._connection.closed:
            return
        self._loop.remove_reader(self._connection.fileno())
        self._connection.close()
        self.process.kill()
        self.process.join()
        rmtree(self._limits.folder().with_name(f"fictc-duckdb-{self.process.pid}"), ignore_errors=True)

    def _read(self) -> None:
        try:
            call_id, *answer = self._connection.recv()
        except (EOFError, OSError):
            call_id, answer = self._call_id, [False, LostWorker()]
            self._loop.remove_reader(self._connection.fileno())
        except Exception as error:  # noqa: BLE001 - an exception of the call that cannot be unpickled
            call_id, answer = self._call_id, [False, error]
        if call_id == self._call_id and not self._answer.done():
            self._answer.set_result(cast("tuple[bool, object]", tuple(answer)))


class Pool:
    """Worker processes that each run `prepare` first. Waiting calls start in the order of their arrival."""

    def __init__(self, size: int, limits: Limits, prepare: Call) -> None:
        self._limits, self._prepare, self._size = limits, prepare, size
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._workers: set[_Worker] = set()

    def start(self) -> None:
        for _ in range(self._size):
            self._start_worker()

    def close(self) -> None:
        for worker in self._workers:
            worker.kill()
        self._workers.clear()

    @property
    def process_ids(self) -> list[int]:
        return [worker.process.pid or 0 for worker in self._workers]

    async def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Raise OutOfTime, LostWorker or the exception of the call, where CallDiagnostics replaces InputError.

        The time limit begins when the worker is prepared. A call that is not interrupted in `GRACE_SECONDS` is killed.
        """
        worker = await self._idle.get()
        try:
            await worker.wait_until_ready()
            async with asyncio.timeout(self._limits.timeout or None):
                succeeded, answer = await worker.call((partial(function, **kwargs), args))
        except (asyncio.CancelledError, TimeoutError) as error:
            await asyncio.shield(asyncio.ensure_future(self._cancel(worker)))
            if isinstance(error, TimeoutError):
                raise OutOfTime from error
            raise
        self._release(worker, lost=isinstance(answer, LostWorker))
        if succeeded:
            return cast("R", answer)
        raise answer if isinstance(answer, Exception) else OutOfTime()

    async def _cancel(self, worker: _Worker) -> None:
        self._release(worker, lost=not await worker.cancel())

    def _release(self, worker: _Worker, *, lost: bool) -> None:
        if not lost:
            self._idle.put_nowait(worker)
        elif worker in self._workers:
            self._workers.discard(worker)
            worker.kill()
            self._start_worker()

    def _start_worker(self) -> None:
        worker = _Worker(self._prepare, self._limits)
        self._workers.add(worker)
        self._idle.put_nowait(worker)
