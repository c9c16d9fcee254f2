"""Sentences as ids: which tokens stand before, which count, and how words are marked as unknown."""

from dataclasses import replace
from typing import ClassVar

import pytest

from runner.errors import InputError
from runner.model.tokenizer import train_word_tokenizer
from runner.score.convention import CONVENTIONS, Convention
from runner.score.encoding import encode_suite, texts_of, tokenizer_inputs
from runner.score.suite_files import Pair, Suite
from tests.support.models import tokenizer

WORDS = tokenizer()
THE, CATS, SEE, DOT = (WORDS.get_vocab()[word] for word in ("the", "cats", "see", "."))
PAIR = Pair("p", "", "", 0, "the cats see .", "the zebras see .")
EOS, UNK = 1, 0


def good(convention, pair=PAIR, words=WORDS, about=None):
    return encode_suite(Suite("s", [pair]), words, convention, about or {}, "m")[0][0]


@pytest.mark.parametrize(
    ("convention", "ids", "scored"),
    [
        (CONVENTIONS["default"], (EOS, THE, CATS, SEE, DOT), (THE, CATS, SEE, DOT)),
        (CONVENTIONS["fict"], (THE, CATS, SEE, DOT), (CATS, SEE, DOT)),
        (CONVENTIONS["lm-eval"], (EOS, THE, CATS, SEE, DOT), (THE, CATS, SEE, DOT)),
        (CONVENTIONS["babylm"], (THE, CATS, SEE, DOT), (CATS, SEE, DOT)),
        (Convention(context="none"), (THE, CATS, SEE, DOT), (CATS, SEE, DOT)),
        (Convention(first_token="skipped"), (EOS, THE, CATS, SEE, DOT), (CATS, SEE, DOT)),
        (Convention(eos="scored"), (EOS, THE, CATS, SEE, DOT, EOS), (THE, CATS, SEE, DOT, EOS)),
    ],
)
def test_contexts_and_scored_tokens(convention, ids, scored):
    sentence = good(convention)
    assert (sentence.ids, sentence.scored, sentence.token_count, sentence.unknown_count) == (ids, scored, 4, 0)


def test_the_context_of_training_goes_first():
    assert good(Convention(), about={"context": UNK}).ids[0] == UNK
    assert good(Convention(), about={"context": None}).start == 1


def test_unknown_words_are_counted():
    bad = encode_suite(Suite("s", [PAIR]), WORDS, Convention(), {}, "m")[0][1]
    assert (bad.unknown_count, bad.token_count, bad.ids[2]) == (1, 4, UNK)


def test_one_and_two_prefix_score_the_critical_word_alone():
    one = replace(PAIR, prefix_method="one_prefix", prefixes=("the cats",) * 2, words=("see", "sees"))
    two = replace(PAIR, prefix_method="two_prefix", prefixes=("the cats", "the dogs"), words=(" see", " see"))
    for pair, part in ((one, "one_prefix"), (two, "two_prefix")):
        sentence = good(Convention(part=part, eos="scored"), pair)
        assert (sentence.ids, sentence.scored) == ((EOS, THE, CATS, SEE), (SEE,))
    suite = Suite("s", [PAIR, one, two])
    found = encode_suite(suite, WORDS, Convention(part="one_prefix"), {}, "m")
    assert [pair is None for pair in found] == [True, False, True]


def test_white_space_around_a_prefix_is_not_part_of_it():
    pair = replace(PAIR, prefix_method="one_prefix", prefixes=("the cats ", " the cats"), words=("see", " sees"))
    assert texts_of(pair, Convention(part="one_prefix")) == (
        ("the cats", "the cats see"),
        ("the cats", "the cats sees"),
    )


def test_text_is_split_before_the_tokenizer_where_asked():
    words = tokenizer(split="none")
    pair = replace(PAIR, good="the cats see.")
    assert good(Convention(), pair, words).unknown_count == 1
    assert good(Convention(tokenise="regex"), pair, words).unknown_count == 0


@pytest.mark.parametrize("tokenise", ["regex", "ptb"])
def test_splitting_leaves_the_whole_tokens_of_the_tokenizer(tokenise):
    words = train_word_tokenizer(["the [NN] see ."], size=3, split="none", added=("[NN]",))
    texts = ["the [NN] see<unk>.", "[NN], <eos>"]
    assert tokenizer_inputs(texts, words, Convention(tokenise=tokenise)) == ["the [NN] see <unk> .", "[NN] , <eos>"]
    pair = replace(PAIR, good="the [NN] see.")
    assert good(Convention(tokenise=tokenise), pair, words).unknown_count == 0


def test_a_leading_space_reaches_the_tokenizer():
    class Spy:
        name_or_path = "spy"
        bos_token_id, eos_token_id, unk_token_id = None, EOS, UNK
        texts: ClassVar[list] = []

        def __call__(self, texts, **options):
            self.texts += texts
            return {"input_ids": [[5]] * len(texts)}

    good(CONVENTIONS["lm-eval"], words=Spy())
    assert Spy.texts == [" the cats see .", " the zebras see ."]


def test_an_end_that_the_tokenizer_lacks_is_named():
    words = tokenizer()
    words.eos_token = None
    with pytest.raises(InputError) as error:
        good(Convention(context="none", eos="scored"), words=words)
    assert error.value.diagnostics[0].code == "FICT815"
