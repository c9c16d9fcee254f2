"""The shipped rewrites make of their examples what is expected, and of real treebanks what other tools can read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from fictdsl.compiler import CompiledRewrite, compile_file
from fictdsl.installation import shipped
from runner.corpus.import_conllu import import_files
from runner.corpus.rewrite import Rewriting, Rewritten, write_rewritten
from runner.corpus.store import Store
from tests.support import corpora
from tests.support.rewriting.compare import assert_equal, items_of
from tests.support.rewriting.reference import rewrite

LIBRARY = shipped("filters")
BY_CHANCE = {"random-first", "shuffle"}
REWRITES = [(each, file) for file in sorted(LIBRARY.rglob("*.fict")) for each in compile_file(file).rewrites]
every_rewrite = pytest.mark.parametrize(
    ("each", "file"), REWRITES, ids=[f"{file.parent.name}/{each.name}" for each, file in REWRITES]
)


def blocks(each: CompiledRewrite, file: Path) -> list[str]:
    """Return the examples of one rewrite of a file."""
    texts = (file.parent / "examples" / file.name).with_suffix(".conllu").read_text("utf-8").strip().split("\n\n")
    return [text for text in texts if comment(text, "rewrite") in (None, each.name)]


def comment(block: str, key: str) -> str | None:
    return next((line.partition(" = ")[2] for line in block.split("\n") if line.startswith(f"# {key} = ")), None)


def by_engine(each: CompiledRewrite, examples: list[str], folder: Path) -> dict[int, Rewritten]:
    store = corpora.store(folder, "\n\n".join(examples) + "\n\n")
    (batch,) = Rewriting(store, [each], 0).batches()
    return dict(batch.changed)


@every_rewrite
def test_an_example_becomes_what_is_expected(each: CompiledRewrite, file: Path, tmp_path: Path) -> None:
    examples = blocks(each, file)
    changed = by_engine(each, examples, tmp_path)
    for row, block in enumerate(examples):
        expected = rewrite(items_of((each,)), block, "corpus.conllu", row + 1, 0)
        assert_equal(expected, changed.get(row))
        text = changed[row].text if row in changed else comment(block, "text")
        if comment(block, "expect") == "pass":
            assert row not in changed, block
        elif each.name not in BY_CHANCE:
            assert text == comment(block, "expect-text")


@every_rewrite
def test_there_are_enough_examples(each: CompiledRewrite, file: Path) -> None:
    expected = [comment(block, "expect") for block in blocks(each, file)]
    assert expected.count("match") >= 3
    assert each.matches_everywhere or expected.count("pass") >= 3


@pytest.mark.parametrize("name", ["to-double-object", "to-prepositional", "to-prepositional-for", "anan", "naan"])
def test_a_rewrite_of_a_construction_finds_none_in_its_output(name: str, tmp_path: Path) -> None:
    ((each, file),) = [(each, file) for each, file in REWRITES if each.name == name]
    changed = by_engine(each, blocks(each, file), tmp_path)
    again = [str(one.conllu) for one in changed.values()]
    assert len(again) >= 3
    assert by_engine(each, again, tmp_path / "again") == {}


@dataclass(frozen=True)
class Imported:
    """A store, and the codes of what was noted about its files."""

    store: Store
    notes: list[str]


def imported(files: list[Path], folder: Path) -> Imported:
    notes: list[str] = []
    store = import_files(files, folder, on_note=lambda note: notes.append(note.code))
    return Imported(store, notes)


@pytest.fixture(scope="module")
def treebanks(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Imported:
    files = [path for name in ("ud-ewt", "ud-childes") for path in sorted((data / name).glob("*.conllu"))]
    return imported(files, tmp_path_factory.mktemp("treebanks") / "store")


@pytest.mark.shared
@pytest.mark.slow
@every_rewrite
def test_other_tools_read_what_goes_out(each: CompiledRewrite, file: Path, treebanks: Imported, tmp_path: Path) -> None:
    core = pytest.importorskip("udapi.core.document", reason="udapi is one of the tools")
    path = tmp_path / "rewritten.conllu"
    with path.open("wb") as out:
        counts = write_rewritten(treebanks.store, [each], "conllu", out, 0)
    assert counts.changed > 0, file
    again = imported([path], tmp_path / "store")
    assert set(again.notes) <= set(treebanks.notes)
    sentences = treebanks.store.info.sentences
    assert again.store.info.sentences == sentences
    document = core.Document()
    document.load_conllu(str(path))
    assert len(document.bundles) == sentences
