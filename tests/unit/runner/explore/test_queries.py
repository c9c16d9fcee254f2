"""What the page asks, answered in this process."""

from __future__ import annotations

import csv
import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fictdsl.installation import filter_library
from fictdsl.lint.engine import lint_module  # noqa: F401 - registers the rules
from runner.audit.estimates import audit_of
from runner.audit.sheet import JUDGEMENTS, StratumSize, read_sheet
from runner.audit.strata import draw, make_sheets, partition
from runner.corpus.limits import Limits
from runner.corpus.matches import match
from runner.errors import InputError
from runner.explore import audits, counting, language, matches
from runner.explore import query as settings
from runner.explore.markup import VIEWS
from runner.explore.query import Query
from tests.support import corpora
from tests.support.reading import tree

HOSTILE = "<script>alert(1)</script>\"'&amp;"
SUBJECT = Query("V -[nsubj]-> S")


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    sentences = [
        tree("dogs NOUN 2 nsubj feats=Number=Plur lemma=dog\nbark VERB 0 root\ncats NOUN 2 obj", "sent_id = one"),
        tree("the DET 2 det\ncat NOUN 0 root", "sent_id = two"),
        tree(f"=cmd NOUN 2 nsubj lemma=={HOSTILE}\n{HOSTILE} VERB 0 root lemma={HOSTILE}", f"sent_id = {HOSTILE}"),
    ]
    made = corpora.store(tmp_path, corpora.conllu(sentences), f"{HOSTILE.replace('/', '')}.conllu")
    settings.prepare(settings.ExplorerSettings((made.path,), tuple(filter_library()), Limits(timeout=60)))


def found(query: Query, view: str = "kwic") -> matches.RangeResult:
    sids = range(matches.plan_search(0, query).ends[-1])
    return matches.search_range(0, query, sids, view, 0, 50, 10)


def parsed(html: str) -> ElementTree.Element:
    """Parse markup; text that is not escaped makes it invalid, or adds elements."""
    return ElementTree.fromstring(f"<table>{html}</table>")


def test_a_changed_file_of_a_query_is_read_again(tmp_path: Path) -> None:
    query = Query('fict 1\nlist verbs = file "verbs.txt"\nfilter a { match { V[lemma in @verbs] } }', tmp_path)
    with pytest.raises(InputError, match="FICT140"):
        query.filter  # noqa: B018
    (tmp_path / "verbs.txt").write_text("bark\n", encoding="utf-8")
    first = query.filter
    with pytest.raises(InputError):
        Query("V -[nsubj]->", tmp_path).filter  # noqa: B018
    assert query.filter is first
    (tmp_path / "verbs.txt").write_text("bark\nsleep\n", encoding="utf-8")
    assert query.filter.key != first.key


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("give", "give[lemma = give]"),
        ("give\nme", "give[lemma = give] < me[lemma = me]"),
        ("contains; Grew", "contains[lemma = contains] < Grew[lemma = Grew]"),
    ],
)
def test_names_alone_are_noted_once_with_the_query_for_the_words(text: str, query: str) -> None:
    (note,) = language.analyse(Query(text)).problems
    assert "name" in note.message and note.message.endswith(f"`{query}`")
    assert note.fixes == [(note.fixes[0][0], (0, 0), note.end, query)]
    assert language.analyse(Query(query)).problems == [] and Query(query).filter
    for other in (f"{text}\nV:VERB", "_", f"fict 1\nfilter a {{ match {{ {text} }} }}"):
        assert not [each for each in language.analyse(Query(other)).problems if each.code == ""]


MARKED = [audits.Mark(2, {"V": 2, "S": 1}, "n"), audits.Mark(0, {"V": 2, "S": 1}, "y")]


