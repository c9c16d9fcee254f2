"""`fictc test --accept`: a sentence of a corpus becomes an example, once, and only if it is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import corpora
from tests.unit.runner.cli.conftest import CAT, DOGS, Fictc


@pytest.fixture
def one(tmp_path: Path) -> Path:
    path = tmp_path / "lib" / "subject.fict"
    path.parent.mkdir()
    path.write_text("fict 1 filter subject { match { V -[nsubj]-> S } }")
    return path


def examples(path: Path) -> str:
    return (path.parent / "examples" / f"{path.stem}.conllu").read_text()


def test_what_the_filter_does_now_is_written_and_then_holds(call: Fictc, one: Path, store: Path) -> None:
    ended = call("test", one, "--accept", "-c", store, "--sentence", "one")
    assert ended.code == 0
    assert ended.out.splitlines() == [
        f"added corpus.conllu:1 to {one.parent}/examples/subject.conllu:1",
        "# expect = match",
        "# bind = S:1 V:2",
    ]
    assert call("test", one, "--accept", "-c", store, "--sentence", "corpus.conllu:2").code == 0
    first, second = examples(one).rstrip("\n").split("\n\n")
    assert first.splitlines()[0] == "# sent_id = one"
    assert first.splitlines()[2:5] == ["# from = corpus.conllu:1", "# expect = match", "# bind = S:1 V:2"]
    assert first.splitlines()[5].startswith("1\tdogs\t")
    assert second.splitlines()[2:4] == ["# from = corpus.conllu:2", "# expect = pass"]
    assert call("test", one).out.endswith("1 filter, 2 examples, run by the reference and the SQL: none failed.\n")


def test_a_sentence_becomes_an_example_once(call: Fictc, one: Path, store: Path) -> None:
    call("test", one, "--accept", "-c", store, "--sentence", "one")
    before = examples(one)
    ended = call("test", one, "--accept", "-c", store, "--sentence", "corpus.conllu:1")
    assert ended.code == 2
    assert [code for code, _, _ in ended.problems] == ["FICT786"]
    assert examples(one) == before


def test_the_same_words_are_another_example_if_the_filter_tells_their_comments_apart(
    call: Fictc, tmp_path: Path
) -> None:
    text = "".join(f"# sent_id = {genre}\n# genre = {genre}\n{corpora.conllu([DOGS])}" for genre in ("news", "novel"))
    store = corpora.store(tmp_path, text.replace("# sent_id = one\n", "")).path
    path = tmp_path / "novel.fict"
    path.write_text("fict 1 filter novel { match { N:NOUN sentence[meta.genre = novel] } }")
    for genre, outcome in (("news", "pass"), ("novel", "match")):
        ended = call("test", path, "--accept", "-c", store, "--sentence", genre)
        assert (ended.code, f"# expect = {outcome}" in ended.out) == (0, True)
    again = call("test", path, "--accept", "-c", store, "--sentence", "novel")
    assert [code for code, _, _ in again.problems] == ["FICT786"]
    assert call("test", path).out.endswith("2 examples, run by the reference and the SQL: none failed.\n")


def test_an_expectation_that_does_not_hold_is_refused_unless_forced(call: Fictc, one: Path, store: Path) -> None:
    arguments = ("test", one, "--accept", "-c", store, "--sentence", "two", "--expect", "match")
    ended = call(*arguments)
    assert [code for code, _, _ in ended.problems] == ["FICT785"]
    assert not (one.parent / "examples").exists()
    assert "This example fails now: the filter finds none." in call(*arguments, "--force").out
    assert "FAILED" in call("test", one).out


def test_a_file_of_several_filters_is_told_which(call: Fictc, filters: Path, store: Path) -> None:
    assert call("test", f"{filters}::number.Plur", "--accept", "-c", store, "--sentence", "one").code == 0
    assert "# filter = number.Plur\n# expect = match\n# bind = N:1\n" in examples(filters)
    assert call("test", f"{filters}::subject", "--accept", "-c", store, "--sentence", "one").code == 0
    assert call("test", filters).code == 0


def test_what_cannot_be_accepted(call: Fictc, filters: Path, one: Path, store: Path) -> None:
    missing = call("test", one, "--accept", "-c", store, "--sentence", "nine")
    assert [code for code, _, _ in missing.problems] == ["FICT783"]
    assert "one filter, found 3" in call("test", filters, "--accept", "-c", store, "--sentence", "one").err
    assert "--accept requires --corpus" in call("test", one, "--accept", "--sentence", "one").err
    accept = ("test", one, "--accept", "-c", store, "--sentence", "one")
    for options in (("--min", "1"), ("--branches",), ("--format", "json"), ("--reference-only",)):
        assert f"{options[0]} and --accept exclude each other" in call(*accept, *options).err
    assert "--corpus requires --accept" in call("test", one, "--corpus", store).err


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("corpus:1", "the nearest source is `corpus.conllu`"),
        ("corpsu.conllu:1", "the nearest source is `corpus.conllu`"),
        ("corpus.conllu:999", "`corpus.conllu` has 3 sentences"),
    ],
)
def test_a_sentence_of_no_source_is_told_the_nearest(call: Fictc, one: Path, store: Path, name: str, hint: str) -> None:
    ((code, _, found),) = call("test", one, "--accept", "-c", store, "--sentence", name).problems
    assert (code, found) == ("FICT783", hint)


def test_the_document_comes_along_where_the_filter_asks_for_it(call: Fictc, tmp_path: Path) -> None:
    told = [f"# newdoc id = {name}\n{corpora.conllu([DOGS])}{corpora.conllu([CAT])}" for name in ("d1", "d2")]
    store = corpora.store(tmp_path, "".join(told)).path
    for name, content, has_document in (
        ("doc", "sentence[doc = d1]", True),
        ("noun", "N:NOUN", False),
    ):
        path = tmp_path / f"{name}.fict"
        path.write_text(f"fict 1 filter {name} {{ match {{ {content} }} }}")
        for number in (1, 2):
            assert call("test", path, "--accept", "-c", store, "--sentence", f"corpus.conllu:{number}").code == 0
        assert examples(path).count("# newdoc id = d1\n") == (2 if has_document else 0)
        assert call("test", path).out.endswith("2 examples, run by the reference and the SQL: none failed.\n")


def test_a_sentence_without_a_document_belongs_to_none(call: Fictc, tmp_path: Path) -> None:
    first, second = tmp_path / "a.conllu", tmp_path / "b.conllu"
    first.write_text(f"# newdoc id = d1\n{corpora.conllu([DOGS])}")
    second.write_text(corpora.conllu([CAT]))
    call("import", first, second, "-o", tmp_path / "two")
    path = tmp_path / "nodoc.fict"
    path.write_text("fict 1 filter nodoc { match { N:NOUN sentence[not has doc] } }")
    for name in ("one", "two"):
        assert call("test", path, "--accept", "-c", tmp_path / "two", "--sentence", name).code == 0
    assert call("test", path).out.endswith("2 examples, run by the reference and the SQL: none failed.\n")


def test_a_name_that_several_sentences_have(call: Fictc, one: Path, tmp_path: Path) -> None:
    store = corpora.store(tmp_path, corpora.conllu([DOGS, DOGS])).path
    ended = call("test", one, "--accept", "-c", store, "--sentence", "one")
    assert ended.problems == (
        ("FICT784", f"2 sentences of {store} have the sent_id `one`", "the first is corpus.conllu:1"),
    )


def test_what_is_in_the_file_stays_as_it_is(call: Fictc, one: Path, store: Path) -> None:
    path = one.parent / "examples" / "subject.conllu"
    path.parent.mkdir()
    before = b"# expect = pass\r\n1\thush\thush\tINTJ\t_\t_\t0\troot\t_\t_\r\n\r\n"
    path.write_bytes(before + b"\r\n")
    assert call("test", one, "--accept", "-c", store, "--sentence", "one").out.startswith("added corpus.conllu:1 to")
    after = path.read_bytes()
    assert after.startswith(before + b"# sent_id = one\r\n")
    assert after.count(b"\n") == after.count(b"\r\n")
    assert call("test", one).out.endswith("2 examples, run by the reference and the SQL: none failed.\n")


def test_a_mistake_in_the_examples_is_told_before_anything_is_written(call: Fictc, one: Path, store: Path) -> None:
    path = one.parent / "examples" / "subject.conllu"
    path.parent.mkdir()
    path.write_text("1\thush\thush\tINTJ\t_\t_\t0\troot\t_\t_\n\n")
    ended = call("test", one, "--accept", "-c", store, "--sentence", "one")
    assert [code for code, _, _ in ended.problems] == ["FICT780"]
    assert "sent_id" not in path.read_text()
