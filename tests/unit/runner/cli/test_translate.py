"""`fictc translate` writes filters, and names the parts that have no equivalent."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from fictdsl.compiler import compile_file
from runner.cli import fictc
from runner.cli.terminal import run_command
from tests.unit.runner.cli.conftest import Fictc


def test_a_request(call: Fictc, tmp_path: Path) -> None:
    request = tmp_path / "My Request 2.req"
    request.write_text("\ufeffpattern { V [upos=VERB]; V -[nsubj]-> S }", encoding="utf-8")
    ended = call("translate", "--from", "grew", request)
    assert (ended.code, ended.err) == (0, "")
    assert "filter my-request-2 {" in ended.out
    out = tmp_path / "out.fict"
    assert call("translate", "--from", "grew", request, "-o", out, "--name", "subject").out == ""
    assert [each.name for each in compile_file(out).filters] == ["subject"]


@pytest.mark.parametrize("name", ["Foo Bar", "1x", "", "a--b"])
def test_a_name_that_no_filter_can_have(name: str, call: Fictc, tmp_path: Path) -> None:
    (tmp_path / "a.req").write_text("pattern { V [upos=VERB] }")
    ended = call("translate", tmp_path / "a.req", "--from", "grew", "--name", name)
    assert (ended.code, ended.out) == (2, "")
    assert f"{name!r} is not a name of a filter" in ended.err


def test_what_has_no_equal_is_said(call: Fictc, tmp_path: Path) -> None:
    patterns = tmp_path / "1.txt"
    patterns.write_text("{ner:X}=a\n{cpos:VERB}=v\n")
    assert run_command(partial(fictc, args=["translate", "--from", "semgrex", str(patterns)])) == 1
    ended = call("translate", "--from", "semgrex", patterns)
    assert "no equivalent: {ner:X}: the attribute `ner` has no counterpart in a filter" in ended.err
    assert "filter query-1-1 {" in ended.out
    assert "filter query-1-2 {" in ended.out


QUERIES = {
    "mark": "\ufeffpattern { V [upos=VERB]; V -[nsubj]-> S }\n".encode(),
    "line ends": b"pattern { V [upos=VERB];\r\n V -[nsubj]-> S }\r\n% caf\xc3\xa9\r\n",
}


@pytest.mark.parametrize("data", QUERIES.values(), ids=QUERIES)
def test_the_standard_input_is_read_as_a_file(data: bytes, call: Fictc, tmp_path: Path) -> None:
    path = tmp_path / "query.req"
    path.write_bytes(data)
    ended = call("translate", "--from", "grew", "-", stdin=data)
    assert ended.code == 0
    assert ended == call("translate", "--from", "grew", path)


def test_a_standard_input_in_another_encoding(call: Fictc) -> None:
    data = "pattern { V [lemma=été] }".encode("latin-1")
    (problem,) = call("translate", "--from", "grew", "-", stdin=data).problems
    assert problem[:2] == ("FICT295", "<stdin> cannot be read: it is not UTF-8")


@pytest.mark.parametrize("text", ["", "% nothing\n", "pattern { }", "global { is_tree }"])
def test_an_empty_request_matches_every_sentence(text: str, call: Fictc, tmp_path: Path) -> None:
    (tmp_path / "a.req").write_text(text)
    call("translate", "--from", "grew", tmp_path / "a.req", "-o", tmp_path / "a.fict")
    (compiled,) = compile_file(tmp_path / "a.fict").filters
    assert compiled.names == ()


@pytest.mark.parametrize("text", ["", "# nothing\n"])
def test_no_patterns_are_no_filters(text: str, call: Fictc, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text)
    assert call("translate", "--from", "semgrex", tmp_path / "a.txt").code == 0


_TOO_DEEP = "expected at most 64 nested parentheses and brackets"
UNREADABLE = {
    "parentheses": ("semgrex", "(" * 3000 + "{}" + ")" * 3000, _TOO_DEEP),
    "brackets": ("semgrex", "{} " + "[" * 3000 + ">x {}" + "]" * 3000, _TOO_DEEP),
    "flags": ("semgrex", "(?i:" * 3000 + "{}" + ")" * 3000, _TOO_DEEP),
    "distance": ("semgrex", "{} 2,foo>> {}", "found `foo`, expected a number"),
    "digits": ("semgrex", f"{{}} {'9' * 5000}>> {{}}", "expected a relation, `:` or the end"),
    "regex": ("semgrex", "{word:/" + "\\/" * 60, "expected a node or a relation"),
    "row": ("grew", "pattern { V [lemma=a.b] }\n#BEGIN a\nb\tc\nrely\n#END\n", "expected 2 values separated by tabs"),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize(("language", "text", "message"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_text_that_is_no_query(language: str, text: str, message: str, call: Fictc, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text)
    (problem,) = call("translate", "--from", language, tmp_path / "a.txt").problems
    assert problem[0] == "FICT294"
    assert message in problem[1]


LEXICONS = {
    "test": ("pattern { V [lemma=verbs.lemma] }", "verbs.lemma"),
    "attribute": ("pattern { V [upos=VERB]; V.lemma = verbs.lemma }", "verbs.lemma"),
    "other": ("pattern { V [lemma<>verb.lemma] }\n#BEGIN verbs\nlemma\nsay\n#END\n", "verb.lemma"),
}


@pytest.mark.parametrize(("text", "found"), LEXICONS.values(), ids=LEXICONS)
def test_a_lexicon_that_the_file_lacks(text: str, found: str, call: Fictc, tmp_path: Path) -> None:
    (tmp_path / "a.req").write_text(text)
    ended = call("translate", "--from", "grew", tmp_path / "a.req")
    (problem,) = ended.problems
    assert (ended.code, ended.out, problem[0]) == (2, "", "FICT294")
    assert f"found `{found}`, expected a lexicon `{found.partition('.')[0]}`" in problem[1]


MALFORMED = {
    "grew": [
        "pattern { X [upos=VERB] Y [upos=NOUN] }",
        "pattern { X -[nsubj]-> Y -[det]-> Z }",
        "pattern { e: X -[1=nsubj 2=pass]-> Y }",
        "pattern { X [upos==VERB] }",
        "pattern { X [upos=VERB Tense=Past] }",
        "pattern { X [upos=VERB||NOUN] }",
        "pattern { X [upos=VERB]] }",
        "pattern { X [lemma=a [b] }",
        "pattern { X -[a->b]-> Y }",
        "pattern { X.lemma = a b }",
        "global { text = a b }",
    ],
    "semgrex": ["{cpos:VERB lemma:be}", "{word:a=b}", "{word:[a]}", "{lemma:a->b}", "{$ a}", "{word:}", "(?s:{})"],
}


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language, texts in MALFORMED.items() for text in texts]
)
def test_nothing_is_split_that_was_not_parsed(language: str, text: str, call: Fictc, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(text)
    ended = call("translate", "--from", language, tmp_path / "a.txt")
    assert len([*ended.problems, *re.findall("^no equivalent: ", ended.err, re.MULTILINE)]) == 1


LARGE_ITEMS = {"digits": f"X -> Y; delta(X,Y) < {'9' * 5000}", "names": f"X [{'a/' * 3000}b=c]"}


@pytest.mark.parametrize("item", LARGE_ITEMS.values(), ids=LARGE_ITEMS)
def test_a_request_with_a_large_item(item: str, call: Fictc, tmp_path: Path) -> None:
    (tmp_path / "a.req").write_text(f"pattern {{ {item} }}")
    assert call("translate", "--from", "grew", tmp_path / "a.req").code in (0, 1)
