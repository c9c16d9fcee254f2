"""JSON-RPC for the Language Server Protocol: the order of messages, and a response to every request.

Works around pygls, which does not respond to requests with invalid parameters or after a shutdown, keeps the future of
every notification, and converts `null` to the string "None".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from concurrent.futures import Future
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
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    LanguageServerProtocol,
    default_converter,
    lsp_method,
)

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
        """Whether the client requested a shutdown."""
        return bool(self._shutdown)

    def receive(self, body: bytes) -> None:
        """Handle the body of a message."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._send_error(None, JsonRpcParseError(f"invalid JSON: {error}"))
            return
        self.handle_message(message)

    def handle_message(self, message: Any) -> None:
        """Handle a JSON value: respond to a request, or process a notification."""
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
        """Raise an error for a message before `initialize`, a second `initialize`, or a message after `shutdown`."""
        if self._shutdown:
            raise JsonRpcInvalidRequest("the server is shut down")
        if (self._workspace is None) != (method == types.INITIALIZE):
            if method == types.INITIALIZE:
                raise JsonRpcInvalidRequest("the server is already initialized")
            raise JsonRpcServerNotInitialized("the first request must be `initialize`")

    def _structured(self, method: str, message: dict[str, Any]) -> Any:
        """Return the message with typed parameters. Raises JsonRpcInvalidParams if they are invalid."""
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
    """Return a converter that does not convert between strings, integers and booleans."""
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
