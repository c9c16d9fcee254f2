"""The endpoints of the page: requests and their checks, responses as JSON Lines, and searches."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from runner.corpus.match_groups import seed_of
from runner.corpus.matches import next_range
from runner.explore import conditions, counting, language, match_words, matches, runs
from runner.explore.markup import VIEWS
from runner.explore.matches import MARKS, MAX_MARKS, Mark
from runner.explore.query import MAX_QUERY, ExplorerSettings, Query, Run
from runner.explore.worker_pool import CallDiagnostics, LostWorker, OutOfTime, Pool
from runner.readers import parse_json

if TYPE_CHECKING:
    import pyarrow as pa


MAX_BODY = 1_000_000  # bytes of a request
MAX_ID = 2**31 - 1  # of a sentence or word


@dataclass(frozen=True)
class ApiRequest:
    """The content of a request. Each method checks one value, and raises HTTPException (400) if it is invalid."""

    settings: ExplorerSettings
    values: Mapping[str, Any]

    @property
    def store(self) -> int:
        return self.number("store", 0, len(self.settings.stores) - 1)

    @property
    def query(self) -> Query:
        return self.query_of("text")

    def query_of(self, key: str) -> Query:
        """Return the query with the text at `key`.

        The value `base` of the request is the index of the library file from which the query was opened, if any.
        """
        base = None if self.values.get("base") is None else self.number("base", 0, len(self.settings.library) - 1)
        folder = None if base is None else self.settings.library[base].parent
        name = None if self.values.get("name") is None else self.text("name", MAX_QUERY)
        return Query(self.text(key, MAX_QUERY), folder, name)

    def number(self, key: str, low: int, high: int) -> int:
        """Return an integer from `low` to `high`."""
        value = self.values.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            expected = f"a number from {low} to {high}" if high >= low else "known: this server has none"
            raise HTTPException(400, f"{key} is not {expected}")
        return value

    def text(self, key: str, max_length: int = 1_000) -> str:
        """Return a string of at most `max_length` characters."""
        value = self.values.get(key)
        if not isinstance(value, str) or len(value) > max_length:
            raise HTTPException(400, f"{key} is not a text of at most {max_length} characters")
        return value

    def one_of(self, key: str, values: tuple[str, ...]) -> str:
        """Return one of `values`."""
        value = self.text(key)
        if value not in values:
            raise HTTPException(400, f"{key} is not one of {', '.join(values)}")
        return value

    def match(self) -> dict[str, int]:
        """Return the word ids of a match by name, parsed from a text such as `V:3 S:2`."""
        try:
            pairs = [part.rsplit(":", 1) for part in self.text("match", 10_000).split()]
            return {name: int(word) for name, word in pairs}
        except ValueError:
            raise HTTPException(400, "match is not a list of NAME:NUMBER") from None

    def marks(self) -> list[Mark]:
        values = self.values.get("marks")
        if not isinstance(values, list) or len(values) > MAX_MARKS or {type(each) for each in values} - {dict}:
            raise HTTPException(400, f"marks is not a list of at most {MAX_MARKS:,} objects")
        each_request = [replace(self, values=each) for each in values]
        return [Mark(each.number("sid", 0, MAX_ID), each.match(), each.one_of("mark", MARKS)) for each in each_request]


async def read_request(request: Request, settings: ExplorerSettings) -> ApiRequest:
    """Read the body of a request. Raises HTTPException if it is too long (413), or cut or not a JSON object (400)."""
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY:
                raise HTTPException(413, "the request is too long")
        values = parse_json(body)
    except ClientDisconnect:
        raise HTTPException(400, "the request ends too early") from None
    except ValueError as error:
        raise HTTPException(400, f"the request is not valid JSON: {error}") from None
    if not isinstance(values, dict):
        raise HTTPException(400, "the request is not a JSON object")
    return ApiRequest(settings, values)


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
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    raise TypeError(type(value).__name__)


PAGE_ROWS, MAX_OFFSET = 50, 10**9  # rows of a page, and the maximum index of its first row


@dataclass(frozen=True)
class _Search:
    pool: Pool
    store_index: int
    query: Query
    view: str
    sort_key: str
    offset: int

    @property
    def page_size(self) -> int:
        return PAGE_ROWS if self.view in ("kwic", "text") else PAGE_ROWS // 5

    async def kept_page(self, kept: list[pa.Table]) -> dict[str, Any]:
        """Return a page of the matches kept so far, in sorted order."""
        import pyarrow as pa

        found = pa.concat_tables(kept)
        page_options = self.sort_key, self.view, self.offset, self.page_size
        html = await self.pool.call(matches.sort_page, self.store_index, self.query, found, *page_options)
        return {"kind": "rows", "html": html, "first": True, "sorted": found.num_rows}

    async def full_page(self) -> dict[str, Any]:
        """Return a page of all matches in sorted order."""
        page_options = self.sort_key, self.view, self.offset, self.page_size
        html = await self.pool.call(matches.search_sorted_page, self.store_index, self.query, *page_options)
        return {"kind": "rows", "html": html, "first": True}


def search_endpoint(pool: Pool, request: ApiRequest) -> Objects:
    view, sort_key = request.one_of("view", VIEWS), request.text("sort")
    offset = request.number("offset", 0, MAX_OFFSET)
    return _responses(_Search(pool, request.store, request.query, view, sort_key, offset))


async def _responses(current_search: _Search) -> Objects:
    plan = await current_search.pool.call(matches.plan_search, current_search.store_index, current_search.query)
    facts = {"names": plan.names, "key": plan.key, "notes": plan.notes}
    yield {"kind": "plan", **facts, "page_size": current_search.page_size}
    counts = {"matches": 0, "matching_sentences": 0, "searched": 0, "sentences": plan.sentences, "words": plan.words}
    kept: list[pa.Table] = []
    missing_rows, first = 0 if current_search.sort_key else current_search.page_size, True
    while counts["searched"] < plan.sentences:
        wanted_matches = 0 if current_search.sort_key else current_search.offset + current_search.page_size
        sids = next_range(plan.ends, counts["searched"], counts["matches"], wanted_matches)
        max_kept = matches.MAX_KEPT - sum(table.num_rows for table in kept) if current_search.sort_key else 0
        range_options = current_search.view, max(0, current_search.offset - counts["matches"]), missing_rows, max_kept
        result = await current_search.pool.call(
            matches.search_range, current_search.store_index, current_search.query, sids, *range_options
        )
        if result.rows:
            yield {"kind": "rows", "html": result.html, "first": first}
            missing_rows, first = missing_rows - result.rows, False
        if result.kept is not None:
            kept.append(result.kept)
            if max_kept <= result.matches and seed_of(current_search.sort_key) is None:  # else all have to be known
                yield await current_search.kept_page(kept)
        counts |= {"searched": sids.stop}
        counts["matches"] += result.matches
        counts["matching_sentences"] += result.sentences
        yield {"kind": "counts", **counts}
    if kept:
        yield await (
            current_search.kept_page(kept) if counts["matches"] <= matches.MAX_KEPT else current_search.full_page()
        )
    yield {"kind": "done", **counts}


_Endpoint = Callable[[Pool, ApiRequest], Objects]


def _single_result(function: Callable[..., Any], *arguments: Callable[[ApiRequest], Any]) -> _Endpoint:
    """Return an endpoint that yields one object, the result of `function`. Each of `arguments` reads one argument."""
    return lambda pool, request: _result(pool, function, [argument(request) for argument in arguments])


async def _result(pool: Pool, function: Callable[..., Any], values: list[Any]) -> Objects:
    yield {"kind": "result", "result": await pool.call(function, *values)}


def _store(request: ApiRequest) -> int:
    return request.store


def _query(request: ApiRequest) -> Any:
    return request.query


def _sid(request: ApiRequest) -> int:
    return request.number("sid", 0, MAX_ID)


def _word(request: ApiRequest) -> int:
    return request.number("word", 1, MAX_ID)


def _runs(request: ApiRequest) -> tuple[Run, ...]:
    return request.settings.runs


def _run(request: ApiRequest) -> int:
    return request.number("run", 0, len(request.settings.runs) - 1)


def _index(key: str) -> Callable[[ApiRequest], int]:
    return lambda request: request.number(key, 0, MAX_ID)


def _save_folder(request: ApiRequest) -> Any:
    if request.settings.save is None:
        raise HTTPException(403, "this server does not save files; start it with --save FOLDER")
    return request.settings.save


def _suite(request: ApiRequest) -> tuple[Path, Path]:
    if request.settings.suite is None:
        raise HTTPException(403, "this server has no suite; start it with --suite SUITE --parses STORE")
    return request.settings.suite


def _condition(request: ApiRequest) -> conditions.NewCondition:
    control = request.number("control", 0, 1) == 1
    return conditions.NewCondition(request.query, _name(request), request.one_of("kind", conditions.KINDS), control)


def _name(request: ApiRequest) -> str:
    return request.text("title")


EDITOR: dict[str, _Endpoint] = {
    "study": _single_result(language.analyse, _query),
    "complete": _single_result(language.completions, _query, _index("line"), _index("character")),
    "format": _single_result(language.formatted, _query),
    "match-end": _single_result(language.match_end, _query),
    "library": _single_result(
        language.library_text,
        lambda request: request.settings.library[request.number("base", 0, len(request.settings.library) - 1)],
    ),
}

STORES: dict[str, _Endpoint] = {
    "search": search_endpoint,
    "open": _single_result(match_words.open_match, _store, _sid, ApiRequest.match),
    "word": _single_result(match_words.word_columns, _store, _query, _sid, ApiRequest.match, _word),
    "relation": _single_result(match_words.relation_at, _store, _query, _sid, ApiRequest.match, _word),
    "count": _single_result(counting.count_by, _store, _query, lambda request: request.text("keys")),
    "trend": _single_result(
        counting.count_over, _store, _query, lambda request: request.text("keys"), lambda request: request.text("over")
    ),
    "near": _single_result(matches.near_misses, _store, _query),
    "explain": _single_result(matches.explanation, _query),
    "plan": _single_result(matches.plan, _store, _query),
    "rewrite": _single_result(matches.rewritten, _store, _query),
    "diff": _single_result(matches.difference, _store, _query, lambda request: request.query_of("other")),
    "coverage": _single_result(
        matches.coverage,
        _query,
        lambda request: _suite(request)[0],
        lambda request: _suite(request)[1],
        lambda request: request.settings.limits,
    ),
    "save": _single_result(conditions.save_filter, _query, _name, _save_folder),
    "keep": _single_result(conditions.keep_example, _store, _sid, _name, _save_folder),
    "condition": _single_result(conditions.condition_html, _store, _condition, lambda request: request.settings.save),
    "runs": _single_result(runs.list_runs, _runs),
    "paradigms": _single_result(runs.list_paradigms, _runs, _run),
    "pairs": _single_result(runs.list_pairs, _runs, _run, _index("paradigm"), _index("offset")),
    "pair": _single_result(
        runs.open_pair,
        _runs,
        _run,
        _index("paradigm"),
        _index("pair"),
        lambda request: request.settings.parses,
        lambda request: request.settings.limits,
    ),
    "sheet": _single_result(
        matches.sheet,
        _store,
        _query,
        lambda request: request.text("sort"),
        ApiRequest.marks,
        lambda request: request.one_of("format", matches.SHEETS),
    ),
    "export": _single_result(matches.export, _store, _query, lambda request: request.one_of("format", matches.FORMATS)),
}
