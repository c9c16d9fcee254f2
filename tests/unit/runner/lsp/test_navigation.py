from pathlib import Path

import pytest

from fictdsl.compiler import compile_file
from fictdsl.installation import shipped
from runner.lsp.documents import Documents
from runner.lsp.navigation import RefusedError, definition, document_references, references, rename, symbols
from tests.support.documents import marked, snapshot

TEXT = """fict 1
list words = {a, b}
pattern p(A, B) { A -> B  B[lemma in @words] }
filter f-one for n in {Sing, Plur} {
  about "Number is $n, not $nn."
  match {
    X[Number = $n] -> Y
    without { Z -> Y  Z < X }
    without { Y -> Z }
    either { X -> W } or { W -> X }
    either { X < V } or { p(X, _) }
    p(X, Y)
    X.Person = Y.Person
  }
  count span(X, Y)
}
"""


def marks(text: str, spans) -> list[str]:
    """The lines, from 1, and words of some places."""
    return [f"{text.count(chr(10), 0, span.start) + 1}:{text[span.start : span.end]}" for span in spans]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("¦X[Number", ["7:X", "8:X", "10:X", "10:X", "11:X", "11:X", "12:X", "13:X", "15:X"]),
        ("without { ¦Z -> Y  Z", ["8:Z", "8:Z"]),
        ("{ Y -> ¦Z", ["9:Z"]),
        ("¦W } or", ["10:W", "10:W"]),
        ("¦V }", ["11:V"]),
        ("p(¦A, B) {", ["3:A", "3:A"]),
        ("@¦words", ["2:words", "3:words"]),
        ("@wor¦ds", ["2:words", "3:words"]),
        ("¦p(X, Y)", ["3:p", "11:p", "12:p"]),
        ("for ¦n in", ["4:n", "5:n", "7:n"]),
        ("f-¦one", ["4:f-one"]),
        ("¦about", []),
    ],
)
def test_a_name_is_found_wherever_it_means_the_same(where, expected):
    start = TEXT.index(where.replace("¦", "")) + where.index("¦")
    it = snapshot(TEXT)
    assert marks(TEXT, document_references(it, start)) == expected
    if expected:
        found = definition(Documents(), it, start)
        assert marks(TEXT, [found.span]) == expected[:1]


def test_a_parameter_and_a_counted_node_are_introduced_before_their_block():
    text = "fict 1 pattern p(A) { A -> B } filter f { match { V  at least 2 C { V -> C } } }"
    assert definition(Documents(), snapshot(text), text.index("A ->")).span.start == text.index("A)")
    assert definition(Documents(), snapshot(text), text.index("C }")).span.start == text.index("C {")


def project(folder: Path) -> tuple[Documents, Path]:
    (folder / "fictc.toml").touch()
    (folder / "words.txt").write_text("a\n")
    (folder / "lists.fict").write_text('fict 1\nlist words = file "words.txt"\npattern p(N) { N[lemma in @words] }\n')
    (folder / "sub").mkdir()
    one = 'fict 1\nuse "../lists.fict"\nfilter one { match { N[lemma in @words] p(N) } }\n'
    (folder / "sub" / "one.fict").write_text(one)
    (folder / "own.fict").write_text("fict 1\nlist words = {x}\nfilter own { match { N[lemma in @words] } }\n")
    documents = Documents()
    return documents, folder / "sub" / "one.fict"


def opened(documents: Documents, path: Path):
    documents.open(path.as_uri(), path, path.read_text())
    return documents.snapshot(path.as_uri())


def test_a_name_of_another_file_is_found_there_and_in_every_file_that_uses_it(tmp_path):
    documents, path = project(tmp_path)
    it = opened(documents, path)
    at = it.document.text.index("words]")
    found = definition(documents, it, at)
    assert (found.uri, marks(found.document.text, [found.span])) == ((tmp_path / "lists.fict").as_uri(), ["2:words"])
    places = references(documents, it, at)
    assert [(Path(place.uri).name, *marks(place.document.text, [place.span])) for place in places] == [
        ("one.fict", "3:words"),
        ("lists.fict", "2:words"),
        ("lists.fict", "3:words"),
    ]
    for written, name in (("../lists", "lists.fict"), ("words.txt", "words.txt")):
        holder = it if written != "words.txt" else opened(documents, tmp_path / "lists.fict")
        assert Path(definition(documents, holder, holder.document.text.index(written)).uri).name == name


