"""The Python interface as its users have it: a script, a notebook, errors that can be read."""

from __future__ import annotations

import pydoc
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

import fictc
from runner.corpus.import_conllu import import_files
from tests.support.corpora import store

DOGS = """# newdoc id = pets
# sent_id = one
1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_
2\tchase\tchase\tVERB\t_\t_\t0\troot\t_\t_
3\tcats\tcat\tNOUN\t_\tNumber=Plur\t2\tobj\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# sent_id = two
1\tcats\tcat\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_
2\thiss\thiss\tVERB\t_\t_\t0\troot\t_\t_

"""
SUBJECT = """fict 1
filter subject { about "A subject." targets blimp/a match { V -[nsubj]-> S } }
filter plural for n in {Plur, Sing} { about "A $n." match { N[Number = $n] } }
"""


@pytest.fixture
def sentences() -> list[fictc.Sentence]:
    return fictc.read_conllu(DOGS)


@pytest.fixture
def subject() -> fictc.Filter:
    return fictc.compile_text(SUBJECT)["subject"]


def test_filters() -> None:
    filters = fictc.compile_text(SUBJECT)
    assert [one.name for one in filters] == ["subject", "plural.Plur", "plural.Sing"]
    assert repr(filters[:1]) == "(<Filter subject: A subject.>,)"
    assert (filters[0].about, filters[0].targets, filters[0].names) == ("A subject.", ("blimp/a",), ("V", "S"))
    assert filters["subject"].source.startswith("filter subject {")
    assert "V as nsubj" in filters["subject"].explain()
    assert filters["subject"].sql.startswith("WITH")


def test_sentences(sentences: list[fictc.Sentence]) -> None:
    one, two = sentences
    assert (one.sent_id, one.doc, two.doc, one.text, len(one)) == ("one", "pets", "pets", "dogs chase cats.", 4)
    assert one.words[0].feats == {"Number": ("Plur",)}
    assert f"{one.conllu}\n\n{two.conllu}\n\n" == DOGS
    assert repr(two) == "<Sentence two: cats hiss>"
    assert str(two).splitlines() == ["  ╭─── cats  NOUN  nsubj", "──┴─ hiss    VERB  root"]


def test_matches(sentences: list[fictc.Sentence], subject: fictc.Filter) -> None:
    found = fictc.match(subject, sentences)
    assert [one.ids for one in found] == [{"V": 2, "S": 1}] * 2
    assert found[0]["S"].form == "dogs"
    assert "S" in found[0]
    assert "X" not in found[0]
    assert repr(found[0]) == "<Match subject: dogs/S chase/V cats.>"
    assert "dogs/S" in str(found[0])
    assert found.rows()[1] == {
        "sent_id": "two",
        "text": "cats hiss",
        "V": 2,
        "V.form": "hiss",
        "V.lemma": "hiss",
        "V.upos": "VERB",
        "V.deprel": "root",
        "S": 1,
        "S.form": "cats",
        "S.lemma": "cat",
        "S.upos": "NOUN",
        "S.deprel": "nsubj",
    }
    assert fictc.match(subject, sentences[1]) == found[1:]


