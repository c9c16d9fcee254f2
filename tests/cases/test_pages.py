"""The page of every code: its examples are there, and are what they are said to be."""

from __future__ import annotations

import shlex
import tomllib
from pathlib import Path

import pytest

from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.engine import lint_file
from fictdsl.lint.pages import Page, page, pages
from runner.cli import fictc
from runner.corpus.conllu_columns import Notes
from runner.corpus.conllu_reader import Rejection
from runner.corpus.import_conllu import import_files
from runner.errors import InputError
from tests.support.gallery import cases
from tests.support.plain_conllu import read_columns

PAGES = pages()
GALLERY = cases(Path(__file__).parent / "diagnostics")
WHOLE_FILES = {"FICT101", "FICT102"}  # they are about the first line, which the other examples leave out
FOR_CONLLU = {"FICT409"}  # said of what is compiled for the columns of CoNLL-U, and not by the linter


def of(kind: str, *codes: str) -> list[object]:
    """The codes whose examples are of a kind."""
    chosen = [one.code for one in PAGES if one.code.startswith(codes) and language(one) == kind]
    assert chosen
    return [pytest.param(code, id=code) for code in chosen]


def language(one: Page) -> str:
    return one.text.partition("\n```")[2].partition("\n")[0]


def test_every_code_has_a_bad_and_a_good_example() -> None:
    for one in PAGES:
        assert one.bad and one.good and one.bad != one.good, one.code
        assert "## Example\n" in one.text and "## Use instead\n" in one.text, one.code
        assert not one.bad.endswith("\n") and not one.good.endswith("\n"), one.code


def test_no_message_shows_its_template() -> None:
    assert page("FICT110").message == "found …, expected …"
    assert page("FICT314").message == "the bounds {…..…} contain no number"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with what the examples name."""
    for name in ("fictc.toml", "folder/x"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "words.fict").write_text("fict 1\nlist words = {this, that}\n")
    (tmp_path / "circle.fict").write_text('fict 1\nuse "example.fict"\n')
    return tmp_path


@pytest.mark.parametrize("code", of("fict", "FICT1", "FICT2", "FICT3", "FICT4"))
def test_bad_filters_are_bad_and_good_ones_good(code: str, folder: Path) -> None:
    def lint(text: str) -> list[Diagnostic]:
        example = folder / "example.fict"
        example.write_text(text if code in WHOLE_FILES else f"fict 1\n{text}", newline="")
        return compiled(example) if code in FOR_CONLLU else lint_file(example)

    def compiled(example: Path) -> list[Diagnostic]:
        try:
            fictc(["compile", str(example), "--columns", "conllu"], standalone_mode=False)
        except InputError as error:
            return list(error.diagnostics)
        return []

    one = page(code)
    assert code in {problem.code for problem in lint(one.bad)}
    found = lint(one.good)
    assert [problem for problem in found if problem.severity is Severity.ERROR or problem.code == code] == []


@pytest.mark.parametrize("code", of("conllu", "FICT7"))
def test_bad_trees_are_bad_and_good_ones_good(code: str, tmp_path: Path) -> None:
    def found(text: str) -> set[str]:
        path = tmp_path / "example.conllu"
        path.write_bytes((text if text.endswith("\n\n") or code == "FICT724" else f"{text}\n\n").encode())
        notes = Notes()
        rejected = [item for item in read_columns(path.read_bytes(), "x", notes) if isinstance(item, Rejection)]
        told = [*notes.diagnostics("x"), *(problem for item in rejected for problem in item.diagnostics)]
        if not rejected:
            import_files([path], tmp_path / "store", force=True, on_note=told.append)
        return {problem.code for problem in told}

    one = page(code)
    if code.startswith("FICT78"):
        assert found(one.bad) == found(one.good) == set(), "what is wrong is what its comments ask for"
    else:
        assert code in found(one.bad + "\n")
        assert code not in found(one.good + "\n")


@pytest.mark.parametrize("code", of("toml", "FICT6", "FICT7", "FICT8"))
def test_manifests_are_toml_and_stand_in_the_gallery(code: str) -> None:
    one = page(code)
    tomllib.loads(one.good)
    shown = "\n".join(content for case in GALLERY if case.path.name.startswith(code) for _, _, content in case.blocks)
    if code.startswith("FICT6"):
        assert set(one.bad.split("\n")) <= set(shown.split("\n"))


COMMANDS = [
    pytest.param(line, id=f"{one.code}: {line}")
    for one in PAGES
    for line in f"{one.bad}\n{one.good}".split("\n")
    if line.startswith("$ fictc ")
]


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_are_commands(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "words.txt").touch()  # the one file that is read before a command begins, by --list
    monkeypatch.chdir(tmp_path)
    name, *arguments = shlex.split(line.removeprefix("$ fictc "), comments=True)
    command = fictc.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    assert command.make_context(name, arguments)
    if name == "store":
        assert arguments[0] in command.commands  # type: ignore[attr-defined]
