"""`--timeout` ends every command that runs a query, with one message."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import corpora
from tests.unit.runner.cli.conftest import Fictc

CHAIN = "".join(f"{n}\tw\tw\tX\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t_\t_\n" for n in range(1, 90)) + "\n"
SLOW = """fict 1
filter slow { match { A << B  C << D  E << F  G << H } }
filter quick { match { A[form = w] } }
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    corpora.store(tmp_path, CHAIN * 4)
    (tmp_path / "slow.fict").write_text(SLOW)
    return tmp_path


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "arguments",
    [
        ("count", "slow.fict"),
        ("match", "slow.fict", "--format", "tsv"),
        ("apply", "slow.fict::slow", "--output", "left.txt"),
        ("show", "slow.fict::slow", "--by", "upos(A)"),
        ("diff", "slow.fict::quick", "slow.fict::slow"),
        ("explain", "slow.fict::slow"),
        ("stats", "cooccurrence", "slow.fict::slow", "slow.fict::quick"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_query_has_so_many_seconds(call: Fictc, place: Path, arguments: tuple[str, ...]) -> None:
    ended = call(*arguments, "--corpus", "store", "--timeout", 0.3, "--memory", "500MB")
    assert [problem[:2] for problem in ended.problems] == [
        ("FICT746", "a filter could not be run on the store store: there is no answer after 0.3 s")
    ]
    assert not (place / "left.txt").exists()
