"""What is said of a file: its errors, or what the rules find, in order."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.diagnostics.text import render_concise, render_text
from fictdsl.diagnostics.tool_formats import render_json
from fictdsl.installation import shipped
from fictdsl.lint.engine import lint_file, lint_module, lint_text
from fictdsl.lint.rule_context import CorpusFacts
from tests.support.linting import module_of

FILTERS = sorted(shipped("filters").rglob("*.fict"))


@pytest.mark.parametrize("path", FILTERS, ids=[f"{path.parent.name}/{path.stem}" for path in FILTERS])
def test_the_shipped_filters_are_clean(path: Path) -> None:
    assert render_concise(lint_file(path)) == ""


def test_errors_come_alone() -> None:
    found = lint_text("fict 1 filter f { match { A:NUON[form = the] -> B[frm = x] } }")
    assert [problem.code for problem in found] == ["FICT301"]
    found = lint_text("fict 1 filter f { match { A:NUON -> -> B[frm = x] } }")
    assert {problem.code[:5] for problem in found} == {"FICT1"}


def test_findings_come_in_the_order_of_the_text() -> None:
    found = lint_module(module_of("filter example { match { X:NUON[Numbr = x]  Y:VREB } }"))
    assert [problem.code for problem in found] == ["FICT520", "FICT501", "FICT503", "FICT501"]
    assert [problem.severity is Severity.ERROR for problem in found] == [False, True, False, True]


def test_findings_at_one_place_come_in_the_order_of_the_family() -> None:
    tests = ", ".join(f"xpos != {value}" for value in "abcdef")
    text = f'filter example for p in {{a, b, c, d, e, f}} {{ about "x" match {{ X[{tests}, xpos = $p] }} }}'
    contradictions = [problem for problem in lint_module(module_of(text)) if problem.code == "FICT514"]
    starts = [problem.labels[0].span.start for problem in contradictions]
    assert len(starts) == 6 and starts == sorted(starts)


def test_entries_of_a_list_are_labelled_at_the_list() -> None:
    module = module_of('list tags = {NOUN, VREB} filter example { about "x" match { X[not upos in @tags] } }')
    [problem] = lint_module(module)
    assert problem.severity is Severity.ERROR
    text = module.source.text
    assert problem.span is not None and text[problem.span.start : problem.span.end] == "@tags"
    assert [text[label.span.start : label.span.end] for label in problem.labels] == ["tags"]


def test_what_a_used_file_is_warned_of_is_not_said_here() -> None:
    used = module_of("pattern p(N) { N:NUON }")
    assert [p.code for p in lint_module(module_of('use "w" filter example { about "x" match { p(A) } }', w=used))] == []


def test_repeated_entries_of_a_list_file_are_still_said(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("a\na\n")
    (tmp_path / "f.fict").write_text(
        'fict 1 list w = file "w.txt" filter f { about "x" match { A[lower(form) in @w] } }'
    )
    assert [problem.code for problem in lint_file(tmp_path / "f.fict")] == ["FICT148"]


def test_a_missing_file_is_said_with_the_nearest_name(tmp_path: Path) -> None:
    (tmp_path / "passive.fict").write_text("fict 1")
    [problem] = lint_file(tmp_path / "pasive.fict")
    assert (problem.code, problem.hint) == ("FICT140", "the most similar file name in its folder is `passive.fict`")


def test_each_rule_alone_leaves_an_empty_file_in_peace() -> None:
    assert lint_text("fict 1") == []
    assert lint_text("fict 1", facts=CorpusFacts(0)) == []


def everything_is_shown(text: str) -> None:
    found = lint_text(text, "x.fict")
    assert render_text(found, use_colours=False) is not None
    assert render_concise(found) is not None
    assert render_json(found)


@given(st.text(max_size=200))
def test_any_text_is_answered(text: str) -> None:
    everything_is_shown("fict 1\n" + text)
    everything_is_shown(text)


@given(st.sampled_from(FILTERS), st.randoms(use_true_random=False))
def test_shipped_filters_with_parts_cut_out_and_put_elsewhere_are_answered(path: Path, dice: random.Random) -> None:
    text = path.read_text("utf-8")
    for _ in range(dice.randint(1, 4)):
        start = dice.randrange(len(text))
        end = min(len(text), start + dice.choice([1, 1, 2, 5, 20]))
        where = dice.randrange(len(text))
        piece = dice.choice(
            [text[start:end], "", dice.choice(["{", "}", "[", "->", "$p", "@x", "without {", "0", "é"])]
        )
        text = text[:where] + piece + text[where + dice.choice([0, 0, 1, 3]) :]
    everything_is_shown(text)


@given(st.binary(max_size=300))
def test_any_bytes_are_answered(data: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.fict"
        for content in (data, b"fict 1\nfilter f { match { A[form = " + data + b"] } }"):
            path.write_bytes(content)
            render_text(lint_file(path), use_colours=False)
