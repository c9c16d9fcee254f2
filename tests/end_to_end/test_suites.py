"""Sentences with ratings and SyntaxGym in a manifest: scored in every cell, by its condition, and in the report."""

import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.support.killing import fictc

pytestmark = pytest.mark.long

MANIFEST = """
[experiment]
name = "rated"
seeds = [1]
[corpus]
sample = { sentences = 300, pairs = 4, seed = 5 }
[[condition]]
name = "alpha-0.5"
substitute = { alpha = 0.5, tags = "upos" }
[tokenizer]
size = 400
lowercase = true
[[model]]
preset = "lstm-128"
[training]
epochs = 1
validations = 1
checkpoints = [1000]
[[evaluate]]
name = "plain"
path = "plain.csv"
scoring = { normalise = "mean" }
[[evaluate]]
name = "parsed"
path = "parsed.conllu"
scoring = { normalise = "mean" }
[[evaluate]]
name = "mail"
path = "parsed.conllu"
corrupt = { pairs = 3 }
[[evaluate]]
name = "mail.tags"
path = "parsed.conllu"
corrupt = { pairs = 3, words = "tags", alpha = 0.5, tags = "upos" }
[[evaluate]]
name = "gym"
path = "gym.json"
"""
ROWS = [
    ("The keys are old.", 2.75, ("DET", "NOUN", "AUX", "ADJ", "PUNCT")),
    ("The keys is old.", 1.5, ("DET", "NOUN", "AUX", "ADJ", "PUNCT")),
    ("Keys the old are.", 1.0, ("NOUN", "DET", "ADJ", "AUX", "PUNCT")),
    ("The old keys fell.", 3.0, ("DET", "ADJ", "NOUN", "VERB", "PUNCT")),
    ("Zyzzyva qix the.", 1.25, ("NOUN", "VERB", "DET", "PUNCT")),
    ("Nobody said so.", None, ("PRON", "VERB", "ADV", "PUNCT")),
]
GYM = {
    "meta": {"name": "number"},
    "predictions": [
        {"type": "formula", "formula": "(2;%match%) < (2;%mismatch%)"},
        {"type": "formula", "formula": "(1;%match%) = (1;%mismatch%)"},
    ],
    "items": [
        {
            "item_number": number,
            "conditions": [
                {
                    "condition_name": name,
                    "regions": [
                        {"region_number": 1, "content": subject},
                        {"region_number": 2, "content": verb},
                    ],
                }
                for name, verb in (("match", "are"), ("mismatch", "is"))
            ],
        }
        for number, subject in enumerate(("The keys", "The old keys"), 1)
    ],
}


def tree(text, rating, tags):
    words = text.removesuffix(".").split()
    rows = [*zip(words, tags[:-1], strict=True), (".", "PUNCT")]
    lines = [f"# rating = {rating}"] if rating is not None else []
    for place, (form, tag) in enumerate(rows, 1):
        space = "SpaceAfter=No" if place == len(rows) - 1 else "_"
        head = ("0", "root") if place == 1 else ("1", "punct" if tag == "PUNCT" else "dep")
        lines.append("\t".join([str(place), form, form.lower(), tag, "_", "_", *head, "_", space]))
    return "\n".join(lines) + "\n\n"


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rated")
    (folder / "manifest.toml").write_text(MANIFEST)
    rows = [f'"{text}",{"" if rating is None else rating}' for text, rating, _ in ROWS]
    (folder / "plain.csv").write_text("\n".join(["sentence,rating", *rows]) + "\n")
    (folder / "parsed.conllu").write_text("".join(tree(*row) for row in ROWS))
    (folder / "gym.json").write_text(json.dumps(GYM))
    fictc("run", "manifest.toml", cwd=folder)
    return folder


def rows_of(work, file):
    return pq.read_table(work / "runs" / "rated" / "results" / file).to_pylist()


@pytest.mark.slow
def test_ratings_stand_beside_the_scores_of_every_cell(work):
    found = rows_of(work, "ratings.parquet")
    cells = {(row["condition"], row["suite"]) for row in found}
    assert cells == {(c, s) for c in ("full", "alpha-0.5") for s in ("plain", "parsed")}
    of = {cell: [row for row in found if (row["condition"], row["suite"]) == cell] for cell in cells}
    assert all([row["rating"] for row in rows] == [rating for _, rating, _ in ROWS] for rows in of.values())
    assert [row["score"] for row in of["full", "plain"]] == [row["score"] for row in of["full", "parsed"]]
    assert [row["sentence"] for row in of["alpha-0.5", "plain"]] == [text for text, _, _ in ROWS]


def test_parsed_sentences_are_in_tags_where_the_condition_has_them(work):
    found = {
        row["item"]: row["sentence"]
        for row in rows_of(work, "ratings.parquet")
        if (row["condition"], row["suite"]) == ("alpha-0.5", "parsed")
    }
    assert found[4] == "[NOUN] [VERB] the."  # the rare words alone
    told = json.loads((work / "runs" / "rated" / "corpora" / "alpha-0.5" / "substituted.json").read_text())
    assert told["kept_words"] > 0


