"""Perplexity: rows as in training, one sentence at a time for models from elsewhere."""

import math
from collections import Counter

import numpy as np
import pytest

from runner.errors import InputError
from runner.model.likelihood import predicted_counts, text_loss
from runner.model.token_rows import Masking
from runner.score.model_scores import frequency_loss, perplexity
from tests.support.models import BERT, GPT2, LINES, LSTM, saved, tokenizer, tokens


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


def test_frequencies_of_words_alone(tmp_path):
    lines, training = ["the cat", "a dog the"], ["the the cat", "the a"]
    text, read = tokens(tmp_path / "a", lines), tokens(tmp_path / "b", training)
    counts = Counter(word for line in training for word in [*line.split(), "."])  # "." for what ends a sentence
    total = counts.total() + read.vocabulary  # each count raised by one
    expected = -sum(math.log((counts[word] + 1) / total) for line in lines for word in [*line.split(), "."])
    assert frequency_loss(saved(LSTM), text, read) == pytest.approx(expected, rel=1e-12)


def test_frequencies_of_the_words_that_a_masked_model_is_asked_for(tmp_path):
    text, words = tokens(tmp_path, mask=True), tokenizer(mask=True)
    model = saved(BERT, mask=True, rows="packed", block=7)
    asked = predicted_counts(text, "packed", 7, Masking.of(words, "bert"))
    assert asked.sum() == perplexity(model, text)[1] and asked[text.separator] == 0
    among = text.counts()
    among[text.separator] = 0
    raised = (among + 1) / (among + 1).sum()
    assert frequency_loss(model, text, text) == pytest.approx(-(asked * np.log(raised)).sum(), rel=1e-12)
    assert asked.sum() < 0.25 * sum(len(line.split()) for line in LINES)


def test_ids_beyond_the_vocabulary_are_refused(tmp_path):
    model = saved(GPT2)
    model.model.config.vocab_size -= 1
    with pytest.raises(InputError) as error:
        perplexity(model, tokens(tmp_path))
    assert error.value.diagnostics[0].code == "FICT806"
