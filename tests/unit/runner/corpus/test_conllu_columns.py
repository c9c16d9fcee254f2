"""The parts of a column, in NFC, or None where it is malformed."""

from __future__ import annotations

import pytest

from runner.corpus import conllu_columns
from runner.corpus.conllu_reader import Block, block_errors


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("_", ()),
        ("Number=Sing", (("Number", "Sing"),)),
        ("Case=Acc,Dat|Number[psor]=Sing", (("Case", "Acc,Dat"), ("Number[psor]", "Sing"))),
        ("A=b=c", (("A", "b=c"),)),
        ("A=e\u0301", (("A", "é"),)),
        ("A=\u0338b", (("A", "\u0338b"),)),  # NFC of the whole entry would swallow the equals sign
        ("A=b|A=c", None),
        ("A", None),
        ("A=", None),
        ("=b", None),
        ("A=b|", None),
    ],
)
def test_features(text: str, pairs: tuple[tuple[str, str], ...] | None) -> None:
    assert conllu_columns.parse_feats(text) == pairs


def test_misc() -> None:
    assert conllu_columns.parse_misc("SpaceAfter=No|Flag|Score=-1.50|A=1|A=2") == (
        ("SpaceAfter", "No", None),
        ("Flag", "", None),
        ("Score", "-1.50", -1.5),
        ("A", "1", 1.0),
        ("A", "2", 2.0),
    )


@pytest.mark.parametrize("text", ["1.", ".5", "1e3", "٣", "1 0", "", "inf", "0x1", "1_0"])
def test_what_is_no_number(text: str) -> None:
    assert conllu_columns.parse_number(text) is None


def test_comments() -> None:
    assert conllu_columns.parse_entry(" text = a = b ") == ("text", "a = b", None)
    assert conllu_columns.parse_entry(" newpar") == ("newpar", "", None)


def test_edges() -> None:
    def errors(deps: str) -> list[str]:
        rows = f"1\ta\t_\t_\t_\t_\t0\troot\t{deps}\t_\n1.1\tb\t_\t_\t_\t_\t_\t_\t_\t_"
        return [problem.code for problem in block_errors(Block(1, rows.encode(), ended=True, newline=True), "x")]

    assert errors("0:root|1.1:conj:and") == []
    assert errors("_") == []
    assert [errors(text) for text in ("3", "3:", ":x", "x:y", "0:a|", "03:a")] == [["FICT720"]] * 6
