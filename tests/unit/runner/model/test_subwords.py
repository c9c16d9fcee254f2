"""Byte-level BPE: no text is unknown to it, and what is to be whole is; saved tokenizers get more tokens."""

import pytest
from transformers import AutoTokenizer

from runner.model.tokenizer import add_tokens, train_bpe_tokenizer
from tests.support.models import LINES, tokenizer


def pieces(trained, text):
    return trained.convert_ids_to_tokens(trained(text)["input_ids"])


@pytest.mark.parametrize("mask", [False, True])
def test_frequent_words_are_one_piece_and_any_text_comes_back(mask):
    trained = train_bpe_tokenizer(LINES, size=310, mask=mask)
    assert len(trained) == 310 + 1 + mask
    assert (trained.eos_token_id, trained.unk_token_id, trained.mask_token_id) == (0, None, 1 if mask else None)
    assert pieces(trained, "the dog near every cat .") == ["the", "Ġdog", "Ġnear", "Ġevery", "Ġcat", "Ġ."]
    for text in ("naïve 你好, <gap>\tdon't", "THE CATS"):
        assert trained.decode(trained(text)["input_ids"]) == text


def test_lower_case_is_part_of_the_tokenizer():
    trained = train_bpe_tokenizer(LINES, size=320, lowercase=True)
    assert trained("THE Dog")["input_ids"] == trained("the dog")["input_ids"]


def test_specials_and_whole_tokens_are_never_cut_and_take_the_space_before_them():
    trained = train_bpe_tokenizer([*LINES, "<eos> [NN] gap"], size=300, added=["[NN]", "<gap>", "gap"], mask=True)
    found = pieces(trained, "the [NN] sees<gap> gap gaps <eos>")
    assert found[:4] == ["the", "[NN]", "Ġsee", "s"]
    assert (found[4:6], found[-1]) == (["<gap>", "gap"], "<eos>")
    assert found.count("gap") == 1
    assert [trained.convert_tokens_to_ids(text) for text in ("[NN]", "<gap>", "gap")] == [302, 303, 304]


def test_saved_files_are_the_same_bytes_each_time_and_hold_everything(tmp_path):
    for name in ("one", "two"):
        train_bpe_tokenizer(LINES, size=300, added=["[NN]"], mask=True).save_pretrained(tmp_path / name)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    trained = train_bpe_tokenizer(LINES, size=300, added=["[NN]"], mask=True)
    loaded = AutoTokenizer.from_pretrained(tmp_path / "one", local_files_only=True)
    text = "every small [NN] [MASK] sees"
    assert loaded(text)["input_ids"] == trained(text)["input_ids"]
    assert loaded.mask_token_id == 1


def test_a_saved_tokenizer_gets_what_it_lacks_and_keeps_its_ids():
    words = tokenizer()
    before = words.get_vocab()
    more = add_tokens(words, ["cat", "[NN]", "[VB]"])
    assert more.get_vocab() == before | {"[NN]": len(before), "[VB]": len(before) + 1}
    assert pieces(more, "the [NN] sees [VB]") == ["the", "[NN]", "sees", "[VB]"]
