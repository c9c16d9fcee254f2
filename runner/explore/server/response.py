"""Send responses as JSON Lines, and cancel them when the client disconnects."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from runner.explore.processes.pool import LostWorker, OutOfTime
from runner.explore.processes.worker import CallDiagnostics

Objects = AsyncIterator[dict[str, Any]]


class NdjsonResponse(Response):
    """A response that sends the objects of an iterator, and is cancelled if the client disconnects.

    `timeout_message` is the message if a call exceeds its time limit.
    """

    media_type = "application/x-ndjson"

    def __init__(self, objects: Objects, timeout_message: str) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._objects, self._timeout_message = objects, timeout_message

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send the objects."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        writing = asyncio.ensure_future(self._write(send))
        disconnected = asyncio.ensure_future(_disconnected(receive))
        try:
            await asyncio.wait({writing, disconnected}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (writing, disconnected):
                task.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await writing

    async def _write(self, send: Send) -> None:
        async for line in self._lines():
            await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _lines(self) -> AsyncIterator[bytes]:
        """Yield the objects as lines, then an object that describes the error, if any."""
        try:
            async for item in self._objects:
                yield _line(item)
        except CallDiagnostics as error:
            yield _line({"kind": "problem", "problems": [_problem(item) for item in error.diagnostics]})
        except OutOfTime:
            yield _message(self._timeout_message)
        except LostWorker:
            yield _message("The process that searched ended, perhaps for lack of memory; `--memory` raises the limit.")
        except Exception:
            logging.getLogger("uvicorn.error").exception("A request failed.")
            yield _message("This is a bug in fictc, not in the query. Please report it with the lines that it printed.")


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _line(item: dict[str, Any]) -> bytes:
    return (json.dumps(item, ensure_ascii=False, default=_plain) + "\n").encode("utf-8", "replace")


def _message(text: str) -> bytes:
    return _line({"kind": "problem", "problems": [{"code": "", "message": text, "hint": None}]})


def _problem(problem: Any) -> dict[str, Any]:
    return {"code": problem.code, "message": problem.message, "hint": problem.hint}


def _plain(value: object) -> object:
    """Return a dataclass as a dictionary, for JSON."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    raise TypeError(type(value).__name__)
