"""The connection to an editor: a byte stream, messages of JSON-RPC and their order, and the end of a session.

Works around pygls, which does not respond to requests with invalid parameters or after a shutdown, keeps the future of
every notification, and converts `null` to the string "None".
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from concurrent.futures import Future
from contextlib import suppress
from enum import Enum
from typing import Any

from cattrs import BaseValidationError, Converter, transform_error
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.io_ import StdoutWriter
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    LanguageServerProtocol,
    default_converter,
    lsp_method,
)

from runner.workspace import alive

_MAX_MESSAGE_BYTES = 64 * 1024 * 1024  # 64 times the size of the largest filter file
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*([0-9]{1,12})[ \t]*", re.IGNORECASE)
_FIELD = re.compile(rb"[\w-]+[ \t]*:")
_CHUNK_BYTES = 65536


class FramingError(Exception):
    """The header of a message is invalid, so the start of the next message is unknown."""


async def bodies(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Yield the body of each message until the input ends. Raises FramingError if a header is invalid."""
    while (size := await _message_size(reader)) is not None:
        try:
            yield await reader.readexactly(size)
        except asyncio.IncompleteReadError:
            return


async def _message_size(reader: asyncio.StreamReader) -> int | None:
    """Return the length of the next body in bytes, or None at the end of the input. Raises FramingError."""
    size: int | None = None
    while True:
        try:
            line = await reader.readline()
        except ValueError:
            raise FramingError("a header line is too long") from None
        if not line.endswith(b"\n"):
            return None
        if not line.strip():
            break
        if not _FIELD.match(line):
            raise FramingError(f"expected a header such as `Content-Length: 42`, found {line[:60]!r}")
        if line.lower().startswith(b"content-length"):
            match = _LENGTH.fullmatch(line.rstrip(b"\r\n"))
            size = int(match[1]) if match else -1
    if size is None or not 0 <= size <= _MAX_MESSAGE_BYTES:
        raise FramingError(f"expected one `Content-Length` of at most {_MAX_MESSAGE_BYTES:,} bytes")
    return size


def read_in_background(descriptor: int) -> asyncio.StreamReader:
    """Read a file descriptor in a daemon thread, so that the process can exit while input is pending."""
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()

    def feed() -> None:
        try:
            while chunk := os.read(descriptor, _CHUNK_BYTES):
                loop.call_soon_threadsafe(reader.feed_data, chunk)
            loop.call_soon_threadsafe(reader.feed_eof)
        except (OSError, RuntimeError):  # the input or the loop is closed
            return

    threading.Thread(target=feed, daemon=True).start()
    return reader


_DOCUMENT_PREFIXES = ("textDocument/", "notebookDocument/")


class Protocol(LanguageServerProtocol):
    """A session of the protocol. `exit_code` is set when the client sends `exit`."""

    exit_code: int | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # `Documents` tracks the texts: pygls ends lines at U+2028 and drops the range of some changes.
        handlers = self.fm.builtin_features
        for name in [name for name in handlers if name.startswith(_DOCUMENT_PREFIXES)]:
            del handlers[name]

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Start the session. The root is unset: nothing depends on it, and pygls fails on roots that are not URIs."""
        params.root_uri = params.root_path = None
        return (yield from super().lsp_initialize(params))

    @property
    def shutdown_requested(self) -> bool:
        return bool(self._shutdown)

    def receive(self, body: bytes) -> None:
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._send_error(None, JsonRpcParseError(f"invalid JSON: {error}"))
            return
        self.handle_message(message)

    def handle_message(self, message: Any) -> None:
        request_id = message.get("id") if isinstance(message, dict) else None
        request_id = request_id if isinstance(request_id, str | int) and not isinstance(request_id, bool) else None
        try:
            self._handle(message, request_id)
        except JsonRpcException as error:
            if isinstance(message, dict) and "id" not in message and "method" in message:
                self._log(error)
            else:
                self._send_error(request_id, error)

    def _handle(self, message: Any, request_id: str | int | None) -> None:
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            raise JsonRpcInvalidRequest('expected one object with `"jsonrpc": "2.0"`; batches are not supported')
        if "method" not in message and ("result" in message or "error" in message):
            return  # a response; the server sends no requests
        method = message.get("method")
        if not isinstance(method, str) or ("id" in message and request_id is None):
            raise JsonRpcInvalidRequest(
                "expected a `method`, a string, and for requests an `id`, an integer or a string"
            )
        if method == types.EXIT:
            self.exit_code = 0 if self._shutdown else 1
            return
        self._check_order(method)
        if request_id is None:
            self._handle_notification(method, self._structured(method, message).params)
        else:
            self._handle_request(request_id, method, self._structured(method, message).params)

    def _check_order(self, method: str) -> None:
        if self._shutdown:
            raise JsonRpcInvalidRequest("the server is shut down")
        if (self._workspace is None) != (method == types.INITIALIZE):
            if method == types.INITIALIZE:
                raise JsonRpcInvalidRequest("the server is already initialized")
            raise JsonRpcServerNotInitialized("the first request must be `initialize`")

    def _structured(self, method: str, message: dict[str, Any]) -> Any:
        if method != types.CANCEL_REQUEST:
            self._get_handler(method)
        fallback = JsonRPCRequestMessage if "id" in message else JsonRPCNotification
        try:
            return self._converter.structure({"params": None} | message, self.get_message_type(method) or fallback)
        except Exception as error:  # noqa: BLE001 - the converters of lsprotocol raise exceptions of any type
            raise JsonRpcInvalidParams(f"{method}: {'; '.join(_reasons(error))}") from None

    def _send_error(self, request_id: str | int | None, error: JsonRpcException) -> None:
        self._send_data(types.ResponseErrorMessage(id=request_id, error=error.to_response_error()))

    def _log(self, error: JsonRpcException) -> None:
        """Log a rejected notification, which has no response. Unknown methods are ignored."""
        if self._workspace is not None and not self._shutdown and not isinstance(error, JsonRpcMethodNotFound):
            self._server.window_log_message(types.LogMessageParams(types.MessageType.Warning, str(error)))

    def _check_handler_result(self, future: Future[Any]) -> None:
        """Log an error of the client that the handler of a notification raised. Pygls logs other errors."""
        error = None if future.cancelled() else future.exception()
        if isinstance(error, JsonRpcException):
            self._log(error)
        else:
            super()._check_handler_result(future)

    def _execute_handler(
        self,
        msg_id: str | int,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Run a handler and remove its future when it is done. Pygls keeps the futures of notifications."""

        def done(future: Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, done, args, kwargs)


def strict_converter() -> Converter:
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    for exact_type in (str, int, bool):
        converter.register_structure_hook(exact_type, _of_exact_type)
    return converter


def _of_exact_type(value: object, exact_type: type) -> object:
    if issubclass(exact_type, Enum):  # with integer or string values
        return exact_type(value)
    if type(value) is not exact_type:
        raise TypeError(f"expected {exact_type.__name__}, found {value!r:.40}")
    return value


def _reasons(error: Exception) -> list[str]:
    return transform_error(error) if isinstance(error, BaseValidationError) else [f"{type(error).__name__}: {error}"]


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
    """Serve the first editor that connects to a local port; later connections are closed. Raises FramingError."""
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
