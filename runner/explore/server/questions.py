"""The questions of the page, by name; each checks its arguments, and returns an iterator of objects."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException

from runner.explore.processes.pool import Pool
from runner.explore.queries import conditions, exports, language, runs, saving, suites, tabs, words
from runner.explore.queries.offer import Run
from runner.explore.server.answer import Objects
from runner.explore.server.ask import Asked
from runner.explore.server.search import searched

_MAX_ID = 2**31 - 1
_Question = Callable[[Pool, Asked], Objects]


def _one(function: Callable[..., Any], *arguments: Callable[[Asked], Any]) -> _Question:
    """Return a question with one object, the result of a function of some arguments."""
    return lambda pool, asked: _result(pool, function, [argument(asked) for argument in arguments])


async def _result(pool: Pool, function: Callable[..., Any], values: list[Any]) -> Objects:
    yield {"kind": "result", "result": await pool.call(function, *values)}


def _store(asked: Asked) -> int:
    return asked.store


def _query(asked: Asked) -> Any:
    return asked.query


def _sid(asked: Asked) -> int:
    return asked.number("sid", 0, _MAX_ID)


def _word(asked: Asked) -> int:
    return asked.number("word", 1, _MAX_ID)


def _runs(asked: Asked) -> tuple[Run, ...]:
    return asked.offer.runs


def _run(asked: Asked) -> int:
    return asked.number("run", 0, len(asked.offer.runs) - 1)


def _index(key: str) -> Callable[[Asked], int]:
    return lambda asked: asked.number(key, 0, _MAX_ID)


def _folder(asked: Asked) -> Any:
    if asked.offer.save is None:
        raise HTTPException(403, "this server saves nothing; start it with --save FOLDER")
    return asked.offer.save


def _suite(asked: Asked) -> tuple[Path, Path]:
    if asked.offer.suite is None:
        raise HTTPException(403, "this server has no suite; start it with --suite SUITE --parses STORE")
    return asked.offer.suite


def _manifest(asked: Asked) -> Path | None:
    manifests = asked.offer.manifests
    return None if asked.values.get("manifest") is None else manifests[asked.number("manifest", 0, len(manifests) - 1)]


def _condition(asked: Asked) -> conditions.NewCondition:
    control = asked.number("control", 0, 1) == 1
    return conditions.NewCondition(asked.query, _name(asked), asked.one_of("kind", conditions.KINDS), control)


def _name(asked: Asked) -> str:
    return asked.text("title")


EDITOR: dict[str, _Question] = {
    "study": _one(language.study, _query),
    "complete": _one(language.completions, _query, _index("line"), _index("character")),
    "format": _one(language.formatted, _query),
    "library": _one(
        language.library_text, lambda asked: asked.offer.library[asked.number("base", 0, len(asked.offer.library) - 1)]
    ),
}

STORES: dict[str, _Question] = {
    "search": searched,
    "open": _one(words.open_match, _store, _sid, Asked.match),
    "word": _one(words.word_columns, _store, _query, _sid, Asked.match, _word),
    "relation": _one(words.relation_at, _store, _query, _sid, Asked.match, _word),
    "count": _one(tabs.count_by, _store, _query, lambda asked: asked.text("keys")),
    "near": _one(tabs.near_misses, _store, _query),
    "explain": _one(tabs.explanation, _query),
    "plan": _one(tabs.plan, _store, _query),
    "rewrite": _one(tabs.rewritten, _store, _query),
    "diff": _one(tabs.difference, _store, _query, lambda asked: asked.query_of("other")),
    "coverage": _one(
        suites.coverage,
        _query,
        lambda asked: _suite(asked)[0],
        lambda asked: _suite(asked)[1],
        lambda asked: asked.offer.limits,
    ),
    "save": _one(saving.save_filter, _query, _name, _folder),
    "keep": _one(saving.keep_example, _store, _sid, _name, _folder),
    "condition": _one(conditions.preview_condition, _store, _condition, lambda asked: asked.offer.save, _manifest),
    "add-condition": _one(
        conditions.add_condition, _store, _condition, _folder, _manifest, lambda asked: asked.offer.data
    ),
    "runs": _one(runs.list_runs, _runs),
    "paradigms": _one(runs.list_paradigms, _runs, _run),
    "pairs": _one(runs.list_pairs, _runs, _run, _index("paradigm"), _index("offset")),
    "pair": _one(
        runs.open_pair,
        _runs,
        _run,
        _index("paradigm"),
        _index("pair"),
        lambda asked: asked.offer.parses,
        lambda asked: asked.offer.limits,
    ),
    "export": _one(exports.export, _store, _query, lambda asked: asked.one_of("format", exports.KINDS)),
}
