"""`fictc show`: the sentences, the marks, the tree, and nothing that a terminal would obey."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from runner.corpus import show
from runner.corpus.import_conllu import import_files
from runner.corpus.sentence_texts import conllu_blocks
from runner.corpus.store import Store
from tests.support import corpora
from tests.support.reading import tree
from tests.unit.runner.cli.conftest import DOGS, Fictc


def test_words_are_marked_with_their_names(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("show", f"{filters}::subject", "--corpus", store)
    assert ended.out == "corpus.conllu:1  dogs/S bark/V cats\ncorpus.conllu:3  cats/S hiss[31m/V\n"
    assert ended.err == "2 of 2 sentences that match\n"


def test_how_many(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("show", f"{filters}::subject", "--corpus", store, "-n", "1")
    assert ended.out.count("\n") == 1
    assert ended.err == "1 of 2 sentences that match\n"


def test_what_does_not_match(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("show", f"{filters}::subject", "--corpus", store, "--not")
    assert ended.out == "corpus.conllu:2  the cat\n"


def test_a_tree(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("show", f"{filters}::subject", "--corpus", store, "--format", "tree", "-n", "1")
    assert ended.out.splitlines() == [
        "corpus.conllu:1  one",
        "dogs/S bark/V cats",
        "  ╭─── dogs/S  NOUN  nsubj",
        "──┼─ bark/V    VERB  root",
        "  ╰─── cats    NOUN  obj",
        "",
    ]


def test_jsonl(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("show", f"{filters}::number.Sing", "--corpus", store, "--format", "jsonl")
    assert json.loads(ended.out) == {
        "filter": "number.Sing",
        "source": "corpus.conllu",
        "number": 2,
        "sent_id": "two",
        "words": [
            {"id": 1, "form": "the", "upos": "DET", "head": 2, "deprel": "det", "space_after": True},
            {"id": 2, "form": "cat", "upos": "NOUN", "head": 0, "deprel": "root", "space_after": True},
        ],
        "matches": [{"N": 2}],
    }


def test_a_choice_by_chance_can_be_repeated(call: Fictc, filters: Path, store: Path) -> None:
    chosen = {call("show", f"{filters}::subject", "-c", store, "-n", "1", "--seed", seed).out for seed in range(20)}
    assert len(chosen) == 2
    again = [call("show", f"{filters}::subject", "-c", store, "-n", "1", "--seed", 7).out for _ in range(2)]
    assert again[0] == again[1]


def test_a_sample_is_a_choice_by_chance(call: Fictc, filters: Path, store: Path) -> None:
    sampled = call("show", f"{filters}::subject", "-c", store, "--sample", "1", "--seed", "3")
    assert sampled.out == call("show", f"{filters}::subject", "-c", store, "-n", "1", "--seed", "3").out
    assert call("show", f"{filters}::subject", "-c", store, "--sample", "1").out.count("\n") == 1


def test_several_filters_have_headings(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("show", f"{filters}::number", "-c", store)
    assert ended.out.splitlines() == [
        "number.Sing  1 of 1 sentences that match",
        "corpus.conllu:2  the cat/N",
        "",
        "number.Plur  2 of 2 sentences that match",
        "corpus.conllu:1  dogs/N bark cats",
        "corpus.conllu:3  cats/N hiss[31m",
    ]
    assert ended.err == ""


def test_conllu_keeps_the_bytes_and_says_what_matched(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("show", f"{filters}::subject", "-c", store, "--format", "conllu")
    assert "# sent_id = one\n# text = dogs bark cats\n# filter = subject\n# match = V:2 S:1\n1\tdogs" in ended.out
    kept = [line for line in ended.out.splitlines(True) if not line.startswith(("# filter =", "# match ="))]
    whole = list(conllu_blocks(Store.open(store)))
    assert "".join(kept) == whole[0] + whole[2]


def test_conllu_with_the_line_ends_of_its_file(call: Fictc, filters: Path, tmp_path: Path) -> None:
    text = "1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n".replace("\n", "\r\n")
    store = corpora.store(tmp_path / "windows", text).path
    out = tmp_path / "out.conllu"
    call("show", f"{filters}::subject", "-c", store, "--format", "conllu", "--output", out)
    assert out.read_bytes().decode() == f"# filter = subject\r\n# match = V:2 S:1\r\n{text}"


def test_tsv_has_a_row_for_each_match(call: Fictc, filters: Path, store: Path) -> None:
    rows = [line.split("\t") for line in call("show", filters, "-c", store, "--format", "tsv").out.splitlines()]
    assert {len(row) for row in rows} == {len(rows[0])} == {17}
    first = dict(zip(rows[0], rows[1], strict=True))
    assert first["filter"] == "subject"
    assert (first["V"], first["V.form"], first["S"], first["S.deprel"], first["N"]) == ("2", "bark", "1", "nsubj", "")
    assert [row[0] for row in rows[1:]] == ["subject"] * 2 + ["number.Sing"] + ["number.Plur"] * 2


def test_a_drawing_and_a_folder_of_them(call: Fictc, filters: Path, store: Path, tmp_path: Path) -> None:
    ended = call("show", f"{filters}::number.Sing", "-c", store, "--format", "svg")
    assert ElementTree.fromstring(ended.out).tag == "{http://www.w3.org/2000/svg}svg"
    call("show", f"{filters}::number.Sing", "-c", store, "--format", "svg", "-o", tmp_path / "one.svg")
    assert (tmp_path / "one.svg").read_text() == ended.out
    call("show", f"{filters}::subject", "-c", store, "--format", "svg", "-o", tmp_path / "many")
    names = sorted(path.name for path in (tmp_path / "many").iterdir())
    assert names == ["subject-corpus.conllu-1-1.svg", "subject-corpus.conllu-3-1.svg"]


def test_drawings_of_similar_names_are_all_kept(call: Fictc, filters: Path, tmp_path: Path) -> None:
    text = "1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    files = [tmp_path / name for name in ("a b.conllu", "a_b.conllu", "A_b.conllu")]
    for file in files:
        file.write_text(text)
    store, out = import_files(files, tmp_path / "store").path, tmp_path / "out"
    ended = call("show", f"{filters}::subject", "-c", store, "--format", "svg", "-o", out)
    assert ended.err.startswith(f"3 drawings in {out}\n")
    names = [path.name.casefold() for path in out.iterdir()]
    assert sorted(names) == [f"subject-a_b.conllu-1{suffix}-1.svg" for suffix in ("", "~2", "~3")]


def test_one_match_that_is_not_drawn(
    call: Fictc, filters: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(show, "_MAX_WORDS", 3)
    row = "{}\tdogs\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
    text = row.format(1) + row.format(2) + "3\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    store, out = corpora.store(tmp_path / "two", text).path, tmp_path / "out"
    tree = call("show", f"{filters}::subject", "-c", store, "--format", "tree").out
    assert "… 1 more match in this sentence\n" in tree
    ended = call("show", f"{filters}::subject", "-c", store, "--format", "svg", "-o", out)
    note = "1 more match in long sentences is not drawn; `--format jsonl` lists all matches\n"
    assert ended.err == f"1 drawing in {out}\n{note}"


def test_several_drawings_are_no_one_file(call: Fictc, filters: Path, store: Path, tmp_path: Path) -> None:
    ended = call("show", f"{filters}::subject", "-c", store, "--format", "svg", "-o", tmp_path / "one.svg")
    assert ended.problems[0][:2] == ("FICT777", "2 drawings cannot be written to one file of this format")
    assert not (tmp_path / "one.svg").exists()


def test_a_page(call: Fictc, filters: Path, store: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    ended = call("show", f"{filters}::subject", "-c", store, "--format", "html", "-o", out)
    assert ended.err == f"written to {out}\n2 of 2 sentences that match\n"
    page = out.read_text()
    assert '<p class="counts">2 of 2 sentences that match</p>' in page
    assert "filter subject {" in page
    assert "<mark>dogs<sub>S</sub></mark>" in page
    assert "\x1b" not in page


def test_what_almost_matches(call: Fictc, tmp_path: Path, store: Path) -> None:
    path = tmp_path / "near.fict"
    path.write_text("fict 1\nfilter near {\n  match {\n    V -[nsubj]-> S\n    S[form = dogs]\n  }\n}\n")
    ended = call("show", path, "-c", store, "--near-miss")
    assert ended.out.splitlines() == [
        "near",
        "",
        "all conditions except S[form = dogs] (line 5): 1 sentence",
        "corpus.conllu:3  cats/S hiss[31m/V",
        "",
        "0 sentences for: label [nsubj] in V -[nsubj]-> S (line 4), V -[nsubj]-> S (line 4)",
    ]
    rows = [
        json.loads(line)
        for line in call("show", path, "-c", store, "--near-miss", "--format", "jsonl").out.splitlines()
    ]
    assert [(row["left_out"], row["matches"]) for row in rows] == [("S[form = dogs]", [{"V": 2, "S": 1}])]
    blocks = call("show", path, "-c", store, "--near-miss", "--format", "conllu").out
    assert "# left_out = S[form = dogs]\n# match = V:2 S:1\n" in blocks


def test_a_filter_of_one_condition_has_no_near_miss(call: Fictc, store: Path) -> None:
    ended = call("show", "{ sentence[length > 3] }", "-c", store, "--near-miss")
    assert (ended.code, ended.out) == (0, "")
    assert ended.err == "note: query has no condition that can be left out\n"


def test_matches_counted(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("show", f"{filters}::subject", "-c", store, "--by", "form(S),sent_id")
    assert ended.out.splitlines() == [
        "form(S)  sent_id  matches          per million",
        "cats     _              1   50.0%    500,000.0",
        "dogs     one            1   50.0%    333,333.3",
        "(all)                   2  100.0%    285,714.3",
    ]
    tsv = call("show", filters, "-c", store, "--by", "source", "--format", "tsv")
    assert tsv.out.splitlines() == [
        "filter\tsource\tmatches\tshare\tper_million_words",
        "subject\tcorpus.conllu\t2\t1.000000\t285714.286",
        "number.Sing\tcorpus.conllu\t1\t1.000000\t142857.143",
        "number.Plur\tcorpus.conllu\t2\t1.000000\t285714.286",
    ]
    jsonl = call("show", f"{filters}::subject", "-c", store, "--by", "Number(S)", "--format", "jsonl")
    entry = {"filter": "subject", "values": {"Number(S)": "Plur"}, "matches": 2, "share": 1.0}
    assert json.loads(jsonl.out) == {**entry, "per_million_words": 2e6 / 7}


def test_a_tab_in_a_value_makes_no_column(call: Fictc, filters: Path, tmp_path: Path) -> None:
    store = corpora.store(tmp_path, f"# genre = a\tb\n{corpora.conllu([DOGS])}").path
    shown = call("show", f"{filters}::subject", "-c", store, "--by", "genre", "--format", "tsv").out
    assert shown.splitlines() == [
        "filter\tgenre\tmatches\tshare\tper_million_words",
        "subject\ta b\t1\t1.000000\t333333.333",
    ]


def test_a_list_of_values_is_a_list_of_filters(call: Fictc, filters: Path, tmp_path: Path) -> None:
    hashes = corpora.conllu([tree("#dogs NOUN 2 nsubj\nbark VERB 0 root")])
    store = corpora.store(tmp_path, f"# genre = news\n{corpora.conllu([DOGS])}{corpora.conllu([DOGS])}{hashes}").path
    words, rows = tmp_path / "words.txt", tmp_path / "rows.txt"
    query = ("show", "V -[nsubj]-> S", "-c", store, "--format", "list")
    assert call(*query, "--by", "form(S)", "-o", words).code == 0
    head, corpus, amount, *entries = words.read_text().splitlines()
    assert head == f"# fictc show 'V -[nsubj]-> S' --corpus {store} --by 'form(S)' --format list"
    assert (corpus, amount) == (
        "# of 3 sentences in corpus.conllu",
        "# 2 values of form(S) in 3 matches, most frequent first",
    )
    assert entries == ["dogs", "\\#dogs"]
    assert call(*query, "--by", "form(S),genre", "-o", rows).code == 0
    assert rows.read_text().splitlines()[3:] == ["dogs\tnews"]  # a row without a genre is left out
    assert call(*query, "--by", "form(S)", "-n", "1").out.splitlines()[2:] == [
        "# 1 of 2 values of form(S) in 3 matches, most frequent first",
        "dogs",
    ]
    path = tmp_path / "listed.fict"
    path.write_text('fict 1\nlist words = file "words.txt"\nfilter listed { match { X[form in @words] } }\n')
    assert json.loads(call("count", path, "-c", store, "--format", "json").out)["filters"][0]["matches"] == 3
    assert "--by KEYS" in call(*query).err
    assert "3 are given" in call("show", filters, "-c", store, "--by", "form(S)", "--format", "list").err


@pytest.mark.parametrize(
    ("key", "code", "hint"),
    [
        ("sourc", "FICT775", "the nearest name is `source`"),
        ("upo(S)", "FICT775", "the nearest name is `upos`"),
        ("Nmber(S)", "FICT775", "the nearest name is `Number`"),
        ("upos(X)", "FICT776", "there is `V`, `S`"),
        ("lower(upos(S))", "FICT775", "there is `form`, `lemma`"),
        ("upos(S", "FICT775", None),
    ],
)
def test_a_key_that_is_none(call: Fictc, filters: Path, store: Path, key: str, code: str, hint: str | None) -> None:
    problem = call("show", f"{filters}::subject", "-c", store, "--by", key).problems[0]
    assert problem[0] == code
    assert hint is None or problem[2] == hint


@pytest.mark.parametrize(
    "options",
    [
        ("--not", "--near-miss"),
        ("--by", "doc", "--not"),
        ("--by", "doc", "--format", "html"),
        ("--by", "doc", "--sample", "3"),
        ("-n", "3", "--sample", "3"),
        ("--near-miss", "--seed", "3"),
        ("-o", "page.html"),
        ("--format", "tsv", "-o", "page.HTML"),
        ("--data", "."),
        ("--allow", "."),
    ],
)
def test_options_that_contradict_each_other(call: Fictc, filters: Path, store: Path, options: tuple[str, ...]) -> None:
    ended = call("show", f"{filters}::subject", "-c", store, *options)
    assert ended.code == 2
    assert "Error: " in ended.err
