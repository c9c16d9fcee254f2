"""A table of results to conditions, accuracies and remarks."""

import json
from pathlib import Path

import pytest

from fictdsl.lint.vocabulary import PHENOMENA
from runner.errors import InputError
from runner.report.analysis import analyse
from runner.report.answer import answer
from runner.report.document import report_of, to_json, to_text
from runner.report.imported_results import blimp_groups, read_targets, results_of
from runner.report.long_form import read_long_form
from runner.report.records import Filter
from runner.report.results import Results
from runner.report.statistics import Unit
from tests.support import long_form


def results(tmp_path: Path, table=None, **options) -> Results:
    path = long_form.write(tmp_path / "results.csv", table or long_form.rows())
    return results_of(read_long_form(path), **options)


def test_conditions_come_with_the_baseline_first(tmp_path: Path) -> None:
    found = results(tmp_path, baseline="passive", targets=long_form.TARGETS)
    assert [c.name for c in found.conditions] == ["passive", "full", "agr-pp-mod", "npi-only"]
    assert [c.kind for c in found.conditions] == ["full", "given", "given", "given"]
    assert found.condition("full").tokens == 80_000_000
    assert found.condition("agr-pp-mod").targets == ("blimp/distractor_agreement_relational_noun",)
    assert found.models == ("lstm", "transformer")


def test_every_accuracy_and_perplexity_is_as_given(tmp_path: Path) -> None:
    table = long_form.rows()
    analysis = analyse(results(tmp_path, table))
    for corpus, arch, seed, benchmark, metric, value in table:
        if metric == "accuracy":
            unit = Unit("paradigm", *benchmark.split("/"))
            assert analysis.accuracies[unit, corpus, arch].by_seed[seed] == value
        if metric == "ppl":
            (text,) = [t for t in analysis.texts if (t.condition, t.model) == (corpus, arch)]
            assert text.by_seed[seed] == pytest.approx(value)


def test_a_loss_alone_is_a_perplexity(tmp_path: Path) -> None:
    found = analyse(results(tmp_path, [("full", "lstm", 1, "test", "loss", 2.0)]))
    assert found.texts[0].by_seed[1] == pytest.approx(7.38905609893065)


@pytest.mark.parametrize("loss", [200.0, 360.0, 689.0, 1e200])
def test_a_loss_of_any_size_has_its_statistics(tmp_path: Path, loss: float) -> None:
    rows = [row for row in long_form.rows() if row[4] not in ("ppl", "loss")]
    cells = [(c, m, s) for c in long_form.CORPORA for m in ("lstm", "transformer") for s in (1, 2, 3)]
    rows += [(*cell, "test", "loss", loss + i % 5 / 10) for i, cell in enumerate(cells)]
    analysis = analyse(results(tmp_path, rows))
    document = json.loads(to_json(report_of(analysis)), parse_constant=lambda name: 1 / 0)  # no NaN, no Infinity
    changes = [row for row in document["tables"]["perplexity"] if row["condition"] != "full"]
    assert len(changes) == 6 and all(row["change_low"] is not None for row in changes)
    told = any("Losses of 690 nats per token or more" in one for one in document["answer"]["cautions"])
    assert told == (loss > 690)
    assert "perplexity of test" in to_text(report_of(analysis))


def test_filters_name_corpora_however_these_are_written(tmp_path: Path) -> None:
    table = [(row[0].upper().replace("-", "_"), *row[1:]) for row in long_form.rows()]
    filters = [
        Filter(name="agr-pp-mod", key="k", text="", targets=("blimp/distractor_agreement_relational_noun",)),
        Filter(name="unheard-of", key="k", text="", targets=()),
    ]
    analysis = analyse(results(tmp_path, table, baseline="FULL", filters=filters))
    assert analysis.targets["AGR_PP_MOD"] == {"blimp/distractor_agreement_relational_noun"}
    assert any("unheard-of" in remark for remark in analysis.results.remarks)


def test_paradigms_of_blimp_have_their_phenomenon(tmp_path: Path) -> None:
    assert len(blimp_groups()) == 67
    assert {phenomenon for phenomenon, _ in blimp_groups().values()} == PHENOMENA["blimp"]
    found = {p.name: (p.phenomenon, p.field) for p in results(tmp_path).paradigms}
    assert found["anaphor_number_agreement"] == ("anaphor_agreement", "morphology")


@pytest.mark.shared
def test_phenomena_are_those_of_the_benchmark(data: Path) -> None:
    import json

    for file in (data / "blimp").glob("*.jsonl"):
        row = json.loads(file.open(encoding="utf-8").readline())
        assert blimp_groups()[row["UID"]] == (row["linguistics_term"], row["field"].replace("/", "_"))


