"""The size of scoring batches: the device of the model decides it, for every kind of suite and for words."""

import json
from itertools import pairwise

import numpy as np
import pytest

from runner.score import sentence_scores
from runner.score.any_suite import open_suite, prepare_any
from runner.score.batches import GPU_BATCH_TOKENS, MAX_BATCH_TOKENS
from runner.score.convention import Convention
from runner.score.ratings import Rated, Sentences
from runner.score.suite_files import Pair, Suite
from runner.score.word_surprisals import with_word_boundaries
from tests.support.models import GPT2, LINES, LSTM, masked, saved
from tests.support.scores import score_pairs
from tests.unit.runner.score.test_syntaxgym import SUITE as SYNTAXGYM
from tests.unit.runner.score.test_words import bytes_model

PAIRS = Suite("pairs", [Pair("p", "x", "f", n, good, bad) for n, (good, bad) in enumerate(pairwise(LINES))])
RATED = Sentences("rated", [Rated(line) for line in LINES[:20]])


@pytest.fixture
def small_gpu_batches(monkeypatch):
    """Treat the CPU as a GPU whose batches have at most 12 tokens."""
    monkeypatch.setattr(sentence_scores, "by_kind", lambda _, cpu, gpu: gpu)
    monkeypatch.setattr(sentence_scores, "GPU_BATCH_TOKENS", 12)


def is_small(plan):
    return len(plan.batches) > 1 and all(len(batch.ids) == 1 or batch.ids.size <= 12 for batch in plan.batches)


@pytest.mark.usefixtures("small_gpu_batches")
@pytest.mark.parametrize("kind", ["pairs", "rated", "syntaxgym"])
@pytest.mark.parametrize("model", [saved(LSTM), masked()], ids=["causal", "masked"])
def test_the_device_decides_the_size_of_batches_for_every_suite(kind, model, tmp_path):
    (tmp_path / "suite.json").write_text(json.dumps(SYNTAXGYM))
    suite = {"pairs": PAIRS, "rated": RATED, "syntaxgym": open_suite(tmp_path / "suite.json")}[kind]
    convention = Convention(probability="pll" if model.masked else "causal")
    assert is_small(prepare_any(model, suite, convention).plan)


@pytest.mark.usefixtures("small_gpu_batches")
def test_the_device_decides_the_size_of_batches_for_words():
    model = bytes_model()
    prepared = with_word_boundaries(model, prepare_any(model, RATED, Convention()))
    assert prepared.boundaries is not None
    assert is_small(prepared.plan)


def test_scores_depend_on_the_size_of_batches_by_rounding_only(small_gpu_batches):
    model = saved(GPT2)
    tables = [score_pairs(model, PAIRS, Convention(), max_batch_tokens=size) for size in (None, MAX_BATCH_TOKENS)]
    small, large = (np.array([table["score_good"], table["score_bad"]], dtype=float) for table in tables)
    assert np.allclose(small, large, atol=5e-5)


def test_a_gpu_has_larger_batches_unless_logits_are_computed_at_every_position(monkeypatch):
    split, whole = masked(), masked("distilbert")
    assert (
        sentence_scores.default_batch_tokens(split) == sentence_scores.default_batch_tokens(whole) == MAX_BATCH_TOKENS
    )
    monkeypatch.setattr(sentence_scores, "by_kind", lambda _, cpu, gpu: gpu)
    assert (
        sentence_scores.default_batch_tokens(split) == sentence_scores.default_batch_tokens(whole) == GPU_BATCH_TOKENS
    )
    monkeypatch.setattr("runner.score.model_scores.MAX_LOGITS", {"gpu": 4000 * len(whole.tokenizer)})
    assert (sentence_scores.default_batch_tokens(split), sentence_scores.default_batch_tokens(whole)) == (
        GPU_BATCH_TOKENS,
        4000,
    )
    monkeypatch.setattr("runner.score.model_scores.MAX_LOGITS", {"gpu": 1})
    assert sentence_scores.default_batch_tokens(whole) == MAX_BATCH_TOKENS
