"""Parts of a sentence to the text that a tokenizer gets, and back."""

from types import SimpleNamespace

import pytest

from runner.errors import InputError
from runner.score.convention import Convention
from runner.score.encoding import encode_texts
from runner.score.word_surprisals import join_regions, span_positions
from tests.support.models import tokenizer


def test_parts_are_joined_by_one_space():
    words = tokenizer()
    assert join_regions(["the cats", "", "see."], words, Convention()) == ("the cats see.", [(0, 8), (8, 8), (9, 13)])
    split = Convention(tokenise="regex", leading_space="yes")
    text, spans = join_regions(["the cats", "see."], words, split)
    assert (text, [text[slice(*span)] for span in spans]) == (" the cats see .", ["the cats", "see ."])


def test_a_tokenizer_without_positions_is_refused():
    slow = SimpleNamespace(is_fast=False, name_or_path="ctrl", unk_token_id=0)
    with pytest.raises(InputError, match=r"FICT801.*ctrl.*reports no positions"):
        list(span_positions(slow, ["a b"], [[(0, 1)]], []))
    with pytest.raises(InputError, match="FICT801"):
        encode_texts([("", "a b")], slow, Convention(probability="pll_l2r"), {}, "ctrl")