def test_remarks_say_what_was_left_out(tmp_path: Path) -> None:
    table = [
        ("full", "lstm", 1, "test", "ppl", 50.0),
        ("full", "lstm", 1, "test", "loss", 2.0),
        ("full", "lstm", 1, "test", "bpc", 2.0),
        ("full", "lstm", 2, "test", "ppl", ""),
    ]
    said = " ".join(results(tmp_path, table).remarks)
    assert "The table has 1 empty value;" in said
    assert "bpc" in said
    assert "In 1 cell the perplexity is not exp(loss)" in said


def test_a_change_without_an_interval_is_told_as_such(tmp_path: Path) -> None:
    names = ("blimp/passive_1", "blimp/passive_2")
    table = [
        (corpus, "lstm", 1, name, "accuracy", value)
        for corpus, value in (("full", 0.9), ("cut", 0.7))
        for name in names
    ]
    paragraph = answer(analyse(results(tmp_path, table, targets={"cut": list(names)}))).paragraph
    assert "together, accuracy changed by −20.0 points (lstm, without an interval)." in paragraph


def test_correlations_with_ratings_are_a_table(tmp_path: Path) -> None:
    table = [("full", "lstm", seed, "rated", "pearson", value) for seed, value in ((1, 0.25), (2, 0.75))]
    table += [("full", "lstm", 1, "test", "ppl", 50.0), ("cut", "lstm", 1, "rated", "pearson", 0.5)]
    rows = json.loads(to_json(report_of(analyse(results(tmp_path, table)))))["tables"]["ratings"]
    assert [(row["suite"], row["condition"], row["model"], row["r"], row["n"]) for row in rows] == [
        ("rated", "full", "lstm", 0.5, 2),
        ("rated", "cut", "lstm", 0.5, 1),
    ]
    assert rows[0]["by_seed"] == "1:0.25 2:0.75"


def test_deltas_that_no_statistic_uses_are_told(tmp_path: Path) -> None:
    table = [
        ("full", "lstm", 1, "blimp/passive_1", "delta", 2.5),
        ("full", "lstm", 1, "wino/winobias-type1-dev-female", "delta", 0.5),
    ]
    (remark,) = results(tmp_path, table).remarks
    assert remark == "No statistic of the report uses a delta of other benchmarks than WinoBias (blimp/passive_1)."


def test_a_baseline_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="FICT895") as caught:
        results(tmp_path, baseline="ful")
    assert "full" in (caught.value.diagnostics[0].hint or "")


def test_targets_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "targets.csv"
    path.write_text("benchmark,corpus\nblimp/passive_1,passive\nblimp/passive_2,passive\n", encoding="utf-8")
    assert read_targets(path, long_form.CORPORA) == {"passive": ["blimp/passive_1", "blimp/passive_2"]}
    path.write_text("benchmark,corpus\nblimp/passive_1,pasive\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"FICT895.*line 2"):
        read_targets(path, long_form.CORPORA)
    path.write_text("benchmark,corpus\nblimp/passive_1,\n", encoding="utf-8")
    with pytest.raises(InputError, match="FICT894"):
        read_targets(path, long_form.CORPORA)


def ends(tmp_path: Path, measured: dict[str, tuple[object, ...]]):
    """Accuracy at the end by corpus, and the remarks; an accuracy is a hundred-thousandth of its checkpoint."""
    rows = [
        (corpus, "m", seed, "blimp/passive_1", "accuracy", 0.9 if at == "" else at / 100_000, at)
        for corpus, checkpoints in measured.items()
        for seed in (1, 2)
        for at in checkpoints
    ]
    path = long_form.write(tmp_path / "results.csv", rows, (*long_form.HEADER, "checkpoint"))
    found = results_of(read_long_form(path))
    values = {one.condition: one.value for one in found.imported}
    return values, " ".join(found.remarks)


def test_the_end_is_the_last_checkpoint_that_all_cells_of_a_model_have(tmp_path: Path) -> None:
    values, said = ends(tmp_path, {"full": (1000, 2000, 4000), "new": (1000, 2000)})
    assert values == {"full": 0.02, "new": 0.02}
    assert "the last checkpoint that all cells of a model share (accuracy of blimp/passive_1, m: 2,000)" in said
    assert ends(tmp_path, {"full": (1000, 2000, ""), "new": (1000, 2000)})[0] == {"full": 0.02, "new": 0.02}


def test_cells_that_end_alike_need_no_remark(tmp_path: Path) -> None:
    assert ends(tmp_path, {"full": (1000, 4000), "new": (2000, 4000)}) == ({"full": 0.04, "new": 0.04}, "")
    assert ends(tmp_path, {"full": (1000, ""), "new": ("",)}) == ({"full": 0.9, "new": 0.9}, "")


def test_cells_without_a_checkpoint_in_common_are_told(tmp_path: Path) -> None:
    values, said = ends(tmp_path, {"full": (1000, 4000), "new": (500, 3000)})
    assert values == {"full": 0.04, "new": 0.03}
    assert "represented by its own last checkpoint (accuracy of blimp/passive_1, m)" in said
