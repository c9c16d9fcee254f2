"""A server in this process: its texts are those of the client after any number of edits, and cost no more than at first."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from runner.lsp.documents import path_of
from runner.lsp.server import FictServer, make_server
from tests.support.sessions import FILTER, PIECES, Documents, Step, from_bytes, length, lines

URI = "untitled:f"


class Written:
    """What the server writes, in memory."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data

    def close(self) -> None: ...


def server_for(unit: str) -> tuple[FictServer, Written]:
    """A server with a document open."""
    server, written = make_server(), Written()
    server.protocol.set_writer(written)
    capabilities = {"general": {"positionEncodings": [unit]}}
    tell(
        server,
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": capabilities}},
    )
    item = {"uri": URI, "languageId": "fict", "version": 1, "text": FILTER}
    tell(server, {"method": "textDocument/didOpen", "params": {"textDocument": item}})
    return server, written


def tell(server: FictServer, message: Step) -> None:
    server.protocol.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())


def edit(dice: random.Random, documents: Documents) -> Step:
    """A change of the document, also beyond the ends of lines and in the wrong order, made in the model too."""
    text = documents.texts[URI]
    rows = lines(text)

    def place() -> dict[str, int]:
        line = dice.randrange(len(rows) + 1)
        return {"line": line, "character": dice.randrange(length(rows[min(line, len(rows) - 1)], documents.unit) + 3)}

    start = place()
    change: Step = {"range": {"start": start, "end": start}, "text": dice.choice(PIECES)}
    if len(text) > 400:
        change["range"]["end"] = place()
    if dice.random() < 0.005:
        change = {"text": FILTER}
    documents.change(URI, change)
    return change


def changes(version: int, *each: Step) -> Step:
    params: dict[str, Any] = {"textDocument": {"uri": URI, "version": version}, "contentChanges": list(each)}
    return {"method": "textDocument/didChange", "params": params}


@pytest.mark.parametrize("unit", ["utf-8", "utf-16", "utf-32"])
def test_the_text_is_the_clients_after_each_of_ten_thousand_edits(unit):
    async def session() -> None:
        server, written = server_for(unit)
        documents, dice = Documents(unit, {URI: FILTER}), random.Random(unit)
        for version in range(2, 10_002):
            tell(server, changes(version, *(edit(dice, documents) for _ in range(dice.choice([1, 1, 1, 3])))))
            document = server.documents.document(URI)
            assert document is not None and document.written == documents.texts[URI]
        server.publish()
        assert from_bytes(written.data)[-1]["params"]["version"] == 10_001

    asyncio.run(session())


@pytest.mark.long
def test_nothing_is_kept_of_an_edit_that_is_done():
    async def session() -> tuple[int, int]:
        server, _ = server_for("utf-16")
        documents, dice = Documents("utf-16", {URI: FILTER}), random.Random(1)
        counts = []
        for part in range(2):
            for version in range(300):
                tell(server, changes(version, edit(dice, documents)))
                tell(server, {"method": "$/setTrace", "params": {"value": "off"}})
            tell(server, changes(part, {"text": FILTER}))
            await asyncio.sleep(0)
            server.publish()
            gc.collect()
            counts.append(len(gc.get_objects()))
        return counts[0], counts[1]

    first, second = asyncio.run(session())
    assert second - first < 300


def test_the_last_edits_take_no_longer_than_the_first():
    async def session() -> list[float]:
        server, _ = server_for("utf-16")
        place = {"line": 1, "character": 0}
        change = {"range": {"start": place, "end": place}, "text": ""}
        seconds = []
        for _ in range(4):
            start = time.process_time()
            for version in range(1_000):
                tell(server, changes(version, change))
            seconds.append(time.process_time() - start)
        return seconds

    seconds = asyncio.run(session())
    assert seconds[-1] < 4 * seconds[0]


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a%20b/c.fict", "/a b/c.fict"),
        ("file://localhost/a.fict", "/a.fict"),
        ("file:///%C3%A9.fict", "/é.fict"),
        ("file:///c%3A/a.fict", "/c:/a.fict"),
        ("file://server/share/a.fict", None),
        ("file:a.fict", None),
        ("file:///a%00.fict", None),
        ("file:///\ud800.fict", None),
        ("file://[x/a.fict", None),
        ("untitled:a.fict", None),
        ("vscode-notebook-cell:/a.fict", None),
        ("", None),
    ],
)
def test_only_a_uri_of_a_file_of_this_machine_has_a_path(uri, path):
    assert path_of(uri) == (None if path is None else Path(path))
