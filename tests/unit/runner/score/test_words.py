"""Surprisal of words in bits, whatever the tokenizer makes of a word and of the space before it."""

import itertools
import math

import pytest
import torch

from runner.model.architectures import build
from runner.model.saved import SavedModel
from runner.score.any_suite import prepare_any
from runner.score.convention import Convention
from runner.score.ratings import Rated, Sentences
from runner.score.sentence_scores import score
from runner.score.word_surprisals import with_word_boundaries, word_table
from tests.peers.small_models import byte_pairs
from tests.support.models import GPT2, LINES, masked, saved


def words(model, convention, *texts):
    asked = with_word_boundaries(model, prepare_any(model, Sentences("s", [Rated(text) for text in texts]), convention))
    found = score(model, asked)
    return word_table(model.tokenizer, asked, found).to_pylist(), found.tokens


def bytes_model():
    return sharp(byte_pairs(LINES, 270))


def sharp(tokenizer):
    """Random weights, larger than initial ones so that probabilities differ clearly."""
    model = build(GPT2, len(tokenizer), 1).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(5)
    return SavedModel(model, tokenizer, saved().folder, {"context": 1})


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
        assert sum(row["token_surprisal"] for row in mine) == pytest.approx(-sum(tokens[number][:scored]) / math.log(2))


def test_each_word_is_the_sum_of_its_own_tokens():
    model = bytes_model()
    text = "the kittens see"
    rows, tokens = words(model, Convention(), text)
    pieces = model.tokenizer.convert_ids_to_tokens(model.tokenizer(text)["input_ids"])
    begins = [0, *(place for place, piece in enumerate(pieces) if piece.startswith("Ġ")), len(pieces)]
    assert len(begins) == 4
    for row, start, end in zip(rows, begins[:-1], begins[1:], strict=True):
        assert row["tokens"] == end - start
        assert row["token_surprisal"] == pytest.approx(-sum(tokens[0][start:end]) / math.log(2))


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


def test_surprisals_are_in_bits():
    model = saved(GPT2)
    rows, _ = words(model, Convention(), "the cat")
    with torch.no_grad():
        logits = model.model(torch.tensor([[1, *model.tokenizer("the")["input_ids"]]])).logits[0].double()
    expected = torch.log_softmax(logits[1], -1)[model.tokenizer("cat")["input_ids"][0]].item() / -math.log(2)
    assert rows[1]["surprisal"] == pytest.approx(expected, abs=1e-4)


def chances(model, ids):
    """p of every token after each of `ids`, as transformers gives it."""
    with torch.no_grad():
        return torch.softmax(model.model(torch.tensor([ids])).logits[0].double(), -1).numpy()


def test_where_the_space_is_in_a_token_a_word_is_asked_to_end_and_given_that_one_begins():
    """Worked from all probabilities: ln p = Σ ln p(token) + ln B(after) − ln B(before)."""
    model = bytes_model()
    text = "the kittens see"
    pieces = model.tokenizer(text)["input_ids"]
    names = model.tokenizer.convert_ids_to_tokens(pieces)
    begins = [0, *(place for place, piece in enumerate(names) if piece.startswith("Ġ")), len(names)]
    vocabulary = model.tokenizer.get_vocab()
    spaced = [index for token, index in vocabulary.items() if token.startswith("Ġ") or token in ("<eos>", "<unk>")]
    others = sorted(set(vocabulary.values()) - set(spaced))
    after = chances(model, [1, *pieces])
    given = [after[0, others].sum(), *(after[place, spaced].sum() for place in begins[1:])]
    rows, _ = words(model, Convention(), text)
    for number, row in enumerate(rows):
        start, end = begins[number : number + 2]
        p = math.prod(after[place, pieces[place]] for place in range(start, end)) * after[end, spaced].sum()
        assert row["surprisal"] == pytest.approx(-math.log2(p / given[number]), abs=1e-4)
        assert abs(row["surprisal"] - row["token_surprisal"]) > 0.01


