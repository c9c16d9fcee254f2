"""Call `fictc` in forks of this process, which has imported all modules, and describe what a call did."""

from __future__ import annotations

import gc
import hashlib
import importlib
import os
import pkgutil
import re
import shlex
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("fictdsl", "runner", "fictc")
LIMIT = 60  # lines of a text that are recorded; a longer one is recorded by its start and its SHA-256
ENVIRONMENT = {
    "COLUMNS": "100",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "TERM": "dumb",
    "TZ": "UTC",
    "HF_HUB_OFFLINE": "1",
    "PYTHONPATH": str(ROOT),
}
# what differs between runs and machines, and what is written instead
VARYING = (
    (r"0x[0-9a-f]{6,}", "ADDRESS"),
    (r"\b\d+(?:[.,]\d+)? ?(?:ms|s|min|seconds|minutes)\b", "TIME"),
    (r"( +)TIME", " TIME"),
    (r'("(?:time|at)": )\d{9,}[\d.]*', r"\1N"),
    (r'("(?:\w*seconds|eta|training|scoring)": )\d+\.\d+(?:e-\d+)?', r"\1N"),
    (r'("(?:tokens_per_second|pid)": )\d+', r"\1N"),
    (r"(<dt>[^<]*seconds</dt><dd>)[\d.]+", r"\1N"),
    (r'("cpu": )"[^"]*"', r"\1CPU"),
    (r"\d+\.\d+\.\d+ [0-9a-f]{40}\b\+?", "VERSION"),
    (r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:\+00:00|Z)?", "DATE"),
)
IGNORED = {".cache", "__pycache__", "events.jsonl"}  # the events of a run have the times at which its cells worked


def import_everything() -> None:
    """Import all modules and the libraries that they use, so that forks have them."""
    for package in map(importlib.import_module, PACKAGES):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                with suppress(ImportError):
                    importlib.import_module(module.name)
    gc.collect()
    gc.freeze()


def record(line: str, folder: Path) -> str:
    """Run a command line in `folder`, with `< FILE` for its standard input, and return what it did as text."""
    before = files(folder)
    code = call(line, folder)
    parts = [f"$ {line}\n", f"= {code}\n" if code else ""]
    parts += quoted("  ", normalized(read(folder / ".cache" / "out"), folder, line))
    parts += quoted("! ", normalized(read(folder / ".cache" / "err"), folder, line))
    after = files(folder)
    shown: set[str] = set()
    for name in sorted(after.keys() | before.keys()):
        if name not in after:
            parts.append(f"- {name}\n")
        elif before.get(name) != after[name]:
            parts += described(folder / name, name, folder, shown)
    return "".join(parts) + "\n"


def call(line: str, folder: Path) -> int:
    """Run a command line in a fork, its output into `.cache/out` and `.cache/err`, and return its exit code."""
    words = shlex.split(line.replace("ROOT", str(ROOT)))
    source = os.devnull
    if "<" in words:
        source = str(folder / words[words.index("<") + 1])
        words = words[: words.index("<")]
    (folder / ".cache").mkdir(exist_ok=True)
    pid = os.fork()
    if pid == 0:
        _become(words, folder, source)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _become(words: Sequence[str], folder: Path, source: str) -> None:
    code = 99
    try:
        os.chdir(folder)
        writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        os.dup2(os.open(source, os.O_RDONLY), 0)
        os.dup2(os.open(".cache/out", writing), 1)
        os.dup2(os.open(".cache/err", writing), 2)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        os.environ.clear()
        os.environ.update(kept | ENVIRONMENT | {"XDG_CACHE_HOME": str(folder / ".cache" / "user")})
        sys.argv = ["fictc", *words]
        from fictc.__main__ import main

        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)


def files(folder: Path) -> dict[str, tuple[int, int]]:
    """Return the files below a folder with their times and sizes, but for caches."""
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if not IGNORED.intersection(name.parts) and path.suffix != ".lock" and path.is_file():
            status = path.stat()
            found[str(name)] = (status.st_mtime_ns, status.st_size)
    return found


def described(path: Path, name: str, folder: Path, shown: set[str]) -> Iterator[str]:
    """Yield the lines that describe a written file: its SHA-256, and its text if it is the first of its name."""
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        yield f"+ {name}  {hashlib.sha256(path.read_bytes()).hexdigest()}\n"
        return
    text = normalized(text, folder, "")
    yield f"+ {name}  {digest(text)}\n"
    if path.suffix not in (".html", ".svg", ".fict", ".js") and len(text) < 4000 and path.name not in shown:
        shown.add(path.name)
        yield from quoted("  | ", text)


def normalized(text: str, folder: Path, line: str) -> str:
    """Return a text with names for what varies; the page of a command is exact."""
    text = text.replace(str(folder), "HERE").replace(str(ROOT), "ROOT")
    if "--help" in line:
        return text
    for pattern, name in VARYING:
        text = re.sub(pattern, name, text)
    return text


def quoted(mark: str, text: str) -> list[str]:
    """Return the lines of a text after a mark; the middle of a long one is a SHA-256."""
    lines = text.splitlines()
    shown = [f"{mark}{row[:400]}".rstrip() + "\n" for row in lines[:LIMIT]]
    if len(lines) > LIMIT or any(len(row) > 400 for row in lines):
        shown.append(f"{mark}… {len(lines)} lines, {digest(text)}\n")
    return shown


def digest(text: str) -> str:
    """Return the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def read(path: Path) -> str:
    """Return the text of a file; invalid bytes as escapes."""
    return path.read_bytes().decode(errors="backslashreplace")