@pytest.mark.parametrize(
    "match",
    ["V -[nsubj]-> S", "either { N:NOUN } or { V:VERB -> N }", "sentence[length > 2]", "A << B without { A -> B }"],
)
def test_a_store_has_the_same_matches(match: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "dogs.conllu"
    path.write_text(DOGS)
    import_files([path], tmp_path / "store")
    one = fictc.compile_text(f"fict 1 filter f {{ match {{ {match} }} }}")["f"]
    found = fictc.match(one, fictc.read_conllu(path))
    assert found
    assert fictc.match(one, tmp_path / "store") == found
    assert fictc.match(one, str(tmp_path / "store")) == found


def test_a_notebook_draws(sentences: list[fictc.Sentence], subject: fictc.Filter) -> None:
    found = fictc.match(subject, sentences)
    for shown in (sentences[0], found[0]):
        assert ElementTree.fromstring(shown._repr_svg_()).tag.endswith("svg")
        assert shown._repr_svg_().partition("<svg ")[2].strip() in shown._repr_html_()
    assert found._repr_html_().startswith("<p>2 matches</p>")
    assert found._repr_html_().count("<svg") == 2
    assert fictc.Matches(found * 6)._repr_html_().count("<svg") == 10


def test_layout_and_lint() -> None:
    text = "fict 1 filter x { # why\n match { V:NUON } }"
    assert fictc.format(text) == "fict 1\n\nfilter x {  # why\n  match {\n    V:NUON\n  }\n}\n"
    assert {problem.code for problem in fictc.lint(text)} == {"FICT501", "FICT520"}
    assert [problem.severity for problem in fictc.lint("fict 1 filter x {")] == [fictc.Severity.ERROR]


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "subject.fict"
    path.write_text(SUBJECT)
    assert [one.name for one in fictc.compile_file(path)] == [one.name for one in fictc.compile_file(str(path))]
    assert [problem.code for problem in fictc.lint(path)] == [problem.code for problem in fictc.lint(SUBJECT)]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("fictc.compile_text('fict 1 filter x { match { V -[nsubj]- S } }')", "FICT110"),
        ("fictc.compile_file('absent.fict')", "absent.fict"),
        ("fictc.compile_text('fict 1 filter x { match { V } }')['y']", "FICT290"),
        ("fictc.format('fict 1 filter')", "FICT"),
        ("fictc.read_conllu('a\\tb\\n\\n')", "FICT702"),
        ("fictc.read_conllu('absent.conllu')", "FICT700"),
        ("fictc.match(fictc.compile_text('fict 1 filter x { match { V } }')[0], 'absent')", "FICT740"),
    ],
)
def test_what_goes_wrong_is_one_exception(code: str, expected: str) -> None:
    with pytest.raises(fictc.FilterError, match=expected) as raised:
        eval(code)
    assert raised.value.diagnostics
    assert "error[FICT" in str(raised.value)
    assert raised.value._render_traceback_() == [f"FilterError: {raised.value}"]


def test_a_script_of_somebody_else(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, fictc\n"
        f"one = fictc.compile_text({SUBJECT!r})['subject']\n"
        "heavy = {'runner', 'duckdb', 'numpy', 'sqlglot', 'click', 'torch'} & set(sys.modules)\n"
        f"found = fictc.match(one, fictc.read_conllu({DOGS!r}))\n"
        "later = {'duckdb', 'numpy', 'pyarrow', 'sqlglot'} & set(sys.modules)\n"
        "print(len(found), sorted(heavy), sorted(later))\n"
    )
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert ended.stdout == "2 [] []\n"


def test_a_store_without_its_packages(tmp_path: Path) -> None:
    store(tmp_path, DOGS)
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, fictc\n"
        "sys.modules['pyarrow'] = None\n"
        "try:\n"
        f"    list(fictc.match(fictc.compile_text({SUBJECT!r})['subject'], 'store'))\n"
        "except ModuleNotFoundError as error:\n"
        "    print(*error.__notes__)\n"
    )
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert (
        ended.stdout
        == "a corpus store needs more packages: install fictc with the extra `corpus`, such as by `pip install '.[corpus]'` in a clone\n"
    )


def test_a_missing_package_of_the_caller_has_no_note_about_stores() -> None:
    def sentences() -> Iterator[fictc.Sentence]:
        yield from fictc.read_conllu(DOGS)
        raise ModuleNotFoundError("No module named 'pandas'", name="pandas")

    with pytest.raises(ModuleNotFoundError) as raised:
        fictc.count(fictc.compile_text(SUBJECT)["subject"], sentences(), by="S.lemma")
    assert not hasattr(raised.value, "__notes__")


def test_the_command_line_as_a_module() -> None:
    ended = subprocess.run([sys.executable, "-m", "fictc", "--version"], capture_output=True, text=True, check=True)
    assert ended.stdout.startswith("fictc, version")


def test_filters_and_corpora_by_name(tmp_path: Path, sentences: list[fictc.Sentence]) -> None:
    """What stands for a filter on the command line does so here, and a treebank's file for its sentences."""
    several, one = tmp_path / "several.fict", tmp_path / "one.fict"
    several.write_text(SUBJECT)
    one.write_text("fict 1 filter subject { match { V -[nsubj]-> S } }")
    treebank = tmp_path / "pets.conllu"
    treebank.write_text(DOGS)
    subject = fictc.compile_file(one)
    expected = [match.ids for match in fictc.match(subject["subject"], sentences)]
    assert len(expected) == 2
    for named in (str(one), one, f"{several}::subject", subject):
        for corpus in (sentences, str(treebank), treebank):
            assert [match.ids for match in fictc.match(named, corpus)] == expected
    for named in (several, fictc.compile_file(several)):
        with pytest.raises(ValueError, match=r"found 3: .*several\.fict::subject, .*::plural\.Plur, "):
            fictc.match(named, sentences)
    with pytest.raises(fictc.FilterError, match=r"the nearest name is `one\.fict`"):
        fictc.match(tmp_path / "oen.fict", sentences)
    with pytest.raises(TypeError, match="expected a filter or its path, found list"):
        fictc.match(sentences, subject)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected sentences, as read_conllu returns, found int"):
        fictc.match(one, [1])  # type: ignore[list-item]


