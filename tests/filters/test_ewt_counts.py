"""The numbers of the README are what the shipped filters find in UD English EWT."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from fictdsl.compiler import CompiledFilter, compile_file
from fictdsl.installation import shipped
from fictdsl.syntax.files import read_list
from runner.corpus.engine import run_steps
from runner.corpus.filter_arguments import load_filters
from runner.corpus.import_conllu import import_files
from runner.corpus.matches import matching_sids
from runner.corpus.store import Store
from runner.fetch import data_sets

# What the filters find with the word lists of the FiCT repository, as its code decides and as the paper says.
PUBLISHED = {
    "fict15": {"agr-re-irr-sv": 1103, "det-noun": 181, "passive": 237},
    "fict15-paper": {"agr-re-irr-sv": 1103, "det-noun": 154, "passive": 192},
}
ROW = re.compile(r"^\| \[[^]]+\]\((.*?\.fict)\) \|.* \| ([\d,]+(?: / [\d,]+)*) \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def store(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = import_files(sorted((data / "ud-ewt").glob("*.conllu")), tmp_path_factory.mktemp("ewt") / "store")
    if store.info.sentences != 16_622:
        pytest.skip("the numbers are those of the release of EWT with 16,622 sentences")
    return store


def counts(store: Store, filters: Iterable[CompiledFilter]) -> dict[str, int]:
    return {one.name: matching_sids(store, [one]).size for one in filters}


@pytest.mark.shared
def test_counts_with_the_published_lists(data: Path, store: Store) -> None:
    words = ("sv_nouns", "det_nouns", "passive_verbs")
    read = {name: read_list(name, data / "fict-lists" / f"{name}.txt", name)[0] for name in words}
    given = {name: chosen for name, chosen in read.items() if chosen is not None}
    assert {chosen.sha256 for chosen in given.values()} == set(data_sets()["fict-lists"].files.values())
    for folder, published in PUBLISHED.items():
        ours = counts(store, load_filters([str(shipped("filters") / folder)]))
        theirs = counts(store, load_filters([str(shipped("filters") / folder)], given))
        assert theirs == ours | published


@pytest.mark.shared
@pytest.mark.slow
def test_counts_of_the_readme(store: Store) -> None:
    library = shipped("filters")
    rows = ROW.findall((library / "README.md").read_text("utf-8"))
    assert len(rows) == 122
    for path, numbers in rows:
        told = [int(number) for number in numbers.replace(",", "").split(" / ")]
        compilation = compile_file(library / path)
        filters = [*compilation.filters, *(rewrite.matching for rewrite in compilation.rewrites)]
        assert [matching_sids(store, [one]).size for one in filters] == told, path
        assert [run_steps(store, one.plan).sentences for one in filters] == told, path  # step by step too
