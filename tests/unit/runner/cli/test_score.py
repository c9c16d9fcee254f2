"""fictc score: tables, JSON and CSV of the same numbers; mistakes are named, nothing is downloaded."""

import csv
import io
import json
import math
from dataclasses import asdict, replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from runner.cli.score import command
from runner.corpus.import_conllu import import_files
from runner.errors import InputError
from runner.model.saved import save_model
from runner.score.any_suite import open_suite, prepare_any
from runner.score.convention import CHOICES, CONVENTIONS, Convention
from runner.score.measures import accuracy
from runner.score.pair_formats import load_suite
from runner.score.sentence_scores import score as score_suite
from tests.support.models import GPT2, LSTM, masked, overflowing, saved
from tests.support.scores import score_pairs


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
        replace(saved(LSTM), about={"context": 1}, counts=np.arange(len(saved().tokenizer))),
        load_suite(places / "suite.csv"),
        CONVENTIONS["lm-eval"],
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


def test_every_field_of_a_convention_is_an_option(places):
    given = {"normalise": "nce", "context": "eos", "first_token": "skipped", "eos": "scored", "ties": "argmax"}
    options = [text for name, value in given.items() for text in (f"--{name.replace('_', '-')}", value)]
    answer = json.loads(score(places / "ours", places / "suite.csv", "--format", "json", *options))
    recorded = answer["convention"]
    assert recorded == {"name": "default", **asdict(Convention()), **given, "normalise": "mean"}
    assert {f"--{name.replace('_', '-')}" for name in CHOICES} <= {text for p in command.params for text in p.opts}
    table = score(places / "ours", places / "suite.csv", "--normalise", "mean", "--ties", "strict")
    assert table.startswith("convention default, normalise = mean, ties = strict")


def test_a_folder_of_checkpoints_is_scored_one_after_the_other(places, tmp_path):
    for number in (2, 10):
        one = saved(LSTM, seed=number)
        save_model(replace(one, folder=tmp_path / "all" / f"tokens-{number}", about={"context": 1}))
    answers = json.loads(score(tmp_path / "all", places / "suite.csv", "--format", "json"))
    assert [answer["checkpoint"] for answer in answers] == ["tokens-2", "tokens-10"]
    for answer in answers:
        alone = score(tmp_path / "all" / answer["checkpoint"], places / "suite.csv", "--format", "json")
        assert json.loads(alone)["paradigms"] == answer["paradigms"]
    lines = score(tmp_path / "all", places / "suite.csv").splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["tokens-2"] * 3 + ["tokens-10"] * 3
    rows = list(csv.DictReader(io.StringIO(score(tmp_path / "all", places / "suite.csv", "--format", "csv"))))
    assert [row["checkpoint"] for row in rows] == ["tokens-2"] * 2 + ["tokens-10"] * 2


@pytest.mark.parametrize("how", ["sum", "mean", "penlp", "slor", "normlp"])
def test_kept_scores_are_counted_again_without_a_model(places, tmp_path, how):
    asked = ("--normalise", how, "--ties", "strict", "--format", "json")
    direct = json.loads(score(places / "ours", places / "suite.csv", *asked))
    score(places / "ours", places / "suite.csv", "--output", tmp_path / "s.parquet", "--normalise", "mean")
    assert json.loads(score(tmp_path / "s.parquet", *asked)) == direct


def test_the_heading_of_kept_scores_names_what_differs_from_the_preset(places, tmp_path):
    score(places / "ours", places / "suite.csv", "--output", tmp_path / "s.parquet", "--normalise", "mean")
    assert score(tmp_path / "s.parquet").startswith("convention default, normalise = mean ")
    heading = score(tmp_path / "s.parquet", "--ties", "strict").splitlines()[0]
    assert heading.startswith("convention default, normalise = mean, ties = strict ")


def test_kept_scores_are_counted_again_under_a_preset_that_needs_no_model(places, tmp_path):
    kept = tmp_path / "s.parquet"
    score(places / "ours", places / "suite.csv", "--output", kept, "--convention", "fict", "--normalise", "mean")
    for name in ("fict", "babylm"):
        direct = json.loads(score(places / "ours", places / "suite.csv", "--convention", name, "--format", "json"))
        assert json.loads(score(kept, "--convention", name, "--format", "json")) == direct
    with pytest.raises(InputError) as error:
        score(kept, "--convention", "default")
    assert error.value.diagnostics[0].code == "FICT819"


