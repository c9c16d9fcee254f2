"""Training without BOS and EOS: what is trained, measured and scored."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from runner.errors import InputError
from runner.model.saved import load_model
from runner.model.training import TrainSpec
from runner.score.convention import CONVENTIONS, convention_of
from runner.score.model_scores import frequency_loss, perplexity
from runner.score.suite_files import Pair, Suite
from runner.train.loop import train
from runner.train.spec import Seeds
from runner.train.task import TrainingTask
from tests.support.models import GPT2, LINES, tokenizer, tokens
from tests.support.scores import score_pairs

SPEC = TrainSpec(rows="sentence", epochs=2.0, batch=8, learning_rate=0.02, frame="none")
MODEL = replace(GPT2, dropout=0.0)


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    return tokens(folder / "train", [*LINES[1:], "cat", ""]), tokens(folder / "valid", LINES[::4])


@pytest.fixture(scope="module")
def trained(texts, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    return train(TrainingTask(SPEC, *texts, MODEL, out, tokenizer(), Seeds.of(1)), None), load_model(out / "model")


def test_the_perplexity_is_of_the_words_after_the_first(trained, texts):
    result, saved = trained
    total, count = 0.0, 0
    for number in range(texts[1].sentences):
        ids = torch.from_numpy(texts[1].sentence(number).astype(np.int64))[None]
        with torch.inference_mode():
            logs = torch.log_softmax(saved.model(ids).logits[0], -1)
        total -= float(logs[:-1].gather(1, ids[0, 1:, None]).sum())
        count += ids.shape[1] - 1
    assert perplexity(saved, texts[1]) == (pytest.approx(total, rel=1e-5), count)
    assert result.valid_perplexity == pytest.approx(math.exp(total / count), rel=1e-5)
    assert result.tokens == 2 * sum(max(0, len(texts[0].sentence(i)) - 1) for i in range(texts[0].sentences))


def test_no_separator_is_counted_and_frequencies_are_of_the_same_words(trained, texts):
    _, saved = trained
    assert saved.counts.tolist() == np.bincount(texts[0].ids, minlength=len(tokenizer())).tolist()
    assert saved.counts[tokenizer().eos_token_id] == 0
    counts = saved.counts + 1
    predicted = [i for n in range(texts[1].sentences) for i in texts[1].sentence(n)[1:].tolist()]
    expected = -sum(math.log(counts[i] / counts.sum()) for i in predicted)
    assert frequency_loss(saved, texts[1], texts[0]) == pytest.approx(expected)


def test_a_sentence_is_scored_as_trained_without_its_first_word(trained):
    _, saved = trained
    pairs = [Pair("p", "", "", 1, "the cat sees a small dog .", "the cats sees a small dog .")]
    suite = Suite("s", pairs)
    default, fict = (convention_of(name, {}, masked=False, model_name="m") for name in ("default", "fict"))
    scores = [score_pairs(saved, suite, convention).to_pylist()[0] for convention in (default, fict)]
    assert scores[0]["score_good"] == scores[1]["score_good"]
    assert scores[0]["scored_good"] == scores[0]["tokens_good"] - 1
    assert CONVENTIONS["default"].context == "as_trained"


def test_a_text_of_single_words_cannot_be_trained_on(texts, tmp_path):
    words = tokens(tmp_path / "words", ["cat", "dog"])
    with pytest.raises(InputError) as raised:
        train(TrainingTask(SPEC, words, texts[1], MODEL, tmp_path / "out", tokenizer(), Seeds.of(1)), None)
    (problem,) = raised.value.diagnostics
    assert (problem.code, problem.hint) == (
        "FICT804",
        'with frame = "none", a sentence of one token has no token to predict',
    )
