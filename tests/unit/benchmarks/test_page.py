"""Tables into the page of figures, and the commands that make them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import annotate, elsewhere, exploring, linting, matching
from benchmarks.__main__ import argument_parser, main
from benchmarks.cases import Case
from benchmarks.data import Data
from benchmarks.page import replace_table

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "filters" / "fict15" / "examples"
Run = Callable[..., str]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*command: object) -> str:
        monkeypatch.setattr(sys, "argv", ["benchmarks", *map(str, command)])
        main()
        return capsys.readouterr().out

    return run


@pytest.fixture
def usage_error(run: Run, capsys: pytest.CaptureFixture[str]) -> Run:
    def usage_error(*command: object) -> str:
        with pytest.raises(SystemExit, match=r"^2$"):
            run(*command)
        return capsys.readouterr().err

    return usage_error


@pytest.fixture
def data(tmp_path: Path) -> list[object]:
    """Options for a folder with corpora, stores and flat files, which are not read."""
    for size, suffix in ((size, suffix) for size in ("0.1", "0.2", "0.5", "10") for suffix in ("conllu", "store")):
        (tmp_path / f"{size}m.{suffix}").write_text("# text = Dogs bark.\n")
    return ["--data", tmp_path]


def test_a_table_replaces_the_one_before(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A\n<!-- table one -->\nold\n<!-- end -->\nprose\n<!-- table two -->\n<!-- end -->\n")
    replace_table(page, "one", "| new \\1 |\n")
    expected = "# A\n<!-- table one -->\n\n| new \\1 |\n\n<!-- end -->\nprose\n<!-- table two -->\n<!-- end -->\n"
    assert page.read_text() == expected


def test_a_table_without_a_place_is_an_error(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A\n")
    with pytest.raises(ValueError, match="no markers for the table one"):
        replace_table(page, "one", "")


def test_filters_are_measured_on_a_corpus_made_of_treebanks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- table fict15 0.002 -->\n<!-- end -->\n")
    command = ["filters", "--data", tmp_path / "data", "--treebanks", *sorted(EXAMPLES.glob("*.conllu"))]
    command += ["--words", 0.002, "--runs", 1, "--sets", "fict15", "--only", "passive", "npi-only", "--page", page]
    monkeypatch.setattr(sys, "argv", ["benchmarks", *map(str, command)])
    main()
    lines = page.read_text().splitlines()
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in lines if line.startswith("| ")}
    assert {"passive", "npi-only", "all", "without phrases and dominance"} <= set(rows)
    assert "**no**" not in page.read_text()
    assert rows["passive"].endswith("| yes |")
    assert "## fict15 0.002" in capsys.readouterr().out
    assert Data(tmp_path / "data", []).store(0.002).is_dir()


def test_a_set_without_a_named_filter_is_omitted(run: Run, data: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "measure", lambda cases, *_, **__: cases)
    monkeypatch.setattr(matching, "render", lambda cases: " ".join(case.name for case in cases))
    out = run("filters", *data, "--only", "passive")
    assert "## fict15 10\n" in out
    assert out.endswith("\n\npassive\n")
    assert "## others" not in out
    out = run("filters", *data, "--only", "passive", "imperative")
    assert out.index("## fict15 10\n") < out.index("## others 10\n")


def test_filters_of_phrases_alone_are_rendered(tmp_path: Path, run: Run) -> None:
    options = ["--data", tmp_path, "--treebanks", *sorted(EXAMPLES.glob("*.conllu")), "--words", 0.001, "--runs", 1]
    out = run("filters", *options, "--sets", "fict15", "--peers", "--only", "npi-only")
    assert "| npi-only |" in out
    assert "phrases and dominance" not in out


@pytest.mark.parametrize("command", ["filters", "tools", "count", "explore"])
def test_a_misspelt_filter_is_an_error(usage_error: Run, data: list[object], command: str) -> None:
    error = usage_error(command, *data, "--only", "pasive", "npi-only")
    assert "--only: no filter pasive in fict15" in error
    assert error.endswith("; the nearest is passive\n")
    assert "no filter zzz in" in usage_error(command, *data, "--only", "zzz")


def test_a_filter_that_no_tool_has_is_an_error(
    usage_error: Run, data: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Peer:
        FILTERS = ("det-noun",)

        @staticmethod
        def finder(_corpus: Path) -> Callable[[str], list[int]]:
            return lambda _: []

    monkeypatch.setattr(elsewhere.importlib, "import_module", lambda _: Peer)
    monkeypatch.setattr(elsewhere.ours, "ways", lambda *_: {elsewhere.BASE: Peer})
    assert "--only: Udapi, spaCy, graphANNIS: no query for these" in usage_error("tools", *data, "--only", "passive")


@pytest.mark.timeout(20)
def test_a_corpus_without_treebanks_is_an_error(usage_error: Run, tmp_path: Path) -> None:
    assert "size: --treebanks must name files" in usage_error("size", "--data", tmp_path)
    assert not any(tmp_path.iterdir())


def test_the_note_tells_the_runs_that_were_made(run: Run, data: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linting, "measure", lambda: "the table")
    monkeypatch.setattr(annotate, "measure", lambda *_: "the table")
    for out in (run("lint"), run("annotate", *data, "--models", "models")):
        assert out.count(" run") == out.count("; one run") == 1
    monkeypatch.setattr(exploring, "measure", lambda *_: "the table")
    assert "; 3 runs; 10 million words; " in run("explore", *data)


@pytest.mark.parametrize(
    "command",
    [
        "tools --threads 2",
        "stanza --only passive",
        "count --threads 2",
        "count --sets fict15",
        "import --only passive",
        "size --runs 2",
        "annotate --runs 2",
        "annotate --words 1",
        "lint --runs 2",
        "training --words 1",
    ],
)
def test_an_option_that_a_benchmark_does_not_use_is_an_error(command: str, usage_error: Run, tmp_path: Path) -> None:
    name, option, value = command.split()
    needed = [] if name in ("lint", "training") else ["--data", tmp_path]
    needed += ["--models", tmp_path] if name == "annotate" else []
    assert f"unrecognized arguments: {option} {value}" in usage_error(name, *needed, option, value)


def test_tables_of_several_sizes_have_names_of_their_own(
    tmp_path: Path, run: Run, data: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def tools(cases: list[Case], _data: Data, millions: float, **_: int) -> str:
        return f"{len(cases)} filters, {millions}"

    monkeypatch.setattr(elsewhere, "tools", tools)
    page = tmp_path / "page.md"
    page.write_text("".join(f"<!-- table tools{size} -->\n<!-- end -->\n" for size in ("", " 0.1", " 0.2")))
    run("tools", *data, "--page", page)
    run("tools", *data, "--words", 0.1, 0.2, "--page", page)
    names_and_tables = [line for line in page.read_text().splitlines() if line.startswith(("<!-- table", "15"))]
    assert names_and_tables == [
        "<!-- table tools -->",
        "15 filters, 0.5",
        "<!-- table tools 0.1 -->",
        "15 filters, 0.1",
        "<!-- table tools 0.2 -->",
        "15 filters, 0.2",
    ]


def test_both_commands_have_the_same_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    packages = [argument_parser().parse_args(["annotate", "--data", ".", "--models", "."]).package]
    monkeypatch.setattr(annotate, "measure", lambda _texts, _models, package, _single: packages.append(package) or "")
    (tmp_path / "text.conllu").write_text("# text = Dogs bark.\n")
    annotate.main([str(tmp_path / "text.conllu"), "--models", "."])
    assert packages == ["default", "default"]


def test_the_quick_benchmarks_are_accepted(tmp_path: Path) -> None:
    """`make bench-quick` runs a `python` that writes down its arguments."""
    (tmp_path / "ud-ewt").mkdir()
    (tmp_path / "ud-ewt" / "a.conllu").touch()
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho "$*" >> {tmp_path}/commands\n')
    python.chmod(0o755)
    make = shutil.which("make")
    assert make is not None
    variables = [f"BIN={tmp_path}", f"INSTALLED={python}", f"FICTC_DATA={tmp_path}"]
    subprocess.run(
        [make, "-o", str(python), "bench-quick", *variables], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
    )
    commands = [line.split() for line in (tmp_path / "commands").read_text().splitlines()]
    options = [argument_parser().parse_args(command[2:]) for command in commands]
    names = ["lint", "count", "explore", "filters", "size", "write", "rewrite", "import"]
    assert [command.command for command in options] == names
    assert all(command.words == [0.2] and command.treebanks for command in options[1:])
    assert all(getattr(command, "runs", 1) == 1 for command in options)
