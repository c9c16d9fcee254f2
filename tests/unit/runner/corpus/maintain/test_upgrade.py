"""Stores that the first release made (`stores/schema-1.tar.xz`) become what the same files would make today."""

from __future__ import annotations

import shutil
import tarfile
from pathlib import Path

import pytest

from runner.corpus.annotate.annotate import AnnotateOptions, annotate
from runner.corpus.ingest.import_conllu import import_files
from runner.corpus.maintain.upgrade import upgrade
from runner.corpus.sentences.export import conllu_blocks, original_texts
from runner.corpus.store.opening import Store
from runner.errors import InputError
from tests.support.parsers import ToyParser

STORES = Path(__file__).parent / "stores"


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with tarfile.open(STORES / "schema-1.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path


def test_an_older_store_is_refused_with_the_command_that_upgrades_it(old: Path) -> None:
    with pytest.raises(InputError) as caught:
        Store.open(old / "imported")
    (problem,) = caught.value.diagnostics
    assert problem.code == "FICT741"
    assert f"fictc store upgrade {old / 'imported'}" in (problem.hint or "")


def test_an_upgraded_treebank_is_the_one_that_is_imported_today(old: Path) -> None:
    assert upgrade(old / "imported")
    upgraded = Store.open(old / "imported")
    made = import_files([STORES / "a.conllu", STORES / "b.conllu"], old / "made", on_error="skip")
    assert upgraded.key == made.key
    assert (
        "".join(conllu_blocks(upgraded)).encode()
        == (STORES / "a.conllu").read_bytes().partition(b"1\tx\t")[0] + (STORES / "b.conllu").read_bytes()
    )
    assert (upgraded.path / "rejected.conllu").read_bytes() == (made.path / "rejected.conllu").read_bytes()
    assert not upgrade(old / "imported")


def test_an_upgraded_text_keeps_its_lines_and_its_parser(old: Path) -> None:
    upgrade(old / "annotated", old / "new")
    upgraded = Store.open(old / "new")
    text = (STORES / "x.txt").read_text()
    assert "".join(original_texts(upgraded)) == text
    assert upgraded.info.annotator == Store.open(old / "annotated", older=True).info.annotator
    (old / "x.txt").write_text(text)
    made = annotate([old / "x.txt"], old / "made", ToyParser(), AnnotateOptions(max_words=9))
    assert upgraded.files == made.files


def test_a_damaged_older_store_is_not_upgraded(old: Path) -> None:
    (old / "imported" / "raw" / "00000.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError) as caught:
        upgrade(old / "imported")
    assert caught.value.diagnostics[0].code == "FICT742"
    assert Store.open(old / "imported", older=True).info.sentences == 4


def test_an_upgrade_elsewhere_replaces_only_stores_and_only_by_force(old: Path) -> None:
    shutil.copytree(old / "imported", old / "other")
    with pytest.raises(InputError) as caught:
        upgrade(old / "imported", old / "other")
    assert caught.value.diagnostics[0].code == "FICT743"
    upgrade(old / "imported", old / "other", force=True)
    assert Store.open(old / "other").info.sentences == 4
