"""Scoring pairs: every convention against one sentence at a time, and what cannot be scored."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from runner.errors import InputError
from runner.score.convention import CONVENTIONS, Convention
from runner.score.suite_files import Pair, Suite
from tests.support.models import GPT2, LSTM, NEOX, OPT, saved
from tests.support.scores import score_pairs

PAIRS = [
    Pair("a", "x", "f", 0, "the cat sees the dogs .", "the cats sees the dogs ."),
    Pair("a", "x", "f", 1, "every child likes a zebra .", "every child like the zebra ."),
    Pair("b", "y", "f", 0, "the cats see .", "the cats see ."),
    Pair("b", "y", "f", 1, "the zebra runs .", "the giraffe runs ."),
    Pair("b", "y", "f", 2, "cats", "the cats that the dog saw see the child near the house ."),
    Pair("c", "z", "f", 0, "the cats see", "the cats sees", "one_prefix", ("the cats", "the cats"), ("see", "sees")),
]
SUITE = Suite("s", PAIRS)


def naive(model, text, convention, logs=None):
    """One sentence, one forward pass, every probability from the whole softmax."""
    ids = model.tokenizer(text, add_special_tokens=False)["input_ids"]
    context = {"none": [], "as_trained": [model.about.get("context", 1)]}.get(convention.context, [1])
    first = 0 if context and convention.first_token == "scored" else 1
    whole = context + ids + ([1] if convention.eos == "scored" else [])
    with torch.no_grad():
        scores = torch.log_softmax(model.model(input_ids=torch.tensor([whole])).logits[0].double(), -1)
    scored = range(len(context) + first, len(whole))
    total = sum(scores[place - 1, whole[place]].item() for place in scored)
    match convention.normalise:
        case "mean":
            return total / len(scored)
        case "penlp":
            return total / ((5 + len(scored)) / 6) ** 0.8
        case "slor":
            return (total - sum(logs[whole[place]] for place in scored)) / len(scored)
        case "normlp":
            return -total / sum(logs[whole[place]] for place in scored)
    return total


@pytest.mark.parametrize("spec", [LSTM, GPT2, OPT, NEOX], ids=lambda spec: spec.name)
@pytest.mark.parametrize(
    "convention",
    [
        *CONVENTIONS.values(),
        Convention(eos="scored"),
        Convention(first_token="skipped"),
        *(Convention(normalise=how) for how in ("mean", "penlp", "slor", "normlp")),
    ],
)
def test_scores_are_those_of_one_sentence_at_a_time(spec, convention):
    model = saved(spec)
    counts = np.arange(len(model.tokenizer))
    model = replace(model, about={"context": 0}, counts=counts)
    logs = [math.log((count + 1) / (counts.sum() + len(counts))) for count in counts.tolist()]
    for row in score_pairs(model, SUITE, convention).to_pylist():
        if row["score_good"] is None:
            continue
        for side in ("good", "bad"):
            assert row[f"score_{side}"] == pytest.approx(naive(model, row[side], convention, logs), abs=5e-5)


def test_rows_stand_in_the_suites_order_with_their_counts():
    rows = score_pairs(saved(), SUITE, Convention()).to_pylist()
    assert [(row["paradigm"], row["item"]) for row in rows] == [(pair.paradigm, pair.item) for pair in PAIRS]
    assert [row["identical"] for row in rows] == [False, False, True, True, False, False]
    assert [row["score_good"] is None for row in rows] == [False, False, True, True, False, False]
    assert [(row["unk_good"], row["unk_bad"]) for row in rows[:4]] == [(0, 0), (1, 2), (0, 0), (1, 1)]
    assert (rows[0]["tokens_good"], rows[4]["tokens_good"], rows[4]["tokens_bad"]) == (6, 1, 13)


def test_batches_of_any_size_give_the_same_decisions_and_scores():
    model = saved(GPT2)
    tables = [score_pairs(model, SUITE, Convention(), max_batch_tokens=places) for places in (1, 20, 10_000)]
    for side in ("score_good", "score_bad"):
        first, *others = (np.array(table.column(side).to_pylist(), dtype=float) for table in tables)
        for other in others:
            assert np.allclose(first, other, atol=5e-5, equal_nan=True)


def test_prefixes_score_one_word_and_leave_other_pairs_out():
    model = saved()
    *others, row = score_pairs(model, SUITE, Convention(part="one_prefix", context="eos")).to_pylist()
    assert all(other["score_good"] is None and not other["identical"] for other in others)
    ids = [1, *model.tokenizer("the cats")["input_ids"]]
    with torch.no_grad():
        scores = torch.log_softmax(model.model(torch.tensor([ids])).logits[0, -1].double(), -1)
    for side, word in (("good", "see"), ("bad", "sees")):
        expected = scores[model.tokenizer(word)["input_ids"][0]].item()
        assert row[f"score_{side}"] == pytest.approx(expected, abs=1e-5)


def test_a_sentence_without_a_scored_token_is_not_applicable():
    row = score_pairs(saved(), SUITE, CONVENTIONS["fict"]).to_pylist()[4]
    assert (row["score_good"], row["score_bad"], row["identical"]) == (None, None, False)


@pytest.mark.parametrize("how", ["slor", "normlp"])
def test_normalisation_by_unigrams_needs_counts(how):
    with pytest.raises(InputError) as error:
        score_pairs(saved(), SUITE, Convention(normalise=how))
    assert error.value.diagnostics[0].code == "FICT814"


def test_a_sentence_longer_than_the_model_reads_is_named():
    for spec, limited in ((GPT2, True), (OPT, True), (LSTM, False)):
        model = saved(spec)
        text = "the cat " * 16 + "."
        suite = Suite("s", [Pair("p", "", "", 0, text, "the cat .")])
        assert score_pairs(model, suite, Convention(context="none")).num_rows == 1
        if limited:
            with pytest.raises(InputError) as error:
                score_pairs(model, suite, Convention(eos="scored"))
            assert error.value.diagnostics[0].code == "FICT816"
            assert "(paradigm p, item 0, side good) has 34 tokens, more" in error.value.diagnostics[0].message


def test_an_empty_suite_gives_an_empty_table():
    assert score_pairs(saved(), Suite("s", []), Convention()).num_rows == 0
