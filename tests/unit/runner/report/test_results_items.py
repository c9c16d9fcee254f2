"""The long table to matrices: suites apart, paradigms in order of appearance, dictionaries or not."""

import numpy as np
import pyarrow as pa

from runner.score.pair_matrices import Score, items_of
from tests.support.results import Fabricated


def table(paradigms) -> pa.Table:
    return Fabricated(items=3, paradigms=paradigms, seeds=(1, 2), conditions=("full",)).item_table()


def test_equal_names_in_two_suites_stay_apart() -> None:
    found = items_of(
        table([("z-suite", "p", "x", "y", 0.9), ("a-suite", "p", "x", "y", 0.1), ("a-suite", "b", "x", "y", 0.5)])
    )
    assert [p.key for p in found] == ["z-suite/p", "a-suite/p", "a-suite/b"]
    assert all(p.score_good.shape == (5, 3) for p in found)  # 2 models × 2 seeds and the baseline


def test_cells_are_sorted_and_scores_follow_them() -> None:
    source = table([("s", "p", "x", "y", 0.9)])
    found = items_of(source)[0]
    assert list(found.cells) == sorted(found.cells)
    for row in source.to_pylist():
        i = found.cells.index(Score(row["condition"], row["model"], row["seed"]))
        j = found.item.tolist().index(row["item"])
        expected = np.nan if row["score_bad"] is None else row["score_bad"]
        np.testing.assert_equal(found.score_bad[i, j], expected)


def test_chunks_with_different_dictionaries() -> None:
    parts = [table([("s", name, "x", "y", 0.9)]) for name in ("one", "two")]
    encoded = [
        part.set_column(part.column_names.index("paradigm"), "paradigm", part["paradigm"].dictionary_encode())
        for part in parts
    ]
    assert [p.name for p in items_of(pa.concat_tables(encoded))] == ["one", "two"]


def test_no_rows_no_paradigms() -> None:
    assert items_of(table([("s", "p", "x", "y", 0.9)]).slice(0, 0)) == ()


def test_missing_phenomenon_is_an_empty_name() -> None:
    source = table([("s", "p", None, None, 0.9)])
    encoded = source.set_column(
        source.column_names.index("phenomenon"), "phenomenon", source["phenomenon"].dictionary_encode()
    )
    for table_of_items in (source, encoded):
        (found,) = items_of(table_of_items)
        assert (found.phenomenon, found.field) == ("", "")
