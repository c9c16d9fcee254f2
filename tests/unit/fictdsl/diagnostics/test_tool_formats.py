"""Diagnostics as SARIF, JUnit and workflow commands: what their readers are given, and what their schemas say."""

from __future__ import annotations

import json

import pytest

from fictdsl.diagnostics import tool_formats
from fictdsl.diagnostics.codes import CATALOGUE, diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from fictdsl.diagnostics.tool_formats import (
    Case,
    Failure,
    Suite,
    render_github,
    render_json,
    render_junit,
    render_sarif,
    render_suites,
)
from fictdsl.source import Source, Span
from tests.support.rendered import github, junit, sarif

SOURCE = Source.of("fict 1\nlist a = {b c}\nlist d = {e}\n", "filters/x.fict")
OTHER = Source.of("a\nb\n", "w.txt")


def stray(source: Source, start: int, end: int, **more: object) -> Diagnostic:
    return diagnostic("FICT128", source, Span(start, end), closing=source.text[start:end], **more)  # type: ignore[arg-type]


PLACED = stray(
    SOURCE, 17, 20, labels=(Label(Span(2, 3), "elsewhere", OTHER),), hint="leave it out", fix=Fix(Span(17, 20), "b")
)
WARNING = diagnostic("FICT503", SOURCE, Span(7, 11), found="X")
HINT = diagnostic("FICT726", Source("y.conllu", ""), file="y.conllu")
NOWHERE = diagnostic("FICT140", file="x")
ALL = [PLACED, WARNING, HINT, NOWHERE]


def test_sarif() -> None:
    run = sarif(render_sarif(ALL))
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note", "error"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["FICT128", "FICT140", "FICT503", "FICT726"]
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["help"]["markdown"] == rule["help"]["text"] == CATALOGUE[rule["id"]].page
        assert rule["fullDescription"]["text"] == CATALOGUE[rule["id"]].explanation
    first = run["results"][0]
    assert first["message"]["text"] == "unmatched `b c` (leave it out)"
    region = {"startLine": 2, "startColumn": 11, "endLine": 2, "endColumn": 14}
    artifact = {"uri": "filters/x.fict", "uriBaseId": "%SRCROOT%"}
    assert first["locations"] == [{"physicalLocation": {"artifactLocation": artifact, "region": region}}]
    [related] = first["relatedLocations"]
    assert related["message"]["text"] == "elsewhere"
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "w.txt"
    [replacement] = first["fixes"][0]["artifactChanges"][0]["replacements"]
    assert replacement == {"deletedRegion": region, "insertedContent": {"text": "b"}}
    assert "locations" not in run["results"][3]
    assert sarif(render_sarif([]))["results"] == []


def test_sarif_offers_safe_fixes_only() -> None:
    unsafe = stray(SOURCE, 17, 20, fix=Fix(Span(17, 20), "b", safe=False))
    assert "fixes" not in sarif(render_sarif([unsafe]))["results"][0]


def test_sarif_counts_columns_as_editors_do() -> None:
    source = Source.of("# 😀漢 }", "x.fict")
    run = sarif(render_sarif([stray(source, 5, 6)]))
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert run["columnKind"] == "utf16CodeUnits"
    assert (region["startColumn"], region["endColumn"]) == (7, 8)


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("a b/ü.fict", "a%20b/%C3%BC.fict"),
        ("./c:d#e?.fict", "c%3Ad%23e%3F.fict"),
        ("/tmp/a%.fict", "file:///tmp/a%25.fict"),
        ("<stdin>", "%3Cstdin%3E"),
        ("\udcff\n.fict", "%FF%0A.fict"),
        ("\ud800.fict", "%ED%A0%80.fict"),
    ],
    ids=ascii,
)
def test_sarif_writes_paths_as_uris(name: str, uri: str) -> None:
    run = sarif(render_sarif([stray(Source(name, "}"), 0, 1)]))
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def fingerprints(text: str, name: str = "x.fict") -> list[str]:
    source = Source.of(text, name)
    found = [stray(source, at, at + 1) for at, char in enumerate(text) if char == "}"]
    results = sarif(render_sarif(found))["results"]
    return [result["partialFingerprints"]["primaryLocationLineHash"] for result in results]


def test_fingerprints_outlive_edits_elsewhere() -> None:
    first, second = fingerprints("a }\nb }\n")
    assert fingerprints("# a comment\n\n  a }\nx\nb }\n") == [first, second]
    assert fingerprints("b }\n") == [second]
    assert first != second
    [again, once_more] = fingerprints("a }\na }\n")
    assert again == first != once_more, "equal lines are told apart"


