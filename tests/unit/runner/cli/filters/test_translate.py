"""`fictc translate` writes filters, and names the parts that have no equivalent."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from fictdsl.compiler import compile_file
from runner.cli import fictc
from runner.cli.shared.outcome import run_command
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
