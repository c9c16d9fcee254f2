"""CoNLL-U files are imported once, and again when they have changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from runner.corpus.import_conllu import cached_store, is_conllu
from runner.corpus.store import Store
from runner.errors import InputError
from tests.support.reading import conllu

ONE, TWO = conllu("It PRON 2 nsubj\nrains VERB 0 root"), conllu("Go VERB 0 root")


@pytest.fixture
def imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Store]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "a.conllu").write_text(ONE)
    return []


def test_it_is_imported_once(tmp_path: Path, imported: list[Store]) -> None:
    file, folder = tmp_path / "trees" / "a.conllu", tmp_path / "trees"
    first = cached_store([file], on_import=imported.append)
    assert cached_store([folder], on_import=imported.append).key == first.key
    assert (len(imported), first.info.words) == (1, 2)
    assert tmp_path / "cache" in first.path.parents


def test_hidden_files_are_no_part_of_a_folder(tmp_path: Path, imported: list[Store]) -> None:
    hidden = tmp_path / "trees" / ".ipynb_checkpoints"
    hidden.mkdir()
    (hidden / "a-checkpoint.conllu").write_text(ONE)
    assert cached_store([tmp_path / "trees"]).info.sentences == 1
    (tmp_path / "trees" / "a.conllu").unlink()
    assert not is_conllu(tmp_path / "trees")
    assert is_conllu(hidden)


def test_a_changed_file_is_imported_again(tmp_path: Path, imported: list[Store]) -> None:
    file = tmp_path / "trees" / "a.conllu"
    cached_store([file], on_import=imported.append)
    file.write_text(TWO)
    assert cached_store([file], on_import=imported.append).info.words == 1
    os.utime(file, ns=(1, 1))
    assert cached_store([file], on_import=imported.append).info.words == 1
    assert len(imported) == 3


def test_several_files_are_one_corpus(tmp_path: Path, imported: list[Store]) -> None:
    (tmp_path / "b.conllu").write_text(TWO)
    both = [tmp_path / "trees", tmp_path / "b.conllu"]
    assert cached_store(both, on_import=imported.append).info.words == 3
    assert cached_store(both[:1], on_import=imported.append).info.words == 2
    assert cached_store(both, on_import=imported.append).info.words == 3
    assert len(imported) == 2


def test_a_damaged_store_is_made_anew(tmp_path: Path, imported: list[Store]) -> None:
    store = cached_store([tmp_path / "trees"], on_import=imported.append)
    (store.path / "store.json").write_text("{}")
    assert cached_store([tmp_path / "trees"], on_import=imported.append).info.words == 2
    assert len(imported) == 2


def test_a_mistake_leaves_nothing_behind(tmp_path: Path, imported: list[Store]) -> None:
    file = tmp_path / "trees" / "a.conllu"
    file.write_text("1\tx\n\n")
    for _ in range(2):
        with pytest.raises(InputError, match="FICT702"):
            cached_store([file], on_import=imported.append)
    file.write_text(ONE)
    assert cached_store([file], on_import=imported.append).info.words == 2


def test_what_is_conllu(tmp_path: Path, imported: list[Store]) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.txt").write_text("x")
    paths = [tmp_path, tmp_path / "trees", tmp_path / "trees" / "a.conllu"]
    others = [tmp_path / "empty", tmp_path / "a.txt", tmp_path / "no.conllu", cached_store([tmp_path / "trees"]).path]
    assert [is_conllu(path) for path in paths + others] == [True] * 3 + [False] * 4
