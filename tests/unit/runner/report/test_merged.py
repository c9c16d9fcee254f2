"""Models that were trained elsewhere beside those of a run: merged, and refused if they differ."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from runner.cli import fictc
from runner.errors import InputError
from runner.report.analysis import analyse
from runner.report.answer import answer
from runner.report.document import report_of
from runner.report.page import render
from runner.report.results import read_results
from runner.report.scored_results import results_with_scores
from runner.report.statistics import Unit
from runner.score.convention import Convention
from runner.score.intervals import AGREEING
from runner.score.pair_matrices import Score
from runner.score.suite_kind import Scores
from runner.score.sweep import read_scores, write_scores
from tests.support.ratings import write_syntaxgym
from tests.support.results import Fabricated

UNIT = Unit("paradigm", "blimp", "anaphor_number_agreement")
LABELS = ["condition", "model", "seed", "suite"]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    card = {"convention": {"blimp": asdict(Convention())}}
    return Fabricated(items=10, seeds=(1, 2, 3, 4), card=card).write(tmp_path / "run" / "results")


def scores(run: Path, cell: Score | None, convention: Convention = Convention(), suite: str = "blimp") -> Scores:  # noqa: B008
    """The scores of a cell of the run, said to be another's."""
    table = pq.read_table(run / "items.parquet")
    condition = "det-noun" if cell and cell.condition == "det-noun" else "full"
    rows = pc.and_(
        pc.and_(pc.equal(table["condition"], condition), pc.equal(table["model"], "lstm-128")),
        pc.equal(table["seed"], 1),
    )
    return Scores("gpt2", "", suite, convention, table.filter(rows).drop_columns(LABELS), cell=cell)


def written(path: Path, entry: Scores) -> Path:
    write_scores([entry], "default", path)
    return path


def test_a_model_from_elsewhere_is_a_cell_that_is_not_paired(run: Path, tmp_path: Path) -> None:
    files = [
        written(tmp_path / f"{condition}-{seed}.parquet", scores(run, Score(condition, "gpt2", seed)))
        for condition in ("full", "det-noun")
        for seed in (1, 2, 3, 4)
    ]
    assert read_scores(files[0])[0][0].cell == Score("full", "gpt2", 1)
    found = analyse(results_with_scores(run, files))
    own = found.accuracies[UNIT, "full", "lstm-128"].by_seed[1]
    assert found.accuracies[UNIT, "full", "gpt2"].by_seed == dict.fromkeys((1, 2, 3, 4), own)
    methods = {c.difference.method for c in found.contrasts.values() if (c.condition, c.model) == ("det-noun", "gpt2")}
    assert methods - {AGREEING} == {"seeds × items, seeds unpaired"}
    assert found.contrasts[UNIT, "det-noun", "lstm-128", "full"].difference.method == "seeds × items, seeds paired"


def test_a_condition_that_the_run_lacks_is_added(run: Path, tmp_path: Path) -> None:
    file = written(tmp_path / "new.parquet", scores(run, Score("bigger", "lstm-128", 9)))
    results = results_with_scores(run, [file])
    assert (results.conditions[-1].name, results.conditions[-1].kind) == ("bigger", "given")
    assert (UNIT, "bigger", "lstm-128") in analyse(results).accuracies
    done = CliRunner().invoke(fictc, ["report", str(run.parent), str(file)], catch_exceptions=False)
    assert done.output == f"{run.parent / 'merged.html'}\n"
    assert "bigger" in (run.parent / "merged.html").read_text(encoding="utf-8")


def test_a_misspelt_condition_of_added_scores_is_told_with_the_nearest(run: Path, tmp_path: Path) -> None:
    file = written(tmp_path / "new.parquet", scores(run, Score("detnoun", "lstm-128", 9)))
    remark = "The condition detnoun of the added scores is not one of the run; the nearest is det-noun."
    assert remark in results_with_scores(run, [file]).remarks
    assert remark in answer(analyse(results_with_scores(run, [file]))).cautions
    file = written(tmp_path / "known.parquet", scores(run, Score("det-noun", "lstm-128", 9)))
    assert not any("not one of the run" in remark for remark in results_with_scores(run, [file]).remarks)


def test_the_syntaxgym_predictions_of_the_run_stay(run: Path, tmp_path: Path) -> None:
    write_syntaxgym(run, {("full", "lstm-128", 1): [True, False]})
    before, file = read_results(run), written(tmp_path / "x.parquet", scores(run, Score("full", "gpt2", 1)))
    after = results_with_scores(run, [file])
    assert [paradigm.key for paradigm in after.paradigms] == [paradigm.key for paradigm in before.paradigms]
    assert after.suites == before.suites and len(after.suites) == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cell": Score("full", "unigram", 1)}, "names the model `unigram`"),
        ({"cell": None}, "names no cell; score it with --condition, --model and --seed"),
        ({"cell": Score("full", "lstm-128", 1)}, "is full/lstm-128/1, a cell of the run"),
        ({"suite": "other"}, "has scores of other, which the run does not evaluate (suites: blimp)"),
        ({"convention": Convention(ties="strict")}, "has ties 'strict', but the run has 'half'"),
    ],
)
def test_what_differs_is_refused_by_name(run: Path, tmp_path: Path, change, said: str) -> None:
    entry = replace(scores(run, Score("full", "gpt2", 1)), **change)
    with pytest.raises(InputError) as caught:
        results_with_scores(run, [written(tmp_path / "x.parquet", entry)])
    assert caught.value.diagnostics[0].code == "FICT892"
    assert said in caught.value.diagnostics[0].message


