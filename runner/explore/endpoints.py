"""The endpoints of the page: requests and their checks, responses as JSON Lines, and searches."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from runner.audit.sheet import JUDGEMENTS, Judgement
from runner.corpus.match_groups import seed_of
from runner.corpus.matches import next_range
from runner.explore import audits, conditions, counting, language, matches, runs
from runner.explore.audits import MAX_MARKS, Mark
from runner.explore.markup import VIEWS
from runner.explore.query import MAX_QUERY, ExplorerSettings, Query
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
        folder = None if self.values.get("base") is None else self.base.parent
        name = None if self.values.get("name") is None else self.text("name", MAX_QUERY)
        return Query(self.text(key, MAX_QUERY), folder, name)

    @property
    def base(self) -> Path:
        return self.settings.library[self.number("base", 0, len(self.settings.library) - 1)]

    def number(self, key: str, low: int, high: int) -> int:
        value = self.values.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            expected = f"a number from {low} to {high}" if high >= low else "known: this server has none"
            raise HTTPException(400, f"{key} is not {expected}")
        return value

    def text(self, key: str, max_length: int = 1_000) -> str:
        value = self.values.get(key)
        if not isinstance(value, str) or len(value) > max_length:
            raise HTTPException(400, f"{key} is not a text of at most {max_length} characters")
        return value

    def one_of(self, key: str, values: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in values:
            raise HTTPException(400, f"{key} is not one of {', '.join(values)}")
        return value

    def match(self) -> dict[str, int]:
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
        return [Mark(each.number("sid", 0, MAX_ID), each.match(), each.judgement()) for each in each_request]

    def judgement(self) -> Judgement:
        return cast("Judgement", self.one_of("judgement", JUDGEMENTS))


async def read_request(request: Request, settings: ExplorerSettings) -> ApiRequest:
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
    """A response that sends the objects of an iterator, and is cancelled if the client disconnects."""

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
        try:
            async for item in self._objects:
                yield _line(item)
        except CallDiagnostics as error:
            problems = [{"code": item.code, "message": item.message, "hint": item.hint} for item in error.diagnostics]
            yield _line({"kind": "problem", "problems": problems})
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


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    raise TypeError(type(value).__name__)


PAGE_ROWS, MAX_OFFSET = 50, 10**9  # rows of a page, and the maximum index of its first row


def search_endpoint(pool: Pool, request: ApiRequest) -> Objects:
    view, sort_key = request.one_of("view", VIEWS), request.text("sort")
    return _search(pool, request.store, request.query, sort_key, view, request.number("offset", 0, MAX_OFFSET))


async def _search(pool: Pool, store_index: int, query: Query, sort_key: str, view: str, offset: int) -> Objects:
    page_size = PAGE_ROWS if view in ("kwic", "text") else PAGE_ROWS // 5
    page_options = sort_key, view, offset, page_size
    plan = await pool.call(matches.plan_search, store_index, query)
    yield {"kind": "plan", "names": plan.names, "key": plan.key, "notes": plan.notes, "page_size": page_size}
    counts = {"matches": 0, "matching_sentences": 0, "searched": 0, "sentences": plan.sentences, "words": plan.words}
    kept: list[pa.Table] = []

    async def kept_page() -> dict[str, Any]:
        import pyarrow as pa

        found = pa.concat_tables(kept)
        html = await pool.call(matches.sort_page, store_index, query, found, *page_options)
        return {"kind": "rows", "html": html, "first": True, "sorted": found.num_rows}

    missing_rows, first = 0 if sort_key else page_size, True
    while counts["searched"] < plan.sentences:
        wanted_matches = 0 if sort_key else offset + page_size
        sids = next_range(plan.ends, counts["searched"], counts["matches"], wanted_matches)
        max_kept = matches.MAX_KEPT - sum(table.num_rows for table in kept) if sort_key else 0
        skipped = max(0, offset - counts["matches"])
        result = await pool.call(matches.search_range, store_index, query, sids, view, skipped, missing_rows, max_kept)
        if result.rows:
            yield {"kind": "rows", "html": result.html, "first": first}
            missing_rows, first = missing_rows - result.rows, False
        if result.kept is not None:
            kept.append(result.kept)
            if max_kept <= result.matches and seed_of(sort_key) is None:  # else all have to be known
                yield await kept_page()
        counts |= {"searched": sids.stop}
        counts["matches"] += result.matches
        counts["matching_sentences"] += result.sentences
        yield {"kind": "counts", **counts}
    if kept and counts["matches"] <= matches.MAX_KEPT:
        yield await kept_page()
    elif kept:
        html = await pool.call(matches.search_sorted_page, store_index, query, *page_options)
        yield {"kind": "rows", "html": html, "first": True}
    yield {"kind": "done", **counts}


def _save_folder(request: ApiRequest) -> Path:
    if request.settings.save is None:
        raise HTTPException(403, "this server does not save files; start it with --save FOLDER")
    return request.settings.save


def _suite(request: ApiRequest) -> tuple[Path, Path]:
    if request.settings.suite is None:
        raise HTTPException(403, "this server has no suite; start it with --suite SUITE --parses STORE")
    return request.settings.suite


def _audit(request: ApiRequest) -> Path:
    if request.settings.audit is None:
        raise HTTPException(403, "this server has no sheet; start it with --audit SHEET")
    return request.settings.audit


def _condition(request: ApiRequest) -> conditions.NewCondition:
    control = request.number("control", 0, 1) == 1
    kind = request.one_of("kind", conditions.KINDS)
    return conditions.NewCondition(request.query, request.text("title"), kind, control)


_ARGUMENTS: dict[str, Callable[[ApiRequest], Any]] = {
    **{
        key: partial(ApiRequest.number, key=key, low=0, high=MAX_ID)
        for key in ("sid", "line", "character", "paradigm", "pair", "offset", "row")
    },
    "word": lambda request: request.number("word", 1, MAX_ID),
    "store": lambda request: request.store,
    "query": lambda request: request.query,
    "other": lambda request: request.query_of("other"),
    "base": lambda request: request.base,
    "match": ApiRequest.match,
    "marks": ApiRequest.marks,
    **{key: partial(ApiRequest.text, key=key) for key in ("keys", "over", "sort", "title")},
    "export format": lambda request: request.one_of("format", matches.FORMATS),
    "condition": _condition,
    "audit": _audit,
    "judgement or none": lambda request: None if request.values.get("judgement") is None else request.judgement(),
    "save": _save_folder,
    "save or none": lambda request: request.settings.save,
    "suite": lambda request: _suite(request)[0],
    "parses of suite": lambda request: _suite(request)[1],
    "parses": lambda request: request.settings.parses,
    "limits": lambda request: request.settings.limits,
    "runs": lambda request: request.settings.runs,
    "run": lambda request: request.number("run", 0, len(request.settings.runs) - 1),
}

_Endpoint = Callable[[Pool, ApiRequest], Objects]


def _single_result(function: Callable[..., Any], *arguments: str) -> _Endpoint:
    readers = [_ARGUMENTS[name] for name in arguments]
    return lambda pool, request: _result(pool, function, [read(request) for read in readers])


async def _result(pool: Pool, function: Callable[..., Any], values: list[Any]) -> Objects:
    yield {"kind": "result", "result": await pool.call(function, *values)}


EDITOR: dict[str, _Endpoint] = {
    "study": _single_result(language.analyse, "query"),
    "complete": _single_result(language.completions, "query", "line", "character"),
    "format": _single_result(language.formatted, "query"),
    "match-end": _single_result(language.match_end, "query"),
    "library": _single_result(language.library_text, "base"),
}

STORES: dict[str, _Endpoint] = {
    "search": search_endpoint,
    "open": _single_result(matches.open_match, "store", "sid", "match"),
    "word": _single_result(matches.word_columns, "store", "query", "sid", "match", "word"),
    "relation": _single_result(matches.relation_at, "store", "query", "sid", "match", "word"),
    "count": _single_result(counting.count_by, "store", "query", "keys"),
    "trend": _single_result(counting.count_over, "store", "query", "keys", "over"),
    "near": _single_result(matches.near_misses, "store", "query"),
    "explain": _single_result(matches.explanation, "query"),
    "plan": _single_result(matches.plan, "store", "query"),
    "rewrite": _single_result(matches.rewritten, "store", "query"),
    "diff": _single_result(matches.difference, "store", "query", "other"),
    "coverage": _single_result(matches.coverage, "query", "suite", "parses of suite", "limits"),
    "save": _single_result(conditions.save_filter, "query", "title", "save"),
    "keep": _single_result(conditions.keep_example, "store", "sid", "title", "save"),
    "condition": _single_result(conditions.condition_html, "store", "condition", "save or none"),
    "runs": _single_result(runs.list_runs, "runs"),
    "paradigms": _single_result(runs.list_paradigms, "runs", "run"),
    "pairs": _single_result(runs.list_pairs, "runs", "run", "paradigm", "offset"),
    "pair": _single_result(runs.open_pair, "runs", "run", "paradigm", "pair", "parses", "limits"),
    "sheet": _single_result(audits.sheet_of_marks, "store", "query", "sort", "marks"),
    "audit": _single_result(audits.audit_page, "audit", "store", "offset"),
    "judge": _single_result(audits.judge, "audit", "row", "judgement or none"),
    "export": _single_result(matches.export, "store", "query", "export format"),
}
