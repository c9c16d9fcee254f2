"""What is read all at once is what is read sentence by sentence: the same trees, the same rejections, the same notes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from runner.corpus.byte_columns import read_pieces
from runner.corpus.conllu_columns import Notes
from runner.corpus.conllu_reader import Rejection
from tests.support.plain_conllu import ColumnTree, Tree, read_columns, read_plainly
from tests.unit.runner.corpus.test_conllu_reader import GOOD, MALFORMED, THREE

Seen = tuple[list[tuple[object, ...]], list[tuple[int, bytes, list[str]]], list[str]]


def _one_by_one(data: bytes) -> Seen:
    notes = Notes()
    found = list(read_plainly(data, "x", notes))
    trees = [item for item in found if isinstance(item, Tree)]
    rejected = [item for item in found if isinstance(item, Rejection)]
    rows = [(t.text, len(t.heads), *zip(t.heads, t.pre, t.last, t.depth, strict=True)) for t in trees]
    return rows, [_rejection(item) for item in rejected], [d.message for d in notes.diagnostics("x")]


def _at_once(data: bytes, size: int) -> Seen:
    notes = Notes()
    found = list(read_columns(data, "x", notes, size))
    trees = [item for item in found if isinstance(item, ColumnTree)]
    rejected = [_rejection(item) for item in found if isinstance(item, Rejection)]
    rows = [(t.text, len(t.words), *((w["head"], w["pre"], w["last"], w["depth"]) for w in t.words)) for t in trees]
    return rows, rejected, [d.message for d in notes.diagnostics("x")]


def _rejection(item: Rejection) -> tuple[int, bytes, list[str]]:
    places = [d.source.position(d.span.start) for d in item.diagnostics if d.source and d.span]
    return (
        item.first_line,
        item.data,
        [f"{d.code} {d.message} {p}" for d, p in zip(item.diagnostics, places, strict=True)],
    )


@pytest.mark.parametrize("blank", [b" \n", b"\t\x0b\x0c\n", b" \r\n", b" \n  \n"])
def test_lines_of_white_space_end_pieces(blank: bytes) -> None:
    data = (GOOD.encode().strip() + b"\n" + blank) * 20
    pieces = list(read_pieces(io.BytesIO(data), Notes(), 64))
    assert len(pieces) > 10
    assert b"".join(piece.data for piece in pieces) == data
    assert [piece.first_line for piece in pieces] == [1 + data[: piece.start].count(b"\n") for piece in pieces]
    assert _at_once(data, 64) == _one_by_one(data)


@pytest.mark.parametrize("size", [64, 1 << 20])
@pytest.mark.parametrize("name", MALFORMED)
def test_malformed(name: str, size: int) -> None:
    data = f"{GOOD}\n{MALFORMED[name][0].strip()}\n\n{GOOD}\n".encode()
    found = _at_once(data, size)
    assert found == _one_by_one(data)
    assert found[1][0][2][0].startswith(MALFORMED[name][1])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n \n\n",
        b"# a\tcomment with a tab\n\n",
        GOOD.encode(),
        ("\ufeff" + GOOD).encode(),
        (GOOD + "\n").replace("\n", "\r\n").encode() * 3,
        (GOOD + " \n" + GOOD + "\t\n").encode(),
        (GOOD + "\r").encode(),
        (GOOD.replace("NOUN", "NUON") + "\n" + GOOD.replace("\troot\t", "\tROOT\t") + "\n").encode(),
        GOOD.encode() + b"\n# text = caf\xe9\n" + GOOD.encode() + b"\n",
    ],
)
@pytest.mark.parametrize("size", [16, 1 << 20])
def test_dress(data: bytes, size: int) -> None:
    assert _at_once(data, size) == _one_by_one(data)


@pytest.mark.long
def test_truncation_at_every_byte() -> None:
    data = THREE.encode()
    for cut in range(len(data)):
        assert _at_once(data[:cut], 1 << 20) == _one_by_one(data[:cut])


@given(st.data())
def test_damage(data: st.DataObject) -> None:
    """However three sentences are damaged, both readings see the same."""
    text = THREE
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 4)))
        text = text[:start] + data.draw(st.text("\t_0123456-.|=:#aÉ́\0\r\n ", max_size=3)) + text[end:]
    assert _at_once(text.encode(), data.draw(st.sampled_from([50, 1 << 20]))) == _one_by_one(text.encode())


@given(st.binary(max_size=200))
@example(b"\xef\xbb\xbf")
@example(b"1\tA\ta\tNOUN\t_\t_\t0\troot\t_\t_\n\n1-99999999999\tb\t_\t_\t_\t_\t_\t_\t_\t_\n")
def test_any_bytes(data: bytes) -> None:
    found = _at_once(data, 1 << 20)
    assert found[:2] == _one_by_one(data)[:2]


@pytest.mark.shared
def test_real_treebanks(data: Path) -> None:
    text = (data / "ud-ewt/en_ewt-ud-dev.conllu").read_bytes()
    text = text.replace(b"\t0\troot\t", b"\t1\troot\t", 40).replace(b"nsubj", b"", 3)
    ours, theirs = _at_once(text[:300_000], 1 << 20), _one_by_one(text[:300_000])
    assert ours == theirs
    assert ours[1]
