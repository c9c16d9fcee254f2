"""SyntaxGym suites: surprisals of regions add up, predictions hold or not, files that do not fit."""

import json
import math

import pytest

from runner.errors import InputError
from runner.score.any_suite import BY_NAME, open_suite, prepare_any, read_suite, write_suite
from runner.score.convention import Convention
from runner.score.sentence_scores import score
from runner.score.syntaxgym import Outcome, SyntaxGym, load_syntaxgym, outcomes
from tests.support.models import GPT2, masked, saved


def item(number, *conditions):
    regions = [
        {"condition_name": name, "regions": [{"region_number": i, "content": c} for i, c in enumerate(contents, 1)]}
        for name, contents in conditions
    ]
    return {"item_number": number, "conditions": regions}


SUITE = {
    "meta": {"name": "number", "metric": "sum"},
    "region_meta": {"1": "subject", "2": "modifier", "3": "verb"},
    "predictions": [
        {"type": "formula", "formula": "(3;%match%) < (3;%mismatch%)"},
        {"type": "formula", "formula": "(*;%match%) < (*;%mismatch%)"},
        {"type": "formula", "formula": "(1;%match%) = (1;%match%)"},
    ],
    "items": [
        item(1, ("match", ("the cats", "", "see the dogs .")), ("mismatch", ("the cats", "", "sees the dogs ."))),
        item(
            2, ("match", ("the cat", "near the house", "sees .")), ("mismatch", ("the cat", "near the house", "see ."))
        ),
    ],
}


@pytest.fixture
def path(tmp_path):
    (tmp_path / "number.json").write_text(json.dumps(SUITE))
    return tmp_path / "number.json"


@pytest.mark.parametrize("model", [saved(GPT2), masked()])
def test_regions_add_up_to_the_sentence(path, model):
    convention = Convention(probability="pll" if model.masked else "causal")
    asked = prepare_any(model, load_syntaxgym(path), convention)
    found = score(model, asked)
    rows = found.table.to_pylist()
    assert [row["content"] for row in rows[:3]] == ["the cats", "", "see the dogs ."]
    for text, tokens, start in zip(asked.texts, found.tokens, range(0, 12, 3), strict=True):
        regions = rows[start : start + 3]
        assert " ".join(row["content"] for row in regions if row["content"]) == text
        assert sum(row["surprisal"] for row in regions) == pytest.approx(-sum(tokens) / math.log(2))
    assert (rows[1]["surprisal"], rows[1]["tokens"]) == (0.0, 0)


def test_predictions_are_counted_over_items(path):
    model = saved(GPT2)
    table = score(model, prepare_any(model, load_syntaxgym(path), Convention())).table
    value = {(row["item"], row["condition"], row["region"]): row["surprisal"] for row in table.to_pylist()}
    verb, whole, same = outcomes(table)
    holds = [value[number, "match", 3] < value[number, "mismatch", 3] for number in (1, 2)]
    assert verb == Outcome("number", "(3;%match%) < (3;%mismatch%)", sum(holds) / 2, 2, 2)
    assert (
        whole.accuracy
        == sum(
            sum(value[number, "match", place] for place in (1, 2, 3))
            < sum(value[number, "mismatch", place] for place in (1, 2, 3))
            for number in (1, 2)
        )
        / 2
    )
    assert same.accuracy == 1.0


def test_what_is_not_scored_is_not_applicable(path):
    model = saved(GPT2)
    table = score(model, prepare_any(model, load_syntaxgym(path), Convention(context="none"))).table
    assert table.to_pylist()[0]["surprisal"] is None  # its first token has nothing before it
    verb, whole, same = outcomes(table)
    assert (verb.applicable, whole.applicable, same.applicable) == (2, 0, 0)
    assert same.accuracy is None


def test_text_is_split_and_moved_as_the_convention_says(path):
    model = saved(GPT2)
    plain = score(model, prepare_any(model, load_syntaxgym(path), Convention())).table
    other = Convention(tokenise="regex", leading_space="yes")  # which a word tokenizer does anyway
    assert score(model, prepare_any(model, load_syntaxgym(path), other)).table.equals(plain)


def test_folders_and_limits(path):
    (path.parent / "other.json").write_text(json.dumps(SUITE | {"meta": {}}))
    region = {"region_number": 9, "content": "again"}
    later = json.loads(json.dumps(SUITE["items"][-1]))
    later["item_number"] = 99
    later["conditions"][0]["regions"].append(region)
    name = later["conditions"][0]["condition_name"]
    rare = SUITE | {"predictions": [{"formula": f"(9;%{name}%) > 0"}], "items": [*SUITE["items"], later]}
    (path.parent / "other.json").write_text(json.dumps(rare | {"meta": {}}))
    suite = open_suite(path.parent, limit=1)
    assert set(suite.predictions) == {"number", "other"}
    assert len(suite.sentences) == 4


