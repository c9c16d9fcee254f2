"""Queries become filter files, and sentences their examples; nothing else is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.cli import fictc
from runner.corpus.limits import Limits
from runner.errors import InputError
from runner.explore import query
from runner.explore.conditions import keep_example, save_filter
from runner.explore.query import Query
from tests.support import corpora
from tests.support.reading import tree

SUBJECT = Query("V   -[nsubj]-> S")


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    sentences = [tree("dogs NOUN 2 nsubj\nbark VERB 0 root"), tree("the DET 2 det\ncat NOUN 0 root")]
    made = corpora.store(tmp_path / "corpus", corpora.conllu(sentences))
    query.prepare(query.ExplorerSettings((made.path,), (), Limits(timeout=60)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "filters").mkdir()
    return tmp_path / "filters"


def test_a_body_becomes_a_formatted_filter(folder: Path) -> None:
    assert save_filter(SUBJECT, "has-subject", folder) == str(folder / "has-subject.fict")
    text = (folder / "has-subject.fict").read_text(encoding="utf-8")
    assert text == "fict 1\n\nfilter has-subject {\n  match {\n    V -[nsubj]-> S\n  }\n}\n"
    assert [path.name for path in folder.iterdir()] == ["has-subject.fict"]


def test_sentences_become_examples_that_pass(folder: Path) -> None:
    save_filter(SUBJECT, "has-subject", folder)
    assert "# expect = match" in keep_example(0, 0, "has-subject", folder)
    assert "# expect = pass" in keep_example(0, 1, "has-subject", folder)
    with pytest.raises(SystemExit) as ended:
        fictc(["test", str(folder)])
    assert ended.value.code == 0
    with pytest.raises(InputError, match="FICT786"):
        keep_example(0, 0, "has-subject", folder)


@pytest.mark.parametrize("name", ["", "../x", "a/b", "/etc/x", "A", "a.fict", ".", "a b", "a\n", "é", "a" * 101, "-a"])
def test_other_names_write_nothing(folder: Path, name: str) -> None:
    for act in (lambda: save_filter(SUBJECT, name, folder), lambda: keep_example(0, 0, name, folder)):
        with pytest.raises(InputError, match="FICT851"):
            act()
    assert list(folder.parent.rglob("*.fict")) == []


def test_no_file_is_replaced(folder: Path) -> None:
    (folder / "mine.fict").write_text("mine", encoding="utf-8")
    (folder / "link.fict").symlink_to(folder.parent / "elsewhere.fict")
    for name in ("mine", "link"):
        with pytest.raises(InputError, match="FICT851"):
            save_filter(SUBJECT, name, folder)
    assert (folder / "mine.fict").read_text(encoding="utf-8") == "mine"
    assert not (folder.parent / "elsewhere.fict").exists()


def test_a_query_with_errors_is_not_saved(folder: Path) -> None:
    with pytest.raises(InputError, match="FICT"):
        save_filter(Query("V -["), "wrong", folder)
    assert list(folder.iterdir()) == []


def test_the_example_belongs_to_the_filter_of_that_name_or_to_a_rewrite(folder: Path) -> None:
    both = "fict 1\nfilter other { match { X:DET } }\nfilter named { match { V -[nsubj]-> S } }\n"
    save_filter(Query(both), "named", folder)
    assert "# filter = named" in keep_example(0, 0, "named", folder)
    save_filter(Query("fict 1\nrewrite bare { match { V -[nsubj]-> S } delete subtree(S) }\n"), "bare", folder)
    assert "# expect-text = bark" in keep_example(0, 0, "bare", folder)
