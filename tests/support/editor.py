"""A minimal editor that talks to `fictc lsp` in JSON-RPC over standard input and output."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 30.0  # seconds


class Editor:
    """A session. Requests wait for their response; notifications are kept until they are read."""

    def __init__(self, root: Path, *arguments: str, program: tuple[str, ...] = ("-m", "runner.cli")) -> None:
        self.root = root
        self.process = subprocess.Popen(
            [sys.executable, *program, "lsp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._numbers = iter(range(1, 10_000))
        self._versions: dict[str, int] = {}
        self._arrived: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._kept: list[dict[str, Any]] = []
        threading.Thread(target=self._listen, daemon=True).start()

    # --- JSON-RPC

    def request(self, method: str, params: Any = None) -> Any:
        """Send a request and return its result. Raises LookupError with the message of an error."""
        number = next(self._numbers)
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        answer = self._find(lambda message: message.get("id") == number and "method" not in message)
        if "error" in answer:
            raise LookupError(answer["error"]["message"])
        return answer["result"]

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def kept(self) -> list[dict[str, Any]]:
        """Return the unread messages that came before the last response."""
        return list(self._kept)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _listen(self) -> None:
        out = self.process.stdout
        assert out
        while header := out.readline():
            size = 0
            while header.strip():
                name, _, value = header.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
                header = out.readline()
            self._arrived.put(json.loads(out.read(size)))
        self._arrived.put(None)

    def _find(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        for message in self._kept:
            if wanted(message):
                self._kept.remove(message)
                return message
        while True:
            message = self._arrived.get(timeout=PATIENCE)
            assert message is not None, f"the server ended: {self.process.stderr and self.process.stderr.read()!r}"
            if wanted(message):
                return message
            self._kept.append(message)

    # --- a session

    def start(self, **capabilities: Any) -> dict[str, Any]:
        """Initialize with the editor's capabilities; return those of the server."""
        params = {"processId": None, "rootUri": self.root.as_uri(), "capabilities": capabilities}
        answer: dict[str, Any] = self.request("initialize", params)
        self.notify("initialized", {})
        return answer["capabilities"]

    def stop(self) -> int:
        """Shut the server down; return the exit code."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE)

    def uri(self, name: str) -> str:
        """Return the URI of a file of the root."""
        return (self.root / name).as_uri()

    def open(self, name: str, text: str) -> list[dict[str, Any]]:
        """Open a document, saved or not; return its diagnostics."""
        document = {"uri": self.uri(name), "languageId": "fict", "version": 1, "text": text}
        self._versions[name] = 1
        self.notify("textDocument/didOpen", {"textDocument": document})
        return self.diagnostics(name)

    def change(self, name: str, text: str) -> None:
        """Replace the text of a document."""
        self._versions[name] += 1
        document = {"uri": self.uri(name), "version": self._versions[name]}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def diagnostics(self, name: str) -> list[dict[str, Any]]:
        """Wait for the diagnostics of the newest version of a document, and return them."""
        uri, version = self.uri(name), self._versions[name]

        def is_it(message: dict[str, Any]) -> bool:
            params = message.get("params") or {}
            published = message.get("method") == "textDocument/publishDiagnostics"
            return published and params["uri"] == uri and params.get("version") == version

        found: list[dict[str, Any]] = self._find(is_it)["params"]["diagnostics"]
        return found

    def at(self, name: str, line: int, character: int, method: str, **more: Any) -> Any:
        """Send `textDocument/METHOD` for a position."""
        position = {"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": character}}
        return self.request(f"textDocument/{method}", position | more)