def test_scores_of_sentences_cannot_be_added(run: Path, tmp_path: Path) -> None:
    entry = scores(run, Score("full", "gpt2", 1))
    sentences = replace(entry, table=entry.table.drop_columns(["paradigm"]))
    with pytest.raises(InputError, match="only scores of minimal pairs and alternants can be added"):
        results_with_scores(run, [written(tmp_path / "x.parquet", sentences)])


def test_scores_cannot_be_added_to_a_run_without_pairs(run: Path, tmp_path: Path) -> None:
    file = written(tmp_path / "x.parquet", scores(run, Score("full", "gpt2", 1)))
    card = json.loads((run / "run.json").read_text(encoding="utf-8"))
    (run / "run.json").write_text(json.dumps(card | {"suites": {"blimp": "ratings"}}), encoding="utf-8")
    (run / "items.parquet").unlink()
    with pytest.raises(InputError, match="only scores of minimal pairs and alternants can be added"):
        results_with_scores(run, [file])


def test_a_masked_model_is_held_against_the_convention_of_masked_models(tmp_path: Path) -> None:
    masked = Convention(probability="pll")
    card = {"convention": {"blimp": asdict(Convention()) | {"masked": asdict(masked)}}}
    run = Fabricated(items=10, seeds=(1, 2), card=card).write(tmp_path / "run" / "results")
    file = written(tmp_path / "x.parquet", scores(run, Score("full", "bert", 1), masked))
    assert (UNIT, "full", "bert") in analyse(results_with_scores(run, [file])).accuracies
    other = written(tmp_path / "y.parquet", scores(run, Score("full", "bert", 1), replace(masked, eos="scored")))
    with pytest.raises(InputError, match="has eos 'scored', but the run has 'skipped'"):
        results_with_scores(run, [other])


def test_other_pairs_and_a_cell_that_is_there_twice_are_refused(run: Path, tmp_path: Path) -> None:
    entry = scores(run, Score("full", "gpt2", 1))
    fewer = replace(entry, table=entry.table.slice(0, entry.table.num_rows - 1))
    other = replace(entry, table=pa.concat_tables([fewer.table, entry.table.slice(0, 1)]))
    file, again = written(tmp_path / "a.parquet", entry), written(tmp_path / "b.parquet", entry)
    for files in ([written(tmp_path / "f.parquet", fewer)], [written(tmp_path / "o.parquet", other)], [file, again]):
        with pytest.raises(InputError) as caught:
            results_with_scores(run, files)
        assert caught.value.diagnostics[0].code == "FICT892"


def test_a_cell_is_named_completely_or_not_at_all(tmp_path: Path) -> None:
    named = ["--condition", "x", "--model", "m", "--seed", "1"]
    for options, missing in ((["--condition", "x"], "--model"), (named, "--output")):
        done = CliRunner().invoke(fictc, ["score", str(tmp_path), str(tmp_path), *options])
        assert done.exit_code == 2
        assert f"--condition requires {missing}" in done.output


def test_the_summary_says_of_each_model_what_it_has(run: Path, tmp_path: Path) -> None:
    own = answer(analyse(read_results(run))).question
    assert "lstm-128 and transformer-128 were trained, 4 seeds each, on the full corpus, on the remaining" in own
    cells = [
        Score("full", "gpt2-mine", 1),
        Score("full", "lstm-128", 7),
        Score("bigger", "gpt2-mine", 1),
    ]
    files = [written(tmp_path / f"{i}.parquet", scores(run, cell)) for i, cell in enumerate(cells)]
    results = results_with_scores(run, files)
    report = report_of(analyse(results))
    assert report.answer.question == (
        f"{own} Scores of models that were trained elsewhere were added: gpt2-mine (bigger, 1 seed; full, 1 seed) and "
        "lstm-128 (full, 1 seed)."
    )
    trained = 5 * 2 * 4
    assert f"<b>{trained}</b> trained cells</li><li><b>3</b> added cells" in render(report, "report")


def test_models_of_unequal_seeds_and_corpora_are_described_apart(tmp_path: Path) -> None:
    lost = [("det-noun", 1), ("det-noun", 2), ("det-noun", 3), ("det-noun.random", 1), ("full", 2)]
    failed = [{"condition": name, "model": "lstm-128", "seed": seed, "error": "x"} for name, seed in lost]
    folder = Fabricated(items=4, failed=failed).write(tmp_path / "results")
    assert (
        "lstm-128 was trained, 2 to 3 seeds, on the full corpus, on the remaining sentences of agr-pp-mod and on random "
        "controls of agr-pp-mod and det-noun; transformer-128 was trained, 3 seeds, on the full corpus, on the remaining sentences "
        "and on their controls (sentences removed at random), and evaluated on minimal pairs."
    ) in answer(analyse(read_results(folder))).question
