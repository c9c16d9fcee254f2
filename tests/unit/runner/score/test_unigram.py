"""The unigram baseline by hand; word order never matters to it."""

import math

import numpy as np
import pytest

from runner.score.convention import CONVENTIONS, Convention
from runner.score.measures import accuracy
from runner.score.score_table import score_unigram, unigram_logs, unigram_sum
from runner.score.suite_files import Pair, Suite
from tests.support.models import tokenizer

WORDS = tokenizer()
INDEX = WORDS.get_vocab()


def counts(**given):
    array = np.zeros(len(WORDS), np.int64)
    for word, count in given.items():
        array[INDEX[word]] = count
    return array


def test_logs_add_one_to_every_count():
    logs = unigram_logs(np.array([3, 0, 1]))
    assert np.exp(logs).tolist() == pytest.approx([4 / 7, 1 / 7, 2 / 7])


def test_scores_by_hand():
    suite = Suite("s", [Pair("p", "", "", 0, "the cats see", "the cats sees")])
    given = counts(the=9, cats=4, see=1)
    row = score_unigram(given, WORDS, suite, Convention()).to_pylist()[0]
    total = 14 + len(WORDS)
    assert row["score_good"] == pytest.approx(math.log(10 / total) + math.log(5 / total) + math.log(2 / total))
    assert row["score_bad"] == pytest.approx(math.log(10 / total) + math.log(5 / total) + math.log(1 / total))
    skipped = score_unigram(given, WORDS, suite, CONVENTIONS["fict"]).to_pylist()[0]
    assert skipped["score_good"] == pytest.approx(math.log(5 / total) + math.log(2 / total))
    mean = score_unigram(given, WORDS, suite, Convention(normalise="mean")).to_pylist()[0]
    assert mean["score_good"] == pytest.approx(row["score_good"] / 3)


def test_without_a_frame_the_first_word_is_not_scored_as_trained():
    suite = Suite("s", [Pair("p", "", "", 0, "the cats see", "cats cats sees")])
    given = counts(the=9, cats=4, see=1)
    framed, bare = (score_unigram(given, WORDS, suite, Convention(), frame=frame) for frame in ("eos", "none"))
    assert bare.to_pylist()[0]["score_good"] > framed.to_pylist()[0]["score_good"]
    assert bare.equals(score_unigram(given, WORDS, suite, Convention(context="none"), frame="none"))


def test_other_orders_of_the_same_words_tie_exactly():
    random = np.random.default_rng(0)
    words = [word for word in INDEX if not word.startswith("<")]
    pairs = []
    for item in range(200):
        chosen = random.choice(words, 9)
        pairs.append(Pair("p", "", "", item, " ".join(chosen), " ".join(random.permutation(chosen))))
    given = random.integers(0, 10**6, len(WORDS))
    found = accuracy(score_unigram(given, WORDS, Suite("s", pairs), Convention()))[0]
    assert (found.accuracy, found.ties) == (0.5, found.applicable)
    assert unigram_sum(unigram_logs(given), [3, 4, 5]) == unigram_sum(unigram_logs(given), [5, 3, 4])


@pytest.mark.parametrize("how", ["slor", "normlp"])
def test_measures_relative_to_unigrams_fall_back_to_the_sum(how):
    suite = Suite("s", [Pair("p", "", "", 0, "the cats see", "the dogs")])
    given = counts(the=9)
    assert score_unigram(given, WORDS, suite, Convention(normalise=how)).equals(
        score_unigram(given, WORDS, suite, Convention())
    )
