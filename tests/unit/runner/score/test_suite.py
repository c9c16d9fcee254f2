"""Suites: BLiMP's folder, JSON lines and CSV, limits and paradigms, and what is wrong by file and line."""

import json
import os
from pathlib import Path

import pytest

from runner.errors import InputError
from runner.score import suite_files
from runner.score.any_suite import BY_NAME, open_suite
from runner.score.pair_formats import first_pairs, load_suite
from runner.score.ratings import Rated, Sentences
from runner.score.suite_files import Pair, csv_rows

BLIMP = {
    "sentence_good": "The cats sleep.",
    "sentence_bad": "The cats sleeps.",
    "UID": "agreement",
    "linguistics_term": "subject_verb_agreement",
    "field": "morphology",
    "pairID": "3",
}


def lines(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_blimps_fields_are_read(tmp_path):
    suite = load_suite(lines(tmp_path / "agreement.jsonl", BLIMP))
    assert suite.name == "agreement"
    assert suite.items == [
        Pair("agreement", "subject_verb_agreement", "morphology", 3, "The cats sleep.", "The cats sleeps.")
    ]


def test_prefix_fields_are_read(tmp_path):
    one = {**BLIMP, "one_prefix_prefix": "The cats", "one_prefix_word_good": "sleep", "one_prefix_word_bad": "sleeps"}
    two = {**BLIMP, "pairID": "4", "two_prefix_prefix_good": "Tina", "two_prefix_prefix_bad": "The horse"}
    two["two_prefix_word"] = " revealed"
    first, second = load_suite(lines(tmp_path / "x.jsonl", one, two)).items
    assert (first.prefix_method, first.prefixes, first.words) == ("one_prefix", ("The cats",) * 2, ("sleep", "sleeps"))
    assert (second.prefix_method, second.prefixes) == ("two_prefix", ("Tina", "The horse"))
    assert second.words == (" revealed", " revealed")


def test_a_folder_is_one_suite_in_order_of_names_and_limits_are_of_paradigms(tmp_path):
    folder = tmp_path / "blimp"
    folder.mkdir()
    for name in ("b", "a"):
        lines(folder / f"{name}.jsonl", *({"good": f"{name}{i}", "bad": "x", "paradigm": name} for i in range(5)))
    (folder / "readme.txt").write_text("no suite")
    suite = load_suite(folder, limit=2)
    assert suite.paradigms == ["a", "b"]
    assert [pair.good for pair in suite.items] == ["a0", "a1", "b0", "b1"]
    assert [pair.item for pair in suite.items] == [0, 1, 0, 1]
    assert load_suite(folder, "mine", paradigms=["b"]).paradigms == ["b"]
    assert load_suite(folder, "mine").name == "mine"


def test_a_paradigm_that_is_not_there_is_named_with_the_nearest(tmp_path):
    path = lines(tmp_path / "x.jsonl", BLIMP)
    with pytest.raises(InputError) as error:
        load_suite(path, paradigms=["agrement"])
    diagnostic = error.value.diagnostics[0]
    assert (diagnostic.code, "agreement" in diagnostic.hint) == ("FICT817", True)


def test_csv_with_and_without_paradigms(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('\ufeffgood,bad,paradigm\n"He said, ""no"".",b,p\nc,d,q\ne,f,p\n', encoding="utf-8")
    suite = load_suite(path)
    assert [(p.paradigm, p.item, p.good) for p in suite.items] == [
        ("p", 0, 'He said, "no".'),
        ("p", 1, "e"),
        ("q", 0, "c"),
    ]
    path.write_text("bad,good\nb,a\n", encoding="utf-8")
    assert load_suite(path).items == [Pair("x", "", "", 0, "a", "b")]


def test_only_newlines_end_the_lines_of_a_csv_file(tmp_path):
    (tmp_path / "x.csv").write_text("good,bad\nHe is\x85 here.,He are\x85 here.\nA\u2028b.,A\x0bc.\n", encoding="utf-8")
    assert [(pair.good, pair.bad) for pair in load_suite(tmp_path / "x.csv").items] == [
        ("He is\x85 here.", "He are\x85 here."),
        ("A\u2028b.", "A\x0bc."),
    ]


def test_empty_lines_of_a_csv_file_are_skipped_also_before_the_header(tmp_path):
    (tmp_path / "x.csv").write_text("\n\r\ngood,bad\n\na,b\n\n", encoding="utf-8")
    assert [(pair.good, pair.bad) for pair in load_suite(tmp_path / "x.csv").items] == [("a", "b")]
    rows = list(csv_rows(tmp_path / "x.csv", "\ngood,bad\n\na,b\n", ("good", "bad")))
    assert [(row.line, row.text) for row in rows] == [(2, "good,bad\n"), (4, "a,b\n")]


def test_numbers_that_do_not_tell_pairs_apart_are_replaced(tmp_path):
    records = ({**BLIMP, "pairID": number} for number in ("7", "7", "x"))
    assert [pair.item for pair in load_suite(lines(tmp_path / "x.jsonl", *records)).items] == [0, 1, 2]


def test_a_line_separator_inside_a_sentence_ends_no_line(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"good": "a\u2028b", "bad": "c"}, ensure_ascii=False) + "\n", encoding="utf-8")
    assert load_suite(path).items[0].good == "a\u2028b"


