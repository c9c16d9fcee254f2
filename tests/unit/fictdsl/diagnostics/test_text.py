"""Diagnostics as text, as lines and as JSON."""

from __future__ import annotations

import json

import pytest

from fictdsl.diagnostics.codes import CATALOGUE, diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from fictdsl.diagnostics.text import render_concise, render_text
from fictdsl.diagnostics.tool_formats import render_json
from fictdsl.source import Source, Span
from fictdsl.terminal_text import display_width, printable

SOURCE = Source.of("fict 1\nlist a = {b c}\nlist d = {e}\n", "x.fict")
OTHER = Source.of("a\nb\n", "w.txt")


def stray(text: str, part: str, name: str = "x.fict", hint: str | None = None) -> Diagnostic:
    source = Source.of(text, name)
    start = source.text.index(part)
    return diagnostic("FICT128", source, Span(start, start + len(part)), hint=hint, closing=part)


def test_text() -> None:
    labels = (Label(Span(16, 17), "here"), Label(Span(22, 26), "there"), Label(Span(2, 3), "elsewhere", OTHER))
    found = diagnostic("FICT128", SOURCE, Span(17, 20), labels=labels, hint="leave it out", closing="b c")
    assert render_text([found], use_colours=False).splitlines() == [
        "error[FICT128]: unmatched `b c`",
        " --> x.fict:2:11",
        "  |",
        "2 | list a = {b c}",
        "  |           ^^^",
        "  |          - here",
        "3 | list d = {e}",
        "  | ---- there",
        " --> w.txt:2:1",
        "  |",
        "2 | b",
        "  | - elsewhere",
        "  = hint: leave it out",
    ]


def test_text_without_a_place() -> None:
    assert render_text([diagnostic("FICT140", file="x")], use_colours=False) == "error[FICT140]: there is no file `x`"
    found = diagnostic("FICT140", Source("y.fict", ""), file="x")
    assert render_text([found], use_colours=False) == "error[FICT140]: there is no file `x`\n --> y.fict"


def test_several_stand_apart() -> None:
    found = diagnostic("FICT140", file="x")
    assert render_text([found, found], use_colours=False).count("\n\n") == 1
    assert render_text([], use_colours=True) == ""


def test_colour_is_only_colour() -> None:
    found = stray("fict 1\n}", "}", hint="none")
    coloured = render_text([found], use_colours=True)
    assert "\x1b[1;31merror[FICT128]\x1b[0m" in coloured
    import re

    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render_text([found], use_colours=False)


@pytest.mark.parametrize(
    ("line", "part", "excerpt", "marks"),
    [
        ("\tx }", "}", "1 |     x }", "  |       ^"),
        ("漢字 }", "}", "1 | 漢字 }", "  |      ^"),
        ("\x1b[31m }", "}", "1 | \\x1b[31m }", "  |          ^"),
        ("a\u202eb }", "}", "1 | a\\u202eb }", "  |          ^"),
        ("q\u0323\u0302 }", "}", "1 | q\u0323\u0302 }", "  |   ^"),
        ("\U000e0041 }", "}", "1 | \\U000e0041 }", "  |            ^"),
    ],
)
def test_marks_stand_below_what_they_mean(line: str, part: str, excerpt: str, marks: str) -> None:
    lines = render_text([stray(line, part)], use_colours=False).splitlines()
    assert lines[3:5] == [excerpt, marks]


def test_long_lines_show_what_is_near() -> None:
    text = render_text([stray("x" * 5000 + "}" + "y" * 5000, "}")], use_colours=False)
    excerpt, marks = text.splitlines()[3:5]
    assert len(excerpt) < 140
    assert excerpt[marks.index("^")] == "}"
    everything = stray("}" * 5000, "}" * 5000)
    assert all(len(line) < 200 for line in render_text([everything], use_colours=False).splitlines()[1:])


