"""What a newcomer types: no path, a misspelt name, a file of several filters where one is wanted, a narrow terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from runner.cli import COMMANDS
from runner.cli.show import Columns, key_table
from runner.corpus.match_groups import GroupCount
from tests.unit.runner.cli.conftest import Fictc
from tests.unit.runner.cli.test_lint import lint

UNFIXABLE = {
    "no end": 'fict 1\nfilter a { about "x" match { N:NOUN[upos = NOUN] }\n',
    "an error beside it": 'fict 1\nfilter a { about "x" match { N:NOUN[upos = NOUN, colour = x] } }\n',
}


@pytest.mark.parametrize("name", ["test", "apply", "count"])
def test_no_path_is_the_current_folder(
    name: str, call: Fictc, filters: Path, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "work"
    (folder / ".venv" / "lib").mkdir(parents=True)
    (folder / "mine.fict").write_text(filters.read_text())
    (folder / ".venv" / "lib" / "other.fict").write_text("fict 1 filter other { match { frm } }")
    monkeypatch.chdir(folder)
    options = {"test": (), "count": ("-c", store), "apply": ("-c", store, "--dry-run")}[name]
    named = call(name, ".", *options)
    assert (named.code, named.problems) == (0, ())
    assert "subject" in named.out + named.err
    assert call(name, *options) == named
    assert call(name, "mine.fict", *options).out == named.out


def test_a_folder_without_filters_is_named(call: Fictc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert call("test").problems[0][:2] == ("FICT291", ". contains no filter")


@pytest.mark.parametrize(
    ("written", "meant"), [("lnt", "lint"), ("improt", "import"), ("explan", "explain"), ("covrage", "coverage")]
)
def test_a_misspelt_command(written: str, meant: str, call: Fictc) -> None:
    ended = call(written)
    assert ended.code == 2
    assert f"No such command '{written}'; the nearest name is `{meant}`." in ended.err


def test_a_command_that_is_like_none(call: Fictc) -> None:
    assert "No such command 'xyzzy'.\n" in call("xyzzy").err
    assert "run-cell" in COMMANDS
    assert "nearest" not in call("runcell").err.replace("`run`", "")


@pytest.mark.parametrize(
    ("command", "option"),
    [(("lint", "--fxi"), "--fix"), (("count", "--overlpa"), "--overlap"), (("show", "--fromat", "tree"), "--format")],
)
def test_a_misspelt_option(command: tuple[str, ...], option: str, call: Fictc) -> None:
    ended = call(*command)
    assert ended.code == 2
    assert option in ended.err


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("fict51", "fict15"),
        ("filters/fict51", "fict15"),
        ("fict15/pasive", "fict15/passive"),
        ("filters/fict15/pasive.fict", "fict15/passive"),
        ("mien.fict", "mine.fict"),
        ("mien", "mine.fict"),
        ("mine", "mine.fict"),
    ],
)
def test_a_misspelt_filter_or_folder(
    written: str, meant: str, call: Fictc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.fict").write_text("fict 1 filter mine { match { N:NOUN } }")
    monkeypatch.chdir(tmp_path)
    (problem,) = call("test", written).problems
    assert (problem[0], problem[2]) == ("FICT292", f"the nearest name is `{meant}`")


def test_lint_names_the_nearest_folder(tmp_path: Path) -> None:
    (tmp_path / "filters").mkdir()
    result = lint(tmp_path / "fitlers")[1]
    assert "the most similar folder name in its folder is `filters`" in result.stdout


def test_accept_names_the_filters_as_they_are_given(call: Fictc, filters: Path, store: Path) -> None:
    refused = call("test", filters, "--accept", "-c", store, "--sentence", "one")
    assert refused.code == 2
    named = re.findall(r"\S+::[\w.]*\w", refused.err)
    assert named == [f"{filters}::{name}" for name in ("subject", "number.Sing", "number.Plur")]
    assert call("test", named[0], "--accept", "-c", store, "--sentence", "one").code == 0


def promised(stderr: str) -> int:
    found = re.search(r"\((\d+) can be fixed with --fix\)", stderr)
    return int(found[1]) if found else 0


def made(stderr: str) -> int:
    found = re.search(r"(\d+) fixed", stderr)
    return int(found[1]) if found else 0


@pytest.mark.parametrize("text", UNFIXABLE.values(), ids=UNFIXABLE)
def test_what_will_not_be_fixed_is_not_promised(text: str, tmp_path: Path) -> None:
    file = tmp_path / "a.fict"
    file.write_text(text)
    assert promised(lint(file)[1].stderr) == 0
    assert made(lint(file, "--fix")[1].stderr) == 0
    assert file.read_text() == text


@pytest.mark.long
def test_what_is_promised_is_fixed(tmp_path: Path) -> None:
    """For the texts in the cases of all rules."""
    folder = Path(__file__).parents[3] / "cases" / "lint"
    texts = [
        text for page in folder.glob("*.md") for text in re.findall(r"```fict\n(.*?)```", page.read_text(), re.DOTALL)
    ]
    promises = 0
    for number, text in enumerate(texts):
        file = tmp_path / f"{number}.fict"
        file.write_text(text)
        said = promised(lint(file)[1].stderr)
        assert said <= made(lint(file, "--fix")[1].stderr), text
        assert promised(lint(file)[1].stderr) == 0, text
        promises += said
    assert promises > 20


def test_a_table_never_cuts_a_number() -> None:
    values = [(f"{word} and more words after it", str(10**number)) for number, word in enumerate(["a", "b", "c"] * 4)]
    rows = [GroupCount(value, 1_000_000, 1 / 12, 12_000_000) for value in values]
    for width in (None, 80, 40, 20):
        for shown in (None, 5):
            lines = list(key_table(Columns(["meta.title", "length"]), rows, 12_000_000, shown, width))
            count = shown or len(values)
            assert [line.split()[-4:-3] for line in lines[1 : count + 1]] == [[number] for _, number in values[:count]]
            assert all("1,000,000" in line for line in lines[1 : count + 1])
            assert "12,000,000" in lines[-1]


def test_the_number_of_rows_left_out_is_whole() -> None:
    rows = [GroupCount((f"T{number}",), 1, 1e-5, 12_345) for number in range(12_345)]
    for width in (None, 80, 10):
        lines = list(key_table(Columns(["upos(V)"]), rows, 12_345, 5, width))
        assert lines[-2].split("  ")[0].startswith("(12,340 more)")
        assert len({line.index("1", 5) for line in lines[1:6]}) == 1