def test_scores_are_those_of_fictc_score(work):
    model = work / "runs" / "rated" / "cells" / "full" / "lstm-128" / "1" / "model"
    told = json.loads(fictc("score", model, "plain.csv", "--normalise", "mean", "--format", "json", cwd=work).stdout)
    rows = [
        row
        for row in rows_of(work, "ratings.parquet")
        if (row["condition"], row["suite"]) == ("full", "plain") and row["rating"] is not None
    ]
    r = np.corrcoef([row["score"] for row in rows], [row["rating"] for row in rows])[0, 1]
    assert told["ratings"][0]["r"] == pytest.approx(r)
    report = json.loads(fictc("report", "runs/rated", "--format", "json", cwd=work).stdout)["tables"]
    whole = {(row["condition"], row["suite"]): row for row in report["ratings"]}
    assert whole["full", "plain"]["r"] == pytest.approx(r)
    assert (whole["full", "plain"]["n"], whole["full", "plain"]["by_seed"]) == (5, f"1:{whole['full', 'plain']['r']!r}")
    assert told["ratings"][0]["r_unigram"] == pytest.approx(whole["full", "plain"]["unigram"])
    tests = [row for row in report["ratings-tests"] if row["suite"] == "parsed"]
    assert [(row["condition_a"], row["condition_b"]) for row in tests] == [("alpha-0.5", "full")]
    assert tests[0]["df"] == 2
    assert tests[0]["r_a"] == pytest.approx(whole["alpha-0.5", "parsed"]["r"])


def test_predictions_are_paradigms_as_others_are(work):
    found = rows_of(work, "syntaxgym.parquet")
    assert {row["paradigm"] for row in found} == {"number.1", "number.2"}
    assert all(row["holds"] for row in found if row["paradigm"] == "number.2")
    report = json.loads(fictc("report", "runs/rated", "--format", "json", cwd=work).stdout)["tables"]
    rows = {(r["name"], r["condition"]): r for r in report["accuracy"] if r["suite"] == "gym"}
    assert rows["number.2", "full"]["accuracy"] == 1.0
    held = [row["holds"] for row in found if (row["condition"], row["paradigm"]) == ("full", "number.1")]
    assert rows["number.1", "full"]["accuracy"] == sum(held) / 2
    assert {row["formula"] for row in report["syntaxgym"]} == {one["formula"] for one in GYM["predictions"]}


def test_some_corrupted_pairs_are_kept_token_by_token(work):
    tokens, items = rows_of(work, "tokens.parquet"), rows_of(work, "items.parquet")
    assert {(row["condition"], row["suite"]) for row in tokens} == {
        (c, s) for c in ("full", "alpha-0.5") for s in ("mail", "mail.tags")
    }
    names = ("condition", "model", "suite", "paradigm", "item")
    whole = {tuple(row[name] for name in names): row for row in items}
    sums = {}
    for row in tokens:
        key = tuple(row[name] for name in names), row["side"]
        sums[key] = sums.get(key, 0.0) + row["logprob"]
    assert len(sums) > 12
    for (pair, side), total in sums.items():
        assert total == pytest.approx(whole[pair][f"logprob_{side}"])
    report = json.loads(fictc("report", "runs/rated", "--format", "json", cwd=work).stdout)["tables"]
    shown = {(row["condition"], row["suite"], row["side"]) for row in report["tokens"]}
    assert shown == {(c, s, d) for c, s in (("full", "mail"), ("alpha-0.5", "mail.tags")) for d in ("good", "bad")}


def test_checkpoints_have_values_of_both(work):
    report = json.loads(fictc("report", "runs/rated", "--format", "json", cwd=work).stdout)["tables"]
    found = {(row["benchmark"], row["metric"]) for row in report["curves"] if row["at"] < 2000}
    assert found >= {("plain", "pearson"), ("parsed", "pearson"), ("gym/number.1", "accuracy")}


def test_the_page_shows_both_and_a_second_run_has_nothing_to_do(work):
    page = (work / "runs" / "rated" / "report.html").read_text()
    assert all(text in page for text in ("Ratings of acceptability", "SyntaxGym", "Williams"))
    assert all(
        step["cached"] for step in json.loads(fictc("plan", "manifest.toml", "--format", "json", cwd=work).stdout)
    )


def test_sentences_without_any_rating_are_no_suite_of_a_manifest(work):
    (work / "unrated.csv").write_text("sentence\nThe keys are old.\n")
    (work / "unrated.toml").write_text(MANIFEST.replace("plain.csv", "unrated.csv"))
    done = fictc("run", "unrated.toml", cwd=work, code=2)
    assert "FICT811" in done.stderr
    assert "none of its sentences has a rating" in done.stderr
    (work / "wild.conllu").write_text(tree(ROWS[0][0], "good", ROWS[0][2]))
    (work / "wild.toml").write_text(MANIFEST.replace("parsed.conllu", "wild.conllu"))
    assert "the rating of sentence 1 is `good`" in fictc("run", "wild.toml", cwd=work, code=2).stderr
