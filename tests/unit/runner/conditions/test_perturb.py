"""Perturbations: exact permutations by numpy alone, markers worked by hand, on words and on byte-level BPE."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.conditions.perturb import Perturbation
from runner.conditions.perturbation import (
    CLITICS,
    PLURAL,
    REVERSED,
    SINGULAR,
    RowSeed,
    Word,
    hop,
    hop_tokens,
    reordered,
    reversed_row,
)
from runner.model.tokenizer import add_tokens, train_bpe_tokenizer, train_word_tokenizer

PLACE = RowSeed(21, "a.conllu", 1)
TEXT = ["the cat sees two dogs in the garden .", "two dogs see the cat and run after it .", "it's a don't garden"]


@pytest.fixture(scope="module")
def bpe():
    return train_bpe_tokenizer(TEXT * 5, size=300, added=(SINGULAR, PLURAL, REVERSED))


@pytest.fixture(scope="module")
def words():
    return train_word_tokenizer(TEXT, size=50, added=(SINGULAR, PLURAL, REVERSED))


# numpy.random.default_rng(21).shuffle of a list of the numbers below each length, printed by numpy 2.4 alone
LISTED = {2: [1, 0], 3: [1, 0, 2], 5: [0, 1, 3, 4, 2], 10: [1, 0, 4, 6, 7, 5, 8, 3, 9, 2]}


def test_permutations_of_a_seed_are_those_of_numpy() -> None:
    assert reordered(range(3), "shuffle-by-length", PLACE, None) == LISTED[3]
    assert reordered(range(5), "shuffle-by-length", PLACE, None) == LISTED[5]
    assert reordered(range(10), "shuffle-by-length", PLACE, None) == LISTED[10]
    first, second = LISTED[5], [5 + place for place in LISTED[5]]
    assert reordered(range(12), "shuffle-local", PLACE, 5) == [*first, *second, *(10 + place for place in LISTED[2])]
    three = [start + place for start in (0, 3) for place in LISTED[3]]
    assert reordered(range(7), "shuffle-local", PLACE, 3) == [*three, 6]


@given(st.integers(0, 60), st.integers(0, 9), st.integers(2, 7))
def test_every_length_seed_and_window_agrees_with_numpy(length, seed, window) -> None:
    place, expected = RowSeed(seed, "x", 3), list(range(length))
    np.random.default_rng(seed).shuffle(expected)
    assert reordered(range(length), "shuffle-by-length", place, None) == expected
    local: list[int] = []
    for start in range(0, length, window):
        part = list(range(start, min(start + window, length)))
        np.random.default_rng(seed).shuffle(part)
        local += part
    assert reordered(range(length), "shuffle-local", place, window) == local


@given(st.lists(st.integers(), max_size=20))
def test_a_shuffle_keeps_the_units_and_depends_on_the_place_only(row) -> None:
    shuffled = reordered(row, "shuffle", PLACE, None)
    assert sorted(shuffled) == sorted(row) and shuffled == reordered(row, "shuffle", PLACE, None)
    assert reordered(row, "even-odd", PLACE, None) == row[::2] + row[1::2]


def test_another_sentence_or_seed_is_shuffled_in_another_way() -> None:
    places = [PLACE, RowSeed(22, "a.conllu", 1), RowSeed(21, "b.conllu", 1), RowSeed(21, "a.conllu", 2)]
    assert len({tuple(reordered(range(30), "shuffle", place, None)) for place in places}) == 4


@given(st.integers(0, 12), st.integers(0, 40))
def test_a_marker_stands_at_the_same_place_for_all_reversals(length, number) -> None:
    place, row = RowSeed(1, "x", number), [*range(length)]
    control = reversed_row(row, "reverse-control", place, -1)
    at = control.index(-1)
    assert control == [*row[:at], -1, *row[at:]]
    assert reversed_row(row, "reverse", place, -1) == control[::-1]
    assert reversed_row(row, "reverse-partial", place, -1) == [*row[:at], -1, *reversed(row[at:])]


def test_markers_stand_everywhere() -> None:
    places = {reversed_row([0, 1, 2], "reverse-control", RowSeed(0, "x", n), -1).index(-1) for n in range(60)}
    assert places == {0, 1, 2, 3}


# --- hop

VERB = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
PLURALS = VERB.replace("Sing", "Plur")


def sentence(*words: str | tuple[str, str, str]) -> list[Word]:
    return [Word.of(word, word, "_") if isinstance(word, str) else Word.of(*word) for word in words]


SEES, ARE, IS = ("sees", "see", VERB), ("are", "be", PLURALS), ("'s", "be", VERB)


def test_clitics_have_either_apostrophe() -> None:
    words = sentence("Mary", ("does", "do", VERB), "n’t", "like", "the", "big", "old", "dog", ".")
    assert hop(words, 4, "drop") == "Mary don’t like the big old <sg> dog ."


def test_a_verb_without_a_lemma_keeps_its_form() -> None:
    assert hop(sentence("Mary", ("sees", "_", VERB), "dogs"), 1, "end") == "Mary sees dogs <sg>"


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        (0, "the cat see <sg> two dogs in the garden ."),
        (1, "the cat see two <sg> dogs in the garden ."),
        (4, "the cat see two dogs in the <sg> garden ."),
        (5, "the cat see two dogs in the garden <sg> ."),
        (6, "the cat see two dogs in the garden <sg> ."),
    ],
)
def test_a_marker_follows_the_counted_word(distance, expected) -> None:
    words = sentence("the", "cat", SEES, "two", "dogs", "in", "the", "garden", ".")
    assert hop(words, distance, "drop") == expected


def test_punctuation_and_clitics_do_not_count_and_a_marker_follows_the_clitics_of_its_word() -> None:
    words = sentence("they", ARE, ",", "it", "'s", "so", ",", "do", "n't", "you", "see", "?")
    assert hop(words, 4, "drop") == "they be , it's so , don't you <pl> see ?"
    assert hop(words, 3, "drop") == "they be , it's so , don't <pl> you see ?"
    assert hop(sentence("it", ("does", "do", VERB), "n't", "a", "b", "c", "d"), 0, "drop") == "it don't <sg> a b c d"
    assert hop(sentence("a", SEES, "—", "b", "c", "d", "e"), 4, "drop") == "a see — b c d <sg> e"  # not ASCII: counted
    assert {"n't", "'ll", "'s", "'re", "'ve", "'m"} == CLITICS


def test_a_verb_that_is_a_clitic_counts_as_its_lemma() -> None:
    words = sentence("he", SEES, "it", IS, "a", "big", "dog", "in", "town")
    assert hop(words, 4, "drop") == "he see it be a big <sg> dog in <sg> town"


def test_only_the_third_person_present_with_a_number_has_a_marker() -> None:
    for feats in (
        "_",
        VERB.replace("Person=3", "Person=1"),
        VERB.replace("Pres", "Past"),
        VERB.replace("|VerbForm=Fin", ""),
    ):
        assert Word.of("x", "y", feats) == Word("x")
    assert Word.of("x", "y", VERB.replace("Number=Sing|", "")) == Word("x")
    assert (Word.of("x", "y", VERB), Word.of("x", "y", PLURALS)) == (Word("y", SINGULAR), Word("y", PLURAL))


@pytest.mark.parametrize("distance", [0, 1, 4, 9])
def test_the_same_sentences_are_incomplete_at_every_distance(distance) -> None:
    short = sentence("he", SEES, "a", "dog", "there", ".")
    assert hop(short, distance, "drop") is None
    assert hop([*short[:5], *sentence("again", ".")], distance, "drop") is not None
    assert hop(sentence("no", "verb", "."), distance, "drop") == "no verb ."
    end = {0: "he see <sg> a dog there .", 1: "he see a <sg> dog there .", 4: "he see a dog there <sg> ."}
    assert hop(short, distance, "end") == end[min(distance, 4)]


# --- tokens


def test_a_word_tokenizer_moves_markers_by_tokens(words) -> None:
    words_of = sentence("the", "cat", SEES, "two", "dogs", "in", "the", "garden", ".")
    perturbation = Perturbation(kind="hop", unit="token", distance=2)
    text = perturbation.text(words_of, PLACE)
    assert text == "the cat see <sg> two dogs in the garden ."
    row = perturbation.row_change(words)("x", 1, words(text)["input_ids"])
    assert words.convert_ids_to_tokens(row) == ["the", "cat", "see", "two", "dogs", "<sg>", "in", "the", "garden", "."]


def test_stretches_between_markers_are_encoded_and_nothing_else_again(bpe) -> None:
    words_of = sentence("the", "cat", SEES, "two", "dogs", "in", "the", "garden", ".")
    for distance in (0, 1, 2, 4):
        perturbation = Perturbation(kind="hop", unit="token", distance=distance)
        text = perturbation.text(words_of, PLACE)
        row = perturbation.row_change(bpe)("x", 1, bpe(text)["input_ids"])
        before, after = bpe("the cat see")["input_ids"], bpe(" two dogs in the garden .")["input_ids"]
        marker = bpe.convert_tokens_to_ids(SINGULAR)
        assert row == [*before, *after[:distance], marker, *after[distance:]]


@pytest.mark.parametrize("kind", ["shuffle-by-length", "shuffle-local", "even-odd", "reverse"])
def test_encoded_rows_are_permuted_on_byte_level_bpe(bpe, kind) -> None:
    settings = {"even-odd": {}, "shuffle-local": {"seed": 21, "window": 3}}.get(kind, {"seed": 21})
    perturbation = Perturbation(kind=kind, unit="token", **settings)
    row = bpe(TEXT[0])["input_ids"]
    changed = perturbation.row_change(bpe)("x", 1, row)
    expected = list(range(len(row)))
    if kind == "shuffle-by-length":
        np.random.default_rng(21).shuffle(expected)
    elif kind == "shuffle-local":
        expected = [start + place for start in range(0, len(row), 3) for place in _shuffled(min(3, len(row) - start))]
    elif kind == "even-odd":
        expected = expected[::2] + expected[1::2]
    if kind == "reverse":
        marker = bpe.convert_tokens_to_ids(REVERSED)
        assert [token for token in changed if token != marker] == row[::-1] and len(changed) == len(row) + 1
    else:
        assert changed == [row[place] for place in expected] and not perturbation.markers


def _shuffled(length: int) -> list[int]:
    places = list(range(length))
    np.random.default_rng(21).shuffle(places)
    return places


def test_a_marker_is_one_token_of_any_tokenizer(bpe, words) -> None:
    for tokenizer in (bpe, words):
        for marker in (SINGULAR, PLURAL, REVERSED):
            ids = tokenizer(f"the cat {marker} sees")["input_ids"]
            assert ids.count(tokenizer.convert_tokens_to_ids(marker)) == 1
    plain = train_bpe_tokenizer(TEXT, size=280)
    assert len(add_tokens(plain, [SINGULAR])(SINGULAR)["input_ids"]) == 1


def test_rows_of_other_lengths_are_left_out() -> None:
    of_words = Perturbation(kind="even-odd", lengths=(2, 3))
    assert [of_words.text(sentence(*"abcd"[:n]), PLACE) for n in (1, 2, 3, 4)] == [None, "a b", "a c b", None]


def test_rows_of_other_lengths_are_left_out_by_tokens(words) -> None:
    change = Perturbation(kind="reverse-control", unit="token", lengths=(2, 3)).row_change(words)
    assert [None if (row := change("x", 1, [5] * n)) is None else len(row) for n in (1, 2, 3, 4)] == [None, 3, 4, None]
    hops = Perturbation(kind="hop", unit="token", lengths=(2, 3)).row_change(words)
    marker = words.convert_tokens_to_ids(SINGULAR)
    assert hops("x", 1, [5, marker, 5, 5]) == [5, 5, 5, marker]  # markers do not count
    assert hops("x", 1, [5, marker]) is None


def test_a_moved_marker_stays_before_final_tokens_without_letters() -> None:
    sounded = [True, False, True, True, False, False]
    assert hop_tokens([1, 90, 2, 3, 4, 5], frozenset((90,)), 9, [*sounded]) == [1, 2, 3, 90, 4, 5]
    assert hop_tokens([90, 1, 91, 2], frozenset((90, 91)), 1, [True] * 4) == [1, 90, 2, 91]
    assert hop_tokens([90, 91, 1], frozenset((90, 91)), 1, [True] * 3) == [1, 90, 91]
