"""Word lists that replace those of filters: which lists they replace, in which form, and their messages."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from fictdsl.compiler import compile_file, compile_text, unknown_lists
from fictdsl.reference.evaluate import matches
from fictdsl.syntax.files import ListOverrides, list_from_words, read_list
from tests.support.reading import tree

SENTENCES = [tree("Dogs NOUN 2 nsubj\nbark VERB 0 root"), tree("cats NOUN 2 nsubj\nbark VERB 0 root")]
LISTS = 'fict 1 list pets = file "pets.txt" pattern pet(N) { N[lower(form) in @pets] }'


def given(**lists: list[str]) -> ListOverrides:
    return {name: list_from_words(name, words) for name, words in lists.items()}


def found(path: Path, lists: ListOverrides) -> list[bool]:
    compilation = compile_file(path, lists)
    assert not compilation.errors, compilation.errors
    (one,) = compilation.filters
    return [bool(matches(one.module, one.definition, one.value, sentence)) for sentence in SENTENCES]


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        ("list pets = {cats} filter f { match { N[lower(form) in @pets] } }", [False, True], [True, False]),
        ("list pets = {cats} filter f { match { N[lower(form) not in @pets] } }", [True, True], [True, True]),
        ('list pets = file "pets.txt" filter f { match { N[lower(form) in @pets] } }', [False, True], [True, False]),
        ('use "lists.fict" filter f { match { N[lower(form) in @pets] } }', [False, True], [True, False]),
        ('use "lists.fict" filter f { match { pet(N) } }', [False, True], [True, False]),
        ("list pets = {cats} filter f { match { V:VERB without { N[form in @pets] } } }", [True, False], [False, True]),
    ],
)
def test_it_replaces_a_list_wherever_that_is_declared(
    text: str, before: list[bool], after: list[bool], tmp_path: Path
) -> None:
    (tmp_path / "pets.txt").write_text("cats\n")
    (tmp_path / "lists.fict").write_text(LISTS)
    path = tmp_path / "f.fict"
    path.write_text(f"fict 1 {text}")
    keys = {compile_file(path).filters[0].key}
    for _ in range(2):  # the second time from the kept tree
        assert found(path, {}) == before
        assert found(path, given(pets=["Dogs"])) == after
        keys.add(compile_file(path, given(pets=["Dogs"])).filters[0].key)
    assert len(keys) == 2


def test_it_is_in_lower_case_where_all_tests_are(tmp_path: Path) -> None:
    path = tmp_path / "f.fict"
    tests = {
        "N[lower(form) in @l, lower(lemma) in @l]": True,
        "N[form in @l]": False,
        "N[lower(form) in @l, form in @l]": False,
    }
    for test, lower in tests.items():
        path.write_text(f"fict 1 list l = {{x}} filter f {{ match {{ {test} }} }}")
        (one,) = compile_file(path, given(l=["Éva", "Dogs", "dogs"])).filters
        (chosen,) = one.lists
        assert (chosen.lower, chosen.entries) == (
            (True, ("éva", "dogs")) if lower else (False, ("Éva", "Dogs", "dogs"))
        )
    (one,) = compile_file(path, given(l=["dogs"])).filters
    assert not one.lists[0].lower  # nothing was changed


def test_its_columns_are_in_lower_case_where_all_their_tests_are() -> None:
    tests = {
        "(lower(V.lemma), lower(P.lemma)) in @l": ("rely\ton", "look\tfor"),
        "(lower(V.lemma), P.form) not in @l": ("rely\tOn", "rely\ton", "look\tfor"),
        "(lower(V.lemma), P.form) in @l (V.lemma, lower(P.form)) in @l": None,
        "(V.lemma, P.lemma) in @l": None,
    }
    words = ("Rely\tOn", "rely\ton", "Look\tfor")
    for test, entries in tests.items():
        text = f"fict 1 list l = {{(a, b)}} filter f {{ match {{ V -> P; {test.replace(' (', '; (')} }} }}"
        compilation = compile_text(text, overrides=given(l=list(words)))
        assert not compilation.errors, compilation.errors
        (chosen,) = compilation.filters[0].lists
        assert (chosen.lower, chosen.entries) == (entries is not None, entries or words)


def test_the_file_of_a_replaced_list_is_not_needed(tmp_path: Path) -> None:
    path = tmp_path / "f.fict"
    path.write_text('fict 1 list l = file "not-shipped.txt" filter f { match { N[lower(form) in @l] } }')
    assert [problem.code for problem in compile_file(path).errors] == ["FICT140"]
    assert found(path, given(l=["dogs"])) == [True, False]


def test_a_file_is_read_as_the_language_reads_it(tmp_path: Path) -> None:
    data = "# pets\n dogs \n\\#1\n\ne\u0301toile\ndogs\n".encode()
    (tmp_path / "l.txt").write_bytes(data)
    chosen, problems = read_list("l", tmp_path / "l.txt", "l.txt")
    assert chosen is not None
    assert chosen.entries == ("dogs", "#1", "étoile")
    assert chosen.sha256 == hashlib.sha256(data).hexdigest()
    assert [problem.code for problem in problems] == ["FICT148"]
    for name, content in {"absent.txt": None, "utf16.txt": "ä".encode("utf-16")}.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
        chosen, problems = read_list("l", tmp_path / name, name)
        assert chosen is None
        assert len(problems) == 1


@pytest.mark.parametrize(("content", "code"), [(b"see\rgo\r", "FICT105"), (b"se\0e\ngo\n", "FICT103")])
def test_a_file_with_an_error_replaces_no_list(content: bytes, code: str, tmp_path: Path) -> None:
    (tmp_path / "l.txt").write_bytes(content)
    chosen, problems = read_list("l", tmp_path / "l.txt", "l.txt")
    assert chosen is None
    assert code in [problem.code for problem in problems]


FRAMES = 'list frames from "frames.tsv" filter f { match { V -> P  (V.lemma, P.lemma) in @frames } }'


def test_each_row_with_another_number_of_columns_is_reported_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "f.fict"
    path.write_text(f"fict 1 {FRAMES}")
    (tmp_path / "frames.tsv").write_text("rely\ton\nlook\tfor\nrely\n a \t b\tc\n")
    problems = compile_file(path).errors
    assert [problem.code for problem in problems] == ["FICT150", "FICT150"]
    assert [problem.source.position(problem.span.start) for problem in problems if problem.source and problem.span] == [
        (3, 1),
        (4, 2),
    ]
    (tmp_path / "frames.tsv").write_text("rely\ton\n" + "".join(f"w{number}\n" for number in range(20_000)))
    assert 0 < len(compile_file(path).errors) < 100


@pytest.mark.parametrize("rows", [["rely\ton", "look"], ["look", "rely\ton"], ["rely\ton\tto", "look\tfor"]])
@pytest.mark.parametrize("declaration", ["= {(rely, on)}", 'from "frames.tsv"'])
def test_the_rows_of_a_replaced_list_have_equally_many_columns(
    rows: list[str], declaration: str, tmp_path: Path
) -> None:
    path = tmp_path / "f.fict"
    path.write_text("fict 1 " + FRAMES.replace('from "frames.tsv"', declaration))
    assert [problem.code for problem in compile_file(path, given(frames=rows)).errors] == ["FICT217"]


def test_the_values_of_a_replaced_row_are_trimmed(tmp_path: Path) -> None:
    path = tmp_path / "f.fict"
    path.write_text("fict 1 " + FRAMES.replace("lemma", "form"))
    lists = given(frames=["bark \t Dogs"])
    (one,) = compile_file(path, lists).filters
    assert matches(one.module, one.definition, one.value, SENTENCES[0])
    assert "'bark\tDogs'" in one.statement().text


def test_tabs_of_a_list_of_single_values_separate_columns_only_of_tuples(tmp_path: Path) -> None:
    path = tmp_path / "f.fict"
    (tmp_path / "frames.tsv").write_text("rely\ton\nlook\n")
    path.write_text("fict 1 " + FRAMES.replace("from", "= file"))
    assert [problem.code for problem in compile_file(path).errors] == ["FICT217"]
    path.write_text('fict 1 list words = file "frames.tsv" filter f { match { V[form in @words] } }')
    assert not compile_file(path).errors


def test_the_lists_of_a_filter_are_those_that_its_tests_name(tmp_path: Path) -> None:
    (tmp_path / "lists.fict").write_text("fict 1 list a = {x} list b = {x} pattern p(N) { N[form in @a] }")
    (tmp_path / "f.fict").write_text(
        'fict 1 use "lists.fict" list c = {x} filter f { match { p(N) without { N[form in @c] } } }'
    )
    compilation = compile_file(tmp_path / "f.fict", given(a=["y"], b=["y"], c=["y"], d=["y"]))
    assert [one.name for one in compilation.filters[0].lists] == ["a", "c"]
    assert compilation.module is not None
    assert list(unknown_lists([compilation.module], compilation.module.overrides)) == ["d"]
