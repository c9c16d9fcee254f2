"""Log-probabilities: one model by hand, all models against one sentence at a time, batches of any size."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.score import model_scores
from runner.score.batches import MAX_BATCH_TOKENS, causal_plan
from runner.score.encoding import Encoded
from tests.support.models import GPT2, LSTM, NEOX, OPT, saved


def log_probabilities(model, sequences, *, places=MAX_BATCH_TOKENS, **options):
    """Of each (ids, start): the log-probabilities from `start` on."""
    plan = causal_plan([Encoded(ids, start, len(ids), len(ids), 0) for ids, start in sequences], places)
    return plan.split(model_scores.log_probabilities(model, plan, **options))


MODELS = {spec.name: saved(spec).model for spec in (LSTM, GPT2, OPT, NEOX)}
SIZE = MODELS["tiny-lstm"].config.vocab_size


class Bigram(torch.nn.Module):
    """p(b | a) from a table: logits are its logarithms plus a number that must not matter."""

    config = SimpleNamespace(model_type="bigram", to_dict=dict)
    device = torch.device("cpu")
    table = torch.tensor([[0.5, 0.25, 0.25], [0.1, 0.1, 0.8], [0.2, 0.7, 0.1]])

    def forward(self, input_ids, use_cache):
        return SimpleNamespace(logits=self.table.log()[input_ids] + 7)


def test_by_hand():
    found = log_probabilities(Bigram(), [((0, 1, 2), 1), ((0, 1, 2), 2), ((2, 2), 1), ((1,), 1), ((0, 1, 2), 3)])
    expected = [[0.25, 0.8], [0.8], [0.1], [], []]
    assert [np.exp(values).round(6).tolist() for values in found] == expected


def one_by_one(model, sequences):
    with torch.no_grad():
        for ids, start in sequences:
            logs = torch.log_softmax(model(input_ids=torch.tensor([ids])).logits[0].double(), -1)
            yield [logs[place - 1, ids[place]].item() for place in range(start, len(ids))]


def random_sequences(count=60, seed=0):
    random = np.random.default_rng(seed)
    stems = [tuple(random.integers(0, SIZE, 4).tolist()) for _ in range(4)]
    found = []
    for _ in range(count):
        stem = stems[random.integers(4)][: random.integers(1, 5)]
        ids = stem + tuple(random.integers(0, SIZE, random.integers(1, 9)).tolist())
        found.append((ids, int(random.integers(1, len(ids)))))
    return found


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("places", [1, 40, 100_000])
def test_batches_of_any_size_agree_with_one_sentence_at_a_time(name, places):
    sequences = random_sequences()
    found = log_probabilities(MODELS[name], sequences, places=places)
    for values, expected in zip(found, one_by_one(MODELS[name], sequences), strict=True):
        assert values == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize(("rows", "logits"), [(1, 1), (1, 8), (3, 10), (5, 1 << 18), (512, 1)])
def test_blocks_of_any_size_change_nothing(monkeypatch, rows, logits):
    sequences = random_sequences(seed=1)
    whole = log_probabilities(MODELS["tiny-lstm"], sequences)
    monkeypatch.setattr(model_scores, "STATES_PER_PASS", rows)
    monkeypatch.setattr(model_scores, "MAX_LOGITS", {"cpu": logits, "gpu": logits})
    for one, other in zip(whole, log_probabilities(MODELS["tiny-lstm"], sequences), strict=True):
        assert one == pytest.approx(other, abs=1e-6)


@pytest.mark.parametrize("logits", [1 << 18, 4])
def test_words_that_are_impossible_or_certain(monkeypatch, logits):
    monkeypatch.setattr(model_scores, "MAX_LOGITS", {"cpu": logits, "gpu": logits})
    model = saved(GPT2).model
    head = torch.nn.Linear(model.config.n_embd, SIZE)
    with torch.no_grad():
        head.weight.mul_(0.1)
        head.bias.fill_(-math.inf)  # as for rows that only pad a vocabulary
        head.bias[-3:] = torch.tensor([0.0, -1e9, 1e4])
    model.lm_head = head
    ((certain, below, impossible),) = log_probabilities(model, [((0, SIZE - 1, SIZE - 3, 0), 1)])
    assert certain == 0
    assert below == pytest.approx(-1e4, abs=5)
    assert impossible == -math.inf


def test_the_output_layer_sees_a_shared_prefix_once():
    rows = [(1, 2, 3, 4), (1, 2, 3, 5), (1, 2, 6, 4), (1, 2, 3), (1, 2, 3, 4, 5)]
    plan = causal_plan([Encoded(ids, 1, len(ids), len(ids), 0) for ids in rows])
    after = [tuple(batch.ids[place // width, : place % width + 1]) for batch in plan.batches
             for width in [batch.ids.shape[1]] for place in batch.positions.tolist()]  # fmt: skip
    assert sorted(after) == [(1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2, 6)]
    assert plan.total == 3 * 3 + 2 + 4


@given(st.lists(st.tuples(st.lists(st.integers(0, 2), min_size=1, max_size=5), st.integers(1, 5)), max_size=12))
def test_every_token_is_asked_after_the_tokens_before_it(sequences):
    sentences = [Encoded(tuple(ids), min(start, len(ids)), len(ids), len(ids), 0) for ids, start in sequences]
    plan = causal_plan(sentences, max_batch_tokens=6)
    after = [tuple(batch.ids[place // width, : place % width + 1].tolist()) for batch in plan.batches
             for width in [batch.ids.shape[1]] for place in batch.positions.tolist()]  # fmt: skip
    assert len(set(after)) == len(after)
    assert plan.states.tolist() == sorted(plan.states.tolist())
    asked = [None] * plan.total
    for where, target, slot in zip(plan.states, plan.targets, plan.result_indices, strict=True):
        asked[slot] = (*after[where], target)
    for sentence, begin, size in zip(sentences, plan.begin, plan.size, strict=True):
        expected = [sentence.ids[: place + 1] for place in range(sentence.start, sentence.end)]
        assert asked[begin : begin + size] == expected


@settings(max_examples=20)
@given(st.lists(st.lists(st.integers(0, SIZE - 1), min_size=2, max_size=7), min_size=1, max_size=8))
def test_sums_do_not_depend_on_the_company(rows):
    model = MODELS["tiny-gpt2"]
    sequences = [(tuple(row), 1) for row in rows]
    together = [math.fsum(values) for values in log_probabilities(model, sequences)]
    alone = [math.fsum(log_probabilities(model, [sequence])[0]) for sequence in sequences]
    assert together == pytest.approx(alone, abs=5e-5)


def test_dropout_is_off_and_the_mode_comes_back():
    model = saved(LSTM).model.train()
    sequences = random_sequences(10)
    first, second = (log_probabilities(model, sequences) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    assert model.training


def test_bfloat16_is_near_and_not_the_same():
    sequences = random_sequences()
    exact = np.concatenate(log_probabilities(MODELS["tiny-gpt2"], sequences))
    rounded = np.concatenate(log_probabilities(MODELS["tiny-gpt2"], sequences, dtype="bfloat16"))
    assert not np.array_equal(exact, rounded)
    assert np.abs(exact - rounded).max() < 0.5


def test_progress_counts_the_sequences_that_are_read_each_once():
    told = []
    sequences = random_sequences(20) * 2
    log_probabilities(
        MODELS["tiny-lstm"], sequences, places=30, on_progress=lambda done, whole: told.append((done, whole))
    )
    assert told[-1][0] == told[-1][1] <= len(set(sequences))
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_no_sequences_no_scores():
    assert log_probabilities(MODELS["tiny-lstm"], []) == []
