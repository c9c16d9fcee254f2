"""The table of scores: its columns, and what is not applicable."""

from typing import get_args

import pytest

from runner.score.convention import Normalise
from runner.score.encoding import Encoded
from runner.score.score_table import Total, pair_table, rescored
from runner.score.suite_files import Pair, Suite

PAIRS = [Pair("p", "ph", "f", item, f"good {item}", f"bad {item}") for item in range(4)]
GOOD, BAD = Encoded((1, 2, 3), 1, 3, 2, 0), Encoded((1, 2, 0), 1, 3, 2, 1)
COUNTS = ("item", *(f"{name}_{side}" for name in ("tokens", "unk", "scored") for side in ("good", "bad")))
NUMBERS = [f"{name}_{side}" for name in ("score", "logprob", "unigram") for side in ("good", "bad")]


def test_scores_of_pairs_that_are_not_applicable_are_null():
    encoded = [(GOOD, BAD), (GOOD, GOOD), None, (GOOD, BAD)]
    totals = [(Total(-1.0, 2), Total(-2.0, 2)), None, None, (Total(-1.0, 1), Total(0.0, 0))]
    table = pair_table(Suite("s", PAIRS), encoded, totals, "sum")
    assert table.column("score_good").to_pylist() == [-1.0, None, None, None]
    assert table.column("score_bad").to_pylist() == [-2.0, None, None, None]
    assert table.column("identical").to_pylist() == [False, True, False, False]
    assert table.column("tokens_good").to_pylist() == [2, 2, 0, 2]
    assert table.column("unk_bad").to_pylist() == [1, 0, 0, 1]
    assert table.column("item").to_pylist() == [0, 1, 2, 3]


def test_columns_and_types_are_the_same_with_no_pair():
    table = pair_table(Suite("s", []), [], [], "sum")
    assert {field.name: str(field.type) for field in table.schema} == {
        **dict.fromkeys(("paradigm", "phenomenon", "field", "good", "bad"), "string"),
        **dict.fromkeys(COUNTS, "int32"),
        **dict.fromkeys(NUMBERS, "double"),
        "identical": "bool",
    }


def test_scores_are_normalised_again_without_a_model():
    totals = [(Total(-6.0, 2, -9.0), Total(-8.0, 4, -10.0)), None]
    made = {how: pair_table(Suite("s", PAIRS[:2]), [(GOOD, BAD), None], totals, how) for how in get_args(Normalise)}
    assert made["mean"].column("score_bad").to_pylist() == [-2.0, None]
    assert made["slor"].column("score_good").to_pylist() == [1.5, None]
    for one in made.values():
        for how, other in made.items():
            assert rescored(one, how).equals(other)


def test_what_compares_with_unigrams_needs_them():
    table = pair_table(Suite("s", PAIRS[:1]), [(GOOD, BAD)], [(Total(-6.0, 2), Total(-8.0, 4))], "sum")
    assert rescored(table, "mean").column("score_good").to_pylist() == [-3.0]
    with pytest.raises(ValueError, match="unigram"):
        rescored(table, "slor")
