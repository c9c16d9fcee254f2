"""JSON-RPC as the Language Server Protocol uses it: the order of a session, and an answer to every request.

pygls leaves requests without an answer where their parameters are wrong or the server is shut down, keeps a record of
every notification, and takes `null` for the text "None".
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

_UNSYNCED = ("textDocument/", "notebookDocument/")


class Protocol(LanguageServerProtocol):
    """One session of the protocol. `exit_code` is set once the client asked the server to end."""

    exit_code: int | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # Documents are the desk's: pygls ends lines at U+2028 and drops the range of some changes.
        handlers = self.fm.builtin_features
        for name in [name for name in handlers if name.startswith(_UNSYNCED)]:
            del handlers[name]

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Begin the session. Nothing depends on its folder, and pygls fails at those that are no URI."""
        params.root_uri = params.root_path = None
        return (yield from super().lsp_initialize(params))

    @property
    def ended_well(self) -> bool:
        """Whether the client asked for a shutdown."""
        return bool(self._shutdown)

    def receive(self, body: bytes) -> None:
        """Handle one message as it came."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._refuse(None, JsonRpcParseError(f"this is not JSON: {error}"))
            return
        self.handle_message(message)

    def handle_message(self, message: Any) -> None:
        """Handle one JSON value: answer a request, do what a notification asks."""
        number = message.get("id") if isinstance(message, dict) else None
        number = number if isinstance(number, str | int) and not isinstance(number, bool) else None
        try:
            self._handle(message, number)
        except JsonRpcException as error:
            if isinstance(message, dict) and "id" not in message and "method" in message:
                self._log(error)
            else:
                self._refuse(number, error)

    def _handle(self, message: Any, number: str | int | None) -> None:
        if not isinstance(message, dict) or message.get("jsonrpc") != self.VERSION:
            raise JsonRpcInvalidRequest('a message is one object with `"jsonrpc": "2.0"`, and never a batch')
        if "method" not in message and ("result" in message or "error" in message):
            return  # an answer; the server asks nothing
        method = message.get("method")
        if not isinstance(method, str) or ("id" in message and number is None):
            raise JsonRpcInvalidRequest("a message has a `method`, a text, and may have an `id`, an integer or a text")
        if method == types.EXIT:
            self.exit_code = 0 if self._shutdown else 1
            return
        self._check_order(method)
        if number is None:
            self._handle_notification(method, self._structured(method, message).params)
        else:
            self._handle_request(number, method, self._structured(method, message).params)

    def _check_order(self, method: str) -> None:
        """Refuse what may not be asked now: before `initialize`, twice, or after `shutdown`."""
        if self._shutdown:
            raise JsonRpcInvalidRequest("the server is shut down")
        if (self._workspace is None) != (method == types.INITIALIZE):
            if method == types.INITIALIZE:
                raise JsonRpcInvalidRequest("the server is initialized already")
            raise JsonRpcServerNotInitialized("the first request is `initialize`")

    def _structured(self, method: str, message: dict[str, Any]) -> Any:
        """A message with parameters of the types that its method has. Raises JsonRpcInvalidParams."""
        if method != types.CANCEL_REQUEST:
            self._get_handler(method)
        fallback = JsonRPCRequestMessage if "id" in message else JsonRPCNotification
        try:
            return self._converter.structure({"params": None} | message, self.get_message_type(method) or fallback)
        except Exception as error:  # noqa: BLE001 - the converters of lsprotocol raise what they stumble over
            raise JsonRpcInvalidParams(f"{method}: {'; '.join(_reasons(error))}") from None

    def _refuse(self, number: str | int | None, error: JsonRpcException) -> None:
        self._send_data(types.ResponseErrorMessage(id=number, error=error.to_response_error()))

    def _log(self, error: JsonRpcException) -> None:
        """Report a notification that counts for nothing: it has no answer. Unknown ones are left out, as is usual."""
        if self._workspace is not None and not self._shutdown and not isinstance(error, JsonRpcMethodNotFound):
            self._server.window_log_message(types.LogMessageParams(types.MessageType.Warning, str(error)))

    def _check_handler_result(self, future: Future[Any]) -> None:
        """Look at how a notification was handled: what the client did wrong is logged for it."""
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
        """Run a handler, and forget it when it is done: pygls keeps those of notifications for ever."""

        def done(future: Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, done, args, kwargs)


def strict_converter() -> Converter:
    """A converter that takes texts, integers and truth values as what they are, and nothing else for them."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    for kind in (str, int, bool):
        converter.register_structure_hook(kind, _exactly)
    return converter


def _exactly(value: object, kind: type) -> object:
    if issubclass(kind, Enum):  # of numbers or texts
        return kind(value)
    if type(value) is not kind:
        raise TypeError(f"expected {kind.__name__}, not {value!r:.40}")
    return value


def _reasons(error: Exception) -> list[str]:
    return transform_error(error) if isinstance(error, BaseValidationError) else [f"{type(error).__name__}: {error}"]
