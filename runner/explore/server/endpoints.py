"""The endpoints of the page, by name. Each checks its arguments and returns an iterator of JSON objects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException

from runner.explore.processes.pool import Pool
from runner.explore.queries import (
    conditions,
    counting,
    exports,
    language,
    marks,
    runs,
    saving,
    suites,
    tabs,
    trends,
    words,
)
from runner.explore.queries.settings import Run
from runner.explore.server.request import MAX_ID, ApiRequest
from runner.explore.server.response import Objects
from runner.explore.server.search import search_endpoint

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
    "open": _single_result(words.open_match, _store, _sid, ApiRequest.match),
    "word": _single_result(words.word_columns, _store, _query, _sid, ApiRequest.match, _word),
    "relation": _single_result(words.relation_at, _store, _query, _sid, ApiRequest.match, _word),
    "count": _single_result(counting.count_by, _store, _query, lambda request: request.text("keys")),
    "trend": _single_result(
        trends.count_over, _store, _query, lambda request: request.text("keys"), lambda request: request.text("over")
    ),
    "near": _single_result(tabs.near_misses, _store, _query),
    "explain": _single_result(tabs.explanation, _query),
    "plan": _single_result(tabs.plan, _store, _query),
    "rewrite": _single_result(tabs.rewritten, _store, _query),
    "diff": _single_result(tabs.difference, _store, _query, lambda request: request.query_of("other")),
    "coverage": _single_result(
        suites.coverage,
        _query,
        lambda request: _suite(request)[0],
        lambda request: _suite(request)[1],
        lambda request: request.settings.limits,
    ),
    "save": _single_result(saving.save_filter, _query, _name, _save_folder),
    "keep": _single_result(saving.keep_example, _store, _sid, _name, _save_folder),
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
        marks.sheet,
        _store,
        _query,
        lambda request: request.text("sort"),
        ApiRequest.marks,
        lambda request: request.one_of("format", marks.SHEETS),
    ),
    "export": _single_result(exports.export, _store, _query, lambda request: request.one_of("format", exports.FORMATS)),
}
