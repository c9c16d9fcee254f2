"""The hand-written queries find what the filters find, on trees drawn from the words that they ask for."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.cases import SETS, Case, cases
from benchmarks.flat import flatten
from benchmarks.peers.sql import decode, naive, raw
from runner.corpus.engine import Engine, LocalEngine
from runner.corpus.import_conllu import import_files

POOLS = {
    "form": ["not", "at", "all", "25", "1"],
    "upos": ["NOUN", "PROPN", "PRON", "DET", "VERB", "AUX", "ADJ", "ADV", "ADP", "NUM"],
    "xpos": ["NN", "WP", "VB", "JJR", "RBR"],
    "feats": ["_", "Reflex=Yes", "Voice=Pass", "Degree=Sup", "Degree=Cmp"],
    "deprel": ["nsubj", "obj", "obl:agent", "nmod", "nmod:poss", "mark", "conj", "cc", "aux:pass"],
}
CASES = {case.name: case for name in SETS for case in cases(name)}


def named(case: Case) -> list[dict[str, list[str]]]:
    """For each word of a query, by its alias, the values that are named for each column."""
    found: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for alias, value in re.findall(r"(\w*)\.?\bfeats LIKE '%(\w+=\w+)%'", case.naive):
        found[alias]["feats"].append(value)
    for column in ("form", "lemma", "upos", "xpos", "deprel"):
        pattern = rf"(\w*)\.?\b{column}\)? (?:=|IN|NOT IN|<>) (\(?'[^()]*'\)?|'[^']*')"
        for alias, tested in re.findall(pattern, case.naive):
            values = " ".join(re.findall(r"'([^']*)'", tested)).split()
            found[alias]["form" if column == "lemma" else column] += values
    return list(found.values())


def tree(dice: random.Random, aliases: list[dict[str, list[str]]]) -> Iterator[str]:
    """The rows of a tree, most of them as some word of a query is to be; words hang from the first three drawn."""
    size = dice.randint(2, 8)
    order = dice.sample(range(1, size + 1), size)
    heads = {order[0]: 0} | {word: dice.choice(order[: min(at, 3)]) for at, word in enumerate(order) if at}
    for word in range(1, size + 1):
        values = dice.choice(aliases)
        drawn = {
            name: dice.choice(values[name] if name in values and dice.random() < 0.9 else pool)
            for name, pool in POOLS.items()
        }
        drawn["deprel"] = drawn["deprel"] if heads[word] else "root"
        head, lemma = heads[word], drawn["form"].lower()
        columns = (word, drawn["form"], lemma, drawn["upos"], drawn["xpos"], drawn["feats"], head, drawn["deprel"])
        yield "\t".join(map(str, (*columns, "_", "_")))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Engine, Path]:
    dice, folder = random.Random(5), tmp_path_factory.mktemp("drawn")
    source = folder / "drawn.conllu"
    source.write_text(
        "".join("\n".join(tree(dice, aliases)) + "\n\n" for aliases in map(named, CASES.values()) for _ in range(1_200))
    )
    return LocalEngine(import_files([source], folder / "store")), flatten(source, folder / "flat.parquet")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_hand_written_query_finds_the_sentences_of_its_filter(case: Case, drawn: tuple[Engine, Path]) -> None:
    store, flat = drawn
    found = store.sids([case.compiled]).tolist()
    assert naive(case, flat).tolist() == found
    assert raw(case, flat).tolist() == found
    assert found, "the drawn trees say nothing about this filter"


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_every_column_that_a_query_names_is_decoded(case: Case, drawn: tuple[Engine, Path]) -> None:
    decode(case, drawn[1])
    assert "sid" in case.columns
    assert ("deprel" in case.columns) == ("deprel" in case.naive)


def test_the_columns_are_the_narrowest_there_are() -> None:
    assert CASES["passive"].columns == ("deprel", "feat_Voice", "form_l", "head", "id", "lemma_l", "sid")
    assert CASES["npi-sim-ques"].columns == ("form", "form_l", "id", "sid")


def test_there_are_fifteen_of_each() -> None:
    assert [len(cases(name)) for name in SETS] == [15, 15]
