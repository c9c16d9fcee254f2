"""Sentences with ratings: scores, correlations by hand, and files that do not fit."""

from dataclasses import replace

import numpy as np
import pytest

from runner.errors import InputError
from runner.score.any_suite import BY_NAME, open_suite, prepare_any
from runner.score.convention import Convention
from runner.score.ratings import Rated, Sentences, correlation
from runner.score.score_table import as_unigram, rescored
from runner.score.sentence_scores import score
from runner.score.suite_files import Pair, Suite
from tests.support.models import saved
from tests.support.scores import score_pairs

ROWS = [
    ("the cat sees the dogs .", 4.5),
    ("the cat see the dogs .", 2.0),
    ("dogs the see .", 1.0),
    ("the dogs see the cat .", 5.0),
]
ROWS.append(("a zebra", None))


@pytest.fixture
def path(tmp_path):
    lines = ["sentence,rating,source", *(f"{text},{'' if rating is None else rating},x" for text, rating in ROWS)]
    (tmp_path / "ratings.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "ratings.csv"


DEFAULT = Convention()


def table(suite, convention=DEFAULT, **about):
    model = replace(saved(), **about)
    return score(model, prepare_any(model, suite, convention)).table


def test_a_file_is_read_by_its_columns(path, tmp_path):
    assert open_suite(path) == Sentences("ratings", [Rated(*row) for row in ROWS])
    (tmp_path / "lines.txt").write_text("the cat sees .\n\n  a dog \n")
    assert open_suite(tmp_path / "lines.txt").items == [Rated("the cat sees ."), Rated("a dog")]
    assert len(open_suite(path, limit=2).items) == 2


def test_only_newlines_end_the_lines_of_a_file(tmp_path):
    rated = [Rated("John left\x85 early.", 4.5), Rated("Mary\u2028slept.", 2.0), Rated("A\x0bdog.", None)]
    rows = [f"{one.text},{'' if one.rating is None else one.rating}" for one in rated]
    (tmp_path / "r.csv").write_text("\n".join(["sentence,rating", *rows]), encoding="utf-8")
    assert BY_NAME["sentences"].open(tmp_path / "r.csv").items == rated
    (tmp_path / "r.csv").write_text("\n".join(["sentence,rating", *rows, "a,good"]), encoding="utf-8")
    with pytest.raises(InputError, match="line 5"):
        BY_NAME["sentences"].open(tmp_path / "r.csv")


def test_sentences_are_scored_to_their_end_whatever_the_part_of_pairs(path):
    suite, ended = BY_NAME["sentences"].open(path), Convention(eos="scored")
    found = table(suite, replace(ended, part="one_prefix"))
    assert found["scored"].to_pylist() == [count + 1 for count in found["tokens"].to_pylist()]
    assert found == table(suite, ended)


def test_scores_are_those_of_pairs(path):
    found = table(BY_NAME["sentences"].open(path)).to_pylist()
    pair = Pair("p", "", "", 0, ROWS[0][0], ROWS[1][0])
    (row,) = score_pairs(saved(), Suite("s", [pair]), Convention()).to_pylist()
    # other sentences pass through the output layer with them: float32 products round as their number of rows has it
    assert [found[0]["score"], found[1]["score"]] == pytest.approx([row["score_good"], row["score_bad"]], rel=1e-6)
    assert (found[4]["rating"], found[4]["unk"], found[4]["scored"]) == (None, 1, 2)


def test_the_correlation_is_over_rated_sentences(path):
    counts = np.arange(len(saved().tokenizer))
    found = table(BY_NAME["sentences"].open(path), counts=counts)
    words = as_unigram(found, "sum")
    told = correlation(found, words)
    ratings = [rating for _, rating in ROWS[:4]]
    assert (told.sentences, told.rated) == (5, 4)
    assert told.r == pytest.approx(np.corrcoef(ratings, found.column("score").to_pylist()[:4])[0, 1])
    assert told.unigram == pytest.approx(np.corrcoef(ratings, words.column("score").to_pylist()[:4])[0, 1])
    assert correlation(found, None).unigram is None


def test_scores_of_sentences_are_normalised_again_too(path):
    counts = np.arange(len(saved().tokenizer))
    for how in ("mean", "slor"):
        direct = table(BY_NAME["sentences"].open(path), Convention(normalise=how), counts=counts)
        assert rescored(table(BY_NAME["sentences"].open(path), counts=counts), how).equals(direct)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("sentence,rating\nthe cat .,good\n", "`good`"),
        ("sentence,rating\n,3\n", "missing"),
        ("sentence,rating\na,nan\n", "`nan`"),
        ('sentence,rating\n"a" b,1\n', "expected after"),
        ("sentence\nHello, world.\n", "more cells than the header"),
    ],
)
def test_lines_that_do_not_fit_are_named(tmp_path, lines, told):
    (tmp_path / "r.csv").write_text(lines)
    with pytest.raises(InputError) as error:
        open_suite(tmp_path / "r.csv")
    (problem,) = error.value.diagnostics
    assert (problem.code, "line 2" in problem.message, told in problem.message) == ("FICT812", True, True)
    assert problem.source.text[problem.span.start : problem.span.end] == lines.split("\n")[1]


def test_a_second_column_of_ratings_is_refused(tmp_path):
    (tmp_path / "r.csv").write_text("sentence,rating,rating\na,1,2\n")
    with pytest.raises(InputError, match="it has two columns rating"):
        open_suite(tmp_path / "r.csv")


@pytest.mark.parametrize(
    ("name", "content"), [("r.csv", "sentence,rating\n"), ("r.csv", "sentence\n"), ("r.txt", " \n")]
)
def test_a_file_without_a_sentence_is_named(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match="it contains no sentence") as error:
        open_suite(tmp_path / name)
    assert error.value.diagnostics[0].code == "FICT811"


def test_only_pairs_have_paradigms(path):
    with pytest.raises(InputError) as error:
        open_suite(path, paradigms=["agreement"])
    assert error.value.diagnostics[0].code == "FICT817"
