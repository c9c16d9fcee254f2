"""The word tokenizer: what it splits, which words it keeps, and that its files say it all."""

import pytest
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from runner.model.tokenizer import split_words, train_word_tokenizer


@pytest.mark.parametrize(
    ("split", "text", "words"),
    [
        ("regex", "Katherine can't help herself.", "Katherine can't help herself ."),
        ("regex", "John’s dogs' $1,234.56 isn't 3rd", "John's dogs ' $ 1,234.56 isn't 3rd"),
        ("regex", "well-known… (a) 'tis", "well - known … ( a ) ' tis"),
        ("regex", "नमस्ते café 你好", "नमस्ते café 你好"),
        ("ptb", "I don't, you can't; John's CAN'T", "I do n't , you ca n't ; John 's CA N'T"),
        ("ptb", "we're I'd they’ll cannot o'clock", "we 're I 'd they 'll can not o'clock"),
        ("ptb", "dogs' n't", "dogs ' n't"),
        ("none", "don't stop, now.", "don't stop, now."),
        ("regex", "", ""),
    ],
)
def test_texts_are_split_into_words_clitics_numbers_and_marks(split, text, words):
    assert split_words(text, split) == words.split()


@pytest.mark.parametrize("split", ["regex", "ptb"])
@pytest.mark.parametrize(
    "word",
    [
        "می\u200cروم",  # zero-width non-joiner
        "क्\u200dष",  # zero-width joiner
        "co\u00adop",  # soft hyphen
        "\u200fשלום",
        "12\u200cها",
        "l·l",
        "col\u2027legi",
        "צה״ל",
        'צה"ל',
        "ג׳ירפה",
        "צ'",
        "👩🏽\u200d❤\ufe0f\u200d👨",
        "\u200d",
    ],
)
def test_no_word_ends_at_a_format_character_or_between_letters(split, word):
    assert split_words(f"a {word} b {word}", split) == ["a", word, "b", word]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("データ・ベース", ["データ", "・", "ベース"]),
        ("x\u200by", ["x", "\u200b", "y"]),
        ("3·5 · a·", ["3", "·", "5", "·", "a", "·"]),
        ('"ב" a"b', ['"', "ב", '"', "a", '"', "b"]),
        ("Ã³l a:b U.S.", ["Ã³l", "a", ":", "b", "U", ".", "S", "."]),
        ("don\u200c’t", ["don\u200c't"]),
    ],
)
def test_other_words_end_where_they_did(text, words):
    assert split_words(text, "regex") == words


def test_the_most_frequent_words_stay_ties_by_code_point_after_the_specials():
    tokenizer = train_word_tokenizer(["b a é b", "a c Z z"], size=4)
    vocabulary = tokenizer.get_vocab()
    assert sorted(vocabulary, key=vocabulary.get) == ["<unk>", "<eos>", "a", "b", "Z", "c"]
    assert len(tokenizer) == 6
    assert (tokenizer.unk_token_id, tokenizer.eos_token_id, tokenizer.bos_token_id) == (0, 1, None)


def test_ids_are_of_raw_text_unknown_words_included_and_nothing_added():
    tokenizer = train_word_tokenizer(["The dog doesn't see ."], size=10, lowercase=True)
    ids = tokenizer("THE dog, doesn’t see cats.")["input_ids"]
    assert tokenizer.convert_ids_to_tokens(ids) == ["the", "dog", "<unk>", "doesn't", "see", "<unk>", "."]


def test_decomposed_and_composed_letters_are_one_word():
    tokenizer = train_word_tokenizer(["caf\u00e9"], size=5)
    assert tokenizer("cafe\u0301")["input_ids"] == tokenizer("caf\u00e9")["input_ids"] == [2]


@pytest.mark.parametrize("split", ["regex", "ptb", "none"])
def test_specials_in_the_text_are_whole_tokens_and_take_no_other_place(split):
    tokenizer = train_word_tokenizer(["<unk> a <eos> <unk> <unk> unk", "<unk>"], size=10, split=split)
    assert tokenizer.get_vocab() == {"<unk>": 0, "<eos>": 1, "a": 2, "unk": 3}
    assert tokenizer("a <unk> a <eos>")["input_ids"] == [2, 0, 2, 1]


@pytest.mark.parametrize("split", ["regex", "ptb", "none"])
def test_saved_files_are_the_same_bytes_each_time_and_hold_everything(tmp_path, split):
    lines = ["We don't know, do we?", "It isn't John's cat.", "é É"]
    for name in ("one", "two"):
        train_word_tokenizer(iter(lines), size=50, lowercase=True, split=split).save_pretrained(tmp_path / name)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    trained = train_word_tokenizer(lines, size=50, lowercase=True, split=split)
    text = "We DON'T know John's dog."
    for loaded in (
        AutoTokenizer.from_pretrained(tmp_path / "one", local_files_only=True),
        PreTrainedTokenizerFast(tokenizer_file=str(tmp_path / "one" / "tokenizer.json")),
    ):
        assert loaded(text)["input_ids"] == trained(text)["input_ids"]


def test_a_tokenizer_for_models_that_fill_masks_has_one_after_the_specials():
    tokenizer = train_word_tokenizer(["a [MASK] b", "a"], size=10, mask=True)
    assert tokenizer.get_vocab() == {"<unk>": 0, "<eos>": 1, "[MASK]": 2, "a": 3, "b": 4}
    assert tokenizer("b[MASK] a")["input_ids"] == [4, 2, 3]
    assert tokenizer.mask_token_id == 2


def test_an_empty_text_leaves_only_the_specials():
    assert len(train_word_tokenizer([], size=10)) == 2
