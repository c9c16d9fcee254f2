"""Files of `fictc score` to a report: models side by side, or corpora against one of them; and injected amounts."""

import json
from dataclasses import replace

import pyarrow as pa
import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.errors import InputError
from runner.report.analysis import analyse
from runner.report.records import Condition
from runner.report.scored_results import results_of_scores
from runner.report.sections import accuracies
from runner.report.statistics import Unit, injected_share
from runner.score.any_suite import prepare_any
from runner.score.convention import Convention
from runner.score.pair_matrices import Score
from runner.score.ratings import Rated, Sentences
from runner.score.sentence_scores import score
from runner.score.suite_files import Pair, Suite
from runner.score.suite_kind import Scores
from runner.score.sweep import write_scores
from runner.score.syntaxgym import load_syntaxgym
from tests.support.models import GPT2, saved
from tests.support.report import section_of
from tests.unit.runner.score.test_syntaxgym import SUITE

PAIRS = [
    Pair("agreement", "agreement", "", 0, "the cat sees the dogs .", "the cat see the dogs ."),
    Pair("agreement", "agreement", "", 1, "the dogs see the cat .", "the dogs sees the cat ."),
    Pair("order", "order", "", 0, "the cat sees .", "cat the sees ."),
    Pair("order", "order", "", 1, "the cat sees .", "the cat sees ."),
]
RATED = [
    Rated("the cat sees the dogs .", 3.0),
    Rated("the cat see the dogs .", 2.0),
    Rated("dogs the see .", 1.0),
]
RATED.append(Rated("the dogs see the cat .", 4.0))
CONVENTION = Convention()


def scores(suite, model="gpt2", checkpoint="", convention=CONVENTION):
    found = score(saved(GPT2), prepare_any(saved(GPT2), suite, convention))
    return Scores(model, checkpoint, suite.name, convention, found.table)


def flipped(one, model):
    """The same pairs of a model that prefers the other sentence of each."""
    table = one.table
    good, bad = table["score_good"], table["score_bad"]
    table = table.set_column(table.column_names.index("score_good"), "score_good", bad)
    return replace(one, model=model, table=table.set_column(table.column_names.index("score_bad"), "score_bad", good))


@pytest.fixture
def files(tmp_path):
    one = scores(Suite("s", PAIRS))
    made = {"gpt2.parquet": [one], "other.parquet": [flipped(one, "other")]}
    for name, each in made.items():
        write_scores(each, "default", tmp_path / name)
    return [tmp_path / name for name in made]


def test_models_stand_side_by_side(files):
    analysis = analyse(results_of_scores(files))
    assert analysis.results.models == ("gpt2", "other")
    section = section_of(accuracies.side_by_side_section, analysis)
    assert section is not None
    first, second = section.tables[0].records()
    assert (first["model"], second["model"]) == ("gpt2", "other")
    assert first["order"] == 1 - second["order"]  # the identical pair does not count
    assert first["mean"] == pytest.approx((first["agreement"] + first["order"]) / 2)


def test_folders_of_one_name_are_called_as_their_files(tmp_path):
    for name in ("base", "random"):
        write_scores([scores(Suite("s", PAIRS), model="model")], "default", tmp_path / f"{name}.parquet")
    paths = [tmp_path / "base.parquet", tmp_path / "random.parquet"]
    assert results_of_scores(paths).models == ("base", "random")
    with pytest.raises(InputError) as caught:
        results_of_scores([paths[0], paths[0]])
    assert caught.value.diagnostics[0].code == "FICT892"


def test_no_model_is_called_as_word_frequencies_are(tmp_path, files):
    write_scores([scores(Suite("s", PAIRS), model="unigram")], "default", tmp_path / "words.parquet")
    with pytest.raises(InputError, match="a model is named `unigram`") as caught:
        results_of_scores([files[0], tmp_path / "words.parquet"])
    assert caught.value.diagnostics[0].code == "FICT892"
    as_corpora = results_of_scores([files[0], tmp_path / "words.parquet"], "gpt2")
    assert [one.name for one in as_corpora.conditions] == ["gpt2", "unigram"]


