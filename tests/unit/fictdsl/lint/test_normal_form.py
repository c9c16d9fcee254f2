"""The normal form forgets names, layout and order, and nothing else."""

from __future__ import annotations

import pytest

from fictdsl.compiler import compile_text
from fictdsl.lint.normal_form import normal_form


def form(match: str, after: str = "") -> str:
    compilation = compile_text(f"fict 1 pattern p(X, Y) {{ X -> M -> Y }} filter f {{ match {{ {match} }} {after} }}")
    [compiled] = compilation.filters
    return normal_form(compiled.ir)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("V -[nsubj]-> S  S << V", "A << B  B -[nsubj]-> A"),
        ("V -[nsubj]-> S", "S <-[nsubj]- V"),
        ("A[form = x, upos = Y]", "B:Y[form = x]"),
        ("A[form = x|y]", "B[form in {y, x, x}]"),
        ("A[form = x or lemma = y]", "B[lemma = y or form = x]"),
        ("A < B", "A <<{1} B"),
        ("A -> _ A -> _", "X -> Y  X -> Z"),
        ("p(A, B)", "A -> N -> B"),
        ("M between A and B", "X between Z and Y"),
        ("without { A -> B  A:X } C:Y", "C:Y without { D[upos = X] -> E }"),
        ("at least 2 X { X -> Y }", "at least 2 K { K -> _ }"),
        ("either { A:X } or { A:Y }", "either { B:Y } or { B:X }"),
        ("either { A:X } or { B:Y }", "either { A:Y } or { C:X }"),
        ("A ~ B  C ~ D", "D ~ B  A ~ C"),
        ("A ~ C  B ~ X ~ Y ~ B  C ~ B", "C ~ B  B ~ Y ~ X ~ B  D ~ C"),
        ("sentence[length > 3, text = x]", "sentence[text = x] sentence[length > 3]"),
    ],
)
def test_equal(one: str, other: str) -> None:
    assert form(one) == form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("V -[nsubj]-> S  S << V", "A << B  A -[nsubj]-> B"),
        ("A -> B -> C", "A -> B  A -> C"),
        ("A[form = x]", "A[lemma = x]"),
        ("A[form = x, lemma = y]", "A[form = x or lemma = y]"),
        ("A:X -> B:Y", "A:Y -> B:X"),
        ("without { A -> B }", "without { without { A -> B } }"),
        ("at least 2 X { X -> Y }", "at most 2 X { X -> Y }"),
        ("at least 2 X { X -> Y }", "at least 2 Y { X -> Y }"),
        ("A << B << C  A -> C", "A << B << C  C -> A"),
        ("A:X A:Y", "A:X B:Y"),
    ],
)
def test_different(one: str, other: str) -> None:
    assert form(one) != form(other)


def test_what_is_done_counts() -> None:
    assert form("A:X") == form("A:X", "remove sentence")
    assert form("A:X") != form("A:X", "keep sentence")
    assert form("A -> B", "remove node(A)") == form("V -> W", "remove node(V)")
    assert form("A -> B", "remove span(A, B)") == form("A -> B", "remove span(B, A)")
    assert form("A -> B", "remove node(A)") != form("A -> B", "remove node(B)")
    assert form("A -> B", "mask node(A)") == form("A -> B", 'mask node(A) with "<mask>"')
    assert form("A -> B", "mask node(A)") != form("A -> B", "mask node(A) with upos")
