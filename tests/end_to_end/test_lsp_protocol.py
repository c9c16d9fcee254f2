"""The protocol of `fictc lsp`: every request is answered, texts stay those of the client, and the session ends as it should."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import random
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.lsp import connection
from runner.lsp.connection import _MAX_MESSAGE_BYTES, FramingError
from runner.lsp.server import make_server
from tests.support.editor import PATIENCE, Editor
from tests.support.sessions import FILTER, Client, Step, from_bytes, last_diagnostics, problems, to_bytes

LSP = [sys.executable, "-m", "runner.cli", "lsp"]
INITIALIZE = {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
SHUTDOWN, EXIT = {"id": 99, "method": "shutdown"}, {"method": "exit"}


@dataclass
class Ended:
    """What a server wrote, logged, and how it ended."""

    out: bytes
    log: str
    code: int


class Output(io.BytesIO):
    """Where the server writes, readable when it is closed."""

    def close(self) -> None: ...


def serve(steps: list[Step] | bytes) -> Ended:
    """Give a server, in this process, all its input at once."""
    output, log = Output(), io.StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger().addHandler(handler)

    async def session() -> int:
        reader = asyncio.StreamReader()
        reader.feed_data(steps if isinstance(steps, bytes) else to_bytes(steps))
        reader.feed_eof()
        protocol = make_server().protocol
        protocol.set_writer(output)
        return await connection.serve(protocol, reader)

    try:
        code = asyncio.run(session())
        return Ended(output.getvalue(), log.getvalue(), code)
    finally:
        logging.getLogger().removeHandler(handler)


def sent(*messages: Step) -> list[Step]:
    return [{"send": {"jsonrpc": "2.0", **message}} for message in messages]


def opened(uri: str, text: str = FILTER) -> Step:
    item = {"uri": uri, "languageId": "fict", "version": 1, "text": text}
    return {"method": "textDocument/didOpen", "params": {"textDocument": item}}


def errors(done: Ended) -> dict[object, int | None]:
    """The error code of each answer, None where there is a result."""
    found = [message for message in from_bytes(done.out) if "method" not in message]
    return {message["id"]: message.get("error", {}).get("code") for message in found}


def attack(seed: int, size: int, root: Path) -> list[object]:
    """What is wrong with what the server does, and with the diagnostics that it shows at the end."""
    client = Client(random.Random(seed), root.as_uri())
    steps = client.session(size)
    done = serve(steps)
    shown = last_diagnostics(done.out)
    compared = {
        uri: text for uri, text in client.saved.items() if re.fullmatch(rf"{re.escape(root.as_uri())}/[ab]\.fict", uri)
    }
    if f"{root.as_uri()}/./a.fict" in client.saved:
        compared.pop(f"{root.as_uri()}/a.fict", None)
    for uri, text in client.saved.items():
        if uri.startswith(root.as_uri()) and "%" not in uri:
            (root / uri.rpartition("/")[2]).write_bytes(text.encode("utf-8", "replace"))
    linted = {uri: lint(root / uri.rpartition("/")[2]) for uri in compared}
    different = [(uri, codes(shown[uri]), linted[uri]) for uri in compared if codes(shown[uri]) != linted[uri]]
    return [*problems(steps, done.out, done.log, done.code), *different]


def lint(path: Path) -> list[str]:
    """The codes of what `fictc lint` says of a file."""
    return codes(json.loads(CliRunner().invoke(fictc, ["lint", "--format", "json", str(path)]).stdout))


def codes(diagnostics: list[Step]) -> list[str]:
    """The codes of what a tool says, sorted; its lines differ where a CR alone ends one for editors only."""
    return sorted(each["code"] for each in diagnostics)


@pytest.mark.parametrize("seed", range(12))
def test_valid_and_invalid_messages_are_answered_as_the_protocol_says(seed, tmp_path):
    assert attack(seed, 120, tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 130))
def test_many_valid_and_invalid_messages(seed, tmp_path):
    assert attack(seed, 600, tmp_path) == []


def test_requests_have_their_order():
    hover = {"method": "textDocument/hover", "params": {}}
    done = serve(sent(hover | {"id": 5}, INITIALIZE, INITIALIZE | {"id": 2}, SHUTDOWN, hover | {"id": 6}, EXIT))
    assert errors(done) == {5: -32002, 1: None, 2: -32600, 99: None, 6: -32600}
    assert (done.code, done.log) == (0, "")


def test_wrong_parameters_and_documents_that_are_not_open_have_an_answer_that_says_what_is_wrong(tmp_path):
    place = {"textDocument": {"uri": tmp_path.as_uri()}, "position": {"line": 0, "character": 0}}
    done = serve(sent(
        INITIALIZE,
        {"id": 2, "method": "textDocument/hover", "params": place},
        {"id": 3, "method": "textDocument/hover", "params": place | {"position": {"line": "3", "character": 0}}},
        {"id": 4, "method": "textDocument/hover"},
        {"id": 5, "method": "textDocument/none", "params": place},
        SHUTDOWN, EXIT,
    ))  # fmt: skip
    assert errors(done) == {1: None, 2: -32602, 3: -32602, 4: -32602, 5: -32601, 99: None}
    said = {message["id"]: message["error"]["message"] for message in from_bytes(done.out) if "error" in message}
    assert said[2] == f"the document is not open: {tmp_path.as_uri()}"
    assert "params.position.line" in said[3] and "params" in said[4]


def test_a_notification_that_is_wrong_changes_nothing_and_is_logged(tmp_path):
    uri = (tmp_path / "passive.fict").as_uri()
    wrong = opened(uri) | {"params": {"textDocument": {"uri": uri, "languageId": "fict", "version": 1, "text": None}}}
    unopened = {"textDocument": {"uri": "untitled:x", "version": 2}, "contentChanges": [{"text": "x"}]}
    change = {"method": "textDocument/didChange", "params": unopened}
    done = serve(sent(INITIALIZE, opened(uri), wrong, change, SHUTDOWN, EXIT))
    assert last_diagnostics(done.out) == last_diagnostics(serve(sent(INITIALIZE, opened(uri), SHUTDOWN, EXIT)).out)
    said = [message["params"] for message in from_bytes(done.out) if message.get("method") == "window/logMessage"]
    assert [(each["type"], each["message"].partition(":")[0]) for each in said] == [
        (2, "textDocument/didOpen"),
        (2, "the document is not open"),
    ]
    assert done.log == ""


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: -5\r\n\r\n{}",
        b"Content-Length: x\r\n\r\n{}",
        b"Content-Length: 1e3\r\n\r\n{}",
        b"Content-Length: %d\r\n\r\n{}" % (_MAX_MESSAGE_BYTES + 1),
        b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}",
        b"Content-Type: application/vscode-jsonrpc\r\n\r\n{}",
        b"\r\n\r\n{}",
        b'{"jsonrpc": "2.0", "id": 2, "method": "shutdown"}\n',
        b"x" * 200_000,
    ],
)
def test_a_header_that_nobody_can_read_ends_the_session(header):
    with pytest.raises(FramingError):
        serve(to_bytes(sent(INITIALIZE)) + header + to_bytes(sent(SHUTDOWN, EXIT)))


def test_the_command_says_why_it_ends():
    done = subprocess.run(
        LSP, input=b"Content-Length: -5\r\n\r\n{}", capture_output=True, check=False, timeout=PATIENCE
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"Error: expected one `Content-Length` of at most 67,108,864 bytes\n"


def test_a_header_may_be_written_otherwise():
    written = to_bytes(sent(INITIALIZE, SHUTDOWN, EXIT))
    for header in (b"content-length:", b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:  "):
        done = serve(written.replace(b"Content-Length: ", header))
        assert (errors(done), done.code) == ({1: None, 99: None}, 0)


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ([], 1),
        ([INITIALIZE], 1),
        ([EXIT], 1),
        ([INITIALIZE, EXIT], 1),
        ([INITIALIZE, SHUTDOWN], 0),
        ([INITIALIZE, SHUTDOWN, EXIT], 0),
    ],
)
def test_the_exit_code_says_whether_there_was_a_shutdown(steps, code):
    done = serve(sent(*steps))
    assert (done.code, done.log) == (code, "")


def test_input_that_ends_within_a_message_ends_the_session():
    whole = to_bytes(sent(INITIALIZE))
    for end in (3, 18, 21, 40):
        assert (serve(whole[:end]).code, serve(whole[:end]).out) == (1, b"")


def test_it_ends_with_the_process_of_its_editor_though_its_input_is_open(tmp_path):
    editor = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    server = Editor(tmp_path)
    server.request("initialize", {"processId": editor.pid, "rootUri": None, "capabilities": {}})
    editor.kill()
    editor.wait()
    assert server.process.wait(PATIENCE) == 1


def test_ctrl_c_is_an_interruption(tmp_path):
    server = Editor(tmp_path)
    server.start()
    os.kill(server.process.pid, signal.SIGINT)
    assert server.process.wait(PATIENCE) == 130
    assert server.process.stderr.read().strip() == b"interrupted"


def test_ctrl_c_that_does_not_end_the_wait_for_input_is_an_interruption(tmp_path):
    """The signal arrives in another thread, as it also may in the main one before it waits: nothing wakes that up."""
    script = (
        "import signal, threading, time\n"
        "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})\n"
        "from runner.cli import main\n"
        "main()"
    )
    server = Editor(tmp_path, program=("-c", script))
    server.start()
    time.sleep(0.5)
    os.kill(server.process.pid, signal.SIGINT)
    assert server.process.wait(PATIENCE) == 130
    assert server.process.stderr.read().strip() == b"interrupted"


def test_a_cancelled_request_is_answered_once(tmp_path):
    uri = (tmp_path / "f.fict").as_uri()
    about = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": 5}}
    asked = [{"id": number, "method": "textDocument/hover", "params": about} for number in range(2, 30)]
    cancelled = [{"method": "$/cancelRequest", "params": {"id": number}} for number in range(2, 40)]
    done = serve(sent(INITIALIZE, opened(uri), *cancelled[20:], *asked, *cancelled, SHUTDOWN, EXIT))
    answers = [message["id"] for message in from_bytes(done.out) if "method" not in message]
    assert sorted(answers) == [*range(1, 30), 99]
    assert set(errors(done).values()) <= {None, -32800}
    assert done.log == ""