def test_kept_checkpoints_are_counted_again_too(places, tmp_path):
    for name in ("a", "b"):
        save_model(replace(saved(LSTM, seed=ord(name)), folder=tmp_path / "all" / name, about={"context": 1}))
    first = score(tmp_path / "all", places / "suite.csv", "--output", tmp_path / "s.parquet", "--format", "csv")
    assert score(tmp_path / "s.parquet", "--format", "csv") == first


def test_what_only_a_model_can_say_is_named(places, tmp_path):
    score(places / "other", places / "suite.csv", "--output", tmp_path / "s.parquet")
    for options, code in (
        (("--context", "bos"), "FICT819"),
        (("--convention", "fict"), "FICT819"),
        (("--normalise", "slor"), "FICT814"),
    ):
        with pytest.raises(InputError) as error:
            score(tmp_path / "s.parquet", *options)
        assert error.value.diagnostics[0].code == code
    (tmp_path / "t.parquet").write_bytes(b"no table")
    with pytest.raises(InputError) as error:
        score(tmp_path / "t.parquet")
    assert error.value.diagnostics[0].code == "FICT819"


def test_a_masked_model_is_scored_by_the_same_command(places):
    bert = masked()
    bert.model.save_pretrained(places / "bert")
    bert.tokenizer.save_pretrained(places / "bert")
    answer = json.loads(score(places / "bert", places / "suite.csv", "--format", "json"))
    assert answer["convention"]["probability"] == "pll"
    table = score_pairs(bert, load_suite(places / "suite.csv"), Convention(probability="pll"))
    assert [row["accuracy"] for row in answer["paradigms"]] == [row.accuracy for row in accuracy(table)]
    with pytest.raises(InputError) as error:
        score(places / "bert", places / "suite.csv", "--probability", "causal")
    assert error.value.diagnostics[0].code == "FICT813"


def test_words_go_to_csv_or_parquet(places, tmp_path):
    (tmp_path / "lines.txt").write_text("the cat sees the dogs .\nthe zebra runs .\n")
    shown = score(places / "ours", tmp_path / "lines.txt", "--words", tmp_path / "w.csv")
    assert [line.split("  ")[0] for line in shown.splitlines()[1:]] == ["the cat sees the dogs .", "the zebra runs ."]
    rows = list(csv.DictReader((tmp_path / "w.csv").open()))
    assert [row["word"] for row in rows[:6]] == ["the", "cat", "sees", "the", "dogs", "."]
    assert rows[7]["unknown"] == "true"
    score(
        places / "ours", tmp_path / "lines.txt", "--words", tmp_path / "w.parquet", "--output", tmp_path / "s.parquet"
    )
    words, scores = (pq.read_table(tmp_path / f"{name}.parquet").to_pylist() for name in "ws")
    total = -math.log(2) * sum(row["surprisal"] for row in words if row["sentence"] == 0)
    assert total == pytest.approx(scores[0]["score"])


def test_words_of_pairs_say_which_pair_and_side_they_are_of(places, tmp_path):
    shown = score(
        places / "ours", places / "suite.csv", "--words", tmp_path / "w.csv", "--output", tmp_path / "s.parquet"
    )
    assert shown == score(places / "ours", places / "suite.csv")
    words = list(csv.DictReader((tmp_path / "w.csv").open()))
    names = [
        "sentence",
        "paradigm",
        "item",
        "side",
        "place",
        "word",
        "surprisal",
        "token_surprisal",
        "tokens",
        "unknown",
    ]
    assert list(words[0]) == names
    told = pq.read_table(tmp_path / "s.parquet").to_pylist()
    assert [pair["identical"] for pair in told] == [False, False, False, True, False]
    for number, (pair, side) in enumerate((pair, side) for pair in told for side in ("good", "bad")):
        mine = [word for word in words if int(word["sentence"]) == number]
        keys = {(word["paradigm"], int(word["item"]), word["side"]) for word in mine}
        assert keys == {(pair["paradigm"], pair["item"], side)}
        assert " ".join(word["word"] for word in mine) == pair[side]
        total = -math.log(2) * sum(float(word["surprisal"]) for word in mine)
        assert pair["identical"] or total == pytest.approx(pair[f"score_{side}"])


