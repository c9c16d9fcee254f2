"""Surprisal of words: sums of their tokens in bits, whatever the tokenizer makes of a word."""

import math

import pytest
import torch

from runner.model.presets import build
from runner.model.saved import SavedModel
from runner.score.convention import Convention
from runner.score.ratings import Rated, Sentences, prepare_sentences
from runner.score.sentences import score
from runner.score.spans import joined, word_table
from tests.peers.small_models import byte_pairs
from tests.support.models import GPT2, LINES, masked, saved


def words(model, convention, *texts):
    asked = prepare_sentences(model, Sentences("s", [Rated(text) for text in texts]), convention)
    found = score(model, asked)
    return word_table(model.tokenizer, asked, found).to_pylist(), found.tokens


def bytes_model():
    tokenizer = byte_pairs(LINES, 270)
    return SavedModel(build(GPT2, len(tokenizer), 1).eval(), tokenizer, saved().folder, {"context": 1})


@pytest.mark.parametrize(
    ("model", "convention"),
    [
        (saved(GPT2), Convention()),
        (bytes_model(), Convention()),
        (bytes_model(), Convention(leading_space="yes", eos="scored")),
        (masked(), Convention(probability="pll_l2r")),
    ],
    ids=["words", "bytes", "space", "masked"],
)
def test_words_add_up_to_the_sentence(model, convention):
    texts = ("the cats see a dog .", "every child likes the houses .")
    rows, tokens = words(model, convention, *texts)
    for number, text in enumerate(texts):
        mine = [row for row in rows if row["sentence"] == number]
        assert [row["word"] for row in mine] == text.split()
        assert [row["place"] for row in mine] == list(range(len(mine)))
        scored = sum(row["tokens"] for row in mine)  # the end of the sentence is not part of a word
        assert sum(row["surprisal"] for row in mine) == pytest.approx(-sum(tokens[number][:scored]) / math.log(2))


def test_each_word_is_the_sum_of_its_own_tokens():
    model = bytes_model()
    text = "the kittens see"
    rows, tokens = words(model, Convention(), text)
    pieces = model.tokenizer.convert_ids_to_tokens(model.tokenizer(text)["input_ids"])
    begins = [0, *(place for place, piece in enumerate(pieces) if piece.startswith("Ġ")), len(pieces)]
    assert len(begins) == 4
    for row, start, end in zip(rows, begins[:-1], begins[1:], strict=True):
        assert row["tokens"] == end - start
        assert row["surprisal"] == pytest.approx(-sum(tokens[0][start:end]) / math.log(2))


def test_a_word_with_a_token_that_is_not_scored_has_no_surprisal():
    rows, _ = words(saved(GPT2), Convention(context="none"), "the zebra sees")
    assert [row["surprisal"] is None for row in rows] == [True, False, False]
    assert [row["unknown"] for row in rows] == [False, True, False]


def test_words_are_those_of_the_split_text():
    rows, _ = words(saved(GPT2), Convention(tokenise="ptb"), "the cat doesn't see.")
    assert [row["word"] for row in rows] == ["the", "cat", "does", "n't", "see", "."]


def test_no_sentence_no_word():
    rows, _ = words(saved(GPT2), Convention())
    assert rows == []


def test_parts_are_joined_by_one_space():
    assert joined(["the cats", "", "see."], Convention()) == ("the cats see.", [(0, 8), (8, 8), (9, 13)])
    split = Convention(tokenise="regex", leading_space="yes")
    text, spans = joined(["the cats", "see."], split)
    assert (text, [text[slice(*span)] for span in spans]) == (" the cats see .", ["the cats", "see ."])


def test_surprisals_are_in_bits():
    model = saved(GPT2)
    rows, _ = words(model, Convention(), "the cat")
    with torch.no_grad():
        logits = model.model(torch.tensor([[1, *model.tokenizer("the")["input_ids"]]])).logits[0].double()
    expected = torch.log_softmax(logits[1], -1)[model.tokenizer("cat")["input_ids"][0]].item() / -math.log(2)
    assert rows[1]["surprisal"] == pytest.approx(expected, abs=1e-4)
