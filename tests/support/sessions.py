"""Random sessions with a language server, of valid and invalid messages, and the expected responses.

A session is a list of steps, each a JSON object with one key: `send` (a JSON value, correctly framed), `body` (the
bytes of a body as Latin-1) or `raw` (bytes without a frame). The model of documents shares no code with the server.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Step = dict[str, Any]

FILTER = """fict 1

list verbs = {see, sell}

filter passive {
  match {
    V:VERB[Voice = Pass, lemma in @verbs]
    V -[nsubj:pass]-> S
  }
  remove sentence
}
"""
PIECES = (
    *("fict 1\n", "filter f { match { V:VREB } }\n", "V:VERB", "[lemma = x]", "-[nsubj]-> ", "{", "}", "\n", "\r\n", "\r", '"'),
    *("\u2028", "\u0085", "\x0b", "\x0c", "\U0001f600", "e\u0301", "\ufeff", "é", "# note", "@verbs", " ", "\t", "\0", "use \"x\"", ""),
)  # fmt: skip
PLACES = ("hover", "completion", "definition", "references", "documentHighlight", "prepareRename", "rename")
WHOLES = ("documentSymbol", "formatting", "codeAction")
JUNK = (None, True, -1, 0, 3.5, 10**30, "", "x", [], [[]], {}, {"x": 1}, "\ud800", {"line": -1, "character": 0})
ODD_URIS = (
    *("untitled:one", "file:///c%3A/x/a.fict", "file:///C:/x/a.fict", "file://server/share/a.fict", "file:///a%00b.fict"),
    *("file://[x/a.fict", "", "x", "http://x/a.fict", "file:///%ff%fe.fict", "file:relative.fict", "file:///" + "a" * 5000),
    *("file:///%F0%9F%98%80/a%20b.fict", "vscode-notebook-cell:/x#W0", "file:///\ud800.fict", "file:///dev/zero"),
)  # fmt: skip
INTERNAL, SHOWN = -32603, "window/showMessage"
WATCHED = "workspace/didChangeWatchedFiles"


@dataclass
class Documents:
    """The open documents of a client: their texts and positions."""

    unit: str = "utf-16"
    texts: dict[str, str] = field(default_factory=dict)

    def change(self, uri: str, change: dict[str, Any]) -> None:
        """Apply one change of a didChange."""
        text = self.texts[uri]
        if "range" in change:
            ends = sorted(offset(text, change["range"][end], self.unit) for end in ("start", "end"))
            self.texts[uri] = text[: ends[0]] + change["text"] + text[ends[1] :]
        else:
            self.texts[uri] = change["text"]


def lines(text: str) -> list[str]:
    """Return the lines of a text as the protocol counts them, without line ends."""
    return re.split("\r\n|\n|\r", text)


def offset(text: str, position: dict[str, int], unit: str) -> int:
    """Return the offset of a protocol position, clamped to the end of its line or the start of a character."""
    ends = [match.end() for match in re.finditer("\r\n|\n|\r", text)]
    if position["line"] > len(ends):
        return len(text)
    start = [0, *ends][position["line"]]
    line = lines(text)[position["line"]]
    return start + len(_before(line, position["character"], unit))


def _before(line: str, character: int, unit: str) -> str:
    coding = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[unit]
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[unit]
    data = line.encode(coding, "surrogatepass")[: character * width]
    while True:
        try:
            return data.decode(coding)
        except UnicodeDecodeError:
            data = data[:-width]


def length(line: str, unit: str) -> int:
    """Return the number of characters of a line in the client's unit."""
    coding, width = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[unit]
    return len(line.encode(coding, "surrogatepass")) // width


