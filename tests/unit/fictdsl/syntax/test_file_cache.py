from __future__ import annotations

import os
from pathlib import Path

import pytest

from fictdsl.syntax import files as shelf_module
from fictdsl.syntax.files import FileCache
from fictdsl.syntax.load import load_file, load_text


def project(folder: Path) -> list[Path]:
    (folder / "fictc.toml").touch()
    (folder / "words.txt").write_text("a\nb\na\n", encoding="utf-8")
    (folder / "words.fict").write_text('fict 1\nlist words = file "words.txt"\n', encoding="utf-8")
    names = ["one.fict", "two.fict"]
    for name in names:
        (folder / name).write_text('fict 1\nuse "words.fict"\n', encoding="utf-8")
    return [folder / name for name in names]


def test_a_shared_file_is_read_once_and_complains_in_each_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    plain = shelf_module.read_bytes
    monkeypatch.setattr(shelf_module, "read_bytes", lambda path, *rest: read.append(path.name) or plain(path, *rest))
    file_cache = FileCache()
    for path in project(tmp_path):
        module, problems = load_file(path, file_cache)
        assert module is not None
        assert module.uses["words.fict"].lists == {"words.txt": ("a", "b")}
        assert [problem.code for problem in problems] == ["FICT148"]
    assert read == ["one.fict", "words.fict", "words.txt", "two.fict"]


def test_what_has_changed_is_read_again(tmp_path: Path) -> None:
    path, _ = project(tmp_path)
    file_cache = FileCache()
    load_file(path, file_cache)
    words = tmp_path / "words.txt"
    before = words.stat()
    words.write_text("c\nd\ne\n", encoding="utf-8")
    os.utime(words, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    module, problems = load_file(path, file_cache)
    assert module is not None and not problems
    assert module.uses["words.fict"].lists == {"words.txt": ("c", "d", "e")}


def test_what_cannot_be_read_is_said_where_it_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "folder.txt").mkdir()
    file_cache = FileCache()
    for text in ('fict 1\nlist a = file "folder.txt"\n', 'fict 1\n\nlist a = file "folder.txt"\n'):
        _, [problem] = load_text(text, "t", tmp_path, file_cache)
        assert problem.code == "FICT142"
        assert problem.span is not None and text[problem.span.start : problem.span.end] == '"folder.txt"'


def test_a_file_is_named_as_it_was_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, other = project(tmp_path)
    monkeypatch.chdir(tmp_path)
    file_cache = FileCache()
    shown = []
    for file in (path, Path(other.name)):
        _, [problem] = load_file(file, file_cache)
        assert problem.source is not None
        shown.append(problem.source.name)
    assert shown == [str(tmp_path / "words.txt"), "words.txt"]


def test_unsaved_text_stands_in_its_files_place(tmp_path: Path) -> None:
    path = project(tmp_path)[0]
    unsaved: dict[Path, str] = {}
    file_cache = FileCache(unsaved)
    for words, entries in (("", ()), ("x\n", ("x",)), (None, ("a", "b"))):
        unsaved.clear()
        if words is not None:
            unsaved[(tmp_path / "words.txt").resolve()] = words
        module, _ = load_file(path, file_cache)
        assert module is not None
        assert module.uses["words.fict"].lists == {"words.txt": entries}
    unsaved[path.resolve()] = "fict 1 list a = {}"
    module, problems = load_file(path, file_cache)
    assert (module and [item.name.text for item in module.file.items], problems) == (["a"], [])


def test_a_file_is_read_once_as_each_kind(tmp_path: Path) -> None:
    (tmp_path / "a.fict").write_text("fict 1\nlist b = {c}\n", encoding="utf-8")
    (tmp_path / "a.tsv").write_text("a \tb\n", encoding="utf-8")
    items = ['use "a.fict"', 'list l = file "a.fict"', 'list e = file "a.tsv"', 'list r from "a.tsv"']
    for text in ("\n".join(["fict 1", *items]), "\n".join(["fict 1", *reversed(items)])):
        module, problems = load_text(text, "t", tmp_path)
        assert module is not None and not problems
        assert module.uses["a.fict"].file.items
        assert module.lists == {"a.fict": ("fict 1", "list b = {c}"), "a.tsv": ("a \tb",)}
        assert module.tables == {"a.tsv": ("a\tb",)}
