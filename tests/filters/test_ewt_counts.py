"""The numbers of the README are what the shipped filters find in UD English EWT."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fictdsl.compiler import compile_file
from fictdsl.shipped import shipped
from runner.corpus.apply import matching_sids
from runner.corpus.import_conllu import import_files
from runner.corpus.steps import run_steps

ROW = re.compile(r"^\| \[[^]]+\]\((.*?\.fict)\) \|.* \| ([\d,]+)(?: / ([\d,]+))? \|$", re.MULTILINE)


@pytest.mark.shared
@pytest.mark.slow
def test_counts_of_the_readme(data: Path, tmp_path: Path) -> None:
    store = import_files(sorted((data / "ud-ewt").glob("*.conllu")), tmp_path / "store")
    if store.info.sentences != 16_622:
        pytest.skip("the numbers are those of the release of EWT with 16,622 sentences")
    library = shipped("filters")
    rows = ROW.findall((library / "README.md").read_text("utf-8"))
    assert len(rows) == 32
    for path, *numbers in rows:
        told = [int(number.replace(",", "")) for number in numbers if number]
        filters = compile_file(library / path).filters
        assert [matching_sids(store, [one.statement()]).size for one in filters] == told, path
        assert [run_steps(store, one.plan).sentences for one in filters] == told, path  # step by step too