def test_a_name_that_is_taken_misspelt_or_partly_unknown_is_refused(tmp_path):
    documents, path = project(tmp_path)
    it = opened(documents, path)
    pattern, node = it.document.text.index("p(N)"), it.document.text.index("N[")
    for at, new, why in (
        (pattern, "1p", "is not a pattern name"),
        (pattern, "match", "is a reserved word"),
        (node, "a-b", "is not a node name"),
        (it.document.text.index("one {"), "One", "is not a filter name"),
        (0, "x", "there is no name here"),
        (it.document.text.index("../"), "x", "there is no name here"),
    ):
        with pytest.raises(RefusedError, match=why):
            rename(documents, it, at, new)
    (tmp_path / "lists.fict").write_text((tmp_path / "lists.fict").read_text() + "list taken = {}\n")
    documents.discard_analyses()
    with pytest.raises(RefusedError, match="already has a list `taken`"):
        rename(documents, documents.snapshot(path.as_uri()), it.document.text.index("words]"), "taken")
    (tmp_path / "broken.fict").write_text('fict 1\nuse "lists.fict"\nfilter b { match { N[lemma in @words } }\n')
    with pytest.raises(RefusedError, match=r"broken\.fict has syntax errors"):
        rename(documents, it, it.document.text.index("words]"), "fresh")
    assert rename(documents, it, node, "fresh")


def test_a_new_name_of_a_node_must_not_be_one_of_its_filter():
    it = snapshot(TEXT)
    with pytest.raises(RefusedError, match="already has a node `Z`"):
        rename(Documents(), it, TEXT.index("X["), "Z")
    assert rename(Documents(), it, TEXT.index("X["), "A")
    assert rename(Documents(), it, TEXT.index("X["), "X")


def test_a_filter_and_a_rewrite_cannot_have_one_name():
    text = "fict 1\nfilter one { match { A -> B } }\nrewrite two { match { A -> B } reverse subtree(A) }"
    it = snapshot(text)
    with pytest.raises(RefusedError, match="already has a rewrite `two`"):
        rename(Documents(), it, text.index("one"), "two")
    with pytest.raises(RefusedError, match="already has a filter `one`"):
        rename(Documents(), it, text.index("two"), "one")


def test_the_outline_lists_what_has_a_name():
    text, _ = marked('fict 1 use "x" list l = {} pattern p(A, B) { A -> B } filter f { about "why" match { N } }¦')
    assert [(item.name.text, about) for item, about in symbols(snapshot(text))] == [
        ("l", ""),
        ("p", "(A, B)"),
        ("f", "why"),
    ]


@pytest.mark.parametrize(
    "path", sorted(shipped("filters").rglob("*.fict")), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_no_new_name_changes_what_a_shipped_filter_means(path, tmp_path):
    """Every name of the file in turn is called otherwise, in every file: filters keep their keys, lint stays silent."""
    documents = Documents()
    documents.open("it", path, path.read_text(encoding="utf-8"))
    it = documents.snapshot("it")
    before = {compiled.key for compiled in compile_file(path).filters}
    renamed = 0
    for one in {one.definition_key: one for one in it.occurrences}.values():
        if one.kind in ("file", "filter", "rewrite"):
            continue
        text = it.document.text
        for place in sorted(
            rename(documents, it, one.span.start, "brand_new"), key=lambda place: place.span, reverse=True
        ):
            if place.uri == "it":
                text = text[: place.span.start] + "brand_new" + text[place.span.end :]
        changed = documents.with_text(it, text)
        if one.path == it.path:
            assert {compiled.key for compiled in changed.compilation.filters} == before
            assert changed.compilation.errors == ()
            renamed += 1
        else:
            assert {problem.code for problem in changed.compilation.errors} <= {"FICT201", "FICT202"}
    assert renamed > 0 or all(one.kind in ("file", "filter", "rewrite") for one in it.occurrences)
