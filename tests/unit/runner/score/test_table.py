"""The table of scores: its columns, and what is not applicable."""

from runner.score.encoded import Encoded
from runner.score.suite import Pair, Suite
from runner.score.table import pair_table

PAIRS = [Pair("p", "ph", "f", item, f"good {item}", f"bad {item}") for item in range(4)]
GOOD, BAD = Encoded((1, 2, 3), 1, 2, 0), Encoded((1, 2, 0), 1, 2, 1)


def test_scores_of_pairs_that_are_not_applicable_are_null():
    encoded = [(GOOD, BAD), (GOOD, GOOD), None, (GOOD, BAD)]
    scores = [(-1.0, -2.0), None, None, (-1.0, None)]
    table = pair_table(Suite("s", PAIRS), encoded, scores)
    assert table.column("score_good").to_pylist() == [-1.0, None, None, None]
    assert table.column("score_bad").to_pylist() == [-2.0, None, None, None]
    assert table.column("identical").to_pylist() == [False, True, False, False]
    assert table.column("tokens_good").to_pylist() == [2, 2, 0, 2]
    assert table.column("unk_bad").to_pylist() == [1, 0, 0, 1]
    assert table.column("item").to_pylist() == [0, 1, 2, 3]


def test_columns_and_types_are_the_same_with_no_pair():
    table = pair_table(Suite("s", []), [], [])
    assert {field.name: str(field.type) for field in table.schema} == {
        **dict.fromkeys(("paradigm", "phenomenon", "field", "good", "bad"), "string"),
        **dict.fromkeys(("item", "tokens_good", "tokens_bad", "unk_good", "unk_bad"), "int32"),
        **dict.fromkeys(("score_good", "score_bad"), "double"),
        "identical": "bool",
    }
