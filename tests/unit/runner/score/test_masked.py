"""Pseudo-log-likelihoods: against one mask at a time, pieces of words, rows read once, and what has no mask."""

from dataclasses import replace

import pytest
import torch

from runner.errors import InputError
from runner.score.any_suite import prepare_any
from runner.score.convention import Convention, convention_of
from runner.score.encoding import Encoded
from runner.score.suite_files import Pair, Suite
from tests.support.models import masked
from tests.support.scores import score_pairs

SUITE = Suite(
    "s",
    [
        Pair("p", "", "", 0, "the cats see a dog .", "the cat see a dog ."),
        Pair("p", "", "", 1, "every child likes the houses .", "every zebra likes the houses ."),
        Pair("p", "", "", 2, "dogs", "cats run near a small house ."),
        Pair("q", "", "", 0, "the cats see", "the cats sees", "one_prefix", ("the cats",) * 2, ("see", "sees")),
    ],
)
PLL, L2R = Convention(probability="pll"), Convention(probability="pll_l2r")


def naive(model, text, by_word, skip=0, specials=True):
    """One mask, one forward pass, the whole softmax; words by what pieces begin with."""
    words, total = model.tokenizer, 0.0
    encoded = words(text, add_special_tokens=specials)
    ids, edge = encoded["input_ids"], int(specials)
    for place in range(edge + skip, len(ids) - edge):
        given = list(ids)
        given[place] = words.mask_token_id
        later = place + 1
        while by_word and words.convert_ids_to_tokens(ids[later]).startswith("##"):
            given[later] = words.mask_token_id
            later += 1
        with torch.no_grad():
            logits = model.model(input_ids=torch.tensor([given])).logits[0, place].double()
        total += torch.log_softmax(logits, -1)[ids[place]].item()
    return total


@pytest.mark.parametrize("architecture", ["bert", "roberta", "distilbert"])
@pytest.mark.parametrize("convention", [PLL, L2R])
@pytest.mark.parametrize("places", [1, 30, 2048])
def test_scores_are_those_of_one_mask_at_a_time(architecture, convention, places):
    model = masked(architecture)
    rows = score_pairs(model, SUITE, convention, max_batch_tokens=places).to_pylist()
    for row in rows:
        for side in ("good", "bad"):
            expected = naive(model, row[side], convention == L2R)
            assert row[f"score_{side}"] == pytest.approx(expected, abs=2e-5)


def test_pieces_of_one_word_help_each_other_only_in_the_original():
    plain, by_word = (score_pairs(masked(), SUITE, convention).to_pylist() for convention in (PLL, L2R))
    assert plain[0]["score_good"] != by_word[0]["score_good"]  # cat ##s
    assert plain[0]["score_bad"] == pytest.approx(by_word[0]["score_bad"], abs=1e-6)  # every word is one piece


def test_specials_and_the_first_token_are_as_asked():
    model = masked()
    bare = score_pairs(model, SUITE, replace(PLL, context="none")).to_pylist()[0]
    assert bare["score_good"] == pytest.approx(naive(model, bare["good"], False, specials=False), abs=2e-5)
    rest = score_pairs(model, SUITE, replace(PLL, first_token="skipped")).to_pylist()
    assert rest[0]["score_good"] == pytest.approx(naive(model, rest[0]["good"], False, skip=1), abs=2e-5)
    assert rest[0]["scored_good"] == rest[0]["tokens_good"] - 1


def test_a_critical_word_is_filled_in_after_its_prefix():
    row = score_pairs(masked(), SUITE, replace(PLL, part="one_prefix")).to_pylist()[3]
    model = masked()
    assert row["score_bad"] == pytest.approx(naive(model, "the cats sees", False, skip=3), abs=2e-5)
    assert (row["scored_good"], row["scored_bad"]) == (1, 2)


def test_the_row_that_a_pair_shares_is_read_once():
    pair = Suite("s", [Pair("p", "", "", 0, "the cat see .", "the dog see .")])
    work = prepare_any(masked(), pair, PLL).plan
    assert work.total == 8
    assert work.rows == 7  # `the [MASK] see .` asks for both words


def test_unknown_words_and_lengths_are_of_the_sentence_itself():
    row = score_pairs(masked(), SUITE, PLL).to_pylist()[1]
    assert (row["unk_good"], row["unk_bad"]) == (0, 1)
    assert (row["tokens_good"], row["tokens_bad"]) == (8, 8)


def test_long_sentences_and_missing_masks_are_named():
    model = masked()
    long = Suite("s", [Pair("p", "", "", 0, "the cat " * 15 + ".", "the .")])
    with pytest.raises(InputError) as error:
        score_pairs(model, long, PLL)
    assert error.value.diagnostics[0].code == "FICT816"
    assert "33" in error.value.diagnostics[0].message
    model.tokenizer.mask_token = None
    with pytest.raises(InputError) as error:
        score_pairs(model, SUITE, PLL)
    assert error.value.diagnostics[0].code == "FICT815"
    assert "mask" in error.value.diagnostics[0].message


def test_presets_score_masked_models_too():
    model = masked()
    for name in ("default", "fict"):
        convention = convention_of(name, {}, masked=model.masked, model_name="m")
        scores = score_pairs(model, SUITE, convention).column("score_good")
        assert scores.equals(score_pairs(model, SUITE, PLL).column("score_good"))


def test_an_empty_sentence_has_nothing_to_score():
    assert Encoded((1, 2), 2, 2, 0, 0).scored == ()
    row = score_pairs(masked(), Suite("s", [Pair("p", "", "", 0, "", "the cat")]), PLL).to_pylist()[0]
    assert row["score_good"] is None
