"""Request texts from an OpenAI-compatible endpoint, with retries and a journal to resume from."""

from __future__ import annotations

import asyncio
import json
import os
import re
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.errors import InputError
from runner.generate.documents import Constraints
from runner.generate.lemmas import Recipe
from runner.generate.targets import TEMPLATES, genres
from runner.readers import parse_json
from runner.sample.lexicon import Rng

if TYPE_CHECKING:
    import httpx


REQUIRED_LEMMAS = 4


@dataclass(frozen=True, slots=True)
class Prompt:
    number: int
    genre: str
    subgenre: str
    lemmas: tuple[str, ...]
    text: str


def prompts(recipe: Recipe, lemmas: Sequence[str]) -> list[Prompt]:
    """Return one prompt per `words_per_target` words. The random choices of prompt n do not depend on the paradigm."""
    return [_prompt(recipe, lemmas, number) for number in range(1, -(-recipe.words // recipe.words_per_target) + 1)]


def _prompt(recipe: Recipe, lemmas: Sequence[str], number: int) -> Prompt:
    rng = Rng(recipe.seed, f"prompt/{number}")
    genre = rng.choice(genres())
    subgenre = rng.choice(genre.subgenres)
    required_lemmas = tuple(dict.fromkeys(rng.choice(lemmas) for _ in range(REQUIRED_LEMMAS)))
    lines = [
        f"Write a text of about {recipe.words_per_target} words that reads as if it had been written for its readers.",
        "",
        f"Genre: {genre.name}",
        f"Sub-genre: {subgenre}",
        f"Words that must occur, in any inflected form: {', '.join(required_lemmas)}",
    ]
    if recipe.paradigm is not None:
        lines += [
            "",
            "Exactly one sentence of the text has this form, in its own words:",
            f"  {recipe.paradigm}: {TEMPLATES[recipe.paradigm]}",
            "It must fit into what stands around it.",
        ]
    lines += ["", "Write plain prose in paragraphs. Do not speak of grammar, of this request, or of any rule."]
    return Prompt(number, genre.name, subgenre, required_lemmas, "\n".join(lines))


CUT_OFF = "the answer was cut off"


def completion_text(response: str) -> tuple[str | None, str]:
    try:
        choice = parse_json(response)["choices"][0]
        text, finish_reason = choice["message"]["content"], choice.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError):
        return None, "the answer is not a chat completion"
    if finish_reason in ("length", "content_filter"):  # not a set, since the reason may be unhashable
        return None, f"{CUT_OFF} ({finish_reason})"
    if not isinstance(text, str) or not text.strip():
        return None, "the answer has no text"
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return None, "the answer has an unpaired surrogate"
    return text, ""


def error_message(response: str) -> str:
    try:
        return str(parse_json(response)["error"]["message"])
    except (ValueError, LookupError, TypeError):
        return " ".join(response.split())[:200] or "empty response"


RETRIED_STATUSES = frozenset({408, 409, 425, 429})  # besides 5xx
MAX_RETRY_DELAY = 300.0  # seconds
_RECORD_KEYS = {"number", "asked", "answer", "problem"}  # keys that a record must have

Progress = Callable[[int, int], None]  # done, total


@dataclass(frozen=True)
class Endpoint:
    """An endpoint (`…/v1`). Times are in seconds; `timeout` limits a request, and `retry_delay` doubles."""

    url: str
    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    api_key: str | None = field(default=None, repr=False)
    max_attempts: int = 6
    timeout: float = 300.0
    retry_delay: float = 1.0

    def request(self, prompt: Prompt) -> dict[str, Any]:
        messages = [{"role": "user", "content": prompt.text}]
        return {"model": self.model, "messages": messages, **self.parameters}


class Journal:
    """A file with one JSON line per attempt: the request, the answer, and the reason if it is unusable."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    def records(self) -> list[dict[str, Any]]:
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
            raise InputError.of("FICT700", path=self.path, reason=reason)
        return record

    def add(self, record: Mapping[str, Any]) -> None:
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
    """Return the text for each prompt, by number. Usable answers go to the journal, and are not requested again."""
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
        number, reason = min(failure_reasons.items())
        counts: dict[str, Any] = {
            "missing": len(failure_reasons),
            "wanted": len(prompts),
            "attempts": endpoint.max_attempts,
        }
        raise InputError.of("FICT652", number=number, reason=reason, **counts)
    return texts


def _journal_texts(endpoint: Endpoint, prompts: Sequence[Prompt], journal: Journal) -> dict[int, str]:
    texts: dict[int, str] = {}
    requests = {prompt.number: endpoint.request(prompt) for prompt in prompts}
    for record in journal.records():
        number = record["number"]
        if number in requests and record["asked"] != requests[number]:
            raise InputError.of("FICT653", path=journal.path, number=number)
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
            raise InputError.of("FICT651", url=endpoint.url, status=status, answer=error_message(answer))
        delay = retry_after if retry_after is not None else endpoint.retry_delay * 2 ** (attempt - 1)
        if attempt < endpoint.max_attempts and stop.wait(min(delay, MAX_RETRY_DELAY)):
            break
    return None, problem


def _post(
    ssl_context: ssl.SSLContext, endpoint: Endpoint, request: Mapping[str, Any]
) -> tuple[int | None, str, float | None]:
    """Return status, body and `Retry-After`, or None and a reason. The API key is removed from refusals."""
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
    """Send the request, or raise TimeoutError after `endpoint.timeout`; httpx itself limits only single reads."""
    import httpx

    headers = {"Authorization": f"Bearer {endpoint.api_key}"} if endpoint.api_key else {}
    async with (
        asyncio.timeout(endpoint.timeout),
        httpx.AsyncClient(timeout=None, headers=headers, verify=ssl_context) as client,
    ):
        return await client.post(f"{endpoint.url.rstrip('/')}/chat/completions", json=dict(request))


def _without_api_key(text: str, endpoint: Endpoint) -> str:
    return text.replace(endpoint.api_key, "…") if endpoint.api_key else text


_SENTENCE_END = re.compile(r"(?<=[.?!])(?=\s)|(?<=[.?!][\"'’”»)])(?=\s)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def write_answers(
    paradigm: str | None, prompts: Sequence[Prompt], texts: Mapping[int, str], constraints: Constraints, path: Path
) -> dict[str, Any]:
    removed_count, unknown_words, words = 0, Counter[str](), 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for prompt in prompts:
            text, removed = without_suite_sentences(texts[prompt.number], constraints)
            removed_count += removed
            text_words = _WORD.findall(text)
            words += len(text_words)
            unknown_words.update(word for word in text_words if not constraints.is_known(word))
            record = {"id": f"{paradigm or 'plain'}-{prompt.number:06d}", "genre": prompt.genre}
            record |= {"subgenre": prompt.subgenre, "lemmas": ", ".join(prompt.lemmas)}
            record |= {"paradigm": paradigm} if paradigm else {}
            file.write(json.dumps(record | {"text": text}, ensure_ascii=False) + "\n")
    counts = {"documents": len(prompts), "words": words, "removed_in_suite": removed_count}
    return counts | {"unknown_words": dict(unknown_words.most_common())}


def without_suite_sentences(text: str, constraints: Constraints) -> tuple[str, int]:
    pieces = [piece for line in text.strip().splitlines(keepends=True) for piece in _SENTENCE_END.split(line)]
    remaining = [piece for piece in pieces if not piece.strip() or not constraints.in_suite(piece)]
    return "".join(remaining).strip(), len(pieces) - len(remaining)
