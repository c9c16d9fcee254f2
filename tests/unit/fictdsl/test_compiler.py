"""From a file to filters: families, metadata, what stops, and that it stops before SQL."""

from __future__ import annotations

from pathlib import Path

import pytest

import fictdsl
from fictdsl.compiler import compile_file, compile_text
from fictdsl.semantics import ir

FAMILY = """fict 1
filter pronoun for g in {Fem, Masc} {
  about   "A pronoun: $g, not $gender or ${g}."
  source  "me, $g"
  note    "one"
  note    "two $g"
  targets winobias/type1, winobias/type2
  match { P:PRON[Gender = $g] }
  keep sentence
}
"""


def test_a_family_is_its_members() -> None:
    fem, masc = compile_text(FAMILY).filters
    assert (fem.name, masc.name) == ("pronoun.Fem", "pronoun.Masc")
    assert (fem.value, fem.names, fem.keeps) == ("Fem", ("P",), True)
    assert fem.key != masc.key
    assert "'Fem'" in fem.statement().text
    assert "'Masc'" not in fem.statement().text


def test_metadata() -> None:
    fem, _ = compile_text(FAMILY).filters
    assert fem.metadata.about == "A pronoun: Fem, not $gender or ${g}."
    assert fem.metadata.source == "me, Fem"
    assert fem.metadata.notes == ("one", "two Fem")
    assert fem.metadata.targets == ("winobias/type1", "winobias/type2")


def test_a_filter_that_says_nothing_of_itself_removes() -> None:
    (compiled,) = compile_text("fict 1 filter x { match { X } }").filters
    assert compiled.metadata.about is None
    assert not compiled.keeps


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("", ir.Action("remove", "sentence", (), None, None)),
        ("keep sentence", ir.Action("keep", "sentence", (), None, None)),
        ("mask node(X)", ir.Action("mask", "node", (0,), "<mask>", None)),
        ('mask subtree(Y) with "…"', ir.Action("mask", "subtree", (1,), "…", None)),
        ("mask span(Y, X) with upos", ir.Action("mask", "span", (1, 0), None, "upos")),
        ("remove node(X)", ir.Action("remove", "node", (0,), None, None)),
        ("count span(X, Y)", ir.Action("count", "span", (0, 1), None, None)),
    ],
)
def test_actions(action: str, expected: ir.Action) -> None:
    (compiled,) = compile_text(f"fict 1 filter x {{ match {{ X -> Y }} {action} }}").filters
    assert compiled.ir.actions == (expected,)
    assert [targets.action for targets in compiled.targets("spark")] == [expected]


def test_one_mistake_leaves_no_filter() -> None:
    compilation = compile_text("fict 1 filter good { match { X } } filter bad { match { X[form in @absent] } }")
    assert compilation.filters == ()
    assert [problem.code[:5] for problem in compilation.errors] == ["FICT2"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    compilation = compile_file(tmp_path / "absent.fict")
    assert compilation.module is None
    assert len(compilation.errors) == 1


def test_paths_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.fict"
    path.write_text("fict 1 filter x { match { X } }")
    assert compile_file(path).filters[0].path == path


def test_public_names() -> None:
    for name in fictdsl.__all__:
        assert getattr(fictdsl, name) is not None
    with pytest.raises(AttributeError):
        fictdsl.no_such_name  # noqa: B018
