"""Fuzz the protocol of `lsp`: valid and invalid messages and edits, with a check of every response."""

from __future__ import annotations

import json
import random
from pathlib import Path

from tests.fuzz.sandbox import Failure, Sandbox, check_unchanged, contents
from tests.support import sessions

IMPORTS = (
    "runner.cli.lsp",
    "runner.lsp.server",
    "runner.lsp.connection",
    "fictdsl.lint.engine",
    "fictdsl.lint.fix",
)
SESSION, ROOT = "session.jsonl", "file:///ROOT"


def make(rng: random.Random, folder: Path) -> None:
    """Write a file with a step of a session on each line, and a filter."""
    steps = sessions.Client(rng, ROOT).session(rng.choice([10, 20, 40]))
    (folder / SESSION).write_text("".join(json.dumps(step) + "\n" for step in steps))
    (folder / "b.fict").write_text(sessions.FILTER)


def check(folder: Path, sandbox: Sandbox) -> None:
    """Send the whole session to the server at once, and check its responses."""
    before = contents(folder)
    steps = list(map(json.loads, (folder / SESSION).read_text().replace(ROOT, folder.as_uri()).splitlines()))
    ended = sandbox.run(["lsp"], folder, stdin=sessions.to_bytes(steps))
    for problem in sessions.problems(steps, ended.out, ended.err.decode(errors="replace"), ended.code):
        raise Failure("lsp breaks its protocol", problem)
    check_unchanged(before, folder)
