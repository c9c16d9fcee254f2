"""Reading a file with all it uses: within the project, within limits, each trouble with its place."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.source import Source
from fictdsl.syntax.files import MAX_FICT_BYTES, MAX_FILES, MAX_LIST_BYTES, read_entries
from fictdsl.syntax.load import Module, load_file, load_text


def put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def loaded(path: Path) -> Module:
    module, problems = load_file(path)
    assert module is not None and problems == [], [p.message for p in problems]
    return module


def problem(path: Path) -> Diagnostic:
    """The only diagnostic of a file, with the text it points at checked to be a path in quotes."""
    _, problems = load_file(path)
    assert len(problems) == 1, [p.message for p in problems]
    return problems[0]


def at(found: Diagnostic) -> str:
    assert found.source is not None and found.span is not None
    return found.source.text[found.span.start : found.span.end]


# --- what is read


def test_used_files_and_lists_are_found_beside_the_file_that_names_them(tmp_path: Path) -> None:
    put(tmp_path / "pyproject.toml", "")
    main = put(tmp_path / "a/main.fict", 'fict 1\nuse "../b/lib.fict"\nlist own = file "own.txt"')
    put(tmp_path / "a/own.txt", "x\ny z\n")
    put(tmp_path / "b/lib.fict", 'fict 1\nlist words = file "deep/words.txt"')
    put(tmp_path / "b/deep/words.txt", "w")
    module = loaded(main)
    assert module.path == main
    assert module.lists == {"own.txt": ("x", "y z")}
    assert set(module.uses) == {"../b/lib.fict"}
    library = module.uses["../b/lib.fict"]
    assert library.lists == {"deep/words.txt": ("w",)}
    assert library.source.name == str(tmp_path / "b/lib.fict")


def test_a_file_used_twice_is_read_once(tmp_path: Path) -> None:
    main = put(tmp_path / "main.fict", 'fict 1\nuse "b.fict"\nuse "c.fict"')
    put(tmp_path / "b.fict", 'fict 1\nuse "d.fict"')
    put(tmp_path / "c.fict", 'fict 1\nuse "./d.fict"')
    put(tmp_path / "d.fict", 'fict 1\nlist a = file "w.txt"')
    put(tmp_path / "w.txt", "x\nx\n")
    module, problems = load_file(main)
    assert module is not None
    assert module.uses["b.fict"].uses["d.fict"] is module.uses["c.fict"].uses["./d.fict"]
    assert [p.code for p in problems] == ["FICT148"]


def test_diagnostics_of_used_files_name_the_file_they_are_in(tmp_path: Path) -> None:
    main = put(tmp_path / "main.fict", 'fict 1\nuse "b.fict"')
    put(tmp_path / "b.fict", "fict 1\nlist a = {b c}\nlist d = {e}")
    module, (found,) = load_file(main)
    assert found.source is not None and found.source.name == str(tmp_path / "b.fict")
    assert module is not None and len(module.uses["b.fict"].file.items) == 1


def test_text_from_no_file(tmp_path: Path) -> None:
    put(tmp_path / "w.txt", "x")
    text = 'fict 1\nlist a = file "w.txt"'
    module, problems = load_text(text, "t", tmp_path)
    assert module is not None and not problems and module.lists == {"w.txt": ("x",)}
    assert module.path is None and module.source.name == "t"
    module, (found,) = load_text(text)
    assert found.code == "FICT149" and at(found) == '"w.txt"'


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_entries_of_a_list(tmp_path: Path, start: bytes, line_end: bytes) -> None:
    lines = ["# a comment", "", "  two words\t", "\\#hash", "\\\\x", "e\u0301", "#", " # no comment", "last"]
    put(tmp_path / "w.txt", start + line_end.join(line.encode() for line in lines))
    main = put(tmp_path / "main.fict", start + b'fict 1\nlist a = file "w.txt"')
    expected = ("two words", "#hash", "\\\\x", "\u00e9", "# no comment", "last")
    assert loaded(main).lists["w.txt"] == expected


def test_an_empty_list_is_a_list(tmp_path: Path) -> None:
    put(tmp_path / "w.txt", "")
    assert loaded(put(tmp_path / "main.fict", 'fict 1\nlist a = file "w.txt"')).lists == {"w.txt": ()}


def test_repeated_entries_warn_and_count_once() -> None:
    entries, problems = read_entries(Source.of("a\nb\n a \nb\ne\u0301\n\u00e9\n"))
    assert entries == ("a", "b", "\u00e9")
    assert [(p.code, p.severity, at(p)) for p in problems] == [
        ("FICT148", Severity.WARNING, "a"),
        ("FICT148", Severity.WARNING, "b"),
        ("FICT148", Severity.WARNING, "\u00e9"),
    ]
    assert problems[0].span is not None and problems[0].labels[0].span.start == 0
    assert problems[0].span.start == 5


def test_many_repeated_entries_warn_a_few_times() -> None:
    assert len(read_entries(Source.of("a\n" * 10_000))[1]) == 10


def test_forbidden_characters_of_a_list_are_errors() -> None:
    assert [p.code for p in read_entries(Source.of("a\0b\nc\rd"))[1]] == ["FICT103", "FICT105"]


# --- what cannot be read


def test_a_missing_file_is_offered_its_neighbour(tmp_path: Path) -> None:
    put(tmp_path / "lists.fict", "fict 1")
    found = problem(put(tmp_path / "main.fict", 'fict 1\nuse "list.fict"'))
    assert (found.code, at(found)) == ("FICT140", '"list.fict"')
    assert found.hint == "the most similar file name in its folder is `lists.fict`"
    found = problem(put(tmp_path / "main.fict", 'fict 1\nlist a = file "no/w.txt"'))
    assert (found.code, found.hint) == ("FICT140", "its folder does not exist")
    found = problem(tmp_path / "mian.fict")
    assert (found.code, found.hint) == ("FICT140", "the most similar file name in its folder is `main.fict`")


def test_nothing_outside_the_project_is_read(tmp_path: Path) -> None:
    put(tmp_path / "out.fict", "fict 1")
    put(tmp_path / "in/sub/x.fict", "fict 1")
    put(tmp_path / "in/fictc.toml", "")
    (tmp_path / "in/link.fict").symlink_to(tmp_path / "out.fict")
    (tmp_path / "in/folder").symlink_to(tmp_path)
    (tmp_path / "in/loop.fict").symlink_to(tmp_path / "in/loop.fict")
    main = tmp_path / "in/sub/main.fict"
    for path in ("../../out.fict", "../link.fict", "../folder/out.fict", "../../in/../out.fict"):
        found = problem(put(main, f'fict 1\nuse "{path}"'))
        assert (found.code, at(found)) == ("FICT141", f'"{path}"')
        assert problem(put(main, f'fict 1\nlist a = file "{path}"')).code == "FICT141"
    for path in (str(tmp_path / "in/sub/x.fict"), "/etc/passwd"):
        assert problem(put(main, f'fict 1\nuse "{path}"')).code == "FICT147"
    assert problem(put(main, 'fict 1\nuse "../loop.fict"')).code == "FICT146"
    put(main, 'fict 1\nuse "../sub/x.fict"\nuse "../../in/sub/./x.fict"')
    assert len(loaded(main).uses) == 2


def test_without_a_project_the_folder_is_the_root(tmp_path: Path) -> None:
    put(tmp_path / "lib.fict", "fict 1")
    assert problem(put(tmp_path / "sub/main.fict", 'fict 1\nuse "../lib.fict"')).code == "FICT141"
    put(tmp_path / "pyproject.toml", "")
    assert loaded(tmp_path / "sub/main.fict").uses


def test_a_link_inside_the_project_is_followed(tmp_path: Path) -> None:
    put(tmp_path / "real/lib.fict", 'fict 1\nlist a = file "w.txt"')
    put(tmp_path / "real/w.txt", "x")
    put(tmp_path / "pyproject.toml", "")
    (tmp_path / "link.fict").symlink_to(tmp_path / "real/lib.fict")
    module = loaded(put(tmp_path / "main.fict", 'fict 1\nuse "link.fict"'))
    assert module.uses["link.fict"].lists == {"w.txt": ("x",)}


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    main = tmp_path / "main.fict"
    for path in ("pipe", "folder", ".", ""):
        assert problem(put(main, f'fict 1\nuse "{path}"')).code == "FICT142"
        assert problem(put(main, f'fict 1\nlist a = file "{path}"')).code == "FICT142"
    assert problem(tmp_path / "pipe").code == "FICT142"
    assert problem(Path("/dev/zero")).code == "FICT142"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    put(tmp_path / "lib.fict", "fict 1").chmod(0)
    found = problem(put(tmp_path / "main.fict", 'fict 1\nuse "lib.fict"'))
    assert found.code == "FICT146" and found.message.endswith(" cannot be read: Permission denied")


def test_paths_that_no_system_can_have(tmp_path: Path) -> None:
    main = tmp_path / "main.fict"
    for path in ("a" * 5000, "b" * 300 + ".fict"):
        assert problem(put(main, f'fict 1\nuse "{path}"')).code == "FICT146"
    assert {p.code for p in load_file(put(main, 'fict 1\nuse "a\0b"'))[1]} == {"FICT103"}
    assert {p.code for p in load_text('fict 1\nuse "a\ud800b"', "t", tmp_path)[1]} == {"FICT103"}


def test_sizes_are_limited(tmp_path: Path) -> None:
    put(tmp_path / "lib.fict", "fict 1\n#" + "x" * (MAX_FICT_BYTES - 8))
    put(tmp_path / "words.txt", "#" + "x" * (MAX_LIST_BYTES - 1))
    main = put(tmp_path / "main.fict", 'fict 1\nuse "lib.fict"\nlist a = file "words.txt"')
    loaded(main)
    put(tmp_path / "lib.fict", "fict 1\n#" + "x" * (MAX_FICT_BYTES - 7))
    put(tmp_path / "words.txt", "#" + "x" * MAX_LIST_BYTES)
    _, problems = load_file(main)
    assert [(p.code, at(p)) for p in problems] == [("FICT143", '"lib.fict"'), ("FICT143", '"words.txt"')]
    assert "1 MB" in problems[0].message and "8 MB" in problems[1].message
    assert problem(tmp_path / "lib.fict").code == "FICT143"


def test_the_number_of_files_is_limited(tmp_path: Path) -> None:
    for index in range(1, 200):
        put(tmp_path / f"f{index}.fict", f'fict 1\nuse "f{index + 1}.fict"')
    put(tmp_path / "f200.fict", "fict 1")
    found = problem(tmp_path / "f1.fict")
    assert found.code == "FICT144" and found.source is not None
    assert found.source.name.endswith(f"f{MAX_FILES}.fict")
    for index in range(100):
        put(tmp_path / f"w{index}.txt", "x")
    wide = "\n".join(f'list a{index} = file "w{index}.txt"' for index in range(MAX_FILES))
    loaded(put(tmp_path / "main.fict", f"fict 1\n{wide}"))
    wide = "\n".join(f'list a{index} = file "w{index}.txt"' for index in range(100))
    assert problem(put(tmp_path / "main.fict", f"fict 1\n{wide}")).code == "FICT144"


def test_a_circle_shows_its_chain(tmp_path: Path) -> None:
    put(tmp_path / "a.fict", 'fict 1\nuse "b.fict"')
    put(tmp_path / "b.fict", 'fict 1\nuse "c.fict"\nlist x = {y}')
    put(tmp_path / "c.fict", 'fict 1\nuse "./a.fict"')
    found = problem(tmp_path / "a.fict")
    names = [str(tmp_path / name) for name in ("a.fict", "b.fict", "c.fict", "a.fict")]
    assert found.code == "FICT145"
    assert " → ".join(f"`{name}`" for name in names) in found.message
    assert at(found) == '"./a.fict"'
    found = problem(put(tmp_path / "self.fict", 'fict 1\nuse "self.fict"'))
    assert found.code == "FICT145"


# --- bytes that are no text


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_recognised(tmp_path: Path, encoding: str) -> None:
    found = problem(put(tmp_path / "main.fict", "fict 1\nlist a = {b}\n".encode(encoding)))
    assert found.code == "FICT104" and "UTF-16" in found.message


@pytest.mark.parametrize("data", [bytes(4096), b"fict 1\n" + bytes(4096)])
def test_nuls_are_not_utf_16(tmp_path: Path, data: bytes) -> None:
    _, found = load_file(put(tmp_path / "main.fict", data))
    assert "FICT103" in {p.code for p in found} and "FICT104" not in {p.code for p in found}


def test_bytes_that_are_not_utf8_have_a_place(tmp_path: Path) -> None:
    found = problem(put(tmp_path / "main.fict", "fict 1\n# e\u0301 caf\u00e9".encode() + b" caf\xe9 x\n"))
    assert found.code == "FICT104" and "0xe9" in found.message
    assert found.source is not None and found.span is not None
    assert found.source.position(found.span.start) == (2, 13)
    put(tmp_path / "w.txt", b"a\n\xff\n")
    found = problem(put(tmp_path / "main.fict", 'fict 1\nlist a = file "w.txt"'))
    assert found.code == "FICT104" and found.source is not None and found.source.name.endswith("w.txt")


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    loaded(put(tmp_path / "main.fict", b"\xef\xbb\xbffict 1\n"))