def test_with_a_baseline_they_are_corpora(tmp_path):
    one = scores(Suite("s", [*PAIRS, replace(PAIRS[2], item=2)]))
    files = [tmp_path / "gpt2.parquet", tmp_path / "other.parquet"]
    for path, each in zip(files, (one, flipped(one, "other")), strict=True):
        write_scores([each], "default", path)
    found = results_of_scores(files, "gpt2", {"other": ["s/order"]})
    assert [(c.name, c.kind) for c in found.conditions] == [("gpt2", "full"), ("other", "given")]
    analysis = analyse(found)
    (change,) = [c for c in analysis.contrasts.values() if c.targeted]
    assert (change.unit.name, change.reference) == ("order", "gpt2")
    assert abs(change.difference.delta) == 1.0
    with pytest.raises(InputError) as caught:
        results_of_scores(files, "gtp2")
    assert caught.value.diagnostics[0].code == "FICT895"


def test_checkpoints_are_points_and_the_last_one_counts(tmp_path):
    first = scores(Suite("s", PAIRS), checkpoint="step-100")
    swept = [first, replace(flipped(first, "gpt2"), checkpoint="step-2000")]
    write_scores(swept, "default", tmp_path / "swept.parquet")
    found = results_of_scores([tmp_path / "swept.parquet"])
    values = {(p.benchmark, p.metric, p.at): p.value for p in found.points}
    assert values["s/order", "accuracy", 2000] == 1 - values["s/order", "accuracy", 100]
    analysis = analyse(found)
    assert (
        next(a.mean for (u, _, m), a in analysis.accuracies.items() if (u.name, m) == ("order", "gpt2"))
        == (values["s/order", "accuracy", 2000])
    )


def test_last_checkpoints_that_differ_are_told(tmp_path):
    ends = {"base": ("step-100", "step-2000"), "other": ("step-100", "step-500")}
    for model, checkpoints in ends.items():
        swept = [scores(Suite("s", PAIRS), model=model, checkpoint=each) for each in checkpoints]
        write_scores(swept, "default", tmp_path / f"{model}.parquet")
    paths = [tmp_path / f"{model}.parquet" for model in ends]
    (remark,) = results_of_scores(paths, "base").remarks
    assert "its last one (base: step-2000; other: step-500)" in remark
    assert results_of_scores(paths[:1]).remarks == ()


def test_last_checkpoints_that_differ_on_one_of_two_suites_are_told(tmp_path):
    ends = {("base", "s"): "step-2", ("base", "t"): "step-3", ("other", "s"): "step-1", ("other", "t"): "step-3"}
    paths = {key: tmp_path / f"{'-'.join(key)}.parquet" for key in ends}
    for (model, suite), end in ends.items():
        swept = [scores(Suite(suite, PAIRS), model=model, checkpoint=each) for each in ("step-0", end)]
        write_scores(swept, "default", paths[model, suite])
    (remark,) = results_of_scores(list(paths.values())).remarks
    assert "(base: step-2 on s, step-3 on t; other: step-1 on s, step-3 on t)" in remark
    (remark,) = results_of_scores([paths["base", "s"], paths["base", "t"]]).remarks
    assert "(base: step-2 on s, step-3 on t)" in remark
    assert results_of_scores([paths["base", "t"], paths["other", "t"]]).remarks == ()


def test_models_of_a_folder_that_are_no_checkpoints_are_told(tmp_path):
    one = scores(Suite("s", PAIRS), model="mine", checkpoint="base")
    write_scores([one, replace(one, checkpoint="large")], "default", tmp_path / "mine.parquet")
    (remark,) = results_of_scores([tmp_path / "mine.parquet"]).remarks
    assert "of 2 models" in remark and "only those of large" in remark and "(base)" in remark
    numbered = [replace(one, checkpoint=name) for name in ("step-10", "step-20", "final")]
    write_scores(numbered, "default", tmp_path / "numbered.parquet")
    assert results_of_scores([tmp_path / "numbered.parquet"]).remarks == ()


def test_sentences_without_ratings_are_refused(tmp_path):
    write_scores([scores(Sentences("lines", [Rated("the cat sees .", None)]))], "default", tmp_path / "s.parquet")
    with pytest.raises(InputError, match="the sentences of lines have no ratings"):
        results_of_scores([tmp_path / "s.parquet"])


def test_a_missing_file_of_scores_is_named(tmp_path):
    with pytest.raises(InputError, match=r"the scores in .*absent\.parquet cannot be used: no such file"):
        results_of_scores([tmp_path / "absent.parquet"])


