"""CorruptedPair sentences: one thing is done, the rest is as it was, and the same each time, held by properties."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.conditions.corrupted_pairs import OPERATIONS, corrupt, corrupted_pairs, write_pairs
from runner.corpus.import_conllu import import_files
from runner.corpus.statistics import frequent_words
from runner.corpus.surface import read_surface
from runner.sample.corpus import generate
from runner.score.pair_formats import load_suite

WORDS = st.lists(st.sampled_from(["the", "dog", "saw", "The", "cat"]), min_size=2, max_size=8)


def surface(words):
    rows = [f"{n}\t{word}\t_\tNOUN\t_\t_\t{int(n > 1)}\troot\t_\t_" for n, word in enumerate(words, 1)]
    mark = f"{len(words) + 1}\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_"
    rows[-1] = rows[-1][:-1] + "SpaceAfter=No"
    return read_surface("\n".join([*rows, mark]) + "\n", " ".join(words) + ".")


@given(WORDS, st.integers(0, 10**9))
def test_a_swap_is_of_two_neighbours_that_differ(words, digits):
    bad = corrupt(surface(words), "swap-neighbours", digits, [])
    if all(one.lower() == other.lower() for one, other in itertools.pairwise(words)):
        assert bad is None
        return
    found = bad.removesuffix(".").split()
    changed = [place for place, (one, other) in enumerate(zip(words, found, strict=True)) if one != other]
    assert len(changed) == 2 and changed[1] == changed[0] + 1
    assert Counter(found) == Counter(words) and bad.endswith(".") and not bad.endswith(" .")


@given(WORDS, st.integers(0, 10**9))
def test_a_word_of_the_list_is_inserted_between_two_others(words, digits):
    found = corrupt(surface(words), "insert-word", digits, ["so", "of"]).removesuffix(".").split()
    (place,) = (place for place, word in enumerate(found) if word in ("so", "of"))
    assert found[:place] + found[place + 1 :] == words
    assert 0 < place < len(found) - 1


@given(WORDS)
def test_the_root_is_deleted_and_nothing_else(words):
    assert corrupt(surface(words), "delete-root", 0, []) == " ".join(words[1:]) + "."


def test_nothing_is_inserted_beside_itself():
    assert corrupt(surface(["a", "b"]), "insert-word", 3, ["A", "b"]) is None


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    generate(folder / "sample", sentences=200, pairs=1, seed=3)
    return import_files([folder / "sample" / "train.conllu"], folder / "store")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_pairs_are_the_same_each_time_and_fewer_are_among_more(store, operation):
    words = frequent_words(store)
    many = corrupted_pairs(store, operation, 60, 1, words)
    assert len(many) == 60 == len({pair.sentence_id for pair in many})
    assert many == corrupted_pairs(store, operation, 60, 1, words)
    assert set(corrupted_pairs(store, operation, 20, 1, words)) <= set(many)
    assert set(many) != set(corrupted_pairs(store, operation, 60, 2, words))
    assert all(pair.good != pair.bad for pair in many)


UNTAGGED = """\
# text = Ann saw it , Bob ran .
1	Ann	_	_	_	_	2	nsubj	_	_
2	saw	_	_	_	_	0	root	_	_
3	it	_	_	_	_	2	obj	_	_
4	,	_	_	_	_	6	punct	_	_
5	Bob	_	_	_	_	6	nsubj	_	_
6	ran	_	_	_	_	2	parataxis	_	_
7	.	_	_	_	_	2	punct	_	_

"""


def test_punctuation_without_upos_is_told_by_its_characters():
    sentence = read_surface(UNTAGGED.partition("\n")[2], "Ann saw it , Bob ran .")
    swapped = {corrupt(sentence, "swap-neighbours", digits, []) for digits in range(12)}
    assert swapped == {"saw Ann it , Bob ran .", "Ann it saw , Bob ran .", "Ann saw it , ran Bob ."}
    added = {corrupt(sentence, "insert-word", digits, ["so"]) for digits in range(12)}
    assert added == {"Ann so saw it , Bob ran .", "Ann saw so it , Bob ran .", "Ann saw it , Bob so ran ."}


def test_words_without_upos_are_inserted_if_they_are_written_in_lower_case(tmp_path):
    (tmp_path / "bare.conllu").write_text(UNTAGGED * 2, encoding="utf-8")
    bare = import_files([tmp_path / "bare.conllu"], tmp_path / "store")
    assert frequent_words(bare) == ["it", "ran", "saw"]
    assert len(corrupted_pairs(bare, "insert-word", 2, 1, frequent_words(bare))) == 2


def test_pairs_are_a_suite(store, tmp_path):
    pairs = [pair for operation in OPERATIONS for pair in corrupted_pairs(store, operation, 4, 1, ["so"])]
    write_pairs(pairs, tmp_path / "pairs.csv")
    assert [(pair.good, pair.bad) for pair in load_suite(tmp_path / "pairs.csv").items] == [
        (pair.good, pair.bad) for pair in pairs
    ]