def letters():
    """A byte-level tokenizer of the letters a and b, each with and without a space before it."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    vocabulary = {token: index for index, token in enumerate(["<unk>", "<eos>", "a", "b", "Ġ", "Ġa", "Ġb"])}
    inner = Tokenizer(models.BPE(vocabulary, [("Ġ", "a"), ("Ġ", "b")], unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="<unk>", eos_token="<eos>")


def test_the_probabilities_of_all_words_add_up_to_one():
    """Of all words after `ab`, up to nine letters; those of their tokens add up to something else."""
    tokenizer = letters()
    model = sharp(tokenizer)
    every = ["".join(word) for length in range(1, 10) for word in itertools.product("ab", repeat=length)]
    rows, _ = words(model, Convention(), *(f"ab {word}" for word in every))
    second = [row for row in rows if row["place"] == 1]
    assert [row["word"] for row in second] == every
    after = chances(model, [1, 2, 3])[2]
    whole = after[[5, 6]].sum() / after[[0, 1, 4, 5, 6]].sum()  # the rest: the text ends, or a space with no letter
    assert sum(2 ** -row["surprisal"] for row in second) == pytest.approx(whole, abs=0.01)
    assert abs(sum(2 ** -row["token_surprisal"] for row in second) - whole) > 0.01  # random weights


@pytest.mark.parametrize("convention", [Convention(leading_space="yes"), Convention(eos="scored")])
def test_words_add_up_to_a_text_given_how_it_begins_and_ends(convention):
    """What is asked at the edge between two words is asked once for each, and so falls out of the sum."""
    model = bytes_model()
    text = "the cats see a dog ."
    rows, _ = words(model, convention, text)
    pieces = model.tokenizer(" " + text if convention.leading_space == "yes" else text)["input_ids"]
    vocabulary = model.tokenizer.get_vocab()
    spaced = [index for token, index in vocabulary.items() if token.startswith("Ġ") or token in ("<eos>", "<unk>")]
    others = sorted(set(vocabulary.values()) - set(spaced))
    after = chances(model, [1, *pieces])
    begins = after[0, spaced if convention.leading_space == "yes" else others].sum()
    changed = sum(row["surprisal"] - row["token_surprisal"] for row in rows)
    assert changed == pytest.approx(math.log2(begins) - math.log2(after[len(pieces), spaced].sum()), abs=1e-3)


@pytest.mark.parametrize("model", [saved(GPT2), masked()], ids=["words", "masked"])
def test_without_spaces_in_tokens_nothing_more_is_asked(model):
    convention = Convention(probability="pll") if model.masked else Convention()
    asked = prepare_any(model, Sentences("s", [Rated("the cats see .")]), convention)
    assert with_word_boundaries(model, asked) is asked
    rows, _ = words(model, convention, "the cats see .")
    assert all(row["surprisal"] == row["token_surprisal"] for row in rows)


def test_asking_for_words_changes_no_score_and_reads_every_sentence_once():
    model = bytes_model()
    asked = prepare_any(model, Sentences("s", [Rated(line) for line in LINES[:20]]), Convention())
    more = with_word_boundaries(model, asked)
    assert asked.plan.rows <= more.plan.rows == 20
    plain, found = score(model, asked).table, score(model, more).table
    assert plain.column("logprob").to_pylist() == pytest.approx(found.column("logprob").to_pylist(), abs=1e-4)
    assert plain.drop_columns(["logprob", "score"]) == found.drop_columns(["logprob", "score"])


def test_a_vocabulary_in_which_every_token_begins_with_a_space():
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    vocabulary = {token: index for index, token in enumerate(["<unk>", "<eos>", "▁a", "▁b"])}
    inner = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Metaspace()
    model = sharp(PreTrainedTokenizerFast(tokenizer_object=inner, unk_token="<unk>", eos_token="<eos>"))
    rows, _ = words(model, Convention(), "a b")
    assert [row["surprisal"] for row in rows] == pytest.approx([row["token_surprisal"] for row in rows], abs=1e-5)


def characters(isolated):
    """A tokenizer whose spaces are literal: a token each, or in front of the letters."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    from runner.model.tokenizer import wrap_tokenizer

    vocabulary = {token: index for index, token in enumerate(["<unk>", "<eos>", " ", *"abc", " a", " b", " c"])}
    inner = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.Split(Regex("." if isolated else " ?."), "isolated")
    return wrap_tokenizer(inner, mask=False)


@pytest.mark.parametrize("isolated", [True, False])
def test_words_of_tokenizers_with_literal_spaces_end(isolated):
    """Worked from all probabilities: after `ab`, the next token begins a word or ends the text."""
    model = sharp(characters(isolated))
    text = "ab c"
    ids = model.tokenizer(text)["input_ids"]
    vocabulary = model.tokenizer.get_vocab()
    spaced = sorted(index for token, index in vocabulary.items() if token[0] == " " or token[0] == "<")
    others = sorted(set(vocabulary.values()) - set(spaced))
    after = chances(model, [1, *ids])
    rows, _ = words(model, Convention(), text)
    end = 2
    p = math.prod(after[place, ids[place]] for place in range(end)) * after[end, spaced].sum()
    assert rows[0]["surprisal"] == pytest.approx(-math.log2(p / after[0, others].sum()), abs=1e-4)
    p = math.prod(after[place, ids[place]] for place in range(end, len(ids))) * after[len(ids), spaced].sum()
    assert rows[1]["surprisal"] == pytest.approx(-math.log2(p / after[end, spaced].sum()), abs=1e-4)
