"""No text and no bytes make the language crash: every file gets a tree or a diagnostic, and every diagnostic a page."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from fictdsl.compiler import compile_text
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.text import render_concise, render_text
from fictdsl.diagnostics.tool_formats import render_json
from fictdsl.installation import shipped
from fictdsl.source import Source
from fictdsl.syntax.files import decode, read_entries
from fictdsl.syntax.load import load_file
from fictdsl.syntax.nodes import RESERVED
from fictdsl.syntax.parse import parse
from fictdsl.syntax.printer import format_text, print_file
from fictdsl.syntax.regex import RegexProblem, parse_regex

KITCHEN = """fict 1
use "lists.fict"
list npi = {any, "at all", ever} # a comment
list words = file "words.txt"
pattern npi_at(N) { N[lower(phrase) in @npi] }
filter agr-pp-mod for p in {sg, pl} {
  about   "A subject with $p"
  source  "somebody; 2024"
  note    "first"
  targets blimp/a_1, blimp/b_2
  match {
    V:VERB|AUX -[nsubj|=obj]-> S[not (has Number[psor] or form = /a.*\\/#"/i), misc."a b" != $p]
    S << M <<{1..3} V; M between S and V
    S.Number != V.Number lower(S.form) = V.lower(lemma)
    without { S ->>{0..} X X ~ V }
    either { S <-[=nmod]- M } or { S =[^conj:and]=> M }
    at least 2 Y { V -[conj]->> Y }
    sentence[length > 40, text in {a, b}]
    length(subtree(S)) - length(span(S, V)) + 2 >= distance(M, V); distance(S, V) != length(subtree(M)) - 1
    npi_at(V)
  }
  remove sentence
  mask span(S, V) with "<mask>"
  mask node(M) with upos
}
"""
SIGNS = ["{", "}", "[", "]", "(", ")", '"', "/", "\\", "#", "->", "->>", "-[", "<", ">", "=", "==>", "|", ",", ";"]
SIGNS += ["..", ".", "~", "$p", "@npi", "_", "fict 1", "\n", "\r", "\0", "\ud800", "\ufeff", "\u202e", "e\u0301", "0"]
PIECES = [*SIGNS, *RESERVED, "V", "S", "nsubj", "form", "Number", "upos", "blimp/a", '"a"', "/a/", "2"]
PIECES += ["length(subtree(S))", "length(span(S, V))", "distance(S, V)", "length(", "subtree(V)", "- 3", "!="]

pieces = st.sampled_from(PIECES)
jumble = st.lists(pieces | st.text(max_size=3), max_size=40).map(" ".join)
anything = st.text() | st.text(st.characters(codec=None)) | jumble | jumble.map(lambda text: f"fict 1\n{text}")


@cache
def real() -> tuple[str, ...]:
    """The filters that ship, and one text with every construct."""
    return (KITCHEN, *(path.read_text(encoding="utf-8") for path in sorted(shipped("filters").rglob("*.fict"))))


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A real filter with a few pieces cut out, put in, doubled or moved."""
    text = draw(st.sampled_from(real()))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        change = draw(st.sampled_from(["cut", "put", "double", "replace", "end"]))
        if change == "cut":
            text = text[:start] + text[end:]
        elif change == "put":
            text = text[:start] + draw(pieces) + text[start:]
        elif change == "double":
            text = text[:end] + text[start:]
        elif change == "replace":
            text = text[:start] + draw(pieces) + text[end:]
        else:
            text = text[:start]
    return text


@given(anything | mutated())
@example("")
@example("{")
@example("fict 1\n{")
@example("fict 1\nfilter a { match { X[form = \\")
@example('fict 1\nlist a = {"\\')
@example("fict 1 fict 1")
@example("fict 1\n" + "filter a { match { " * 300)
def test_any_text_is_read(text: str) -> None:
    source = Source.of(text, "x.fict")
    file, problems = parse(source)
    check(problems, [source])
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    assert file is not None or errors
    if file is not None:
        again, more = parse(Source.of(print_file(file)))
        assert again == file and not more, "what was understood can be printed and read again"
    assert (format_text(text).text is None) == bool(errors)
    if not errors:
        assert file is not None and "fict" in text


@given(mutated() | jumble.map(lambda text: f"fict 1\n{text}"))
def test_any_text_compiles_or_says_why_not(text: str) -> None:
    found = compile_text(text, "x.fict", shipped("filters"))
    check(found.diagnostics)
    if found.errors:
        assert found.filters == ()
    for compiled in found.filters:
        assert compiled.statement().text.startswith(("SELECT", "WITH"))


@given(st.binary() | mutated().map(lambda text: text.encode("utf-8", "surrogatepass")), st.data())
def test_any_bytes_are_read(content: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(content)))
    content = content[:at] + data.draw(st.binary(max_size=3)) + content[at:]
    source, problems = decode(content, "x.fict")
    check(problems)
    assert (source is None) == bool(problems)
    if source is not None:
        check(parse(source)[1], [source])
        check(read_entries(source)[1], [source])


def test_any_bytes_in_a_file_are_read(tmp_path: Path) -> None:
    for index, content in enumerate([b"", b"\xff", b"\xff\xfe\x00", b"\x00" * 300, b"fict 1\xc3", KITCHEN.encode()]):
        path = tmp_path / f"{index}.fict"
        path.write_bytes(content)
        module, problems = load_file(path)
        check(problems)
        assert module is not None or problems


@given(st.text(st.sampled_from("ab.*+?{}[]()|^$\\dpLuw,-&0129é\n")) | st.text())
def test_any_regex_is_read(text: str) -> None:
    found = parse_regex(text, 3)
    if isinstance(found, RegexProblem):
        assert 3 <= found.span.start <= found.span.end <= 3 + len(text)


def check(problems: Iterable[Diagnostic], sources: list[Source] | None = None) -> None:
    """Diagnostics lie in their sources, and each renderer shows them without letting anything act on a terminal."""
    problems = list(problems)
    for problem in problems:
        for source, span in [(problem.source, problem.span)] + [
            (label.source or problem.source, label.span) for label in problem.labels
        ]:
            if span is not None and source is not None:
                assert 0 <= span.start <= span.end <= len(source.text)
        assert sources is None or problem.source in sources
    for text in (render_text(problems, use_colours=False), render_concise(problems)):
        assert all(char == "\n" or char.isprintable() or unicodedata.category(char) == "Zs" for char in text)
    assert len(json.loads(render_json(problems))) == len(problems)