def test_the_end_of_a_file_can_be_pointed_at() -> None:
    for text in ("", "a", "a\n", "a\r\n"):
        source = Source.of(text, "e")
        found = diagnostic("FICT101", source, Span(len(source.text), len(source.text)))
        assert render_text([found], use_colours=False).splitlines()[-1].strip().endswith("^")


def test_a_span_over_lines_marks_its_first() -> None:
    found = stray("a {\n b\n}", "{\n b\n}")
    assert render_text([found], use_colours=False).splitlines()[3:] == ["1 | a {", "  |   ^"]


def test_nothing_that_acts_on_a_terminal_gets_out() -> None:
    nasty = "\x1b]0;x\x07\x00\x9b\u2028\u202e\ud800\r\n"
    found = Diagnostic(
        "FICT128",
        stray("}", "}").severity,
        nasty,
        Source("n" + nasty, "}" + nasty),
        Span(0, 1),
        (Label(Span(0, 1), nasty),),
        nasty,
    )
    for text in (render_text([found], use_colours=False), render_concise([found])):
        assert all(char.isprintable() or char == "\n" for char in text)
        text.encode()
    assert "\n" not in render_concise([found])
    assert json.loads(render_json([found]))[0]["message"] == nasty.replace("\ud800", "\ufffd")


def test_concise() -> None:
    placed = diagnostic("FICT128", SOURCE, Span(17, 20), hint="leave it out", closing="b c")
    assert render_concise([placed, diagnostic("FICT140", file="x")]) == (
        "x.fict:2:11: error[FICT128] unmatched `b c` (leave it out)\nerror[FICT140] there is no file `x`"
    )


def test_json() -> None:
    labels = (Label(Span(2, 3), "elsewhere", OTHER),)
    fix = Fix(Span(17, 20), "b")
    found = diagnostic("FICT128", SOURCE, Span(17, 20), labels=labels, fix=fix, closing="b c")
    span = {"start": {"line": 2, "column": 11, "offset": 17}, "end": {"line": 2, "column": 14, "offset": 20}}
    other = {"start": {"line": 2, "column": 1, "offset": 2}, "end": {"line": 2, "column": 2, "offset": 3}}
    assert json.loads(render_json([found, diagnostic("FICT140", file="x")])) == [
        {
            "code": "FICT128",
            "name": "stray-bracket",
            "severity": "error",
            "message": "unmatched `b c`",
            "file": "x.fict",
            "range": span,
            "labels": [{"message": "elsewhere", "file": "w.txt", "range": other}],
            "hint": None,
            "fix": {"range": span, "replacement": "b", "safe": True},
        },
        {
            "code": "FICT140",
            "name": "no-such-file",
            "severity": "error",
            "message": "there is no file `x`",
            "file": None,
            "range": None,
            "labels": [],
            "hint": None,
            "fix": None,
        },
    ]


def test_shown_and_width() -> None:
    assert printable("a\tb\x7f") == "a    b\\x7f"
    assert display_width(printable("a\t漢\u0301")) == 1 + 4 + 2
    assert display_width(printable("ที่")) == 1, "marks of Thai and of Indian scripts are of no combining class"


@pytest.mark.parametrize(
    ("code", "parameters"),
    [
        ("FICT816", {"text": "a " * 4_000, "place": " (item 1)", "found": 8_000, "limit": 128}),
        ("FICT821", {"path": "model", "text": "a " * 4_000, "place": " (item 1)", "value": "-inf"}),
        ("FICT812", {"path": "x.csv", "line": 1, "reason": f"the rating `{'1' * 4_000}` is not a number"}),
        ("FICT811", {"path": "p" * 4_000, "reason": "it contains no pair"}),
    ],
)
def test_a_long_value_is_shortened_and_never_the_reason(code: str, parameters: dict[str, object]) -> None:
    found = diagnostic(code, **parameters)
    whole = CATALOGUE[code].message.format(**parameters)
    message = render_concise([found]).strip()
    assert len(message) < 1_100
    assert message.endswith(whole[-12:])
    assert whole[:20] in message
    assert json.loads(render_json([found]))[0]["message"].endswith(whole[-12:])