def test_the_sheet_of_marks_is_the_sheet_of_an_audit_of_the_matches_alone(tmp_path: Path) -> None:
    text = audits.sheet_of_marks(0, Query("V -[nsubj]-> S\nV:VERB"), "random:1", MARKED)
    path = tmp_path / "marks.csv"
    path.write_text(text, encoding="utf-8")
    sheet = read_sheet(path)
    assert (sheet.filter, sheet.corpus, sheet.seed) == ("V -[nsubj]-> S V:VERB", "store", 1)
    assert [(row.number, row.judgement, row.sentence) for row in sheet.rows] == [
        (3, "n", f"=cmd {HOSTILE}"),
        (1, "y", "dogs bark cats"),
    ]
    assert f"'=cmd {HOSTILE}" in next(csv.reader([text.splitlines()[1]]))  # no formula of a spreadsheet
    assert sheet.rows[1].highlighted == "dogs:1 bark:2"
    assert sheet.strata == {"matches": StratumSize(2, 2, 5)}
    assert audit_of([sheet]).estimates.precision.value == 0.5


@pytest.mark.parametrize("mark", [(9, {"V": 1}), (0, {"V": 9}), (0, {"X": 1})])
def test_the_sheet_of_marks_is_checked(mark: tuple[int, dict[str, int]]) -> None:
    with pytest.raises(InputError, match="FICT853"):
        audits.sheet_of_marks(0, SUBJECT, "random:1", [audits.Mark(*mark, "y")])


@pytest.mark.parametrize(("sort", "marks"), [("", MARKED), ("left", MARKED), ("random:1", [])])
def test_only_matches_in_random_order_are_a_sheet(sort: str, marks: list[audits.Mark]) -> None:
    with pytest.raises(InputError, match="FICT853"):
        audits.sheet_of_marks(0, SUBJECT, sort, marks)


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    corpus = settings.store_of(0)
    draws = draw(corpus, SUBJECT.filter, partition(corpus, SUBJECT.filter).strata, 20, 0)
    path = tmp_path / "sheet.csv"
    path.write_text(make_sheets(corpus, SUBJECT.filter, draws, "store", 0, 1)[0].text(), encoding="utf-8")
    return path


def test_rows_of_an_audit_are_escaped_and_hide_their_strata(sheet: Path) -> None:
    page = audits.audit_page(sheet, 0, 0)
    root = parsed(page.html)
    rows = list(root.iter("tr"))
    assert (page.rows, page.judgements, len(rows)) == (3, {}, 3)
    assert not list(root.iter("script"))
    assert not re.search("matches|others", page.html)
    places = [row.get("data-sid") for row in rows]
    assert places == [str(row.number - 1) for row in read_sheet(sheet).rows]
    assert audits.audit_page(sheet, 0, 2).html.count("<tr ") == 1


def test_each_judgement_is_saved_in_any_order(sheet: Path) -> None:
    before = read_sheet(sheet)
    for count, (index, judgement) in enumerate(zip((2, 0, 1), JUDGEMENTS, strict=True), 1):
        assert audits.judge(sheet, index, judgement) == count
    assert audits.audit_page(sheet, 0, 0).judgements == {0: "n", 1: "?", 2: "y"}
    assert audits.judge(sheet, 2, None) == 2
    assert read_sheet(sheet) == before.judge(0, "n").judge(1, "?")
    with pytest.raises(InputError, match="FICT853"):
        audits.judge(sheet, 3, "y")


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_escapes_the_corpus(view: str) -> None:
    result = found(SUBJECT, view)
    assert (result.matches, result.sentences, result.rows) == (2, 2, 2)
    root = parsed(result.html)
    assert not list(root.iter("script"))
    text = re.sub(r"\s+", "", "".join(root.itertext()))
    assert "<script>alert(1)</script>" in text and "dogs" in text


def test_a_row_in_context_marks_the_bound_words() -> None:
    row = parsed(found(SUBJECT).html)[0]
    assert row.attrib["data-match"] == "V:2 S:1" and row.attrib["data-sid"] == "0"
    assert "".join(row[2].itertext()).split() == ["dogsS", "barkV"]


def clauses_of(html: str) -> list[str]:
    """Return the clauses of the buttons, as a browser reads them; XML would join lines."""
    assert not list(parsed(html).iter("script"))
    return [unescape(clause) for clause in re.findall(r'data-clause="([^"]*)"', html)]


