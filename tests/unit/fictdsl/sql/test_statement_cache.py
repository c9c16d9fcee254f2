"""A statement is generated once for a filter, a layout and the sources; what is cached is never another or damaged."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest

from fictdsl import installation
from fictdsl.compiler import CompiledFilter, compile_file, compile_text
from fictdsl.schema import PLAIN, Layout, SortedCopy
from fictdsl.sql import emit

TEXT = "fict 1\nlist verbs = {see, hear}\nfilter f { match { V[lemma in @verbs] -[obj]-> N[Number = Plur] } }\n"
ANOTHER_PROCESS = """
import sys
from pathlib import Path
from fictdsl.compiler import compile_file
for _ in range(20):
    for filter in compile_file(Path(sys.argv[1])).filters:
        statement = filter.statement()
        assert statement.tables == ("tokens",), statement
    for file in Path(sys.argv[2]).glob("*"):
        file.unlink(missing_ok=True)
print(statement.text)
"""


class Counted:
    """Counts identified by their key."""

    def __init__(self, key: str) -> None:
        self.key = key

    def count(self, column: str, value: str) -> int | None:
        return 7


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "fictc" / "statements"


@pytest.fixture
def emitted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The dialects in which statements were generated, one after the other."""
    real, dialects = emit.emit, list[str]()

    def counted(plan: object, names: object, dialect: str, layout: Layout) -> object:
        dialects.append(dialect)
        return real(plan, names, dialect, layout)

    monkeypatch.setattr(emit, "emit", counted)
    return dialects


def compiled(folder: Path, text: str = TEXT) -> CompiledFilter:
    """Return the filter of a file, compiled again, so that it has no statement in memory."""
    path = folder / "a.fict"
    path.write_text(text, encoding="utf-8")
    (only,) = compile_file(path).filters
    return only


def test_it_is_generated_once(tmp_path: Path, emitted: list[str]) -> None:
    first = compiled(tmp_path).statement()
    assert compiled(tmp_path).statement() == first
    assert emitted == ["duckdb"]
    (from_text,) = compile_text(TEXT).filters
    assert from_text.statement() == first
    assert emitted == ["duckdb", "duckdb"]


def test_layout_and_list_are_part_of_the_key(tmp_path: Path, emitted: list[str]) -> None:
    layouts = [PLAIN, Layout(words=3, counts=Counted("a")), Layout(words=3, counts=Counted("b"))]
    for layout in layouts:
        for _ in range(2):  # at once: two layouts may share a slot
            compiled(tmp_path).statement(layout=layout)
    assert len(emitted) == 3
    assert "'feel'" in compiled(tmp_path, TEXT.replace("hear", "feel")).statement().text
    renamed = compiled(tmp_path, TEXT.replace("V", "W").replace("N[", "M["))
    assert renamed.key == compiled(tmp_path).key
    assert renamed.statement().names == ("W", "M")
    assert len(emitted) == 5
    assert "FROM `tokens`" in compiled(tmp_path).statement("spark").text
    assert emitted[-1] == "spark"


def test_every_field_of_a_layout_is_part_of_its_content() -> None:
    copy = SortedCopy("t", "upos", frozenset({"head", "id"}), 5)
    changes: dict[str, object] = {
        "copies": frozenset({"head_upos"}),
        "sorted_copies": (copy,),
        "words": 3,
        "counts": Counted("a"),
        "raw": True,
    }
    assert changes.keys() == {field.name for field in fields(Layout)}
    layouts = [PLAIN, *(replace(PLAIN, **{name: value}) for name, value in changes.items())]
    others = {"table": "u", "by": "lemma", "columns": frozenset({"id"}), "rows": 6}
    assert others.keys() == {field.name for field in fields(SortedCopy)}
    layouts += [replace(PLAIN, sorted_copies=(replace(copy, **{name: value}),)) for name, value in others.items()]
    assert len({str(layout.content) for layout in layouts}) == len(layouts)


def test_other_sources_of_a_package_are_another_version(
    tmp_path: Path, emitted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = compiled(tmp_path).statement()
    monkeypatch.setattr(installation, "_source_stamps", lambda package: [("another", 1, 1)])
    assert compiled(tmp_path).statement() == first
    assert len(emitted) == 2


def test_a_changed_file_of_a_package_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "some_package" / "inner" / "module.py"
    module.parent.mkdir(parents=True)
    for file in (module, module.parents[1] / "__init__.py"):
        file.write_text("x = 1")
    monkeypatch.syspath_prepend(tmp_path)
    digests = set()
    for text, seconds in (("x = 1", 1), ("x = 12", 1), ("x = 1", 2), ("x = 1", 1)):
        module.write_text(text)
        os.utime(module, (seconds, seconds))
        installation._source_stamps.cache_clear()
        digests.add(installation.content_digest(("some_package",), b""))
    installation._source_stamps.cache_clear()
    assert len(digests) == 3


@pytest.mark.parametrize("damage", [b"", b"{}", None, 0, 40, 70, -1])
def test_a_damaged_entry_is_replaced(
    tmp_path: Path, folder: Path, emitted: list[str], damage: bytes | int | None
) -> None:
    first = compiled(tmp_path).statement()
    (file,) = folder.iterdir()
    content = bytearray(file.read_bytes())
    if isinstance(damage, int):
        content[damage] ^= 1
    file.write_bytes(
        content.replace(b"Plur", b"Sing") if damage is None else damage if isinstance(damage, bytes) else content
    )
    assert compiled(tmp_path).statement() == first
    assert len(emitted) == 2
    assert compiled(tmp_path).statement() == first
    assert len(emitted) == 2


def test_a_cache_that_cannot_be_written_costs_only_time(tmp_path: Path, emitted: list[str]) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert compiled(tmp_path).statement() == compiled(tmp_path).statement()
    assert len(emitted) == 2


def test_a_path_need_not_be_utf_8(tmp_path: Path, folder: Path) -> None:
    other_folder = tmp_path / os.fsdecode(b"caf\xe9")
    other_folder.mkdir()
    compiled(other_folder).statement()
    assert list(folder.iterdir()) != []


def test_changes_of_a_filter_leave_few_entries(tmp_path: Path, folder: Path) -> None:
    for number in range(40):
        compiled(tmp_path, TEXT.replace("see", f"see{number}")).statement()
    assert 2 <= len(list(folder.iterdir())) <= 16


def test_two_processes_share_it(tmp_path: Path, folder: Path) -> None:
    expected = compiled(tmp_path).statement().text
    command = [sys.executable, "-c", ANOTHER_PROCESS, str(tmp_path / "a.fict"), str(folder)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in processes] == [expected, expected]
    assert compiled(tmp_path).statement().text == expected
