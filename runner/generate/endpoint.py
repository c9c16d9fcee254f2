"""Request texts from an OpenAI-compatible endpoint, with retries and a journal to resume from."""

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
from runner.generate.completion import completion_text, error_message
from runner.generate.prompts import Prompt
from runner.readers import parse_json

if TYPE_CHECKING:
    import httpx

RETRIED_STATUSES = frozenset({408, 409, 425, 429})  # besides 5xx
MAX_RETRY_DELAY = 300.0  # seconds
_RECORD_KEYS = {"number", "asked", "answer", "problem"}  # keys that a record must have

Progress = Callable[[int, int], None]  # done, total


@dataclass(frozen=True)
class Endpoint:
    """An endpoint (`…/v1`) with the model and the parameters of its requests. Times are in seconds.

    `timeout` limits a request, from the connection to the last byte of the response. `retry_delay` is the delay before
    the second attempt; it doubles with each attempt.
    """

    url: str
    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    api_key: str | None = field(default=None, repr=False)
    max_attempts: int = 6
    timeout: float = 300.0
    retry_delay: float = 1.0

    def request(self, prompt: Prompt) -> dict[str, Any]:
        """Return the JSON body of a request."""
        messages = [{"role": "user", "content": prompt.text}]
        return {"model": self.model, "messages": messages, **self.parameters}


class Journal:
    """A file with one JSON line per attempt: the request, the answer, and the reason if it is unusable."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    def records(self) -> list[dict[str, Any]]:
        """Read all records, and truncate an incomplete last line.

        Raises InputError (FICT700) if a complete line is not a record.
        """
        if not self.path.exists():
            return []
        content = self.path.read_bytes()
        complete = content[: content.rfind(b"\n") + 1]
        records = [self._record(number, line) for number, line in enumerate(complete.split(b"\n")[:-1], 1)]
        if len(complete) < len(content):
            with self.path.open("r+b") as file:
                file.truncate(len(complete))
        return records

    def _record(self, line_number: int, line: bytes) -> dict[str, Any]:
        try:
            record = parse_json(line)
        except ValueError:
            record = None
        if not isinstance(record, dict) or _RECORD_KEYS - record.keys() or type(record["number"]) is not int:
            reason = f"line {line_number} is not an answer that `fictc generate` saved"
            raise InputError(diagnostic("FICT700", path=self.path, reason=reason))
        return record

    def add(self, record: Mapping[str, Any]) -> None:
        """Append a record and sync it to disk."""
        line = json.dumps(record, ensure_ascii=False) + "\n"
        with self._lock, self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())


def request_texts(
    endpoint: Endpoint,
    prompts: Sequence[Prompt],
    journal: Journal,
    *,
    parallel: int = 4,
    progress: Progress | None = None,
) -> dict[int, str]:
    """Return the text for each prompt, by the number of the prompt. Texts in the journal are not requested again.

    Raises InputError if the endpoint refuses a request (FICT651), if a prompt gets no usable answer (FICT652), or if
    the journal has answers to other prompts (FICT653) or other content (FICT700). All usable answers are in the
    journal.
    """
    import httpx

    texts = _journal_texts(endpoint, prompts, journal)
    missing = [prompt for prompt in prompts if prompt.number not in texts]
    failure_reasons: dict[int, str] = {}
    stop = threading.Event()
    ssl_context = httpx.create_ssl_context()
    with ThreadPoolExecutor(parallel) as pool:
        prompt_by_future = {
            pool.submit(_request_text, ssl_context, endpoint, prompt, journal, stop): prompt for prompt in missing
        }
        try:
            for future in as_completed(prompt_by_future):
                text, reason = future.result()
                number = prompt_by_future[future].number
                if text is None:
                    failure_reasons[number] = reason
                else:
                    texts[number] = text
                if progress is not None:
                    progress(len(texts) + len(failure_reasons), len(prompts))
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if failure_reasons:
        first_failed = min(failure_reasons)
        counts: dict[str, Any] = {
            "missing": len(failure_reasons),
            "wanted": len(prompts),
            "attempts": endpoint.max_attempts,
        }
        raise InputError(diagnostic("FICT652", number=first_failed, reason=failure_reasons[first_failed], **counts))
    return texts


def _journal_texts(endpoint: Endpoint, prompts: Sequence[Prompt], journal: Journal) -> dict[int, str]:
    texts: dict[int, str] = {}
    requests = {prompt.number: endpoint.request(prompt) for prompt in prompts}
    for record in journal.records():
        number = record["number"]
        if number in requests and record["asked"] != requests[number]:
            raise InputError(diagnostic("FICT653", path=journal.path, number=number))
        text = completion_text(record["answer"])[0] if record["problem"] is None else None
        if number in requests and text is not None:
            texts[number] = text
    return texts


def _request_text(
    ssl_context: ssl.SSLContext, endpoint: Endpoint, prompt: Prompt, journal: Journal, stop: threading.Event
) -> tuple[str | None, str]:
    """Return a text, or None and the reason for the last failure. After `stop` is set, no attempt is repeated."""
    request, problem = endpoint.request(prompt), ""
    for attempt in range(1, endpoint.max_attempts + 1):
        status, answer, retry_after = _post(ssl_context, endpoint, request)
        text, problem = completion_text(answer) if status == 200 else (None, f"HTTP {status}" if status else answer)
        record = {"number": prompt.number, "attempt": attempt, "asked": request, "status": status, "answer": answer}
        journal.add(record | {"problem": None if text is not None else problem})
        if text is not None:
            return text, ""
        if status not in {None, 200} and status not in RETRIED_STATUSES and status < 500:
            raise InputError(diagnostic("FICT651", url=endpoint.url, status=status, answer=error_message(answer)))
        delay = retry_after if retry_after is not None else endpoint.retry_delay * 2 ** (attempt - 1)
        if attempt < endpoint.max_attempts and stop.wait(min(delay, MAX_RETRY_DELAY)):
            break
    return None, problem


def _post(
    ssl_context: ssl.SSLContext, endpoint: Endpoint, request: Mapping[str, Any]
) -> tuple[int | None, str, float | None]:
    """Return the status, the body and the seconds of `Retry-After`. Without a response, return None and the reason.

    The API key is removed from the body unless the status is 200.
    """
    import httpx

    try:
        response = asyncio.run(_send(ssl_context, endpoint, request))
    except TimeoutError:
        return None, f"no complete answer after {endpoint.timeout:g} s", None
    except httpx.RequestError as error:  # also for a body that cannot be decompressed
        return None, _without_api_key(str(error), endpoint) or type(error).__name__, None
    retry_after = response.headers.get("retry-after", "")
    body = response.text if response.status_code == 200 else _without_api_key(response.text, endpoint)
    return response.status_code, body, float(retry_after) if retry_after.isdecimal() else None


async def _send(ssl_context: ssl.SSLContext, endpoint: Endpoint, request: Mapping[str, Any]) -> httpx.Response:
    """Send the request and return the complete response.

    Raises TimeoutError if this takes longer than `endpoint.timeout`. httpx itself limits only single reads.
    """
    import httpx

    headers = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    async with (
        asyncio.timeout(endpoint.timeout),
        httpx.AsyncClient(timeout=None, headers=headers, verify=ssl_context) as client,
    ):
        return await client.post(f"{endpoint.url.rstrip('/')}/chat/completions", json=dict(request))


def _without_api_key(text: str, endpoint: Endpoint) -> str:
    return text.replace(endpoint.api_key, "…") if endpoint.api_key else text
