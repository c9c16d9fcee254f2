"""A store and filters to call commands on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.errors import InputError
from tests.support import corpora
from tests.support.reading import tree

DOGS = tree("dogs NOUN 2 nsubj feats=Number=Plur\nbark VERB 0 root\ncats NOUN 2 obj", "sent_id = one")
CAT = tree("the DET 2 det\ncat NOUN 0 root feats=Number=Sing", "sent_id = two")
NAMELESS = tree("cats NOUN 2 nsubj feats=Number=Plur\nhiss\x1b[31m VERB 0 root")

FILTERS = """fict 1
filter subject {
  about "A subject."
  source "a test"
  targets blimp/a
  match { V -[nsubj]-> S }
}
filter number for n in {Sing, Plur} { about "A $n noun." match { N:NOUN[Number = $n] } keep sentence }
"""


@dataclass
class Ended:
    """How a command ended: its exit code, what it printed and, of an input error, the codes and messages."""

    code: int
    out: str
    err: str
    problems: tuple[tuple[str, str, str | None], ...]


Fictc = Callable[..., Ended]


@pytest.fixture
def call() -> Fictc:
    def run(*arguments: object, stdin: bytes | None = None) -> Ended:
        result = CliRunner().invoke(fictc, [str(argument) for argument in arguments], input=stdin)
        if isinstance(result.exception, InputError):
            found = result.exception.diagnostics
            return Ended(2, result.stdout, result.stderr, tuple((p.code, p.message, p.hint) for p in found))
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ended(result.exit_code, result.stdout, result.stderr, ())

    return run


@pytest.fixture
def filters(tmp_path: Path) -> Path:
    path = tmp_path / "filters.fict"
    path.write_text(FILTERS)
    return path


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return corpora.store(tmp_path, corpora.conllu([DOGS, CAT, NAMELESS])).path
