"""Fuzz the endpoints of `explore`: valid and damaged requests to a running server, with a check of every response."""

from __future__ import annotations

import json
import random
import re
import socket
from contextlib import ExitStack
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import httpx

from runner.workspace import remove_dir
from tests.fuzz import mutate
from tests.fuzz.sandbox import Failure, Sandbox
from tests.support import corpora
from tests.support.explorer import Explorer, explorer, small_store
from tests.support.reading import tree
from tests.support.results import Fabricated

REQUESTS, ERRORS = "requests.jsonl", "stderr.txt"
PER_CASE = 10  # requests
SENTENCES = 121  # of the store without its long sentence
STATUSES = (200, 400, 403, 404, 405, 413, 414, 421)
LAST = ("done", "result", "problem")  # kinds of the last object of a response

FILTERS = (
    *("V -[nsubj]-> S", "V", "give", "V:VERB[lemma = bark]", "X[form = the] << Y", "V:VERB\nwithout { V -[obj]-> _ }", ""),
    *("V -[", "A -> B -> C", "{ V -[nsubj]-> S } or { V -[obj]-> S }", 'sentence[sent_id = "s1"]', "X[Number = Plur]"),
    "fict 1\nfilter a { match { V:VERB } }\nfilter b { match { N:NOUN } remove sentence }",
    'fict 1\nfilter m { match { V -[nsubj]-> S } mask node(S) with "<gap>" }',
    "fict 1\nrewrite r { match { V -[obj]-> O V -[nsubj]-> S } swap node(O) with node(S) }",
    'fict 1\nuse "../../../etc/passwd"',
    'fict 1\nuse "words.fict"\nfilter a { match { V:VERB } }',
    'fict 1\nlist a = file "/etc/passwd"\nfilter f { match { X[form in @a] } }',
    "fict 1\nlist a = {x, y}",
    "fict 1\npattern p(X) { X:NOUN }\nfilter f { match { p(X) } }",
    "fict 1\n",
)  # fmt: skip
KEYS = (
    "lemma(V)",
    "genre",
    "length:10",
    "form(S)",
    "order(V,S)",
    "distance(V,S)",
    "deprel(V,S)",
    "mean(length)",
    "doc",
    "",
)
TITLES = ("passive", "a-b", "Passive voice", "../x", "", "query", "a")
MATCHES = ("V:3 S:2", "V:3", "X:1", "V:300", "V:0", "V:-1", "S:2 V:3 W:1", "", "V", "V:x", "a:b:1", f"V:{10**30}")

MARKS = tuple(
    [{"sid": sid, "match": match, "mark": mark} for sid, mark in ((1, "right"), (0, "wrong"), (last, kind))]
    for match in MATCHES
    for last, kind in ((120, "unsure"), (SENTENCES, "right"), (1, "x"))
)

# What each endpoint takes beside the store and the query, with values that it has and some that it lacks.
ENDPOINTS: dict[str, dict[str, tuple[object, ...]]] = {
    "study": {}, "format": {}, "match-end": {}, "near": {}, "explain": {}, "plan": {}, "rewrite": {}, "coverage": {},
    "complete": {"line": (0, 0, 1, 3, 10**6), "character": (0, 1, 5, 10**6)},
    "library": {"base": (0, 5, 1_000)},
    "search": {
        "view": ("kwic", "text", "arcs", "tree", "x"), "sort": ("", "left", "random:1", "random:7", "form(V)", *KEYS),
        "offset": (0, 0, 50, 10**8),
    },
    "open": {"sid": (0, 1, 120, SENTENCES, 10**6, 2**31 - 1), "match": MATCHES},
    "word": {"sid": (0, 1, 120, 10**6), "match": MATCHES, "word": (1, 2, 3, 5, 300)},
    "relation": {"sid": (0, 1, 120, 10**6), "match": MATCHES, "word": (1, 2, 3, 5, 300)},
    "count": {"keys": KEYS},
    "trend": {"keys": KEYS, "over": KEYS},
    "diff": {"other": FILTERS},
    "save": {"title": TITLES},
    "keep": {"sid": (0, 1, 120, 10**6), "title": TITLES},
    "condition": {"title": TITLES, "kind": ("remove", "keep", "mask", "drop", "rewrite", "x"), "control": (0, 1)},
    "runs": {},
    "paradigms": {"run": (0, 1, 2)},
    "pairs": {"run": (0, 1, 2), "paradigm": (0, 1, 100), "offset": (0, 50, 10**6)},
    "pair": {"run": (0, 1, 2), "paradigm": (0, 1, 100), "pair": (0, 1, 10**6)},
    "sheet": {"sort": ("", "random:1"), "marks": MARKS, "format": ("tsv", "json", "x")},
    "export": {"format": ("conllu", "tsv", "jsonl", "html", "x")},
    "x": {},
}  # fmt: skip


def make(rng: random.Random, folder: Path) -> None:
    """Write a request on each line: its method, path, headers that differ, and its body as Latin-1."""
    lines = [json.dumps(_request(rng)) for _ in range(PER_CASE)]
    (folder / REQUESTS).write_text("".join(f"{line}\n" for line in lines))