@pytest.mark.parametrize(
    ("name", "content", "code", "words"),
    [
        ("x.jsonl", '{"good": "a", "bad": "b"}\n{"good": "a"', "FICT812", "line 2"),
        ("x.jsonl", '{"good": "a", "bad": "b"}\n\n{"good": "a", "bad": " "}\n', "FICT812", "line 3"),
        ("x.jsonl", '{"good": "a"}', "FICT812", "unacceptable"),
        ("x.jsonl", "[1]", "FICT812", "object"),
        ("x.csv", "good,wrong\na,b\n", "FICT811", "no column bad"),
        (
            "x.csv",
            "",
            "FICT811",
            "no column good (or sentence_good) and no column bad (or sentence_bad); it has no columns",
        ),
        ("x.csv", "good,bad\na,b\nc,\n", "FICT812", "line 3"),
        ("x.csv", "\n\n", "FICT811", "it has no columns"),
        ("x.csv", "\ngood,bad\na,b\nc,\n", "FICT812", "line 4"),
        ("x.csv", "good,bad\na\x85b,c\u2028d\nc,\n", "FICT812", "line 3"),
        ("x.csv", 'good,bad\na,"b\n', "FICT812", "line 2"),
        ("x.csv", "good,bad\nHe came, I think.,He come.\n", "FICT812", "more cells than the header"),
        ("x.csv", "good,bad\na,b\nc,d,\n", "FICT812", "line 3"),
        ("x.csv", '"good,bad\n', "FICT812", "line 1"),
        ("x.csv", "good,bad\n", "FICT811", "it contains no pair"),
        ("x.csv", "good,bad,good\na,b,c\n", "FICT811", "it has two columns good"),
        ("x.csv", "good,bad,paradigm,paradigm\na,b,p,q\n", "FICT811", "it has two columns paradigm"),
        ("x.jsonl", "\n", "FICT811", "it contains no pair"),
        ("x.jsonl", '{"good": ["a", "b"], "bad": "b"}', "FICT812", "its `good` is not a string"),
        ("x.jsonl", '{"good": "a", "bad": "b", "UID": ["p"]}', "FICT812", "its `UID` is not a string"),
        ("x.jsonl", '{"good": "a", "bad": "b", "UID": true}', "FICT812", "its `UID` is not a string"),
        ("x.jsonl", '{"good": "a", "bad": "b", "two_prefix_word": 1}', "FICT812", "`two_prefix_word`"),
        ("x.csv", "good,sentence_good,bad\na,b,c\n", "FICT811", "it has two columns good and sentence_good"),
        ("x.csv", "good;wrong\na;b\n", "FICT811", "its columns are good, wrong"),
        ("x.csv", "good;bad\na;b;c\n", "FICT812", "quote cells that contain semicolons"),
        ("x.jsonl", '{"good_sentence": "a"}', "FICT812", "whose key is `sentence_good` or `good`"),
        ("x.jsonl", '{"good_sentence": "a"}', "FICT812", "the keys of the line are `good_sentence`"),
        ("x.jsonl", '{"good": "a", "bad": "b", "good": "c"}', "FICT812", "the key `good` twice"),
        ("x.txt", "a b", "FICT811", ".txt"),
        ("x.jsonl", b"\xff\xfe", "FICT811", "it is UTF-16, not UTF-8"),
        ("x.csv", "good,bad\na,b\n".encode("utf-16"), "FICT811", "it is UTF-16, not UTF-8"),
        ("x.csv", "good,bad\na,b\n".encode("utf-16-le"), "FICT811", "it is UTF-16, not UTF-8"),
        ("x.csv", b"good,bad\na,caf\xe9\n", "FICT811", "the byte 0xE9 is not UTF-8 (line 2, byte 6)"),
    ],
)
def test_mistakes_are_named_by_file_and_line(tmp_path, name, content, code, words):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as error:
        load_suite(path)
    diagnostic = error.value.diagnostics[0]
    assert diagnostic.code == code
    assert words in diagnostic.message
    if code == "FICT812":
        line, _ = diagnostic.source.position(diagnostic.span.start)
        assert f"line {line} of" in diagnostic.message
        assert diagnostic.source.text[diagnostic.span.start : diagnostic.span.end] == content.split("\n")[line - 1]
    assert str(path) in diagnostic.message


