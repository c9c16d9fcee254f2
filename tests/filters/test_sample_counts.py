"""The shipped filters find in the generated sample exactly the sentences that were generated for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fictdsl.compiler import CompiledFilter, compile_file
from fictdsl.installation import shipped
from runner.corpus.import_conllu import import_files
from runner.corpus.matches import matching_sids
from runner.corpus.store import Store
from runner.sample.corpus import FILTERS, generate

SENTENCES = 1_500
SPLITS = ("train", "valid", "test")


def shipped_filter(name: str) -> CompiledFilter:
    folder = "decaf" if name == "aann" else "fict15"
    (one,) = compile_file(shipped("filters") / folder / f"{name}.fict").filters
    return one


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Store]:
    folder = tmp_path_factory.mktemp("sample")
    generate(folder, sentences=SENTENCES, pairs=2)
    return folder, import_files([folder / f"{split}.conllu" for split in SPLITS], folder / "store")


def generated_for(folder: Path, name: str) -> set[int]:
    """The numbers of the sentences that the sample says have the construction."""
    comments = [
        line.removeprefix("# constructions = ").split(", ")
        for split in SPLITS
        for line in (folder / f"{split}.conllu").read_text("utf-8").splitlines()
        if line.startswith("# constructions = ")
    ]
    return {number for number, constructions in enumerate(comments) if name in constructions}


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_finds_what_was_generated_for_it(name: str, sample: tuple[Path, Store]) -> None:
    folder, store = sample
    found = matching_sids(store, [shipped_filter(name)]).tolist()
    assert set(found) == generated_for(folder, name)
    counts = json.loads((folder / "counts.json").read_text("utf-8"))
    assert len(found) == sum(counts[split]["filters"][name] for split in SPLITS) > 0


def test_the_sample_has_no_cleft_reflexives(sample: tuple[Path, Store]) -> None:
    """The one filter of fict15 that the sample holds nothing for must find nothing."""
    names = {file.stem for file in (shipped("filters") / "fict15").glob("*.fict")}
    assert names - set(FILTERS) == {"binding-reconstruction"}
    assert matching_sids(sample[1], [shipped_filter("binding-reconstruction")]).size == 0