def test_a_path_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "odd.fict"
    path.write_text("fict 1 filter odd { match { N:NUON } }")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "wrong.fict").write_text("fict 1 filter { }")
    codes = [found.code for found in fictc.lint(path)]
    assert "FICT501" in codes
    assert [found.code for found in fictc.lint(str(path))] == codes
    both = fictc.lint(tmp_path)
    assert {Path(found.source.name) for found in both if found.source} == {path, tmp_path / "inner" / "wrong.fict"}
    assert fictc.format(path) == fictc.format(str(path)) == fictc.format(path.read_text())
    for name in (path, str(path)):
        with pytest.raises(TypeError, match=r"fictc\.compile_file\('.*odd\.fict'\) reads a file"):
            fictc.compile_text(name)  # type: ignore[arg-type]
    for function in (fictc.compile_text, fictc.lint, fictc.format):
        with pytest.raises(TypeError, match="expected a text or a path, found int"):
            function(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="lists= maps the names of lists to files or words, found list"):
        fictc.compile_file(path, lists=["pets"])  # type: ignore[arg-type]


def test_lists_are_replaced_by_words_or_a_file(sentences: list[fictc.Sentence], tmp_path: Path) -> None:
    text = "fict 1 list pets = {x} filter pet { match { N[lower(form) in @pets] } }"
    assert not fictc.match(fictc.compile_text(text)[0], sentences)
    (tmp_path / "pets.txt").write_text("Cats\n")
    (tmp_path / "f.fict").write_text(text)
    for lists in ({"pets": [" Cats "]}, {"pets": tmp_path / "pets.txt"}, {"pets": str(tmp_path / "pets.txt")}):
        for filters in (fictc.compile_text(text, lists=lists), fictc.compile_file(tmp_path / "f.fict", lists)):
            assert filters[0].lists == {"pets": ("cats",)}
            assert [one["N"].form for one in fictc.match(filters[0], sentences)] == ["cats", "cats"]
        assert len(fictc.match(tmp_path / "f.fict", sentences, lists=lists)) == 2
        with pytest.raises(TypeError, match="lists= requires a path, not a compiled filter"):
            fictc.match(filters[0], sentences, lists=lists)
    numbers = "fict 1 list n = {1} filter f { match { N[id in @n] } }"
    assert [one.code for one in fictc.lint(numbers, lists={"n": ["one"]}) if one.severity is fictc.Severity.ERROR] == [
        "FICT310"
    ]
    for wrong, code in ({"pet": ["cats"]}, "FICT293"), ({"pets": tmp_path / "absent.txt"}, "FICT140"):
        named = partial(fictc.match, tmp_path / "f.fict", sentences)
        for call in (partial(fictc.compile_text, text), partial(fictc.lint, text), named):
            with pytest.raises(fictc.FilterError) as caught:
                call(lists=wrong)
            assert caught.value.diagnostics[0].code == code


def test_a_query_is_a_filter(sentences: list[fictc.Sentence]) -> None:
    assert [match.ids for match in fictc.match("V -[nsubj]-> S", sentences)] == [{"V": 2, "S": 1}, {"V": 2, "S": 1}]
    with pytest.raises(fictc.FilterError, match="FICT115"):
        fictc.match("V -[nsubj -> S", sentences)
    with pytest.raises(fictc.FilterError, match="FICT292"):
        fictc.match(Path("V -> S"), sentences)


def test_the_functions_are_listed() -> None:
    assert set(fictc.__all__) <= set(dir(fictc))
    assert [name for name in dir(fictc) if not name.startswith("_")] == fictc.__all__
    page = pydoc.render_doc(fictc, renderer=pydoc.plaintext)
    assert all(f"    {name}(" in page for name in fictc.__all__ if not name[0].isupper())


