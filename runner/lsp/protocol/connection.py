"""The connection to an editor: messages are read and handled until it asks for the end, or is gone."""

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

_WATCH = 1.0  # seconds between two looks whether the editor lives


def run_server(serving: Coroutine[Any, Any, int]) -> int:
    """Run a server until it ends, and return its exit code. Raises KeyboardInterrupt on Ctrl-C.

    The event loop handles SIGINT itself: it wakes up for a signal that arrives just before it waits for input, which
    Python's own handler leaves until the next message.
    """

    async def interruptible() -> int:
        task = asyncio.current_task()
        assert task is not None
        with suppress(NotImplementedError):  # on Windows
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
        return await serving

    try:
        return asyncio.run(interruptible())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


async def serve_standard_streams(protocol: Protocol) -> int:
    """Serve the editor at the other end of standard input and output; the exit code. Raises FramingError."""
    protocol.set_writer(StdoutWriter(sys.stdout.buffer))
    return await serve(protocol, read_in_background(sys.stdin.fileno()))


async def serve_port(protocol: Protocol, port: int, on_listening: Callable[[], None]) -> int:
    """Serve the first editor that connects to a port of this machine; the exit code. Raises FramingError."""
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        protocol.set_writer(writer)
        try:
            ended.set_result(await serve(protocol, reader))
        except Exception as error:  # noqa: BLE001 - raised where the end is awaited
            ended.set_exception(error)

    async with await asyncio.start_server(connected, "127.0.0.1", port):
        on_listening()
        return await ended


async def end_with(editor: int, protocol: Protocol) -> None:
    """End this process when the editor's has ended: others may hold its end of standard input open."""
    while alive(editor):
        await asyncio.sleep(_WATCH)
    os._exit(_code_at_the_end(protocol))


async def serve(protocol: Protocol, reader: asyncio.StreamReader) -> int:
    """Handle messages until the editor asks for the end, or there are no more; the exit code. Raises FramingError."""
    try:
        async for body in bodies(reader):
            protocol.receive(body)
            if protocol.exit_code is not None:
                return protocol.exit_code
            await asyncio.sleep(0)  # what waits in the loop has its turn, however fast messages come
    except ConnectionError:  # nobody reads what is written
        pass
    return _code_at_the_end(protocol)


def _code_at_the_end(protocol: Protocol) -> int:
    """0 if the editor asked for a shutdown, as the protocol wants, else 1."""
    return 0 if protocol.ended_well else 1
