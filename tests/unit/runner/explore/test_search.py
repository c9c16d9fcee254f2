"""What a search sends: rows as soon as a page is full, counts, and sorted rows before and after all matches are known."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from runner.corpus.limits import Limits
from runner.explore import matches, query
from runner.explore.endpoints import ApiRequest, NdjsonResponse, Objects, read_request, search_endpoint
from runner.explore.worker_pool import Pool
from tests.support.explorer import small_store


class _InProcess:
    async def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)


@pytest.fixture
def opened(tmp_path: Path) -> query.ExplorerSettings:
    given = query.ExplorerSettings((small_store(tmp_path),), (), Limits(timeout=60))
    query.prepare(given)
    return given


def sent(opened: query.ExplorerSettings, **values: Any) -> list[dict[str, Any]]:
    async def collect() -> list[dict[str, Any]]:
        request = ApiRequest(opened, {"store": 0, "text": "V -[nsubj]-> S", "view": "kwic", "offset": 0, **values})
        return [each async for each in search_endpoint(cast("Pool", _InProcess()), request)]

    return asyncio.run(collect())


def test_a_client_that_leaves_during_its_request_is_no_bug(opened: query.ExplorerSettings) -> None:
    messages = iter([{"type": "http.request", "body": b'{"store', "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> dict[str, Any]:
        return next(messages)

    with pytest.raises(HTTPException, match="ends too early"):
        asyncio.run(read_request(Request({"type": "http", "method": "POST", "headers": []}, receive), opened))


@pytest.mark.parametrize("fault", [KeyError("2"), StopIteration(), ValueError("zip() argument 2 is shorter")])
def test_a_bug_ends_the_response_with_a_message(fault: Exception, caplog: pytest.LogCaptureFixture) -> None:
    async def objects() -> Objects:
        yield {"kind": "plan"}
        raise fault

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        messages.append(message)

    messages: list[MutableMapping[str, Any]] = []
    asyncio.run(NdjsonResponse(objects(), "too late")({}, receive, send))
    lines = b"".join(message.get("body", b"") for message in messages).splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["plan", "problem"]
    assert b"This is a bug in fictc" in lines[-1] and messages[-1]["more_body"] is False
    assert "Traceback" in caplog.text  # what to report


def test_in_corpus_order_rows_come_first(opened: query.ExplorerSettings) -> None:
    kinds = [each["kind"] for each in sent(opened, sort="")]
    assert kinds == ["plan", "rows", "counts", "done"]


def test_the_first_matches_are_sorted_until_all_are_known(
    opened: query.ExplorerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "MAX_KEPT", 40)
    plan, some, counts, everything, done = sent(opened, sort="form(V)")
    assert [each["kind"] for each in (plan, some, counts, everything, done)] == [
        "plan", "rows", "counts", "rows", "done",
    ]  # fmt: skip
    assert some["first"] and some["sorted"] == 40 and some["html"].count("<tr ") == 40
    assert everything["first"] and "sorted" not in everything and everything["html"].count("<tr ") == 50
    assert counts["matches"] == done["matches"] == 120
    assert some["html"].index("bark<sub>") < some["html"].index("run<sub>") < some["html"].index("see<sub>")
    assert "sing<sub>" in some["html"] and "sing<sub>" not in everything["html"]


def order_of(answer: list[dict[str, Any]]) -> list[str]:
    return [sid for each in answer if each["kind"] == "rows" for sid in re.findall(r'data-sid="(\d+)"', each["html"])]


def test_a_random_order_is_one_of_all_matches(opened: query.ExplorerSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    first = order_of(sent(opened, sort="random:1"))
    pages = [order_of(sent(opened, sort="random:1", offset=offset)) for offset in (0, 50, 100)]
    assert pages[0] == first and sorted(sid for page in pages for sid in page) == sorted(map(str, range(120)))
    assert first != order_of(sent(opened, sort="random:2")) and first != order_of(sent(opened, sort=""))
    monkeypatch.setattr(matches, "MAX_KEPT", 40)  # the first matches found are no random sample, so they are not shown
    assert [each["kind"] for each in sent(opened, sort="random:1")] == ["plan", "counts", "rows", "done"]
    assert order_of(sent(opened, sort="random:1")) == first


def test_sorted_matches_that_are_all_kept_are_sent_once(opened: query.ExplorerSettings) -> None:
    answer = sent(opened, sort="form(V)")
    assert [each["kind"] for each in answer] == ["plan", "counts", "rows", "done"]