def test_ratings_are_correlated(places, tmp_path):
    (tmp_path / "r.csv").write_text(
        "sentence,rating\nthe cat sees .,5\nthe the cat,2\ndogs dogs see,1\nthe dogs see .,4\n"
    )
    (answer,) = json.loads(score(places / "ours", tmp_path / "r.csv", "--format", "json"))["ratings"]
    suite = open_suite(tmp_path / "r.csv")
    model = replace(saved(LSTM), about={"context": 1})
    scores = score_suite(model, prepare_any(model, suite, Convention())).table.column("score").to_pylist()
    assert answer["r"] == pytest.approx(np.corrcoef(scores, [5, 2, 1, 4])[0, 1])
    assert answer["rated"] == 4
    assert "Pearson's r" in score(places / "ours", tmp_path / "r.csv")


def test_winobias_is_told_by_gender_and_never_pooled(places, tmp_path):
    for side, one, other in (("pro", "he", "she"), ("anti", "she", "he")):
        text = f"1 [The mechanic] thanked the nurse because [{one}] won.\n2 The mechanic thanked [the nurse] because [{other}] won.\n"
        (tmp_path / f"{side}_stereotyped_type1.txt.dev").write_text(text)
    lines = score(places / "ours", tmp_path).splitlines()
    assert len(lines) == 3
    assert [line.split()[:3] for line in lines[1:]] == [["1", "dev", "female"], ["1", "dev", "male"]]
    answer = json.loads(score(places / "ours", tmp_path, "--format", "json"))
    assert [row["gender"] for row in answer["differences"]] == ["female", "male"]
    assert "mean" not in answer


def test_predictions_of_syntaxgym_are_told_and_counted_again(places, tmp_path):
    conditions = [
        {
            "condition_name": name,
            "regions": [{"region_number": 1, "content": "the cats"}, {"region_number": 2, "content": verb}],
        }
        for name, verb in (("match", "see"), ("mismatch", "sees"))
    ]
    formula = "(2;%match%) < (2;%mismatch%)"
    suite = {
        "meta": {"name": "n"},
        "predictions": [{"formula": formula}],
        "items": [{"item_number": 1, "conditions": conditions}],
    }
    (tmp_path / "n.json").write_text(json.dumps(suite))
    shown = score(places / "ours", tmp_path / "n.json", "--output", tmp_path / "s.parquet")
    assert formula in shown.splitlines()[1]
    assert score(tmp_path / "s.parquet") == shown
    score(places / "ours", tmp_path / "n.json", "--words", tmp_path / "w.csv")
    words = list(csv.DictReader((tmp_path / "w.csv").open()))
    assert [(word["suite"], word["item"], word["condition"], word["word"]) for word in words[2:]] == [
        ("n", "1", "match", "see"),
        *(("n", "1", "mismatch", word) for word in ("the", "cats", "sees")),
    ]


def test_scores_that_overflow_are_refused(places, tmp_path):
    save_model(replace(overflowing(GPT2), folder=tmp_path / "wild"))
    with pytest.raises(InputError) as caught:
        score(tmp_path / "wild", places / "suite.csv")
    assert caught.value.diagnostics[0].code == "FICT821"


def test_csv_is_quoted_for_spreadsheets(places, tmp_path):
    (tmp_path / "s.csv").write_text((places / "suite.csv").read_text().replace("agreement", "@SUM(A1)"))
    rows = list(csv.DictReader(io.StringIO(score(places / "ours", tmp_path / "s.csv", "--format", "csv"))))
    assert [row["paradigm"] for row in rows] == ["'@SUM(A1)", "unknown"]


TEXT = ["the cat sees the dogs .", "the cats likes a zebra .", "", "every child runs ."]
TREES = "".join(
    f"# text = {line}\n"
    + "".join(
        f"{n}\t{word}\t_\tX\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t_\t_\n"
        for n, word in enumerate(line.split(), 1)
    )
    + "\n"
    for line in TEXT
    if line
)


