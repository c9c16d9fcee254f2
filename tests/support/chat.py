"""A local chat endpoint that fails on demand."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TEXT = "A text that was asked for. It has two sentences."


@dataclass
class Chat:
    """The faults of the endpoint, one per request and then `ok`, and the requests that it received.

    - `429`, `500`, `400`: this status.
    - `401`: this status, with the token of the request in the message.
    - `cut`, `drop`: the connection ends within the response, before it.
    - `malformed`: half an object; `shape`: an object of another kind; `reason`: a finish reason that is a list.
    - `gzip`: a body that is not compressed as its header says.
    - `empty`: no text; `length`: a truncated text; `half`: a text with half of a surrogate pair.
    - `slow`, `drip`: one byte of a header, or of the body, every 50 ms.
    """

    faults: list[str] = field(default_factory=list)
    url: str = ""
    requests: list[dict] = field(default_factory=list)
    headers: list[dict] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self, body: dict, headers: dict) -> str:
        with self.lock:
            self.requests.append(body)
            self.headers.append(headers)
            return self.faults.pop(0) if self.faults else "ok"


def completion(text: str | None, end: str = "stop") -> str:
    choice = {"index": 0, "finish_reason": end, "message": {"role": "assistant", "content": text}}
    return json.dumps({"id": "1", "object": "chat.completion", "choices": [choice]})


@contextmanager
def serving(*faults: str) -> Iterator[Chat]:
    """Serve an endpoint with these faults within the context, at a free port."""
    chat = Chat(list(faults))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            kind = chat.next(body, dict(self.headers))
            if kind == "drop":
                self.close_connection = True
                return
            if kind in ("slow", "drip"):
                self.close_connection = True
                self.wfile.write(b"HTTP/1.1 200 OK\r\n" + (b"\r\n" if kind == "drip" else b"X: "))
                with suppress(OSError):
                    for _ in range(100):
                        self.wfile.write(b"x")
                        time.sleep(0.05)
                return
            status = int(kind) if kind.isdigit() else 200
            content = {
                "malformed": '{"choices": [{"mess',
                "empty": completion(""),
                "shape": '{"choices": []}',
                "reason": '{"choices": [{"message": {"content": ""}, "finish_reason": ["stop"]}]}',
                "length": completion("A text that was as", "length"),
                "half": completion("A \ud83d text."),
                "401": json.dumps({"error": {"message": f"no such key: {self.headers['Authorization']}"}}),
                "400": '{"error": {"message": "no such model"}}',
            }.get(kind, completion(TEXT + " " + body["messages"][0]["content"].splitlines()[3]))
            data = content.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data) + (50 if kind == "cut" else 0)))
            if kind == "429":
                self.send_header("Retry-After", "0")
            if kind == "gzip":
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            self.wfile.write(data)
            self.close_connection = kind == "cut"

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    chat.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield chat
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