def test_the_first_items_of_a_suite_may_lack_a_region_that_later_ones_have(path):
    optional = item(2, ("match", ("the cat", "near", "sees .", "again")), ("mismatch", ("the cat", "near", "see .")))
    predictions = [{"formula": "(4;%match%) > 0"}, {"formula": "(3;%match%) < (3;%mismatch%)"}]
    path.write_text(json.dumps(SUITE | {"predictions": predictions, "items": [SUITE["items"][0], optional]}))
    folder = path.parent / "cut"
    write_suite(open_suite(path, limit=1), folder)
    suite, model = read_suite(folder / BY_NAME["syntaxgym"].file), saved(GPT2)
    assert isinstance(suite, SyntaxGym)
    lacking, known = outcomes(score(model, prepare_any(model, suite, Convention())).table)
    assert (lacking.applicable, known.applicable) == (0, 1)


def test_a_limit_that_leaves_no_sentence_is_refused(path):
    path.write_text(json.dumps(SUITE | {"items": [{"item_number": 7, "conditions": []}, *SUITE["items"]]}))
    with pytest.raises(InputError, match="it contains no sentence"):
        open_suite(path, limit=1)


def test_two_suites_of_a_name_are_refused(path):
    (path.parent / "other.json").write_text(json.dumps(SUITE))
    with pytest.raises(InputError) as error:
        open_suite(path.parent)
    (problem,) = error.value.diagnostics
    assert problem.code == "FICT811"
    assert all(told in problem.message for told in ("other.json", "named number", "number.json"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"predictions": [{"formula": "(4;%match%) < 1"}]}, "region 4"),
        ({"predictions": [{"formula": "(3;%mach%) < 1"}]}, "`mach`"),
        ({"predictions": [{"formula": "(3;%match%) <"}]}, "too early"),
        ({"predictions": [{"formula": "(3;%match%) >> 1"}]}, "`>` is not expected there, in (3;%match%) >> 1"),
        ({"predictions": [{}]}, "'formula' is missing"),
        ({"predictions": []}, "it contains no prediction"),
        (
            {"predictions": [{"formula": "(3;%match%) - (3;%mismatch%)"}]},
            "(3;%match%) - (3;%mismatch%) compares nothing",
        ),
        ({"predictions": ["(3;%match%) < 1"]}, "does not have the structure of a SyntaxGym suite"),
        ({"items": {"1": {}}}, "does not have the structure of a SyntaxGym suite"),
        ({"items": [item(1, ("match", ("the cat",))) | {"item_number": 1.5}]}, "the number 1.5 is not an integer"),
        ({"items": [item(1, ("match", ("the cat",))) | {"item_number": math.inf}]}, "the number inf is not an integer"),
        ({"items": [item(1, ("match", ("the cat", None)))]}, "the content of region 2 is not a string"),
        ({"items": [{"conditions": [{}]}]}, "'regions' is missing"),
        ({"items": []}, "it contains no sentence"),
        ({"items": [item(1, ("match", ()), ("mismatch", ()))]}, "it contains no sentence"),
        ({"items": [SUITE["items"][0], item(1, ("other", ("the cat",)))]}, "item 1 occurs twice"),
        ({"items": [item(3, *[("match", ("the cat",))] * 2)]}, "the condition `match` of item 3 occurs twice"),
    ],
)
def test_files_that_do_not_fit_are_named(path, change, told):
    path.write_text(json.dumps(SUITE | change))
    with pytest.raises(InputError) as error:
        open_suite(path)
    assert error.value.diagnostics[0].code == "FICT811"
    assert told in error.value.diagnostics[0].message


def test_a_file_of_another_structure_in_a_folder_is_named(path):
    (path.parent / "list.json").write_text("[1]")
    with pytest.raises(InputError, match=r"list\.json cannot be read: it does not have the structure of a SyntaxGym"):
        open_suite(path.parent)


def test_a_region_that_comes_twice_is_named(path):
    twice = item(1, ("match", ("the cats", "see")))
    twice["conditions"][0]["regions"][1]["region_number"] = "1"
    path.write_text(json.dumps(SUITE | {"items": [twice]}))
    with pytest.raises(InputError, match="region 1 of the condition `match` of item 1 occurs twice"):
        open_suite(path)


@pytest.mark.parametrize("number", [2**31, -1, 10**30])
def test_a_number_that_32_bits_do_not_hold_is_refused(path, number):
    path.write_text(json.dumps(SUITE | {"items": [SUITE["items"][0] | {"item_number": number}]}))
    with pytest.raises(InputError) as error:
        load_syntaxgym(path)
    assert [problem.code for problem in error.value.diagnostics] == ["FICT811"]
