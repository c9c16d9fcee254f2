"""`fictc count`: matches, sentences, words and shares, by hand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from runner.cli.count import overlap_lines
from runner.corpus.engine import Tally
from tests.support import corpora
from tests.unit.runner.cli.conftest import CAT, DOGS, FILTERS, Fictc


def test_json(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("count", filters, "--corpus", store, "--format", "json")
    found = json.loads(ended.out)
    assert (found["corpus"]["sentences"], found["corpus"]["tokens"]) == (3, 7)
    counts = {
        entry["name"]: (entry["matches"], entry["sentences"], entry["tokens"])
        for entry in [*found["filters"], found["union"]]
    }
    assert counts == {
        "subject": (2, 2, 5),
        "number.Sing": (1, 1, 2),
        "number.Plur": (2, 2, 5),
        "union": (5, 3, 7),
    }
    assert found["filters"][0]["share_of_sentences"] == 2 / 3
    assert found["filters"][0]["share_of_tokens"] == 5 / 7
    assert all(len(entry["key"]) == 64 for entry in found["filters"])


def test_table(call: Fictc, filters: Path, store: Path) -> None:
    lines = call("count", f"{filters}::subject", "--corpus", store).out.splitlines()
    assert lines[1].split() == ["subject", "2", "2", "66.67%", "5", "71.43%"]
    assert [line.split()[0] for line in lines[1:]] == ["subject", "union", "corpus"]


def test_a_count_reports_its_distinct_targets(call: Fictc, store: Path, tmp_path: Path) -> None:
    path = tmp_path / "counts.fict"
    path.write_text("fict 1 filter c { match { V -> X } count node(V) count span(X, V) count sentence remove node(X) }")
    entry, *_ = json.loads(call("count", path, "--corpus", store, "--format", "json").out)["filters"]
    assert entry["matches"] == 4
    assert entry["targets"] == {"count node(V)": 3, "count span(X, V)": 4, "count sentence": 3}
    assert "  count node(V): 3 distinct\n" in call("count", path, "--corpus", store).out


def test_filters_of_one_name_are_told_apart_by_path(call: Fictc, filters: Path, store: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.fict"
    other.write_text(FILTERS)
    ended = call("count", f"{filters}::subject", f"{other}::subject", "--corpus", store, "--format", "json")
    names = [entry["name"] for entry in json.loads(ended.out)["filters"]]
    assert names == ["filters.fict::subject", "other.fict::subject"]


def test_a_filter_named_twice_is_counted_once(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("count", f"{filters}::subject", filters, "--corpus", store, "--format", "json")
    assert [entry["name"] for entry in json.loads(ended.out)["filters"]] == ["subject", "number.Sing", "number.Plur"]


def test_overlap_in_json(call: Fictc, filters: Path, store: Path) -> None:
    found = json.loads(call("count", filters, "--corpus", store, "--overlap", "--format", "json").out)
    pairs = {tuple(pair["filters"]): (pair["sentences"], pair["jaccard"]) for pair in found["pairs"]}
    assert pairs[("subject", "number.Plur")] == (2, 1.0)
    assert pairs[("subject", "number.Sing")] == pairs[("number.Sing", "number.Plur")] == (0, 0.0)
    assert found["exactly"] == {"1": 1, "2": 2}


def test_overlap_is_a_triangle(call: Fictc, filters: Path, store: Path) -> None:
    lines = call("count", filters, "--corpus", store, "--overlap").out.splitlines()
    start = lines.index("sentences that two filters match")
    assert [line.split() for line in lines[start + 1 :]] == [
        ["1", "2", "3"],
        ["1", "subject", "2"],
        ["2", "number.Sing", "0", "1"],
        ["3", "number.Plur", "2", "0", "2"],
        [],
        ["1", "sentence", "matches", "one", "filter", "only"],
        ["2", "sentences", "match", "2", "filters"],
    ]


def test_a_wide_triangle_is_cut_into_pieces() -> None:
    tally = Tally(sentences=Counter(dict.fromkeys(range(9), 10)))
    lines = list(overlap_lines(tally, [f"filter-{place}" for place in range(9)], 40))
    assert max(map(len, lines)) <= 40
    heads = [line.split() for line in lines if line.strip() and set(line.split()) <= set("123456789")]
    assert heads == [["1", "2", "3", "4", "5", "6", "7"], ["8", "9"]]


@pytest.mark.parametrize(("size", "problem"), [("much", "is not a size"), ("1KB", "the minimum is 16MB")])
def test_what_is_not_a_memory_size(call: Fictc, filters: Path, store: Path, size: str, problem: str) -> None:
    ended = call("count", filters, "--corpus", store, "--memory", size)
    assert ended.code == 2
    assert problem in ended.err


@pytest.mark.parametrize("size", ["64MB", "0.5G", "1GiB", "10%", "100000000"])
def test_limits_change_no_answer(call: Fictc, filters: Path, store: Path, tmp_path: Path, size: str) -> None:
    limited = call("count", filters, "-c", store, "--memory", size, "--threads", "1", "--spill", tmp_path / "spill")
    assert (limited.code, limited.out) == (0, call("count", filters, "-c", store).out)
    assert not (tmp_path / "spill").exists() or not list((tmp_path / "spill").iterdir())


def test_a_query_on_files(call: Fictc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, trees in (("a", [DOGS]), ("b", [CAT])):
        (tmp_path / f"{name}.conllu").write_text(corpora.conllu(trees))
    corpus = ("-c", tmp_path / "a.conllu", "-c", tmp_path / "b.conllu")
    ended = call("count", "V -[nsubj]-> S", "X[upos = DET]", *corpus, "--format", "json")
    rows = json.loads(ended.out)["filters"]
    assert [(row["name"], row["matches"], row["path"]) for row in rows] == [("query-1", 1, None), ("query-2", 1, None)]
    assert "note: imported 2 sentences, 5 words, from 2 sources into the cache" in ended.err
    assert "imported" not in call("count", "V -> S", *corpus).err
    for command in ("match", "show", "explain"):
        assert call(command, "V -[nsubj]-> S", *corpus).code == 0
    assert call("stats", "cooccurrence", "V -> S", "A < B", *corpus).code == 0


def test_a_misspelt_length_of_a_word_is_told_the_nearest_name(call: Fictc, store: Path) -> None:
    ((code, _, hint),) = call("count", "V:VERB O[lenght > 3]", "-c", store).problems
    assert code == "FICT301"
    assert (hint or "").startswith("the nearest name is `length`; a word has `form.length` characters")


def test_names_are_no_queries(call: Fictc, store: Path) -> None:
    assert call("count", "V:VERB", "-c", store).problems[0][0] == "FICT292"
    assert call("apply", "V -> S", "-c", store, "--dry-run").problems[0][0] == "FICT292"


def test_several_stores_and_files_are_one_corpus(
    call: Fictc, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "a.conllu").write_text(corpora.conllu([CAT]))
    corpus = ("-c", store, "-c", tmp_path / "a.conllu")
    for _ in range(2):  # the second time, from the cache
        counts = json.loads(call("count", "V -> S", *corpus, "--format", "json").out)
        assert counts["corpus"]["sentences"] == 4
    other = tmp_path / "other"
    assert call("import", tmp_path / "a.conllu", "--output", other).code == 0
    for command in ("count", "match", "show", "explain"):
        assert call(command, "V -> S", "-c", store, "-c", other).code == 0
    (tmp_path / "f.fict").write_text('fict 1\nfilter f { about "A subject." match { V -[nsubj]-> S } }\n')
    assert call("lint", tmp_path / "f.fict", "-c", store, "-c", other).code == 0
    assert call("diff", tmp_path / "f.fict", tmp_path / "f.fict", "-c", store, "-c", other).code == 0
    assert call("count", "V -> S", "-c", store, "-c", store).problems[0][0] == "FICT779"


def test_bare_names_are_noted(call: Fictc, store: Path) -> None:
    ended = call("count", "give me", "{ give }", "-c", store)
    assert "note: `give` and `me` are names of any words; for the words themselves:" in ended.err
    assert "note: `give` is a name of any word; for the word itself: `give[lemma = give]`\n" in ended.err
    assert "note" not in call("show", "give < me", "-c", store).err
    assert "note: `give` and `me`" in call("show", "give me", "-c", store).err


def test_a_corpus_that_is_none(call: Fictc, tmp_path: Path) -> None:
    assert call("count", "V -> S", "-c", tmp_path / "no").problems[0][0] == "FICT740"
