"""Sources get the shortest labels that tell them apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.corpus.corpus_files import corpus_files, source_labels
from runner.errors import InputError


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["/a/x", "/b/y"], ["x", "y"]),
        (["/a/x", "/b/x", "/b/y"], ["a/x", "b/x", "y"]),
        (["/1/a/x", "/2/a/x", "/2/b/x"], ["1/a/x", "2/a/x", "b/x"]),
        (["/x", "/a/x"], ["x", "a/x"]),
    ],
)
def test_labels(paths: list[str], expected: list[str]) -> None:
    assert source_labels([Path(path) for path in paths]) == expected


def test_folders_are_searched_in_order(tmp_path: Path) -> None:
    for name in ("b.conllu", "a/c.conllu.gz", "a/notes.txt", "a/a.conllu", ".git/b.conllu", "a/._a.conllu"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    found = corpus_files([tmp_path], (".conllu", ".conllu.gz"), "CoNLL-U files")
    assert [str(path.relative_to(tmp_path)) for path in found] == ["a/a.conllu", "a/c.conllu.gz", "b.conllu"]


def test_mistakes(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    (tmp_path / "empty").mkdir()
    for given, code in (([tmp_path / "empty"], "FICT733"), ([tmp_path / "x", tmp_path / "empty/../x"], "FICT737")):
        with pytest.raises(InputError) as caught:
            corpus_files(given, (".conllu",), "CoNLL-U files")
        assert caught.value.diagnostics[0].code == code
