"""Perplexity: rows as in training, one sentence at a time for models from elsewhere."""

import pytest

from runner.errors import InputError
from runner.model.likelihood import text_loss
from runner.score.perplexity import perplexity
from tests.support.models import GPT2, LSTM, saved, tokens


def test_rows_and_block_are_those_of_training(tmp_path):
    text = tokens(tmp_path)
    model = saved(GPT2, rows="packed", block=7, context=1)
    assert perplexity(model, text) == text_loss(model.model, text, "packed", 7)
    assert perplexity(model, text) != text_loss(model.model, text, "sentence", 7)


def test_a_model_from_elsewhere_reads_sentences(tmp_path):
    text = tokens(tmp_path)
    assert perplexity(saved(LSTM), text) == text_loss(saved(LSTM).model, text, "sentence", 512)
    assert perplexity(saved(LSTM), text)[1] == text.tokens + text.sentences


def test_windows_of_a_model_from_elsewhere_fit_its_positions(tmp_path):
    text = tokens(tmp_path, ["the cat " * 50])
    assert perplexity(saved(GPT2), text)[1] == 101


def test_ids_beyond_the_vocabulary_are_refused(tmp_path):
    model = saved(GPT2)
    model.model.config.vocab_size -= 1
    with pytest.raises(InputError) as error:
        perplexity(model, tokens(tmp_path))
    assert error.value.diagnostics[0].code == "FICT806"
