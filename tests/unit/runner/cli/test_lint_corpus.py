"""`fictc lint --corpus`: what the corpus has to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.test_lint import CORPUS
from tests.support import corpora
from tests.unit.runner.cli.test_lint import lint

TEXT = """fict 1
filter one {
  about "x"
  match { V -[nsubj:outer]-> S:NOUN[upos = NOUN] }  # fict: ignore[FICT530] other treebanks have it
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    corpora.store(tmp_path, corpora.conllu(CORPUS))
    (tmp_path / "filters").mkdir()
    (tmp_path / "filters" / "one.fict").write_text(TEXT)
    (tmp_path / "filters" / "broken.fict").write_text("fict 1\nfilter broken { match { N[frm = x] } }\n")
    return tmp_path


def test_a_corpus_is_asked(folder: Path) -> None:
    code, result = lint(folder / "filters", "--corpus", folder / "store", "--format", "concise")
    assert code == 1
    assert [line.split()[1] for line in result.stdout.splitlines()] == [
        "error[FICT301]",
        "warning[FICT534]",
        "warning[FICT516]",
    ]


def test_comments_for_it_are_not_unused_without_it(folder: Path) -> None:
    assert "FICT527" not in lint(folder / "filters" / "one.fict")[1].stdout


def test_what_was_fixed_is_asked(folder: Path) -> None:
    file = folder / "filters" / "one.fict"
    _, result = lint(file, "--fix", "--corpus", folder / "store", "--format", "concise")
    assert "[upos" not in file.read_text()
    assert [line.split()[1] for line in result.stdout.splitlines()] == ["warning[FICT534]"]


def test_what_is_no_store(folder: Path) -> None:
    with pytest.raises(Exception, match="FICT740"):
        lint(folder / "filters", "--corpus", folder / "filters")
