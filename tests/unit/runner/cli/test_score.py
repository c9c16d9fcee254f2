"""fictc score: tables, JSON and CSV of the same numbers; mistakes are named, nothing is downloaded."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from runner.cli.score import NAMES, command
from runner.errors import InputError
from runner.model.saved import save_model
from runner.score.convention import CONVENTIONS, Convention
from runner.score.measures import accuracy
from runner.score.pairs import score_pairs
from runner.score.suite import load_suite
from tests.support.models import GPT2, LSTM, saved


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Folders of a model of ours and of one from elsewhere, and a suite."""
    folder = tmp_path_factory.mktemp("score")
    ours = saved(LSTM)
    save_model(replace(ours, folder=folder / "ours", about={"context": 1}, counts=np.arange(len(ours.tokenizer))))
    other = saved(GPT2)
    other.model.save_pretrained(folder / "other")
    other.tokenizer.save_pretrained(folder / "other")
    rows = [("the cat sees the dogs .", "the cats sees the dogs .", "agreement")] * 3
    rows += [("the zebra runs .", "the giraffe runs .", "unknown"), ("every child likes a cat .", "a .", "unknown")]
    with (folder / "suite.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("good", "bad", "paradigm"), *rows])
    return folder


def score(*arguments):
    result = CliRunner().invoke(command, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_json_holds_what_the_library_finds(places):
    answer = json.loads(score(places / "ours", places / "suite.csv", "--format", "json", "--convention", "fict"))
    model = replace(saved(LSTM), about={"context": 1})
    table = score_pairs(model, load_suite(places / "suite.csv"), CONVENTIONS["fict"])
    expected = accuracy(table, "strict")
    assert [row["accuracy"] for row in answer["paradigms"]] == [row.accuracy for row in expected]
    assert [row["paradigm"] for row in answer["paradigms"]] == ["agreement", "unknown"]
    assert answer["convention"]["name"] == "fict"
    assert answer["convention"]["ties"] == "strict"
    second = answer["paradigms"][1]
    assert (second["pairs"], second["identical"], second["unknown"]) == (2, 1, 1)
    assert second["unigram"] is not None
    assert answer["mean"]["accuracy"] == pytest.approx(np.mean([row.accuracy for row in expected]))


def test_csv_and_table_show_the_same_rows(places):
    rows = list(csv.DictReader(io.StringIO(score(places / "ours", places / "suite.csv", "--format", "csv"))))
    assert [row["paradigm"] for row in rows] == ["agreement", "unknown"]
    lines = score(places / "ours", places / "suite.csv").splitlines()
    assert len(lines) == 4
    assert len({len(line) for line in lines}) == 1
    assert f"{100 * float(rows[0]['accuracy']):.1f} %" in lines[1]
    assert lines[-1].startswith("mean of paradigms")


def test_a_model_from_elsewhere_has_no_unigrams(places):
    answer = json.loads(score(places / "other", places / "suite.csv", "--format", "json"))
    assert all(row["unigram"] is None for row in answer["paradigms"])
    assert answer["mean"]["unigram"] is None
    assert "–" in score(places / "other", places / "suite.csv")


def test_every_pair_goes_to_parquet_with_the_convention(places, tmp_path):
    score(places / "ours", places / "suite.csv", "--output", tmp_path / "s.parquet", "--convention", "lm-eval")
    table = pq.read_table(tmp_path / "s.parquet")
    assert table.num_rows == 5
    assert json.loads(table.schema.metadata[b"convention"])["context"] == "bos"
    again = score_pairs(
        replace(saved(LSTM), about={"context": 1}), load_suite(places / "suite.csv"), CONVENTIONS["lm-eval"]
    )
    assert table.replace_schema_metadata(None).equals(again)


def test_limits_and_paradigms(places):
    answer = json.loads(score(places / "ours", places / "suite.csv", "--format", "json", "--limit", "1"))
    assert [row["pairs"] for row in answer["paradigms"]] == [1, 1]
    chosen = score(places / "ours", places / "suite.csv", "--format", "json", "--paradigm", "agreement")
    assert [row["paradigm"] for row in json.loads(chosen)["paradigms"]] == ["agreement"]


def test_mistakes_are_named(places, tmp_path):
    for arguments, code in (
        ((places / "ours", tmp_path / "absent.csv"), "FICT811"),
        ((tmp_path / "absent", places / "suite.csv"), "FICT801"),
        ((places / "ours", places / "suite.csv", "--paradigm", "agrement"), "FICT817"),
    ):
        with pytest.raises(InputError) as error:
            score(*arguments)
        assert error.value.diagnostics[0].code == code


def test_the_conventions_of_the_help_are_all_there_are():
    assert set(NAMES) == set(CONVENTIONS)
    assert CONVENTIONS["default"] == Convention()