def _request(rng: random.Random) -> dict[str, Any]:
    roll = rng.random()
    if roll < 0.03:
        path = rng.choice(
            [
                "/",
                "/assets/explore.js",
                "/assets/../app.py",
                "/pages/FICT518",
                "/pages/x",
                "/x",
                f"/?text={'a' * rng.choice([9, 9_000])}",
            ]
        )
        return {"method": rng.choice(["GET", "HEAD", "POST", "PUT"]), "path": path, "headers": {}, "body": ""}
    name = rng.choice(list(ENDPOINTS))
    values: dict[str, Any] = {
        "store": 0,
        "text": rng.choice(FILTERS),
        "base": rng.choice([None, None, 0, 7]),
        "name": None,
    }
    values |= {key: rng.choice(choices) for key, choices in ENDPOINTS[name].items()}
    if rng.random() < 0.2:
        values["text"] = mutate.data(rng, values["text"].encode()).decode("utf-8", "replace")
    if rng.random() < 0.2:
        values["name"] = rng.choice(["a", "b", "x", 5])
    body = mutate.dump(mutate.value(rng, values) if rng.random() < 0.3 else values)
    if rng.random() < 0.05:
        body = mutate.data(rng, body)
    headers = {rng.choice(["origin", "x-fictc-token", "host", "cookie"]): "x"} if rng.random() < 0.02 else {}
    request = {"method": "POST", "path": f"/api/{name}", "headers": headers, "body": body.decode("latin-1")}
    return request | ({"sent": rng.choice([0, len(body) // 2, len(body)])} if rng.random() < 0.03 else {})


def check(folder: Path, sandbox: Sandbox) -> None:
    """Send the requests to a server that the cases of a process share, and check the responses."""
    served, errors = _server()
    for line in (folder / REQUESTS).read_text().splitlines():
        try:
            request = json.loads(line)
        except ValueError:  # cut when a case is reduced
            continue
        if "sent" in request:
            _leave(served, request)
        else:
            _check_response(served, request, sandbox)
    served.ask("runs")  # what the server prints about an earlier request is printed by now
    printed = errors.read_text(encoding="utf-8", errors="replace")
    errors.write_text("")
    if printed:
        raise Failure("explore prints to standard error", printed)


@cache
def _server() -> tuple[Explorer, Path]:
    """Start a server that ends with this process, and return it with the file of its standard error."""
    folder, running = Path(mkdtemp(prefix="fictc-fuzz-explore-")), ExitStack()
    Finalize(None, remove_dir, (folder,), exitpriority=1)
    Finalize(None, running.close, exitpriority=2)
    store = small_store(folder, long=0)
    (folder / "suite.csv").write_text("good,bad,paradigm\nthe dogs bark dogs,x,order\n", encoding="utf-8")
    Fabricated(items=60).write(folder / "runs" / "one" / "results")
    Fabricated(items=3, paradigms=()).write(folder / "runs" / "two" / "results")
    (folder / "saved").mkdir()
    parses = corpora.store(folder / "parses", corpora.conllu([tree("dogs NOUN 2 nsubj\nbark VERB 0 root")])).path
    errors = folder / ERRORS
    arguments = (
        "--runs",
        folder / "runs",
        "--suite",
        folder / "suite.csv",
        "--parses",
        parses,
        "--save",
        folder / "saved",
    )
    served = running.enter_context(
        explorer(store, *arguments, "--processes", "1", "--timeout", "4", "--memory", "1GB", errors=errors)
    )
    errors.write_text("")  # a hint at the start
    return served, errors


def _leave(served: Explorer, request: dict[str, Any]) -> None:
    """Send the first bytes of a request, or all of it, and leave before the response."""
    host, _, port = served.origin.removeprefix("http://").rpartition(":")
    cookie = "; ".join(f"{name}={value}" for name, value in served.client.cookies.items())
    body = request["body"].encode("latin-1")
    headers = {"host": f"{host}:{port}", "cookie": cookie, "content-length": str(len(body))} | served.headers
    lines = [f"POST {request['path']} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall("\r\n".join(lines).encode() + body[: request["sent"]])


def _check_response(served: Explorer, request: dict[str, Any], sandbox: Sandbox) -> None:
    url, headers = f"{served.origin}{request['path']}", {**served.headers, **request["headers"]}
    try:
        response = served.client.request(
            request["method"],
            url,
            content=request["body"].encode("latin-1"),
            headers=headers,
            timeout=120,  # on a busy machine
        )
    except httpx.HTTPError as error:
        raise Failure("explore cuts its response", f"{request}\n{error!r}") from None
    sandbox.codes[request["path"].partition("?")[0], response.status_code] += 1
    if response.status_code not in STATUSES:
        raise Failure(f"explore answers {response.status_code}", f"{request}\n{response.text}")
    if request["method"] != "POST" or not request["path"].startswith("/api/"):
        return
    if response.status_code != 200:
        if not response.text.strip():
            raise Failure("explore refuses without a reason", str(request))
        return
    _check_objects(request, response.text)


def _check_objects(request: dict[str, Any], text: str) -> None:
    """Check that a response has whole objects, of which the last one ends it with what was asked or with messages."""
    shown = f"{request}\n{text[:2_000]}"
    if not text.endswith("\n"):
        raise Failure("explore ends its response within an object", shown)
    last = [json.loads(line) for line in text[:-1].split("\n")][-1]
    if last["kind"] not in LAST:
        raise Failure(f"explore ends its response with {last['kind']}", shown)
    if last["kind"] == "problem":
        messages = " ".join(problem["message"] for problem in last["problems"])
        if not messages or re.search(r"Traceback|bug in fictc|process that searched ended", messages):
            raise Failure("explore answers with a bug", shown)