def test_counts_are_a_table(
    subject: fictc.Filter, sentences: list[fictc.Sentence], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "a.conllu").write_text(DOGS)
    import_files([tmp_path / "a.conllu"], tmp_path / "store")
    expected = [{"lemma(S)": "cat", "matches": 1, "share": 0.5, "per_million_words": 1e6 / 6, "mean(length)": 2.0}]
    expected.append({"lemma(S)": "dog", "matches": 1, "share": 0.5, "per_million_words": 1e6 / 6, "mean(length)": 4.0})
    for corpus in (sentences, iter(sentences), tmp_path / "a.conllu", str(tmp_path / "store")):
        assert fictc.count(subject, corpus, by="lemma(S),mean(length)").to_pylist() == expected
    assert fictc.count(subject, sentences[0], by="max(distance(V,S))").to_pylist()[0]["max(distance(V,S))"] == -1
    none = fictc.count(subject, fictc.read_conllu(DOGS.replace("nsubj", "obj")), by="lemma(S),min(length)")
    assert (none.num_rows, none.column_names) == (
        0,
        ["lemma(S)", "matches", "share", "per_million_words", "min(length)"],
    )
    with pytest.raises(fictc.FilterError, match="FICT775"):
        fictc.count(subject, sentences, by="lema(S)")
    with pytest.raises(TypeError, match=r'by= is a text such as "lemma\(V\),genre", found list'):
        fictc.count(subject, sentences, by=["lemma(S)"])  # type: ignore[arg-type]


def test_pandas_and_polars_read_it(subject: fictc.Filter, sentences: list[fictc.Sentence]) -> None:
    table = fictc.count(subject, sentences, by="lemma(S)")
    assert hasattr(table, "__arrow_c_stream__")  # polars.from_arrow, and any other reader of Arrow
    pandas = pytest.importorskip("pandas")
    assert list(pandas.DataFrame(table.to_pandas())["lemma(S)"]) == ["cat", "dog"]


def test_counts_have_the_documents_of_the_sentences(subject: fictc.Filter, tmp_path: Path) -> None:
    block = "1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    in_documents = fictc.read_conllu(f"# newdoc id = a\n{block}{block}# newdoc id = b\n{block}")
    sentences = [*in_documents[1:], *fictc.read_conllu(block), *in_documents[:1]]
    documents = Counter(match.sentence.doc or "_" for match in fictc.match(subject, sentences))
    assert documents == {"a": 2, "b": 1, "_": 1}
    counts = fictc.count(subject, sentences, by="doc").to_pylist()
    assert {row["doc"]: row["matches"] for row in counts} == documents
    with pytest.raises(TypeError, match="expected sentences, as read_conllu returns, found int"):
        fictc.count(subject, [1], by="doc")  # type: ignore[list-item]


def test_a_document_without_an_id_is_counted_as_in_its_file(
    subject: fictc.Filter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    block = "1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    file = tmp_path / "a.conllu"
    file.write_text(f"# newdoc\n{block}{block}# newdoc id = x\n{block}# newdoc\n{block}")
    by_sentence, by_file = (fictc.count(subject, corpus, by="doc") for corpus in (fictc.read_conllu(file), file))
    assert by_sentence.to_pylist() == by_file.to_pylist()
    assert by_file["doc"].to_pylist() == ["a.conllu-1", "a.conllu-4", "x"]


def test_no_sentences_are_a_message_about_the_list(subject: fictc.Filter) -> None:
    with pytest.raises(fictc.FilterError, match="the list has no sentence"):
        fictc.count(subject, [], by="doc")


def test_filters_contain_their_names(subject: fictc.Filter) -> None:
    filters = fictc.compile_text("fict 1 filter subject { match { V -> S } } # as in subject.fict")
    assert "subject" in filters and filters[0] in filters
    assert "object" not in filters and subject not in filters


def test_a_file_that_is_not_utf_8_cannot_be_formatted(tmp_path: Path) -> None:
    (tmp_path / "latin.fict").write_bytes(b"fict 1\n# \xff\n")
    with pytest.raises(fictc.FilterError, match="FICT104") as caught:
        fictc.format(tmp_path / "latin.fict")
    assert caught.value.diagnostics == tuple(fictc.lint(tmp_path / "latin.fict"))