def test_slor_without_counts_then_with_those_of_a_text(places, tmp_path):
    """A model from elsewhere has no counts: a mistake until a text is named."""
    with pytest.raises(InputError) as raised:
        score(places / "other", places / "suite.csv", "--normalise", "slor")
    assert [problem.code for problem in raised.value.diagnostics] == ["FICT814"]
    (tmp_path / "text.txt").write_text("\n".join(TEXT), encoding="utf-8")
    options = ("--normalise", "slor", "--counts", tmp_path / "text.txt", "--output", tmp_path / "scores.parquet")
    score(places / "other", places / "suite.csv", *options)
    words = saved(GPT2).tokenizer
    encoded = [words(line, add_special_tokens=False)["input_ids"] for line in TEXT]
    counts = np.bincount([i for ids in encoded for i in ids], minlength=len(words)) + 1
    logs = np.log(counts / counts.sum())
    rows = [row for row in pq.read_table(tmp_path / "scores.parquet").to_pylist() if not row["identical"]]
    assert len(rows) == 4
    for row in rows:
        for side in ("good", "bad"):
            ids = words(row[side], add_special_tokens=False)["input_ids"]
            expected = math.fsum(logs[ids][-row[f"scored_{side}"] :])
            assert row[f"unigram_{side}"] == pytest.approx(expected)
            slor = (row[f"logprob_{side}"] - expected) / row[f"scored_{side}"]
            assert row[f"score_{side}"] == pytest.approx(slor)


def test_counts_of_a_store_are_those_of_its_text_and_replace_those_of_a_model(places, tmp_path):
    (tmp_path / "text.conllu").write_text(TREES, encoding="utf-8")
    import_files([tmp_path / "text.conllu"], tmp_path / "store")
    (tmp_path / "text.txt").write_text("\n".join(TEXT), encoding="utf-8")
    own, text, store = (
        score(places / "ours", places / "suite.csv", "--format", "csv", "--normalise", "slor", *options)
        for options in ((), ("--counts", tmp_path / "text.txt"), ("--counts", tmp_path / "store"))
    )
    assert text == store != own


@pytest.mark.parametrize(
    ("name", "text", "code"), [("text.conllu", TREES, "FICT710"), ("empty.txt", "\n\n", "FICT804")]
)
def test_counts_of_trees_or_of_nothing_are_refused(places, tmp_path, name, text, code):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as raised:
        score(places / "other", places / "suite.csv", "--counts", tmp_path / name)
    assert [problem.code for problem in raised.value.diagnostics] == [code]