def test_pages_skip_matches() -> None:
    sids = range(matches.plan_search(0, Query("X")).ends[-1])
    rows = [matches.search_range(0, Query("X"), sids, "text", skip, 3, 0) for skip in (0, 3, 6)]
    assert [each.rows for each in rows] == [3, 3, 1]
    assert all(each.matches == 7 and each.kept is None for each in rows)
    assert [row.attrib["data-match"] for each in rows for row in parsed(each.html)] == [
        f"X:{number}" for number in (1, 2, 3, 1, 2, 1, 2)
    ]


def test_sorted_rows() -> None:
    html = matches.search_sorted_page(0, Query("X:NOUN"), "form(X)", "text", 0, 50)
    assert ["".join(b.itertext()) for b in parsed(html).iter("b")] == ["=cmdX", "catX", "catsX", "dogsX"]


def test_absent_labels_are_noted() -> None:
    (note,) = matches.plan_search(0, Query("X[Mood = Ind]")).notes
    assert note.startswith("query tests Mood, which no word of this corpus has")


def test_a_word_offers_clauses_that_the_query_lacks() -> None:
    html = matches.word_columns(0, SUBJECT, 0, {"V": 2, "S": 1}, 1)
    clauses = clauses_of(html)
    assert clauses == ["S:NOUN", 'S[lemma = "dog"]', "S[Number = Plur]"]
    for clause in clauses:
        longer = Query(f"{SUBJECT.text}\n{clause}")
        assert clauses_of(matches.word_columns(0, longer, 0, {"V": 2, "S": 1}, 1)) == [
            each for each in clauses if each != clause
        ]


def test_clauses_of_hostile_words_compile() -> None:
    html = matches.word_columns(0, SUBJECT, 2, {"V": 2, "S": 1}, 2)
    tests = [clause for clause in clauses_of(html) if "lemma" in clause]
    assert len(tests) == 1
    query = Query(f"{SUBJECT.text}\n{tests[0]}")
    assert match(settings.store_of(0), query.filter).column("sid").to_pylist() == [2]


def test_new_words_get_new_names() -> None:
    assert matches.relation_at(0, SUBJECT, 0, {"V": 2, "S": 1}, 3).text == "V -[obj]-> W1"
    assert matches.relation_at(0, Query("W1:VERB"), 0, {}, 3).text == "W2 -[obj]-> W3"
    root = matches.relation_at(0, SUBJECT, 0, {"V": 2, "S": 1}, 2)
    assert root == matches.Clause(note="A root has no head.")


def test_a_word_without_a_name_has_the_same_new_name_in_all_clauses() -> None:
    clauses = clauses_of(matches.word_columns(0, Query("the"), 1, {}, 1))
    assert clauses == ["W1:DET", 'W1[lemma = "the"]', "W2 -[det]-> W1"]


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("fict 1\nfilter a { match {\nX:NOUN } }\nfilter b { match { Y:VERB\n} }", None, "X:NOUN ^} }"),
        ("fict 1\nfilter a { match {\nX:NOUN } }\nfilter b { match { Y:VERB\n} }", "b", "^} }"),
        ("# in this match {\nfict 1\nfilter a { match { X:NOUN } }", None, "filter a { match { X:NOUN ^} }"),
        ('fict 1\nfilter a { match { X[form = "}😀"] } }', None, 'filter a { match { X[form = "}😀"] ^} }'),
        ("fict 1\nfilter a { match { X # a { here\n} remove sentence }", None, "^} remove sentence }"),
        ("fict 1\nrewrite a { match { X without { X -> Y } } delete node(X) }", None,
         "rewrite a { match { X without { X -> Y } ^} delete node(X) }"),
    ],
)  # fmt: skip
def test_a_match_ends_at_its_own_brace(text: str, name: str | None, line: str) -> None:
    end = language.match_end(Query(text, None, name))
    assert end is not None
    units = text.split("\n")[end[0]].encode("utf-16-le")
    assert f"{units[: 2 * end[1]].decode('utf-16-le')}^{units[2 * end[1] :].decode('utf-16-le')}" == line


