"""The canonical layout: what a printed file looks like, and that it is the same file."""

from __future__ import annotations

import pytest

from fictdsl.syntax.printer import WIDTH, print_file
from tests.support.reading import parsed

# Already canonical: printing changes nothing.
CANONICAL = [
    "fict 1\n",
    'fict 1\n\nuse "a.fict"\nuse "b.fict"\n\nlist a = {}\nlist b = file "x.txt"\n',
    'fict 1\n\nlist a = {b, "c d", "say \\"x\\\\\\"", $p}\n',
    "fict 1\n\npattern p() { A -> _ }\n\npattern q(A, B) {\n  A -> B\n  A < B\n}\n",
    """fict 1

filter a-b for p in {x, y-1, "z"} {
  about   "one"
  source  "two"
  note    "three"
  targets a/b c-d/E_f
  match {
    sentence[text = /a.*\\/#/i, length > 3]
    V:VERB|$p[not has Number[psor], misc."a b" != x|$p, (has X, has Y) or not (has Z or has W)]
    A -[^=a|b]->>{2..} _
    M between A[has X] and _
    lower(S.form) = lower(V.lemma)
    S.misc.Gloss != V.form.length
    without { X:NOUN <-[nsubj]- V }
    at least 2 X { V =[a:b]=> X }
    either { A }
        or { B }
    either {
      A -> B
      without { B ~ C   C <<{..3} D }
    } or {
      B ->>{0..2} A
    }
    either { A }
        or { B   C }
        or { C }
    without {
      A
      B
      C
    }
    p(A, _)
  }
  remove sentence
  mask node(X) with "<m>"
  mask span(X, Y) with upos
  count subtree(X)
}
""",
]


@pytest.mark.parametrize("text", CANONICAL)
def test_canonical_text_stays_as_it_is(text: str) -> None:
    assert print_file(parsed(text)) == text


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("X[(has A)]", "X[has A]"),
        ("X[(has A) or (has B), (not (has C))]", "X[has A or has B, not has C]"),
        ("X[has A or (has B or has C)]", "X[has A or (has B or has C)]"),
        ("X[has A, (has B, has C)]", "X[has A, (has B, has C)]"),
        ("X.lower(form)=Y.lower(form)", "lower(X.form) = lower(Y.form)"),
        ("A ->>{2..2} B", "A ->>{2} B"),
        ("A->B<-C", "A -> B <- C"),
        ("X[a=b|c,d in{e,f}]", "X[a = b|c, d in {e, f}]"),
    ],
)
def test_clauses_are_brought_into_form(written: str, printed: str) -> None:
    file = parsed(f"fict 1 filter f {{ match {{ {written} }} }}")
    assert print_file(file) == f"fict 1\n\nfilter f {{\n  match {{\n    {printed}\n  }}\n}}\n"
    assert parsed(print_file(file)) == file


def test_long_lists_fill_lines() -> None:
    words = ", ".join(f"word{i}" for i in range(60))
    file = parsed(f"fict 1 list a = {{{words}}}")
    text = print_file(file)
    lines = text.splitlines()
    assert lines[2] == "list a = {" and lines[-1] == "}"
    assert len(lines) == 9 and all(len(line) <= WIDTH for line in lines)
    assert parsed(text) == file


def test_long_chains_break_before_relations() -> None:
    long = " -> ".join(f"N{i}:NOUN[lemma = word{i}]" for i in range(6))
    file = parsed(f"fict 1 filter f {{ match {{ {long} }} }}")
    lines = print_file(file).splitlines()
    assert lines[4] == "    N0:NOUN[lemma = word0]"
    assert lines[5] == "      -> N1:NOUN[lemma = word1]"
    assert parsed(print_file(file)) == file


def test_long_targets_continue_below() -> None:
    names = " ".join(f"blimp/paradigm_number_{i}" for i in range(9))
    file = parsed(f"fict 1 filter f {{ targets {names} match {{ X }} }}")
    lines = print_file(file).splitlines()
    assert lines[3].startswith("  targets blimp/") and lines[4].startswith("          blimp/")
    assert parsed(print_file(file)) == file