def test_ratings_and_syntaxgym_are_read_too(tmp_path):
    (tmp_path / "number.json").write_text(json.dumps(SUITE))
    for name, suite in (("rated", Sentences("rated", RATED)), ("gym", load_syntaxgym(tmp_path / "number.json"))):
        write_scores([scores(suite)], "default", tmp_path / f"{name}.parquet")
    found = results_of_scores([tmp_path / "rated.parquet", tmp_path / "gym.parquet"])
    assert [(one.suite, one.model) for one in found.rating_correlations] == [("rated", "gpt2")]
    assert {one.paradigm for one in found.imported} == {"number.1", "number.2", "number.3"}


def test_conventions_that_differ_are_told(files, tmp_path):
    other = scores(Suite("s", PAIRS), model="third", convention=Convention(normalise="mean"))
    write_scores([other], "default", tmp_path / "third.parquet")
    assert "different conventions on s" in results_of_scores([*files, tmp_path / "third.parquet"]).remarks[0]


def test_the_command(files, tmp_path):
    done = CliRunner().invoke(fictc, ["report", *map(str, files), "-o", str(tmp_path / "models.html")])
    assert done.exit_code == 0, done.output
    assert "Models side by side" in (tmp_path / "models.html").read_text()
    targets = tmp_path / "targets.csv"
    targets.write_text("corpus,benchmark\nother,s/order\n")
    options = ["--baseline", "gpt2", "--targets", str(targets), "--format", "json"]
    told = json.loads(CliRunner().invoke(fictc, ["report", *map(str, files), *options]).output)
    assert [row["paradigm"] for row in told["tables"]["targeted"]] == ["order"]
    for wrong in (["report", str(files[0]), "x.csv"], ["report", str(files[0]), "--targets", str(targets)]):
        assert CliRunner().invoke(fictc, wrong).exit_code == 2


def test_a_page_does_not_replace_a_file_of_another_kind(files):
    before = files[0].read_bytes()
    done = CliRunner().invoke(fictc, ["report", *map(str, files), "-o", str(files[0])])
    assert done.exit_code == 2 and f"--format html writes a .html file, not {files[0].name}." in done.output
    assert files[0].read_bytes() == before


@pytest.mark.parametrize(
    ("told", "expected"),
    [({"fraction": 0.001}, 0.001), ({"asked_tokens": 93.0}, 0.01), ({"asked_tokens": 0.97}, 0.0001), ({}, None)],
)
def test_the_amount_is_as_stated_or_the_round_one_nearest(told, expected):
    condition = Condition(name="c", kind="inject", sentences=1, words=10_000, **told)
    assert injected_share(condition) == (None if expected is None else pytest.approx(expected))


def test_what_a_tokenizer_makes_equal_counts_for_its_own_model_alone(files, tmp_path):
    one = scores(Suite("s", PAIRS), model="words")
    table = one.table
    for name, value in (("identical", True), ("score_good", None), ("score_bad", None), ("unk_good", 1)):
        values = pa.array([value, *table[name].to_pylist()[1:]], table[name].type)  # the first pair, of agreement
        table = table.set_column(table.column_names.index(name), name, values)
    write_scores([replace(one, table=table)], "default", tmp_path / "words.parquet")
    found = analyse(results_of_scores([files[0], tmp_path / "words.parquet"])).accuracies
    unit = Unit("paradigm", "s", "agreement")
    words, gpt2 = (found[unit, "as saved", model] for model in ("words", "gpt2"))
    assert (words.applicable, words.identical, words.unscored) == (1, 1, 0)
    assert (gpt2.applicable, gpt2.identical, gpt2.unscored) == (2, 0, 0)
    assert words.unknown_word_pairs == gpt2.unknown_word_pairs + 1


def test_models_in_folders_of_one_name_have_the_names_that_their_files_record(tmp_path):
    paths = []
    for suite in ("blimp", "probe"):
        one = scores(Suite(suite, PAIRS), "model")
        for name, found in (("m1", one), ("m2", flipped(one, "model"))):
            path = tmp_path / f"{name}-{suite}.parquet"
            write_scores([replace(found, cell=Score("full" if name == "m1" else "b", name, 1))], "default", path)
            paths.append(path)
    results = results_of_scores(paths)
    assert results.models == ("m1", "m2")
    section = section_of(accuracies.side_by_side_section, analyse(results))
    assert section is not None
    assert {condition.name for condition in results_of_scores(paths, "full").conditions} == {"full", "b"}
    write_scores([replace(one, cell=Score("full", "m1", 2))], "default", tmp_path / "seed.parquet")
    files_of_seeds = [*paths, tmp_path / "seed.parquet"]  # the recorded names do not tell two seeds apart
    assert set(results_of_scores(files_of_seeds).models) == {path.stem for path in files_of_seeds}