@pytest.mark.parametrize("content", ["x" * 200_000 + ",y\n", 'good,"bad\n' + "a,b\n" * 50_000])
def test_a_header_that_is_no_csv_is_refused_with_its_line(tmp_path, content):
    (tmp_path / "x.csv").write_text(content)
    assert not BY_NAME["preference"].claims(tmp_path / "x.csv")
    with pytest.raises(InputError) as error:
        open_suite(tmp_path / "x.csv")
    assert error.value.diagnostics[0].code == "FICT812"


def test_empty_lines_may_precede_the_header_of_any_csv_suite(tmp_path):
    (tmp_path / "rated.csv").write_text("\nsentence,rating\nDogs bark.,5\n")
    assert isinstance(open_suite(tmp_path / "rated.csv"), Sentences)
    (tmp_path / "datives.csv").write_text("\r\n\nfirst,second\na,b\n")
    assert BY_NAME["preference"].claims(tmp_path / "datives.csv")


def test_no_file_and_an_empty_folder_are_named(tmp_path):
    for path in (tmp_path / "nothing", tmp_path):
        with pytest.raises(InputError) as error:
            load_suite(path)
        assert error.value.diagnostics[0].code == "FICT811"


def test_an_empty_file_among_others_is_named(tmp_path):
    lines(tmp_path / "a.jsonl", BLIMP)
    (tmp_path / "b.jsonl").touch()
    with pytest.raises(InputError, match=r"b\.jsonl cannot be read: it contains no pair"):
        load_suite(tmp_path)


def test_numbers_may_name_paradigms_and_items(tmp_path):
    (pair,) = load_suite(lines(tmp_path / "x.jsonl", {**BLIMP, "UID": 5, "pairID": 7})).items
    assert (pair.paradigm, pair.item) == ("5", 7)


@pytest.mark.shared
def test_blimp_itself(data):
    suite = load_suite(data / "blimp")
    assert (len(suite.items), len(suite.paradigms)) == (67_000, 67)
    assert sum(pair.good == pair.bad for pair in suite.items) == 7
    methods = {}
    for pair in suite.items:
        methods.setdefault(pair.prefix_method, set()).add(pair.paradigm)
    assert (len(methods["one_prefix"]), len(methods["two_prefix"])) == (20, 20)


@pytest.mark.parametrize(
    "name", ["gym.json", "pairs.csv", "a.jsonl", "plain.txt", "folder/a.jsonl", "gym/a.json", "msr/test_output.t3.tsv"]
)
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), Path.mkdir])
def test_what_is_no_regular_file_is_refused_at_once(tmp_path, name, make):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    make(path)
    with pytest.raises(InputError) as caught:
        open_suite(path if path.parent == tmp_path else path.parent)
    assert caught.value.diagnostics[0].code == "FICT811"


