"""Masking: which tokens are chosen, what becomes of them, and that the same seed does the same again."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from runner.errors import InputError
from runner.model.likelihood import SplitModel, evaluating
from runner.model.token_rows import IGNORED, Batch, MaskedBatch, Masking
from tests.support.models import masked, pieces, tokenizer

BEGIN, END, MASK, FIRST = 2, 3, 4, 5
MASKING = Masking(opening=BEGIN, mask=MASK, special=(0, BEGIN, END, MASK), vocab_size=1000)


def batch(lengths):
    """Rows of words, each closed by END, padded with 7."""
    ids = np.full((len(lengths), max(lengths) + 1), 7)
    for row, length in enumerate(lengths):
        ids[row, : length + 1] = [END, *(FIRST + np.arange(length - 1) % 900), END]
    return Batch(ids, np.array(lengths))


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8), st.integers(0, 9))
def test_of_every_row_the_asked_share_of_words_is_predicted_and_one_at_least(lengths, seed):
    plain = batch(lengths)
    made = MASKING.apply(plain, seed)
    chosen = made.targets != IGNORED
    assert chosen.sum(1).tolist() == [max(1, round(0.15 * (length - 1))) for length in lengths]
    assert made.predicted_tokens == chosen.sum()
    assert (made.targets[chosen] == plain.ids[chosen]).all()
    assert (made.ids[:, 1:][~chosen[:, 1:]] == plain.ids[:, 1:][~chosen[:, 1:]]).all()
    assert (made.ids[:, 0] == BEGIN).all()
    for row, length in enumerate(lengths):
        places = np.flatnonzero(chosen[row])
        assert places.min() >= 1
        assert places.max() < max(length, 2)  # neither padding nor, in a row with words, what closes it


def test_of_the_chosen_four_fifths_are_masked_a_tenth_another_word_and_a_tenth_as_they_were():
    plain = batch([400] * 300)
    made = MASKING.apply(plain, 1)
    chosen = made.targets != IGNORED
    read, was = made.ids[chosen], made.targets[chosen]
    assert len(read) == 300 * 60
    assert np.mean(read == MASK) == pytest.approx(0.8, abs=0.01)
    assert np.mean(read == was) == pytest.approx(0.1, abs=0.01)
    other = read[(read != MASK) & (read != was)]
    assert not np.isin(other, MASKING.special).any()
    assert len(np.unique(other)) > 600


def test_a_seed_gives_the_same_masks_and_another_seed_other_ones():
    plain = batch([30, 20])
    one, same, other = (MASKING.apply(plain, *seed) for seed in ((1, 2), (1, 2), (1, 3)))
    assert (one.ids == same.ids).all()
    assert (one.targets == same.targets).all()
    assert (one.targets != other.targets).any()


def test_a_tokenizer_says_what_is_masked_with_what():
    words = pieces()
    bert = Masking.of(words, "m")
    assert (bert.opening, bert.mask) == (words.cls_token_id, words.mask_token_id)
    assert set(bert.special) == {words.cls_token_id, words.sep_token_id, words.mask_token_id, words.pad_token_id}
    assert words.unk_token_id in bert.ordinary_ids
    own = Masking.of(tokenizer(mask=True), "m")
    assert (own.opening, own.mask, own.special) == (1, 2, (1, 2))
    with pytest.raises(InputError) as error:
        Masking.of(tokenizer(), "m")
    assert error.value.diagnostics[0].code == "FICT815"


@pytest.mark.parametrize("architecture", ["bert", "roberta", "distilbert"])
def test_rows_side_by_side_have_the_loss_of_each_alone_and_that_of_transformers(architecture):
    saved = masked(architecture)
    masking = Masking.of(saved.tokenizer, "m", 0.4)
    lengths = [3, 9, 6]
    ids = np.full((3, 10), saved.tokenizer.pad_token_id)
    for row, length in enumerate(lengths):
        ids[row, : length + 1] = [2, *(6 + np.arange(length - 1)), 3]
    made = masking.apply(Batch(ids, np.array(lengths)), 5)
    network = SplitModel.of(saved.model)
    with evaluating(saved.model):
        together = float(network.loss(made))
        alone = [float(network.loss(made.select(np.array([row])))) for row in range(3)]
        theirs = 0.0
        for row, length in enumerate(lengths):
            read, labels = (torch.from_numpy(a[row : row + 1, : length + 1]) for a in (made.ids, made.targets))
            theirs += float(saved.model(input_ids=read, labels=labels).loss) * int((labels != IGNORED).sum())
    assert together == pytest.approx(sum(alone), rel=1e-5)
    assert together == pytest.approx(theirs, rel=1e-5)


def test_rows_are_taken_with_their_targets():
    made = MASKING.apply(batch([9, 3, 5]), 0)
    some = made.select(np.array([1, 2]))
    assert isinstance(some, MaskedBatch)
    assert some.ids.shape == some.targets.shape == (2, 6)
    assert some.predicted_tokens == int((made.targets[1:] != IGNORED).sum())
