"""`fictc sample`: what the grammar says a sentence holds is what the shipped filters find, by reference and by SQL."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from fictdsl.compiler import CompiledFilter, compile_file
from fictdsl.reference.evaluate import matches
from fictdsl.reference.sentences import read
from runner.cli.generate import sample as command
from runner.corpus.import_conllu import import_files
from runner.corpus.matches import matching_sids
from runner.corpus.store import Store
from runner.errors import InputError
from runner.sample.corpus import FILTERS, generate
from tests.support.command import fictc

ROOT = Path(__file__).parents[2]
SIZE = 1_500


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "english"
    generate(folder, sentences=SIZE, pairs=2, seed=11)
    return folder


@pytest.fixture(scope="module")
def store(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    return import_files([sample / "train.conllu"], tmp_path_factory.mktemp("store") / "store")


def shipped(name: str) -> CompiledFilter:
    found = [path for path in (ROOT / "filters").glob(f"*/{name}.fict") if path.parent.name in {"fict15", "decaf"}]
    assert len(found) == 1
    compilation = compile_file(found[0])
    assert not compilation.errors
    return compilation.filters[0]


def labelled(sample: Path, name: str) -> list[int]:
    """Places, from 0, of the sentences whose comment says they hold the construction."""
    lines = re.findall(r"^# constructions = (.*)$", (sample / "train.conllu").read_text("utf-8"), re.MULTILINE)
    assert len(lines) == SIZE
    return [place for place, line in enumerate(lines) if name in line.split(", ")]


@pytest.mark.parametrize("name", FILTERS)
def test_filters_find_what_the_grammar_built(name: str, sample: Path, store: Store) -> None:
    compiled = shipped(name)
    expected = labelled(sample, name)
    assert json.loads((sample / "counts.json").read_text("utf-8"))["train"]["filters"][name] == len(expected) > 0
    assert matching_sids(store, [compiled]).tolist() == expected
    sentences = read((sample / "train.conllu").read_text("utf-8"))
    assert [i for i, s in enumerate(sentences) if matches(compiled.module, compiled.definition, None, s)] == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("binding-reconstruction", 0), ("agr-pp-mod", None), ("passive", None)],
)
def test_readings_of_the_paper_find_no_more_than_the_code(name: str, expected: int | None, store: Store) -> None:
    code = set(matching_sids(store, [shipped(name)]).tolist())
    if expected is not None:
        assert len(code) == expected
    paper = ROOT / "filters" / "fict15-paper" / f"{name}.fict"
    if paper.exists():
        assert set(matching_sids(store, [compile_file(paper).filters[0]]).tolist()) <= code


def test_text_goes_out_as_it_came_in(sample: Path, store: Store) -> None:
    texts = re.findall(r"^# text = (.*)$", (sample / "train.conllu").read_text("utf-8"), re.MULTILINE)
    with store.connect() as connection:
        rows = connection.execute("SELECT text FROM sentences ORDER BY sid").fetchall()
        differing = connection.execute("SELECT count(*) FROM raw WHERE rebuilt IS NOT NULL").fetchone()
    assert [row[0] for row in rows] == texts
    assert differing == (0,), "forms and SpaceAfter give the text"


def test_the_command_writes_what_the_function_does(tmp_path: Path) -> None:
    made = fictc("sample", "--output", tmp_path / "a", "--sentences", 50, "--pairs", 2, "--seed", 4)
    assert (made.returncode, made.stdout) == (0, "")
    generate(tmp_path / "b", sentences=50, pairs=2, seed=4)
    for path in (tmp_path / "b").rglob("*.*"):
        assert (tmp_path / "a" / path.relative_to(tmp_path / "b")).read_bytes() == path.read_bytes()


def test_a_sample_is_not_overwritten_by_accident(tmp_path: Path) -> None:
    run = CliRunner()
    options = ["--sentences", "30", "--pairs", "1", "--output"]
    assert run.invoke(command, [*options, str(tmp_path / "s")]).exit_code == 0
    again = run.invoke(command, [*options, str(tmp_path / "s")])
    assert isinstance(again.exception, InputError)
    assert again.exception.diagnostics[0].code == "FICT830"
    assert run.invoke(command, [*options, str(tmp_path / "s"), "--force", "--seed", "2"]).exit_code == 0
    assert json.loads((tmp_path / "s" / "counts.json").read_text("utf-8"))["seed"] == 2
    (tmp_path / "s" / "store").mkdir()
    with_store = run.invoke(command, [*options, str(tmp_path / "s"), "--force"])
    assert isinstance(with_store.exception, InputError)
    assert with_store.exception.diagnostics[0].code == "FICT831"
    assert (tmp_path / "s" / "store").is_dir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("years of work")
    foreign = run.invoke(command, [*options, str(tmp_path / "other"), "--force"])
    assert isinstance(foreign.exception, InputError)
    assert foreign.exception.diagnostics[0].code == "FICT831"
    assert (tmp_path / "other" / "thesis.txt").read_text() == "years of work"
