"""The connection to an editor: read and handle messages until the editor ends the session or disconnects."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from pygls.io_ import StdoutWriter

from runner.lsp.protocol.base import Protocol
from runner.lsp.protocol.stream import bodies, read_in_background
from runner.workspace import alive

_POLL_INTERVAL = 1.0  # seconds between checks that the editor is alive


def run_server(session: Coroutine[Any, Any, int]) -> int:
    """Run a server until it ends, and return its exit code. Raises KeyboardInterrupt on Ctrl-C.

    The event loop handles SIGINT itself: it also wakes up for a signal that arrives just before it waits for input.
    Python's own handler would run only after the next message.
    """

    async def interruptible() -> int:
        task = asyncio.current_task()
        assert task is not None
        with suppress(NotImplementedError):  # on Windows
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
        return await session

    try:
        return asyncio.run(interruptible())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def serve_standard_streams(protocol: Protocol) -> int:
    """Serve the editor on standard input and output. Return the exit code. Raises FramingError."""
    protocol.set_writer(StdoutWriter(sys.stdout.buffer))
    return await serve(protocol, read_in_background(sys.stdin.fileno()))


async def serve_port(protocol: Protocol, port: int, on_listening: Callable[[], None]) -> int:
    """Serve the first editor that connects to a local port. Return the exit code. Raises FramingError.

    Later connections are closed at once.
    """
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    is_connected = False

    async def on_connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal is_connected
        if is_connected:
            writer.close()
            return
        is_connected = True
        protocol.set_writer(writer)
        try:
            ended.set_result(await serve(protocol, reader))
        except Exception as error:  # noqa: BLE001 - raised where `ended` is awaited
            ended.set_exception(error)
        finally:
            writer.close()

    async with await asyncio.start_server(on_connect, "127.0.0.1", port):
        on_listening()
        return await ended


async def exit_with_editor(editor_pid: int, protocol: Protocol) -> None:
    """Exit when the editor's process has ended, even if another process holds standard input open."""
    while alive(editor_pid):
        await asyncio.sleep(_POLL_INTERVAL)
    os._exit(_final_exit_code(protocol))


async def serve(protocol: Protocol, reader: asyncio.StreamReader) -> int:
    """Handle messages until `exit` or the end of the input. Return the exit code. Raises FramingError."""
    try:
        async for body in bodies(reader):
            protocol.receive(body)
            if protocol.exit_code is not None:
                return protocol.exit_code
            await asyncio.sleep(0)  # let other tasks run even if messages arrive fast
    except ConnectionError:  # the editor no longer reads
        pass
    return _final_exit_code(protocol)


def _final_exit_code(protocol: Protocol) -> int:
    """Return 0 if the editor requested a shutdown, as the protocol requires, otherwise 1."""
    return 0 if protocol.shutdown_requested else 1