def test_sarif_keeps_the_worst_of_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_formats, "MAX_RESULTS", 3)
    run = sarif(render_sarif([HINT, WARNING, HINT, WARNING, PLACED]))
    assert [result["ruleId"] for result in run["results"]] == ["FICT503", "FICT503", "FICT128"]
    [notice] = run["invocations"][0]["toolExecutionNotifications"]
    assert notice["message"]["text"] == "2 more results were omitted; a run has at most 3"


def test_25_000_results_are_the_most() -> None:
    run = json.loads(render_sarif([WARNING] * 25_001))["runs"][0]
    assert len(run["results"]) == 25_000


def test_a_message_makes_no_link_in_sarif() -> None:
    found = diagnostic("FICT140", SOURCE, hint="see [x](https://example.org)", file="[y](1)")
    text = sarif(render_sarif([found]))["results"][0]["message"]["text"]
    assert text == "there is no file `[y] (1)` (see [x] (https://example.org))"


def test_github() -> None:
    assert render_github(ALL) == (
        "::error file=filters/x.fict,line=2,col=11,endLine=2,endColumn=14,title=FICT128 stray-bracket"
        "::unmatched `b c`%0Ahint: leave it out\n"
        "::warning file=filters/x.fict,line=2,col=1,endLine=2,endColumn=5,title=FICT503 unknown-feature"
        "::`X` is not a feature of Universal Dependencies\n"
        f"::notice file=y.conllu,title=FICT726 conllu-bom::{HINT.message}\n"
        "::error title=FICT140 no-such-file::there is no file `x`"
    )
    assert render_github([]) == ""


def test_github_is_given_one_command_for_each() -> None:
    nasty = "100%\r\n::error::x, y: z%0A"
    found = diagnostic("FICT140", Source("a,b:c%\n::error::.fict", ""), file=nasty, hint=nasty)
    [annotation] = github(render_github([found]))
    assert annotation["file"] == "a,b:c%\\x0a::error::.fict"
    assert annotation["message"] == (
        "there is no file `100%\\x0d\\x0a::error::x, y: z%0A`\nhint: 100%\\x0d\\x0a::error::x, y: z%0A"
    )


def test_junit() -> None:
    root = junit(render_junit(ALL, ["filters/x.fict", "clean.fict"]))
    assert {name: root.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "5",
        "failures": "2",
        "errors": "0",
    }
    assert [suite.get("name") for suite in root] == ["filters/x.fict", "clean.fict", "y.conllu", "fictc"]
    first, second = root[0]
    assert (first.get("classname"), first.get("name")) == ("filters/x.fict", "FICT128 stray-bracket at 2:11")
    failure = first.find("failure")
    assert (failure.get("type"), failure.get("message")) == ("error", "unmatched `b c`")
    assert failure.text.splitlines()[1] == " --> filters/x.fict:2:11"
    assert second.find("failure") is None and second.findtext("system-out").startswith("warning[FICT503]: `X` is no")
    assert [(case.get("name"), len(case)) for case in root[1]] == [("lint", 0)]
    assert junit(render_junit([], [])).get("tests") == "0"


def test_junit_fails_for_what_lint_fails_for() -> None:
    assert junit(render_junit(ALL)).get("failures") == "2"
    assert junit(render_junit(ALL, strict=True)).get("failures") == "3"


def test_suites_of_any_checks() -> None:
    failures = (Failure("wrong", "expected a match", "line 1\nline 2 ]]> <b>\x1b"), Failure("wrong", "and another"))
    text = render_suites(
        [Suite("f.fict", (Case("one", seconds=1234.5678), Case("zwei ü", failures, "out"))), Suite("g", (Case("x"),))]
    )
    assert text.isascii()
    one, two = junit(text)[0]
    assert one.get("time") == "1234.568"
    assert two.get("name") == "zwei ü"
    assert [failure.text for failure in two.iter("failure")] == ["line 1\nline 2 ]]> <b>\\x1b", None]
    assert two.findtext("system-out") == "out"


def test_a_long_message_is_cut_everywhere() -> None:
    found = diagnostic("FICT140", SOURCE, file="x" * 5_000_000, hint="y" * 5_000_000)
    for render in (render_json, render_sarif, render_github, render_junit):
        assert len(render([found])) < 10_000
