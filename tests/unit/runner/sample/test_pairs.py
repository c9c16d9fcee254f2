"""Minimal pairs: BLiMP's form, balance of word forms, and no acceptable sentence in any corpus."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from runner.errors import InputError
from runner.sample.corpus import is_reserved, minimal_pairs, split_sentences
from runner.sample.paradigms import PARADIGMS, Contrast, Paradigm
from runner.sample.words import Node

BY_UID = {paradigm.uid: paradigm for paradigm in PARADIGMS}
BALANCED_TERMS = {"subject_verb_agreement", "determiner_noun_agreement", "anaphor_agreement", "binding"}
BALANCED = [uid for uid, paradigm in BY_UID.items() if paradigm.term in BALANCED_TERMS]
LABELS = {
    "sentence_good", "sentence_bad", "field", "linguistics_term", "UID", "simple_LM_method", "one_prefix_method",
    "two_prefix_method", "lexically_identical", "pairID",
}  # fmt: skip


def tokens(sentence: str) -> list[str]:
    return re.findall(r"\w+(?:'\w+)?|[^\w\s]", sentence.lower())


@pytest.fixture(scope="module")
def pairs() -> dict[str, list[dict[str, object]]]:
    return {uid: list(minimal_pairs(paradigm, 60, 5)) for uid, paradigm in BY_UID.items()}


def test_names_are_unique() -> None:
    assert len(BY_UID) == len(PARADIGMS) >= 20


@pytest.mark.parametrize("uid", BY_UID)
def test_entries_have_the_form_of_blimp(uid: str, pairs: dict[str, list[dict[str, object]]]) -> None:
    for index, entry in enumerate(pairs[uid]):
        assert set(entry) >= LABELS
        assert (entry["UID"], entry["pairID"], entry["simple_LM_method"]) == (uid, str(index), True)
        assert entry["sentence_good"] != entry["sentence_bad"]
        good, bad = str(entry["sentence_good"]), str(entry["sentence_bad"])
        if entry["one_prefix_method"]:
            for side, sentence in (("good", good), ("bad", bad)):
                assert sentence.startswith(f"{entry['one_prefix_prefix']} {entry[f'one_prefix_word_{side}']}")
        if entry["two_prefix_method"]:
            for side, sentence in (("good", good), ("bad", bad)):
                assert sentence.startswith(f"{entry[f'two_prefix_prefix_{side}']} {entry['two_prefix_word']}")


@pytest.mark.parametrize("uid", BY_UID)
def test_good_sentences_are_reserved_and_different(uid: str, pairs: dict[str, list[dict[str, object]]]) -> None:
    good = [str(entry["sentence_good"]) for entry in pairs[uid]]
    assert len(set(good)) == len(good)
    assert all(map(is_reserved, good))


def test_no_sentence_of_a_pair_is_in_a_corpus(pairs: dict[str, list[dict[str, object]]]) -> None:
    corpus = {sentence.text for sentence in split_sentences("train", 5_000, 5, set())}
    for entries in pairs.values():
        for entry in entries:
            assert entry["sentence_good"] not in corpus
            assert entry["sentence_bad"] not in corpus


@pytest.mark.parametrize("uid", BALANCED)
def test_a_couple_swaps_the_words_that_differ(uid: str, pairs: dict[str, list[dict[str, object]]]) -> None:
    for first, second in zip(pairs[uid][::2], pairs[uid][1::2], strict=True):
        losses = []
        for entry in (first, second):
            good, bad = Counter(tokens(str(entry["sentence_good"]))), Counter(tokens(str(entry["sentence_bad"])))
            losses.append((good - bad, bad - good))
        assert losses[0] == losses[1][::-1]


@pytest.mark.parametrize("uid", BALANCED)
def test_word_frequencies_get_half_of_a_balanced_paradigm(uid: str, pairs: dict[str, list[dict[str, object]]]) -> None:
    counts = Counter(token for s in split_sentences("train", 2_000, 5, set()) for token in tokens(s.text))
    right = 0.0
    for entry in pairs[uid]:
        good, bad = (Counter(tokens(str(entry[f"sentence_{side}"]))) for side in ("good", "bad"))
        gain = 1.0
        for token, number in (good - bad).items():
            gain *= (counts[token] + 1) ** number
        for token, number in (bad - good).items():
            gain /= (counts[token] + 1) ** number
        right += 1.0 if gain > 1 else 0.5 if gain == 1 else 0.0
    assert right == len(pairs[uid]) / 2


def test_both_numbers_are_used_for_the_subject(pairs: dict[str, list[dict[str, object]]]) -> None:
    words = [str(entry["one_prefix_word_good"]) for entry in pairs["distractor_agreement_relational_noun"]]
    assert len(set(words[::2])) > 3
    assert {"is", "has"} & set(words[::2])
    assert {"are", "have"} & set(words[1::2])


def test_seeds_differ_and_equal_ones_agree() -> None:
    paradigm = BY_UID["passive_1"]
    assert list(minimal_pairs(paradigm, 10, 1)) == list(minimal_pairs(paradigm, 10, 1))
    assert list(minimal_pairs(paradigm, 10, 1)) != list(minimal_pairs(paradigm, 10, 2))
    assert list(minimal_pairs(paradigm, 10, 1))[:4] == list(minimal_pairs(paradigm, 4, 1))


def test_a_paradigm_that_runs_out_is_an_input_error() -> None:
    def make(*_: object) -> Contrast:
        root = Node("ok", "ok", "X", "_", "_", "root")
        return Contrast(root, ((root, "no"),))

    with pytest.raises(InputError) as caught:
        list(minimal_pairs(Paradigm("few", "f", "t", make), 5, 1))
    assert caught.value.diagnostics[0].code == "FICT832"


@pytest.mark.shared
def test_labels_are_those_of_blimp(data: Path, pairs: dict[str, list[dict[str, object]]]) -> None:
    same = ("field", "linguistics_term", "one_prefix_method", "two_prefix_method", "lexically_identical", "UID")
    for uid, entries in pairs.items():
        original = json.loads((data / "blimp" / f"{uid}.jsonl").read_text("utf-8").splitlines()[0])
        assert {key: entries[0][key] for key in same} == {key: original[key] for key in same}
