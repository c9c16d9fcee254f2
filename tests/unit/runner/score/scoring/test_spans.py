"""Parts of a sentence to the text that a tokenizer gets, and back."""

from runner.score.scoring.convention import Convention
from runner.score.scoring.spans import join_regions


def test_parts_are_joined_by_one_space():
    assert join_regions(["the cats", "", "see."], Convention()) == ("the cats see.", [(0, 8), (8, 8), (9, 13)])
    split = Convention(tokenise="regex", leading_space="yes")
    text, spans = join_regions(["the cats", "see."], split)
    assert (text, [text[slice(*span)] for span in spans]) == (" the cats see .", ["the cats", "see ."])
