"""Whatever a diagnostic quotes, each renderer writes it so that nothing acts, and so that its reader can read it."""

from __future__ import annotations

import json

from hypothesis import example, given
from hypothesis import strategies as st

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from fictdsl.diagnostics.text import render_concise, render_text
from fictdsl.diagnostics.tool_formats import render_github, render_json, render_junit, render_sarif
from fictdsl.source import Source, Span
from tests.support.rendered import github, junit, sarif, tame

NASTY = [
    "\x1b[31m",
    "\x1b]0;title\x07",
    "\x9b2J",
    "\u202e",
    "\u2066",
    "\u200b",
    "]]>",
    "<script>",
    "&amp;",
    "%0A",
    "::",
]
NASTY += [
    "::error::",
    "\n::error::",
    "\r\n",
    "\u2028",
    "\ud800",
    "\udcff",
    "\ufffe",
    "\0",
    "\U000e0041",
    "[a](1)",
    "{0}",
]
NASTY += ["x" * 5_000, "漢", "😀", "e\u0301", "`", '"', "\\", "\\ud800", "../", "file://x", "a:b", "a,b", "--> "]

texts = st.lists(st.sampled_from(NASTY) | st.text(st.characters(codec=None), max_size=8), max_size=5).map("".join)


@st.composite
def spans(draw: st.DrawFn, source: Source) -> Span:
    start = draw(st.integers(0, len(source.text)))
    return Span(start, draw(st.integers(start, len(source.text))))


@st.composite
def diagnostics(draw: st.DrawFn) -> Diagnostic:
    source = draw(st.none() | st.builds(Source.of, texts, texts))
    span = draw(st.none() | spans(source)) if source else None
    other = Source.of(draw(texts), draw(texts))
    labels = (Label(draw(spans(other)), draw(texts), other),) if draw(st.booleans()) else ()
    fix = Fix(span, draw(texts), draw(st.booleans())) if span and draw(st.booleans()) else None
    code, severity = draw(st.sampled_from(sorted(CATALOGUE))), draw(st.sampled_from(Severity))
    return Diagnostic(code, severity, draw(texts), source, span, labels, draw(st.none() | texts), fix)


@given(st.lists(diagnostics(), max_size=4))
@example([Diagnostic("FICT140", Severity.ERROR, text, Source.of(text, text), Span(0, 1)) for text in NASTY])
def test_hostile_text_is_harmless_in_every_format(found: list[Diagnostic]) -> None:
    text = render_text(found, use_colours=False)
    assert tame(text)
    concise = render_concise(found)
    assert tame(concise) and len(concise.split("\n")) == max(1, len(found))
    plain = render_json(found)
    plain.encode("ascii")
    assert [entry["code"] for entry in json.loads(plain)] == [problem.code for problem in found]
    json.dumps(json.loads(plain), ensure_ascii=False).encode("utf-8")
    log = render_sarif(found)
    log.encode("ascii")
    results = sarif(log)["results"]
    assert [result["ruleId"] for result in results] == [problem.code for problem in found]
    assert all(tame(result["message"]["text"]) for result in results)
    annotations = github(render_github(found))
    assert len(annotations) == len(found)
    assert all(tame(value) for annotation in annotations for value in annotation.values())
    root = junit(render_junit(found))
    assert sum(len(suite) for suite in root) == len(found)
    for element in root.iter():
        assert tame(element.text or "") and all(tame(str(value)) for value in element.values())