def test_the_body_of_a_match_has_no_end() -> None:
    assert language.match_end(Query("V -[")) is None
    with pytest.raises(InputError, match="FICT1"):
        language.match_end(Query("fict 1\nfilter a { match { V -[ } }"))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("V -[nsubj]-> S", 1),
        ("S:NOUN <-[nsubj]- V", 1),
        ("V:VERB; V -[nsubj]-> S -[det]-> D", 1),
        ("V -[nsubj]-> S\nV -[obj]-> W1", 3),  # added by a first click, before the new matches are there
        ("fict 1 filter f { match { V -[nsubj]-> S } }", 1),
    ],
)
def test_a_relation_of_the_query_is_not_added_again(text: str, word: int) -> None:
    assert matches.relation_at(0, Query(text), 0, {"V": 2, "S": 1}, word).note == "The query has this relation already."


@pytest.mark.parametrize("text", ["V -[nsubj:pass]-> S", "V -> S", "V\nwithout { V -[nsubj]-> X }\nS", "V << S"])
def test_another_relation_is_added(text: str) -> None:
    assert matches.relation_at(0, Query(text), 0, {"V": 2, "S": 1}, 1).text == "V -[nsubj]-> S"


def test_drawings() -> None:
    opened = matches.open_match(0, 2, {"V": 2, "S": 1})
    assert not list(parsed(opened.arcs + opened.tree).iter("script"))
    assert not list(ElementTree.fromstring(opened.svg).iter("{http://www.w3.org/2000/svg}script"))
    drawn = next(parsed(opened.arcs).iter("div"))
    labels = [text.text for text in drawn.iter("text") if "label" in text.attrib["class"]]
    by_dependent = dict(zip(drawn.attrib["data-deps"].split(), labels, strict=True))
    assert by_dependent == {"1": "nsubj", "2": "root"}


def test_counts_and_their_clauses() -> None:
    counted = counting.count_by(0, SUBJECT, "lemma(S)")
    for clause in clauses_of(counted.html):
        query = Query(f"{SUBJECT.text}\n{clause}")
        assert match(settings.store_of(0), query.filter).num_rows == 1
    assert counted.csv.splitlines()[0] == "lemma(S),matches,share,per_million_words"
    assert "dog,1,0.500000,142857.143" in counted.csv
    assert "'=<script>" in counted.csv.replace('"', "")  # a spreadsheet would compute it


def test_several_keys() -> None:
    counted = counting.count_by(0, SUBJECT, "upos(V),deprel(S)")
    (clause,) = clauses_of(counted.html)
    assert clause == "V:VERB\nS[deprel == nsubj]"
    assert match(settings.store_of(0), Query(f"{SUBJECT.text}\n{clause}").filter).num_rows == 2


def test_tabs_of_a_query() -> None:
    near = parsed(matches.near_misses(0, Query("V -[nsubj]-> S[Number = Plur]")))
    assert "1 sentence, all clauses except S[Number = Plur]" in ["".join(each.itertext()) for each in near.iter("h3")]
    assert "S depends on V as nsubj" in matches.explanation(SUBJECT)
    assert "2 of 3 sentences match (66.67%)" in matches.plan(0, SUBJECT)
    different = parsed(matches.difference(0, SUBJECT, Query("V -[nsubj]-> S[Number = Plur]")))
    assert ["".join(each.itertext()) for each in different.iter("h3")] == [
        "0 sentences, gained: only the second query matches",
        "1 sentence, lost: only the first query matches",
    ]
    assert "equal up to names" in matches.difference(0, SUBJECT, Query("A -[nsubj]-> B"))


@pytest.mark.parametrize("kind", matches.FORMATS)
def test_exports(kind: str) -> None:
    text = matches.export(0, SUBJECT, kind)
    assert "dogs" in text and "the cat" not in text
    if kind == "html":
        assert "<script>alert" not in text
    if kind == "conllu":
        assert text.count("# match = V:2 S:1") == 2