@pytest.fixture(scope="module")
def alternants(places):
    rows = [("the cat sees the dogs .", "the dogs sees the cat .", "np", 1, "a")]
    rows += [("every child likes a cat .", "a cat likes every child .", "np", 3, "b")]
    rows += [("the zebra runs .", "runs the zebra .", "order", -1, "c"), ("a cat .", "cat a .", "order", 2, "d")]
    rows += [("the dogs run .", "run the dogs .", "order", 0.5, "e")]
    with (places / "alternants.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("first", "second", "paradigm", "difference", "note"), *rows])
    return places / "alternants.csv"


def test_paradigms_beside_those_of_winobias_are_shown(places, tmp_path):
    rows = "the cat,cat the,winobias-type1-dev-female\nthe cat sees,sees the cat,order\n"
    (tmp_path / "mixed.csv").write_text(f"good,bad,paradigm\n{rows}", encoding="utf-8")
    found = json.loads(score(places / "ours", tmp_path / "mixed.csv", "--format", "json"))["paradigms"]
    assert [row["paradigm"] for row in found] == ["winobias-type1-dev-female", "order"]


def test_a_sentence_with_a_line_break_is_one_row(places, tmp_path):
    (tmp_path / "s.csv").write_text('sentence\n"the cat\nsees ."\n', encoding="utf-8")
    _, row = score(places / "ours", tmp_path / "s.csv").splitlines()
    assert row.startswith("the cat sees . ")


def test_preferences_are_the_differences_between_alternants_and_their_slopes(places, alternants):
    file = places / "alternants.parquet"
    options = ("--covariate", "difference", "--output", file)
    found = json.loads(score(places / "ours", alternants, "--format", "json", *options))["preferences"]
    assert [(row["paradigm"], row["outcome"], row["pairs"]) for row in found] == [
        ("np", "mean", 2),
        ("np", "difference", 2),
        ("order", "mean", 3),
        ("order", "difference", 3),
    ]
    with alternants.open(encoding="utf-8") as lines:
        x = np.array([float(row["difference"]) for row in csv.DictReader(lines)])[2:]
    table = pq.read_table(file).slice(2)
    y = table["score_good"].to_numpy() - table["score_bad"].to_numpy()
    mean, slope = found[2:]
    assert mean["value"] == pytest.approx(y.mean()) and mean["accuracy"] == (y > 0).mean()
    assert mean["se"] == pytest.approx(y.std(ddof=1) / math.sqrt(3))
    assert slope["value"] == pytest.approx(np.polyfit(x, y, 1)[0]) and slope["accuracy"] is None
    again = json.loads(score(file, "--format", "json"))["preferences"]
    assert again == found
    assert json.loads(score(file, "--format", "json", "--normalise", "mean"))["preferences"] != found
    assert "order" in score(file)


def test_parts_of_alternants_and_mistakes(places, alternants):
    found = json.loads(score(places / "ours", alternants, "--format", "json", "--paradigm", "np", "--limit", 1))
    (row,) = found["preferences"]
    assert (row["paradigm"], row["pairs"], row["se"]) == ("np", 1, None)
    for arguments, code in (
        ((alternants, "--paradigm", "nq"), "FICT817"),
        ((alternants, "--covariate", "note"), "FICT812"),
    ):
        with pytest.raises(InputError) as caught:
            score(places / "ours", *arguments)
        assert caught.value.diagnostics[0].code == code
    for arguments in ((places / "ours", places / "suite.csv"), (places / "alternants.parquet",)):
        result = CliRunner().invoke(command, [*map(str, arguments), "--covariate", "difference"])
        assert result.exit_code == 2 and "--covariate requires" in result.output


def test_a_covariate_that_is_named_twice_is_counted_once(places, alternants):
    once, twice = (
        score(places / "ours", alternants, "--format", "csv", *("--covariate", "difference") * times)
        for times in (1, 2)
    )
    assert once == twice


@pytest.mark.parametrize(
    ("option", "name", "reason"),
    [
        ("--output", "scores.csv", "--output writes a .parquet file, not scores.csv."),
        ("--words", "words.json", "--words writes a .csv or .parquet file, not words.json."),
    ],
)
def test_a_suffix_of_another_format_is_refused(places, tmp_path, option, name, reason):
    arguments = [str(places / "ours"), str(places / "suite.csv"), option, str(tmp_path / name)]
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 2 and reason in result.output
    assert not (tmp_path / name).exists()


def test_a_file_that_is_no_model_or_holds_no_scores_is_named(places, tmp_path):
    absent = CliRunner().invoke(command, [str(tmp_path / "absent.parquet")])
    assert absent.exit_code == 2 and f"{tmp_path / 'absent.parquet'} does not exist" in absent.output
    pq.write_table(pa.table({"text": ["the cat"]}), tmp_path / "text.parquet")
    with pytest.raises(InputError, match="it is not a file that `fictc score --output` wrote"):
        score(tmp_path / "text.parquet")
    with pytest.raises(InputError, match="it is a file, not a folder"):
        score(tmp_path / "text.parquet", places / "suite.csv")


def test_models_of_one_folder_keep_their_own_conventions(places, tmp_path):
    for name, model in (("causal", saved(GPT2)), ("masked", masked())):
        save_model(replace(model, folder=tmp_path / "models" / name))
    score(tmp_path / "models", places / "suite.csv", "--output", tmp_path / "s.parquet")
    records = json.loads(score(tmp_path / "s.parquet", "--format", "json"))
    assert [record["convention"]["probability"] for record in records] == ["causal", "pll"]


@pytest.mark.parametrize("option", [("--limit", "1"), ("--paradigm", "np"), ("--device", "cpu")])
def test_options_of_a_suite_have_no_effect_on_saved_scores(tmp_path, option):
    result = CliRunner().invoke(command, [str(tmp_path / "scores.parquet"), *option])
    assert result.exit_code == 2 and f"{option[0]} requires SUITE" in result.output
