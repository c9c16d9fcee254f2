"""Prompts into texts by an OpenAI-compatible endpoint: retried, resumed, every prompt and answer kept."""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.generate.completion import complaint, text_of
from runner.generate.prompts import Prompt
from runner.readers import parse_json

if TYPE_CHECKING:
    import httpx

AGAIN = frozenset({408, 409, 425, 429})  # beside 5xx: what may be otherwise the next time
LONGEST = 300.0  # seconds between two attempts

Progress = Callable[[int, int], None]  # done, total


@dataclass(frozen=True)
class Endpoint:
    """Where to ask (`…/v1`) and how: the model, its settings, and times in seconds.

    `timeout` is the time of one answer from the connection to its last byte, `pause` that before a second attempt.
    """

    url: str
    model: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    token: str | None = field(default=None, repr=False)
    attempts: int = 6
    timeout: float = 300.0
    pause: float = 1.0

    def request(self, prompt: Prompt) -> dict[str, Any]:
        """The body that asks for a text."""
        messages = [{"role": "user", "content": prompt.text}]
        return {"model": self.model, "messages": messages, **self.settings}


class Journal:
    """A file with a line of JSON for every attempt: what was asked, what came back, and what was wrong with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    def records(self) -> list[dict[str, Any]]:
        """What was written; a last line that was cut off is no record, and is taken off the file."""
        if not self.path.exists():
            return []
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            with self.path.open("r+b") as file:
                file.truncate(len(whole))
        return [parse_json(line) for line in whole.splitlines()]

    def add(self, record: Mapping[str, Any]) -> None:
        """Write a record so that it outlives whatever happens next."""
        line = json.dumps(record, ensure_ascii=False) + "\n"
        with self._lock, self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())


def ask(
    endpoint: Endpoint,
    wanted: Sequence[Prompt],
    journal: Journal,
    *,
    parallel: int = 4,
    progress: Progress | None = None,
) -> dict[int, str]:
    """The text for every prompt, by its number; answers that are in the journal are not asked for again.

    Raises InputError where the endpoint refuses (FICT651), where some prompt had no usable answer (FICT652; the others
    are in the journal), and where the journal has answers to other prompts (FICT653).
    """
    import httpx

    texts = _answered(endpoint, wanted, journal)
    missing = [prompt for prompt in wanted if prompt.number not in texts]
    failed: dict[int, str] = {}
    stop = threading.Event()
    trusted = httpx.create_ssl_context()
    with ThreadPoolExecutor(parallel) as pool:
        waiting = {pool.submit(_asked, trusted, endpoint, prompt, journal, stop): prompt for prompt in missing}
        try:
            for future in as_completed(waiting):
                text, reason = future.result()
                number = waiting[future].number
                if text is None:
                    failed[number] = reason
                else:
                    texts[number] = text
                if progress is not None:
                    progress(len(texts) + len(failed), len(wanted))
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if failed:
        first = min(failed)
        told: dict[str, Any] = {"missing": len(failed), "wanted": len(wanted), "number": first, "reason": failed[first]}
        raise InputError(diagnostic("FICT652", attempts=endpoint.attempts, **told))
    return texts


def _answered(endpoint: Endpoint, wanted: Sequence[Prompt], journal: Journal) -> dict[int, str]:
    found: dict[int, str] = {}
    requests = {prompt.number: endpoint.request(prompt) for prompt in wanted}
    for record in journal.records():
        number = record["number"]
        if number in requests and record["asked"] != requests[number]:
            raise InputError(diagnostic("FICT653", path=journal.path, number=number))
        text = text_of(record["answer"])[0] if record["problem"] is None else None
        if number in requests and text is not None:
            found[number] = text
    return found


def _asked(
    trusted: ssl.SSLContext, endpoint: Endpoint, prompt: Prompt, journal: Journal, stop: threading.Event
) -> tuple[str | None, str]:
    """A text, or None and what was wrong the last time; no further attempt once `stop` is set."""
    request, problem = endpoint.request(prompt), ""
    for attempt in range(1, endpoint.attempts + 1):
        status, answer, wait = _post(trusted, endpoint, request)
        text, problem = text_of(answer) if status == 200 else (None, f"HTTP {status}" if status else answer)
        record = {"number": prompt.number, "attempt": attempt, "asked": request, "status": status, "answer": answer}
        journal.add(record | {"problem": None if text is not None else problem})
        if text is not None:
            return text, ""
        if status not in {None, 200} and status not in AGAIN and status < 500:
            raise InputError(diagnostic("FICT651", url=endpoint.url, status=status, answer=complaint(answer)))
        pause = wait if wait is not None else endpoint.pause * 2 ** (attempt - 1)
        if attempt < endpoint.attempts and stop.wait(min(pause, LONGEST)):
            break
    return None, problem


def _post(
    trusted: ssl.SSLContext, endpoint: Endpoint, request: Mapping[str, Any]
) -> tuple[int | None, str, float | None]:
    """Return status, body and the seconds that the endpoint asks to wait; without a status, what went wrong.

    A token is removed from a body that is no text of a model.
    """
    import httpx

    try:
        answer = asyncio.run(_answer(trusted, endpoint, request))
    except TimeoutError:
        return None, f"no whole answer after {endpoint.timeout:g} s", None
    except httpx.TransportError as error:
        return None, _hidden(str(error), endpoint) or type(error).__name__, None
    after = answer.headers.get("retry-after", "")
    body = answer.text if answer.status_code == 200 else _hidden(answer.text, endpoint)
    return answer.status_code, body, float(after) if after.isdecimal() else None


async def _answer(trusted: ssl.SSLContext, endpoint: Endpoint, request: Mapping[str, Any]) -> httpx.Response:
    """Return the whole answer, or raise TimeoutError: httpx has limits for single reads only, not for all of them."""
    import httpx

    headers = {"Authorization": f"Bearer {endpoint.token}"} if endpoint.token else {}
    async with (
        asyncio.timeout(endpoint.timeout),
        httpx.AsyncClient(timeout=None, headers=headers, verify=trusted) as client,
    ):
        return await client.post(f"{endpoint.url.rstrip('/')}/chat/completions", json=dict(request))


def _hidden(text: str, endpoint: Endpoint) -> str:
    return text.replace(endpoint.token, "…") if endpoint.token else text
