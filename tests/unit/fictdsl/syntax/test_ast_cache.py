"""A file that is parsed again gives the same tree, from the cache if nothing has changed, else from its text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fictdsl.source import Source
from fictdsl.syntax import parse as parsing
from fictdsl.syntax.files import FileCache
from fictdsl.syntax.load import load_file
from fictdsl.syntax.parse import parse

TEXT = "fict 1\nfilter f {\n  match { A[upos = NOUN] }\n}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "fictc" / "trees"


def source(folder: Path, text: str = TEXT) -> Source:
    return Source.of(text, "a.fict", folder / "a.fict")


def no_parser(_: Source) -> None:
    raise AssertionError("parsed again")


def test_the_second_time_the_tree_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = parsing.parse_cached(source(tmp_path))
    assert first == parse(source(tmp_path))
    monkeypatch.setattr(parsing, "parse", no_parser)
    assert parsing.parse_cached(source(tmp_path)) == first


def test_another_text_takes_its_place(tmp_path: Path, folder: Path) -> None:
    for text in (TEXT, TEXT.replace("NOUN", "VERB"), TEXT):
        assert parsing.parse_cached(source(tmp_path, text)) == parse(source(tmp_path, text))
        assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("at", [0, 40, 70, -1])
def test_a_damaged_tree_is_none(tmp_path: Path, folder: Path, at: int) -> None:
    expected = parsing.parse_cached(source(tmp_path))
    (file,) = folder.iterdir()
    content = bytearray(file.read_bytes())
    content[at] ^= 1
    file.write_bytes(content)
    assert parsing.parse_cached(source(tmp_path)) == expected
    file.write_bytes(content[:50])
    assert parsing.parse_cached(source(tmp_path)) == expected


def test_what_something_is_said_of_is_not_kept(tmp_path: Path, folder: Path) -> None:
    wrong = source(tmp_path, TEXT.replace("filter", "filtre"))
    assert parsing.parse_cached(wrong) == parsing.parse_cached(wrong) == parse(wrong)
    assert parse(wrong)[1]
    assert not folder.exists()


def test_a_cache_that_cannot_be_made_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert parsing.parse_cached(source(tmp_path)) == parse(source(tmp_path))


def test_a_path_need_not_be_utf_8(tmp_path: Path, folder: Path) -> None:
    tree = parsing.parse_cached(source(tmp_path / os.fsdecode(b"caf\xe9")))
    assert tree[0] is not None
    assert len(list(folder.iterdir())) == 1


def test_a_run_over_many_files_keeps_no_trees(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "a.fict"
    path.write_text(TEXT)
    alike = [load_file(path, file_cache) for file_cache in (FileCache(), None)]
    assert alike[0] == alike[1]
    assert len(list(folder.iterdir())) == 1
    path.write_text(TEXT.replace("NOUN", "VERB"))
    before = [file.read_bytes() for file in folder.iterdir()]
    load_file(path, FileCache())
    assert [file.read_bytes() for file in folder.iterdir()] == before