@pytest.mark.parametrize("names", ["good{0}bad{0}paradigm", "sentence_good{0}sentence_bad{0}UID"])
@pytest.mark.parametrize(("delimiter", "suffix"), [(",", ".csv"), (";", ".csv"), ("\t", ".csv"), ("\t", ".tsv")])
def test_tables_have_either_names_and_any_delimiter(tmp_path, names, delimiter, suffix):
    path = tmp_path / f"x{suffix}"
    path.write_text(f"{names.format(delimiter)}\na b{delimiter}c{delimiter}p\n", encoding="utf-8")
    assert load_suite(path).items == [Pair("p", "", "", 0, "a b", "c")]
    alternants = tmp_path / f"y{suffix}"
    alternants.write_text(f"first{delimiter}second\na{delimiter}b\n", encoding="utf-8")
    assert BY_NAME["preference"].claims(alternants)
    assert BY_NAME["preference"].open(alternants).items == [Pair("y", "", "", 0, "a", "b")]
    rated = tmp_path / f"z{suffix}"
    rated.write_text(f"rating{delimiter}sentence\n1.5{delimiter}a b\n", encoding="utf-8")
    assert open_suite(rated).items == [Rated("a b", 1.5)]


def test_a_folder_is_read_with_the_folders_below_it_and_tables(tmp_path):
    folder = tmp_path / "suite"
    (folder / "below").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    lines(folder / "b.jsonl", {"good": "b", "bad": "x"})
    lines(folder / "below" / "c.jsonl", {"good": "c", "bad": "x"})
    lines(folder / ".hidden" / "d.jsonl", {"good": "d", "bad": "x"})
    (folder / "a.csv").write_text("good,bad\na,x\n", encoding="utf-8")
    (folder / "about.json").write_text("{}")
    (folder / "loop").symlink_to(folder)
    assert load_suite(folder).paradigms == ["a", "b", "c"]
    assert [pair.good for pair in first_pairs(folder)] == ["a", "b", "c"]
    lines(folder / "below" / "b.jsonl", {"good": "e", "bad": "x"})
    with pytest.raises(InputError, match=r"b\.jsonl and below/b\.jsonl would be one paradigm, b"):
        load_suite(folder)


def test_folders_of_tables_of_every_kind_are_read(tmp_path):
    for kind, header in (("alternants", "first,second"), ("rated", "sentence,rating")):
        (tmp_path / kind / "below").mkdir(parents=True)
        (tmp_path / kind / "a.csv").write_text(f"{header}\na,1\n", encoding="utf-8")
        (tmp_path / kind / "below" / "b.tsv").write_text(f"{header}\nb,2\n".replace(",", "\t"), encoding="utf-8")
    assert BY_NAME["preference"].claims(tmp_path / "alternants")
    assert BY_NAME["preference"].open(tmp_path / "alternants").paradigms == ["a", "b"]
    assert open_suite(tmp_path / "rated").items == [Rated("a", 1.0), Rated("b", 2.0)]


@pytest.mark.parametrize("other", ["a.csv", "a.json"])
def test_a_folder_of_several_kinds_is_refused(tmp_path, other):
    lines(tmp_path / "b.jsonl", {"good": "b", "bad": "x"})
    (tmp_path / other).write_text(json.dumps({"predictions": []}) if other == "a.json" else "sentence\na\n")
    with pytest.raises(InputError, match=r"\(a\.(csv|json)\) and minimal pairs \(b\.jsonl\)"):
        open_suite(tmp_path)


def test_a_folder_of_too_many_files_is_no_suite(tmp_path, monkeypatch):
    monkeypatch.setattr(suite_files, "MAX_ENTRIES", 1)
    lines(tmp_path / "a.jsonl", {"good": "a", "bad": "x"})
    lines(tmp_path / "b.jsonl", {"good": "b", "bad": "x"})
    with pytest.raises(InputError, match="more than 1 files and folders"):
        open_suite(tmp_path)