class Client:
    """Draws the steps of one session. `root` is the URI of a folder."""

    def __init__(self, rng: random.Random, root: str) -> None:
        self.rng, self.root = rng, root
        self.steps: list[Step] = []
        self.documents = Documents(rng.choice(["utf-8", "utf-16", "utf-16", "utf-32"]))
        self.saved: dict[str, str] = {}  # the texts at the time of `shutdown`
        self.numbers = iter(range(1, 1_000_000))
        names = ("a.fict", "b.fict", "words.fict", "./a.fict", "no%20such/c.fict")
        self.uris = rng.sample([*(f"{root}/{name}" for name in names), *rng.sample(ODD_URIS, 3)], 4)

    def session(self, size: int) -> list[Step]:
        """Return about `size` steps, from `initialize` to `exit`, with some before and after."""
        for _ in range(self.rng.choice([0, 0, 1, 3])):
            self.something()
        capabilities = {"general": {"positionEncodings": [self.documents.unit]}}
        params = {"processId": None, "rootUri": self.rng.choice([self.root, None, "file://[", "x:y"])}
        self.request("initialize", {**params, "capabilities": capabilities})
        self.notify("initialized", {})
        for _ in range(size):
            self.something()
        for uri in list(self.documents.texts):
            self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        self.saved = dict(self.documents.texts)
        self.request("shutdown", None)
        for _ in range(self.rng.choice([0, 0, 1, 3])):
            self.something()
        self.notify("exit", None)
        return self.steps

    def something(self) -> None:
        """Draw one step, usually a valid one."""
        kinds: list[tuple[int, Callable[[], None]]] = [
            (8, self.open), (30, self.edit), (4, self.close), (20, self.ask), (6, self.ask_whole), (6, self.garble),
            (5, self.no_message), (3, self.unknown), (3, self.cancel), (3, self.files), (2, self.answer), (3, self.unopened),
        ]  # fmt: skip
        self.rng.choices([kind for _, kind in kinds], [weight for weight, _ in kinds])[0]()

    # --- valid messages

    def request(self, method: str, params: Any) -> None:
        number = next(self.numbers)
        self.send({"id": self.rng.choice([number, number, f"n{number}"]), "method": method, "params": params})

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def send(self, message: Step) -> None:
        message = {"jsonrpc": "2.0", **message}
        if message.get("params", 0) is None:
            del message["params"]
        self.steps.append({"send": message})

    def text(self) -> str:
        pieces = self.rng.choices(PIECES, k=self.rng.randrange(12))
        return self.rng.choice([FILTER, "".join(pieces), FILTER + "".join(pieces)])

    def uri(self) -> str:
        return self.rng.choice(self.uris)

    def opened(self) -> str:
        if not self.documents.texts:
            self.open()
        return self.rng.choice(sorted(self.documents.texts))

    def open(self) -> None:
        uri, text = self.uri(), self.text()
        self.documents.texts[uri] = text
        item = {"uri": uri, "languageId": "fict", "version": self.rng.randrange(-3, 10), "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def edit(self) -> None:
        uri = self.opened()
        changes = [self.change(uri) for _ in range(self.rng.choice([1, 1, 1, 2, 5, 0]))]
        document = {"uri": uri, "version": self.rng.randrange(-5, 1000)}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def change(self, uri: str) -> Step:
        """Draw a change of a part, rarely of the whole; positions may be out of range or reversed."""
        change: Step = {"text": self.rng.choice(PIECES)}
        if self.rng.random() < 0.05:
            change["text"] = self.text()
        else:
            change["range"] = {"start": self.place(uri), "end": self.place(uri)}
            if self.rng.random() < 0.5:
                change["range"]["end"] = dict(change["range"]["start"])
        self.documents.change(uri, change)
        return change

    def place(self, uri: str) -> dict[str, int]:
        rows = lines(self.documents.texts[uri])
        line = self.rng.randrange(len(rows))
        character = self.rng.randrange(length(rows[line], self.documents.unit) + 1)
        if self.rng.random() < 0.1:
            line, character = self.rng.choice([(line, character + 9), (len(rows) + 3, character), (line, 2**31 - 1)])
        return {"line": line, "character": character}

    def close(self) -> None:
        uri = self.opened()
        del self.documents.texts[uri]
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def ask(self) -> None:
        uri = self.opened()
        self.request(f"textDocument/{self.rng.choice(PLACES)}", self.about(uri))

    def ask_whole(self) -> None:
        uri = self.opened()
        self.request(f"textDocument/{self.rng.choice(WHOLES)}", self.about(uri))

    def about(self, uri: str) -> Step:
        place = self.place(uri) if uri in self.documents.texts else {"line": 0, "character": 0}
        context = {"includeDeclaration": self.rng.random() < 0.5, "diagnostics": [], "triggerKind": 1}
        context |= self.rng.choice([{}, {"only": ["source.fixAll"]}, {"only": ["quickfix", "refactor"]}])
        return {
            "textDocument": {"uri": uri}, "position": place, "range": {"start": place, "end": place},
            "options": {"tabSize": 2, "insertSpaces": True}, "context": context,
            "newName": self.rng.choice(["fresh", "", "not a name", "list", "passive", "é"]),
        }  # fmt: skip

    def files(self) -> None:
        """Report files and folders as created, deleted or renamed."""
        uri, folder = self.uri(), {"uri": self.root, "name": "x"}
        event = {"added": self.rng.choice([[], [folder]]), "removed": self.rng.choice([[], [folder], [folder] * 2])}
        method, params = self.rng.choice([
            (WATCHED, {"changes": [{"uri": uri, "type": self.rng.choice([1, 2, 3])}]}),
            ("workspace/didChangeWorkspaceFolders", {"event": event}),
            ("workspace/didRenameFiles", {"files": [{"oldUri": uri, "newUri": self.uri()}]}),
            ("workspace/didChangeConfiguration", {"settings": {"x": None}}),
            ("$/setTrace", {"value": "verbose"}),
            ("textDocument/willSave", {"textDocument": {"uri": uri}, "reason": 1}),
        ])  # fmt: skip
        self.notify(method, params)

    def cancel(self) -> None:
        """Cancel the last request, a future one, or one that never existed."""
        ids = [step["send"]["id"] for step in self.steps if "id" in step.get("send", ())]
        number = self.rng.choice([*ids[-1:], 10**6, "never"])
        self.notify("$/cancelRequest", {"id": number})

    def answer(self) -> None:
        """Send responses to no request."""
        number = self.rng.choice([1, "x", None, 10**6])
        message = self.rng.choice([{"result": None}, {"error": {"code": 1, "message": "x"}}, {"result": {"a": [1]}}])
        self.send({"id": number, **message})

    # --- invalid messages

    def unknown(self) -> None:
        method = self.rng.choice(
            ["$/unknown", "textDocument/none", "", "initialize", "notebookDocument/didOpen", "x" * 999]
        )
        if self.rng.random() < 0.5:
            self.request(method, self.rng.choice(JUNK))
        else:
            self.notify(method if method != "initialize" else "$/x", self.rng.choice(JUNK))

    def unopened(self) -> None:
        """Send a message about a document that is not open."""
        uri = f"{self.root}/unopened.fict"
        change = {"textDocument": {"uri": uri, "version": 1}, "contentChanges": [{"text": "x"}]}
        if self.rng.random() < 0.5:
            self.request(f"textDocument/{self.rng.choice([*PLACES, *WHOLES])}", self.about(uri))
        else:
            self.notify(f"textDocument/{self.rng.choice(['didChange', 'didClose'])}", change)

    def garble(self) -> None:
        """Send a valid message with one value removed or replaced."""
        before, known = len(self.steps), dict(self.documents.texts)
        self.rng.choice([self.ask, self.ask_whole, self.edit, self.open, self.close, self.files, self.cancel])()
        self.documents.texts = known
        message = self.steps.pop()["send"]
        self.steps[before:] = []
        message.pop("params", None) if self.rng.random() < 0.1 else _spoil(self.rng, message)
        self.steps.append({"send": message})
        if "did" in str(message.get("method")):
            self.settle()

    def settle(self) -> None:
        """Resynchronize texts when the model cannot know the effect of a message."""
        for uri in [uri for uri in self.documents.texts if uri]:
            self.documents.texts[uri] = FILTER
            item = {"uri": uri, "languageId": "fict", "version": 1, "text": FILTER}
            self.notify("textDocument/didOpen", {"textDocument": item})

    def no_message(self) -> None:
        """Send a body that is not a message."""
        deep = self.rng.choice([10, 100_000])
        bodies = [
            "", "{", "nul", "[]", "[1]", "5", '"x"', "null", "{}", '{"id": 1}', '{"jsonrpc": "1.0", "method": "x"}', "\xff\xfe",
            '{"jsonrpc": "2.0", "id": 1.5, "method": "x"}', '{"jsonrpc": "2.0", "id": null, "method": "shutdown"}',
            '{"jsonrpc": "2.0", "id": true, "method": "shutdown"}', '{"jsonrpc": "2.0", "id": [1], "method": 5}',
            '[{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}]', "[" * deep, '{"a":' * deep, "9" * 5000, "\0", "NaN",
        ]  # fmt: skip
        self.steps.append({"body": self.rng.choice(bodies)})


def _spoil(rng: random.Random, message: Any) -> None:
    """Replace or remove a random value."""
    at = message["params"] if isinstance(message.get("params"), dict) and message["params"] else message
    while True:
        key = rng.choice(sorted(at)) if isinstance(at, dict) else rng.randrange(len(at))
        if rng.random() < 0.6 and isinstance(at[key], dict | list) and at[key]:
            at = at[key]
            continue
        if rng.random() < 0.3 and isinstance(at, dict):
            del at[key]
        else:
            at[key] = rng.choice(JUNK)
        return


def to_bytes(steps: list[Step]) -> bytes:
    """Return the bytes that a client writes."""
    return b"".join(map(_written, steps))


def _written(step: Step) -> bytes:
    if "raw" in step:
        return step["raw"].encode("latin-1")
    body = step["body"].encode("latin-1") if "body" in step else json.dumps(step["send"]).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def from_bytes(out: bytes) -> list[Step]:
    """Return the messages that a server wrote."""
    messages = []
    while out:
        header, _, rest = out.partition(b"\r\n\r\n")
        size = int(re.search(rb"Content-Length: (\d+)", header)[1])  # type: ignore[index]
        messages.append(json.loads(rest[:size]))
        out = rest[size:]
    return messages


def problems(steps: list[Step], out: bytes, log: str, code: int) -> Iterator[str]:
    """Yield the faults of a server in a session, from its output and exit."""
    messages = from_bytes(out)
    answers = Counter(json.dumps(message.get("id")) for message in messages if "method" not in message)
    requests = Counter[str]()
    for step in steps:
        if "raw" not in step:
            number = _answered_with(_value(step))
            requests.update([] if number is None else [number])
    for number in requests.keys() | answers.keys():
        if requests[number] != answers[number]:
            yield f"{requests[number]} requests with id {number}, {answers[number]} answers"
    for message in messages:
        error = message.get("error")
        if error and (error["code"] == INTERNAL or not error["message"]):
            yield f"an internal error: {error}"
        if message.get("method") == SHOWN:
            yield f"a message that nobody needs: {message['params']}"
        if "method" not in message and ("result" in message) == ("error" in message):
            yield f"an answer with result and error, or neither: {message}"
    if log:
        yield f"logged: {log[-2000:]}"
    wanted = 0 if any(step.get("send", {}).get("method") == "shutdown" for step in steps) else 1
    if code != wanted:
        yield f"exit code {code}, not {wanted}"


def _value(step: Step) -> Any:
    """Return the JSON value of a step; None, which is not a message, if it is not JSON."""
    if "send" in step:
        return step["send"]
    try:
        return json.loads(step["body"].encode("latin-1"))
    except (ValueError, RecursionError):
        return None


def _answered_with(message: Any) -> str | None:
    """Return the id, as JSON, of the expected response to a value; None if none is expected."""
    if not isinstance(message, dict):
        return "null"
    if message.get("jsonrpc") == "2.0" and "method" not in message and ("result" in message or "error" in message):
        return None
    number = message.get("id")
    if isinstance(number, str | int) and not isinstance(number, bool):
        return json.dumps(number)
    return "null" if "id" in message or "method" not in message else None


def last_diagnostics(out: bytes) -> dict[str, list[Step]]:
    """Return the diagnostics that a client shows at the end, by document."""
    diagnostics = {}
    for message in from_bytes(out):
        if message.get("method") == "textDocument/publishDiagnostics":
            diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
    return diagnostics
