"""Pairs of alternants with covariates: what is read from a CSV file, and the line that is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.errors import InputError
from runner.score.any_suite import BY_NAME, read_suite, write_suite
from runner.score.preferences import COVARIATES_FILE

ROWS = 'first,second,length,note\nGive him it.,"Give it to him, now.",-2,x\nA b.,B a.,1.5,\n'


def written(folder: Path, text: str) -> Path:
    (folder / "datives.csv").write_text(text, encoding="utf-8")
    return folder / "datives.csv"


def test_pairs_keep_their_covariates_and_ignore_other_columns(tmp_path) -> None:
    suite = BY_NAME["preference"].open(written(tmp_path, ROWS), "d", covariates=("length",))
    assert [(pair.good, pair.bad, pair.item) for pair in suite.items] == [
        ("Give him it.", "Give it to him, now.", 0),
        ("A b.", "B a.", 1),
    ]
    assert suite.covariates == {"length": (-2.0, 1.5)} and suite.paradigms == ["datives"]
    write_suite(suite, tmp_path)
    assert read_suite(tmp_path / BY_NAME["preference"].file).items == suite.items
    assert (tmp_path / COVARIATES_FILE).read_text(encoding="utf-8") == '{"length": [-2.0, 1.5]}\n'


def test_a_paradigm_groups_pairs_and_a_limit_keeps_the_first_of_each(tmp_path) -> None:
    rows = "first,second,paradigm,x\n" + "".join(f"a{n},b{n},{'pq'[n % 2]},{n}\n" for n in range(6))
    suite = BY_NAME["preference"].open(written(tmp_path, rows), covariates=("x",), limit=2)
    assert [(pair.paradigm, pair.item) for pair in suite.items] == [("p", 0), ("q", 0), ("p", 1), ("q", 1)]
    assert suite.covariates == {"x": (0.0, 1.0, 2.0, 3.0)}


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("good,bad\na,b\n", "FICT811", "it has no column first and no column second and no column length"),
        ("first,second\na,b\n", "FICT811", "it has no column length; its columns are first, second"),
        ("first,second,length\n", "FICT811", "it contains no pair"),
        ("first,second,length\na,,1\n", "FICT812", "the second sentence is missing"),
        ("first,second,length\na,b,long\nc,d,1\n", "FICT812", "its length is `long`, which is not a number"),
        ("first,second,length\na,b,\nc,d,1\n", "FICT812", "its length is ``, which is not a number"),
        ("first,second,length\na,b,nan\nc,d,1\n", "FICT812", "its length is `nan`, which is not a number"),
        ("first,second,length\na,b,1\nc,d,1\n", "FICT811", "all pairs have the same length"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path, text, code, message) -> None:
    with pytest.raises(InputError) as caught:
        BY_NAME["preference"].open(written(tmp_path, text), covariates=("length",))
    (problem,) = caught.value.diagnostics
    assert problem.code == code and message in problem.message