def test_errors_of_a_query_are_mistakes() -> None:
    with pytest.raises(InputError, match="FICT"):
        matches.plan_search(0, Query("V -["))
    with pytest.raises(InputError, match="FICT149"):
        matches.plan_search(0, Query('fict 1\nlist a = file "/etc/passwd"\nfilter f { match { X[form in @a] } }'))


def test_a_file_and_its_filters() -> None:
    text = "fict 1\nfilter a { match { X:NOUN } }\nfilter b for n in {Sing, Plur} { match { X[Number = $n] } }\n"
    assert Query(text).filter.name == "a"
    assert Query(text, name="b.Plur").filter.name == "b.Plur"
    assert language.analyse(Query(text)).filters == ["a", "b.Sing", "b.Plur"]


def test_every_file_of_the_library_compiles_where_it_lies() -> None:
    for path in filter_library()[:20]:
        assert Query(path.read_text(encoding="utf-8"), path.parent).filter


def test_diagnostics_are_placed_in_the_body() -> None:
    (problem,) = language.analyse(Query("V -[nsubj]-> S\nS:NOUNN")).problems
    assert (problem.code, problem.start, problem.end) == ("FICT501", (1, 2), (1, 7))
    (problem,) = language.analyse(Query("😀\nV -[nsubj]-> S")).problems[:1]
    assert problem.severity == "error"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("V -[nsubj]->", "found the end of the query, expected a node"),
        ("V -[nsubj]->\n\n", "found the end of the query, expected a node"),
        ("V without { V -> }", "found `}`, expected a node"),
        ("fict 1\nfilter f { match { V -> } }", "found `}`, expected a node"),
    ],
)
def test_the_body_of_a_match_ends_with_the_query(text: str, message: str) -> None:
    assert [problem.message for problem in language.analyse(Query(text)).problems] == [message]
    with pytest.raises(InputError) as mistakes:
        _ = Query(text).filter
    assert [problem.message for problem in mistakes.value.diagnostics] == [message]


def test_an_empty_query_has_no_problems() -> None:
    assert language.analyse(Query(" \n")).problems == []


def test_every_line_is_highlighted() -> None:
    text = 'V -[nsubj]-> S  # a <b>\n\nS[form = "x & y"]'
    lines = language.analyse(Query(text)).lines
    assert ["".join(parsed(line).itertext()) for line in lines] == text.split("\n")


def test_completion_replaces_what_is_typed() -> None:
    offered = language.completions(Query("V:VERB\nV -[nsu"), 1, 7)
    assert offered["start"] == (1, 4)
    assert {"nsubj", "nsubj:pass"} <= {item["insert"] for item in offered["items"]}
    assert all(item["label"].startswith("nsu") for item in offered["items"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("V   -[nsubj]->   S", "V -[nsubj]-> S"),
        ("S<<V\nwithout{V->X}", "S << V\nwithout { V -> X }"),
        ("V -[", None),
        ("fict 1\nfilter a{match{X}}", "fict 1\n\nfilter a {\n  match {\n    X\n  }\n}\n"),
    ],
)
def test_formatting_a_body_or_a_file(text: str, expected: str | None) -> None:
    formatted = language.formatted(Query(text))
    assert formatted == expected
    if formatted is not None:
        assert language.formatted(Query(formatted)) == formatted


def test_a_rewrite_is_shown_before_and_after() -> None:
    text = "fict 1\nrewrite swapped { match { V -[obj]-> O V -[nsubj]-> S } swap node(O) with node(S) }"
    root = parsed(matches.rewritten(0, Query(text)))
    (body,) = root.iter("tbody")
    ((_, before, after),) = body
    texts = ["".join(cell.itertext()) for cell in (before, after)]
    assert all("catsmoved" in text for text in texts)
    assert [text.replace("moved", "").split() for text in texts] == [["dogs", "bark", "cats"], ["cats", "bark", "dogs"]]
    assert "no rewrite" in matches.rewritten(0, SUBJECT)
