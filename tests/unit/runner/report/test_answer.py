"""The text at the top says what the numbers say, for every way a run can turn out."""

import json
import re
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runner import formatting
from runner.report.analysis import analyse
from runner.report.answer import _scope, answer
from runner.report.cautions import cautions, outlying
from runner.report.document import report_of, to_text
from runner.report.imported_results import results_of
from runner.report.long_form import read_long_form
from runner.report.page import render
from runner.report.records import Exposure
from runner.report.results import read_results
from runner.report.statistics import Analysis
from runner.score.pair_matrices import Paradigm
from tests.support import long_form
from tests.support.results import EFFECTS, PARADIGMS, TARGETS, Fabricated


def said(folder: Path, **made):
    return answer(analyse(read_results(Fabricated(**{"items": 60} | made).write(folder / "results"))))


def test_counts_what_fell_and_what_did_not(analysis) -> None:
    text = answer(analysis)
    assert "Of 4 targeted comparisons" in text.paragraph
    assert (
        "2 fell below the control (distractor_agreement_relational_noun under agr-pp-mod: lstm-128 −" in text.paragraph
    )
    assert "1 held within ±5 points (determiner_noun_agreement_1 under det-noun: transformer-128" in text.paragraph
    assert "1 is undecided (determiner_noun_agreement_1 under det-noun: lstm-128" in text.paragraph
    assert sorted(f.verdict for f in text.findings) == ["fell", "fell", "held", "undecided"]
    assert any("would probably go undetected" in caution for caution in text.cautions)


def test_a_drop_within_the_margin_is_a_drop(analysis) -> None:
    """It has a group of its own, and is not counted among the accuracies that held."""
    report = analysis.results.run.report.model_copy(update={"equivalence": 45.0})
    run = analysis.results.run.model_copy(update={"report": report})
    wide = analyse(replace(analysis.results, run=run))
    text = answer(wide)
    drop = next(c for c in wide.targeted_contrasts if c.verdict == "fell within margin" and c.model == "lstm-128")
    assert drop.reference_kind == "control"
    change = f"lstm-128 {formatting.points(drop.difference.delta)} {formatting.interval(drop.difference.low, drop.difference.high)}"
    said = "2 fell below the control, by less than 45 points (distractor_agreement_relational_noun under agr-pp-mod: "
    assert said + change in text.paragraph
    assert "none fell" not in text.paragraph
    assert sorted(f.verdict for f in text.findings) == ["fell within margin"] * 2 + ["held"] * 2
    assert "▿ Fell within margin" in render(report_of(wide), "files")


def test_names_the_headline_and_the_largest_untargeted_changes(analysis) -> None:
    paragraph = answer(analysis).paragraph
    assert re.search(r"Over the targeted paradigms together, accuracy changed by −\d+\.\d points \[−", paragraph)
    targets = {key for keys in analysis.targets.values() for key in keys}
    changes = [
        c
        for c in analysis.contrasts.values()
        if c.reference_kind == "control" and c.unit.level == "paradigm" and f"blimp/{c.unit.name}" not in targets
    ]
    largest = max(changes, key=lambda c: abs(c.difference.delta))
    assert f"The largest of these changes, which no test supports: {largest.unit.name} under" in paragraph


def test_untargeted_changes_of_a_condition_without_a_control_are_from_the_full_corpus(tmp_path: Path) -> None:
    conditions = ("full", "agr-pp-mod", "agr-pp-mod.random", "det-noun")
    paradigm = "anaphor_number_agreement"
    paragraph = said(tmp_path, conditions=conditions, effects={("det-noun", paradigm): -0.3}).paragraph
    assert f"The largest of these changes, which no test supports: {paradigm} under det-noun" in paragraph


def of_table(folder: Path, values: dict[str, tuple[int, float]], targets: dict[str, list[str]]) -> Analysis:
    """A table of two paradigms, given the first of two seeds and the accuracy of each condition."""
    rows = [
        (name, "lstm", seed, f"blimp/{paradigm}", "accuracy", value + 0.01 * (seed % 2))
        for name, (first, value) in values.items()
        for seed in (first, first + 1)
        for paradigm in ("p1", "p2", "p3", "p4")
    ]
    return analyse(results_of(read_long_form(long_form.write(folder / "table.csv", rows)), targets=targets))


def test_the_change_of_one_condition_is_not_that_of_all(tmp_path: Path) -> None:
    targets = {"a": ["blimp/p1", "blimp/p2"], "b": ["blimp/p3", "blimp/p4"]}
    without_shared_seeds = {"full": (1, 0.9), "a": (11, 0.3), "b": (21, 0.9)}
    paragraph = answer(of_table(tmp_path, without_shared_seeds, targets)).paragraph
    assert "Over the targeted paradigms together, accuracy" not in paragraph
    assert "together is unknown (lstm), because their scores share no seed." in paragraph
    shared = {"full": (1, 0.9), "a": (11, 0.3), "b": (11, 0.9)}
    paragraph = answer(of_table(tmp_path, shared, targets)).paragraph
    assert "Over the targeted paradigms together, accuracy changed by −30.0 points" in paragraph
    assert "unknown" not in paragraph
    paragraph = answer(of_table(tmp_path, without_shared_seeds, {"a": targets["a"]})).paragraph
    assert "Over the targeted paradigms together, accuracy changed by −60.0 points" in paragraph


def test_a_paradigm_of_two_conditions_without_a_shared_seed_is_missing_in_the_change_over_all(tmp_path: Path) -> None:
    targets = {"a": ["blimp/p1", "blimp/p2", "blimp/p3"], "b": ["blimp/p3"]}
    values = {"full": (1, 0.9), "a": (11, 0.3), "b": (21, 0.9)}
    paragraph = answer(of_table(tmp_path, values, targets)).paragraph
    assert "changed by −60.0 points [" in paragraph and "(lstm, 2 of 3 paradigms)." in paragraph
    paragraph = answer(of_table(tmp_path, values, targets | {"a": ["blimp/p2", "blimp/p3"]})).paragraph
    assert "changed by −60.0 points [" in paragraph and "(lstm, 1 of 2 paradigms)." in paragraph


def test_the_change_over_paradigms_of_one_condition_without_a_shared_seed_is_unknown(tmp_path: Path) -> None:
    rows = [
        (condition, "lstm", seed, f"blimp/{paradigm}", "accuracy", value + 0.01 * (seed % 2))
        for condition, value in (("full", 0.9), ("a", 0.3))
        for paradigm, first in (("p1", 1), ("p2", 11))
        for seed in (first, first + 1)
    ]
    table = read_long_form(long_form.write(tmp_path / "table.csv", rows))
    paragraph = answer(analyse(results_of(table, targets={"a": ["blimp/p1", "blimp/p2"]}))).paragraph
    assert "together is unknown (lstm), because their scores share no seed." in paragraph
    paragraph = answer(analyse(results_of(table, targets={"a": ["blimp/p1"]}))).paragraph
    assert "together" not in paragraph


def test_what_is_held_near_chance_can_hardly_fall(tmp_path: Path) -> None:
    floor = [(*PARADIGMS[0][:4], 0.02), (*PARADIGMS[2][:4], 0.97)]
    text = said(tmp_path, paradigms=floor, effects={}, items=200).paragraph
    assert re.search(r"; \d held within ±5 points \(.*\), 2 of them from an accuracy near or below chance, which", text)


def test_a_rise_is_called_a_rise(tmp_path: Path) -> None:
    effects = {("agr-pp-mod", "distractor_agreement_relational_noun"): 0.12}
    text = said(tmp_path, effects=effects)
    assert "none fell below" in text.paragraph
    assert "2 rose (distractor" in text.paragraph


def test_one_seed_is_over_items_only(tmp_path: Path) -> None:
    text = said(tmp_path, seeds=(1,))
    assert "Each has only one seed on a side; its interval is over items only: such a difference is" in text.paragraph
    assert "between two models, not necessarily between two corpora" in text.paragraph


def test_one_seed_against_several_has_the_variance_of_the_others(tmp_path: Path) -> None:
    failed = [{"condition": "det-noun", "model": "lstm-128", "seed": seed, "error": "no"} for seed in (2, 3)]
    paragraph = said(tmp_path, failed=failed).paragraph
    assert "1 comparison has one seed on one side; the variance between its seeds is taken to be that of" in paragraph
    assert "over items only" not in paragraph


@pytest.mark.parametrize(("seeds", "verdict"), [(3, "undecided"), (5, "held")])
def test_few_seeds_that_agree_do_not_show_that_an_accuracy_held(tmp_path: Path, seeds: int, verdict: str) -> None:
    analysis = analyse(read_results(Fabricated(items=200, seeds=tuple(range(seeds))).write(tmp_path / "results")))
    same = [
        replace(p, score_good=np.ones_like(p.score_good), score_bad=np.zeros_like(p.score_bad))
        for p in analysis.results.paradigms
    ]
    found = answer(analyse(replace(analysis.results, paradigms=tuple(same))))
    assert {finding.verdict for finding in found.findings} == {verdict}
    share = {3: "63 %", 5: "45 %"}[seeds]
    (caution,) = [text for text in found.cautions if "all decisions agree" in text]
    assert f"over items only; {seeds} equal seeds do not exclude that up to {share} of seeds differ." in caution
    assert ("Fewer than 5 seeds do not give the verdict held." in caution) == (seeds < 5)


def test_an_outlying_seed_and_shared_words_are_named(tmp_path: Path) -> None:
    assert outlying({1: 0.8, 2: 0.82, 3: 0.81, 4: 0.5}) == [4]
    assert outlying({1: 0.8, 2: 0.82, 3: 0.81, 4: 0.74}) == outlying({1: 0.8, 2: 0.82, 3: 0.1}) == []
    results = read_results(Fabricated(seeds=(1, 2, 3, 4)).write(tmp_path / "results"))
    first, *others = results.paradigms
    score_good = first.score_good.copy()
    score_good[[cell.seed == 3 and cell.condition == "agr-pp-mod" for cell in first.cells]] = 0.0
    words = replace(first, score_good=score_good, good=("a b",) * len(first.item), bad=("b a",) * len(first.item))
    text = answer(analyse(replace(results, paradigms=(words, *others))))
    assert any("seed 3 of agr-pp-mod, lstm-128, on distractor_agreement" in caution for caution in text.cautions)
    (caution,) = [caution for caution in text.cautions if caution.startswith("Pairs share their words")]
    assert "(distractor_agreement_relational_noun: 2 in 60 pairs)" in caution


def test_a_paradigm_of_one_pair_is_left_out(tmp_path: Path) -> None:
    results = read_results(Fabricated().write(tmp_path / "results"))
    first, *others = results.paradigms
    names = ("score_good", "score_bad", "identical", "unknown")
    tiny = replace(first, item=first.item[:1], **{name: getattr(first, name)[:, :1] for name in names})
    analysis = analyse(replace(results, paradigms=(tiny, *others)))
    found = answer(analysis)
    assert "Of 2 targeted comparisons" in found.paragraph and "item scores" not in found.paragraph
    assert any(text.startswith("Fewer than two scored pairs: distractor_agreement") for text in found.cautions)
    for contrast in analysis.contrasts.values():
        for change in (contrast.difference, *contrast.differences_by_method.values()):
            assert change.low is None or -1 <= change.low <= change.high <= 1
    conditions = [
        c if c.name != "det-noun" else c.model_copy(update={"targets": (), "filters": ()}) for c in results.conditions
    ]
    alone = answer(analyse(replace(results, paradigms=(tiny, *others), conditions=tuple(conditions))))
    assert alone.paragraph == "The targeted paradigms have fewer than two scored pairs each, so nothing is tested."


def test_what_two_seeds_cannot_show_is_said_without_impossible_numbers(analysis) -> None:
    some, *others = analysis.detectable
    assert others
    two_seeds = replace(analysis, detectable=(replace(some, detectable_change=1.067, provable_margin=1.152), *others))
    before, after = (" ".join(answer(each).cautions) for each in (analysis, two_seeds))
    assert f"With these seeds, no targeted change of {some.model} would be detected with 80 % power." in after
    assert f"With these seeds, no unchanged accuracy of {some.model} would get the verdict held." in after
    assert "106.7" not in after and "115.2" not in after and "With these seeds" not in before


def test_without_controls_it_says_so(tmp_path: Path) -> None:
    text = said(tmp_path, conditions=("full", "agr-pp-mod", "det-noun"))
    assert "the baseline" in text.paragraph
    assert any("due to the different text in general" in caution for caution in text.cautions)
    assert "controls" not in text.question


def test_a_long_account_of_a_condition_is_left_to_the_corpora(tmp_path: Path) -> None:
    folder = Fabricated(items=4, conditions=("full", "agr-pp-mod", "det-noun")).write(tmp_path / "results")
    conditions = json.loads((folder / "conditions.json").read_text())
    conditions[1] |= {"kind": "order", "what": "in the order a → b"}
    conditions[2] |= {"kind": "order", "what": "in the order " + " → ".join("abcdefgh" * 5)}
    (folder / "conditions.json").write_text(json.dumps(conditions))
    asked = answer(analyse(read_results(folder))).question
    assert (
        "changed ones, and evaluated on minimal pairs. The changed ones are agr-pp-mod (in the order a → b) and det-noun."
        in asked
    )


def test_a_family_of_tests_has_every_condition_against_its_own_baseline(tmp_path: Path) -> None:
    names = ("full", "agr-pp-mod", "agr-pp-mod.random", "det-noun")
    effects = {(c, name): -0.4 for c, found in TARGETS.items() for name in (t.rpartition("/")[2] for t in found)}
    folder = Fabricated(items=60, conditions=names, effects=effects).write(tmp_path / "results")
    found = [c for c in analyse(read_results(folder)).targeted_contrasts if c.model == "lstm-128"]
    reference_matches = {(c.condition, c.reference_kind): c for c in found}
    main = [reference_matches["agr-pp-mod", "control"], reference_matches["det-noun", "full"]]
    first, second = sorted(main, key=lambda c: c.difference.p)
    assert first.holm == pytest.approx(2 * first.difference.p)
    assert second.holm == pytest.approx(max(first.holm, second.difference.p))
    beside, other = reference_matches["agr-pp-mod", "full"], reference_matches["det-noun", "full"]
    low, high = sorted((beside.difference.p, other.difference.p))
    assert beside.holm == pytest.approx(2 * low if beside.difference.p == low else max(2 * low, high))


def test_nothing_changed_has_nothing_to_answer(tmp_path: Path) -> None:
    text = said(tmp_path, conditions=("full",))
    assert text.paragraph == ""
    assert text.findings == ()
    assert "No condition of this run" in text.question


def test_targets_without_a_baseline_are_not_said_to_be_none(tmp_path: Path) -> None:
    conditions = tuple(name for name in Fabricated().conditions if name != "full" and not name.endswith(".random"))
    text = said(tmp_path, conditions=conditions)
    assert text.paragraph.startswith("No model of the full corpus or of a control has scores of a targeted paradigm")
    assert "full corpus" not in text.question


def test_targets_of_conditions_without_scores_are_not_said_to_be_none(tmp_path: Path) -> None:
    folder = Fabricated(items=60, conditions=("full", "agr-pp-mod", "agr-pp-mod.random")).write(tmp_path / "results")
    results = read_results(folder)
    of_full = tuple(only_of(paradigm, "full") for paradigm in results.paradigms)
    for state, reason in (((), "no scores of a targeted paradigm"), (("interim",), "not finished yet")):
        text = answer(analyse(replace(results, paradigms=of_full, state=state)))
        assert text.paragraph == f"The condition agr-pp-mod has {reason}, so nothing is tested."


def only_of(paradigm: Paradigm, condition: str) -> Paradigm:
    """The paradigm with the scores of one condition."""
    kept = [i for i, cell in enumerate(paradigm.cells) if cell.condition == condition]
    rows = {
        field.name: value[kept]
        for field in fields(paradigm)
        if isinstance(value := getattr(paradigm, field.name), np.ndarray) and len(value) == len(paradigm.cells)
    }
    return replace(paradigm, cells=tuple(paradigm.cells[i] for i in kept), **rows)


def test_pairs_whose_words_vanish_only_under_the_condition_are_a_caution(analysis: Analysis) -> None:
    def cautions_of(own: int, control: int) -> str:
        exposure = tuple(
            Exposure(corpus=corpus, words=9, vanished=3, halved=0, pairs=60, pairs_with_vanished=pairs)
            for corpus, pairs in (("agr-pp-mod", own), ("agr-pp-mod.random", control))
        )
        conditions = tuple(
            condition.model_copy(update={"exposure": exposure}) if condition.name == "agr-pp-mod" else condition
            for condition in analysis.results.conditions
        )
        return " ".join(answer(analyse(replace(analysis.results, conditions=conditions))).cautions)

    assert "71.7 % of the target pairs of agr-pp-mod have a word that its training corpus lacks" in cautions_of(43, 0)
    assert "(0.0 % in agr-pp-mod.random)" in cautions_of(43, 0)
    assert "corpus lacks" not in cautions_of(30, 0)
    assert "corpus lacks" not in cautions_of(43, 43)


def test_a_model_without_a_control_is_named_beside_others(analysis: Analysis) -> None:
    contrasts = [
        replace(contrast, reference_kind="full" if contrast.model == "lstm-128" else "control")
        for contrast in analysis.targeted_contrasts
        if contrast.condition == "agr-pp-mod" and contrast.reference_kind == "control"
    ]
    found = " ".join(cautions(analysis, contrasts))
    assert "Without a control with scores, agr-pp-mod (lstm-128) is compared with the full corpus." in found


def test_a_comparison_with_one_seed_on_a_side_is_named(analysis: Analysis) -> None:
    first, *others = analysis.targeted_contrasts
    one_seed = replace(first, difference=replace(first.difference, n_a=1, n_b=1))
    name = f"{first.unit.name} under {first.condition}, {first.model}"
    assert f"1 of them ({name}) has only one seed on a side" in " ".join(_scope(analysis, [one_seed, *others]))


def test_nothing_targeted_says_how_to_target_and_shows_the_largest_changes(tmp_path: Path) -> None:
    folder = Fabricated(items=60).write(tmp_path / "results")
    conditions = json.loads((folder / "conditions.json").read_text())
    for condition in conditions:
        for one in condition["filters"]:
            one["targets"] = []
    (folder / "conditions.json").write_text(json.dumps(conditions))
    text = answer(analyse(read_results(folder)))
    assert "No condition targets a scored paradigm, so nothing is tested. Targets are named in" in text.paragraph
    assert "in the file of `--targets`" in text.paragraph
    assert "The largest changes, which no test supports: distractor_agreement_relational_noun under" in text.paragraph
    assert text.findings == ()


def test_cautions_about_chance_and_failed_cells(tmp_path: Path) -> None:
    paradigms = [(*row[:4], 0.5 if row[1] == "determiner_noun_agreement_1" else row[4]) for row in PARADIGMS]
    failed = [{"condition": "full", "model": "lstm-128", "seed": 3, "error": "x"}]
    text = said(tmp_path, paradigms=paradigms, failed=failed)
    assert any(
        re.search(r"Accuracy is near or below chance.*determiner_noun_agreement_1 \(lstm-128", c) for c in text.cautions
    )
    assert any("1 cell failed" in caution for caution in text.cautions)


def test_cautions_about_a_filter_that_misses_its_target(tmp_path: Path) -> None:
    folder = Fabricated(items=60).write(tmp_path / "results")
    conditions = json.loads((folder / "conditions.json").read_text())

    def cautions(matched: int) -> list[str]:
        (of,) = [condition for condition in conditions if condition["name"] == "det-noun"]
        of["coverage"] = {"blimp/determiner_noun_agreement_1": [matched, 60], "blimp/passive_1": [60, 60]}
        (folder / "conditions.json").write_text(json.dumps(conditions))
        return [one for one in answer(analyse(read_results(folder))).cautions if "parsed" in one]

    assert cautions(30) == []
    (told,) = cautions(6)
    assert "the filters of det-noun match only 10.0 % of determiner_noun_agreement_1." in told


def test_an_injected_construction_is_to_be_won_and_not_lost(tmp_path: Path) -> None:
    paradigms = [(*row[:4], 0.5) for row in PARADIGMS]
    folder = Fabricated(items=60, paradigms=paradigms).write(tmp_path / "results")
    assert any("little can be lost" in one for one in answer(analyse(read_results(folder))).cautions)
    conditions = json.loads((folder / "conditions.json").read_text())
    (folder / "conditions.json").write_text(json.dumps([one | {"kind": "inject"} for one in conditions]))
    assert not any("little can be lost" in one for one in answer(analyse(read_results(folder))).cautions)


def test_cautions_about_a_model_that_learned_frequencies_alone(tmp_path: Path) -> None:
    folder = Fabricated(items=4, conditions=("full", "det-noun")).write(tmp_path / "results")
    rows = pq.read_table(folder / "perplexity.parquet").to_pylist()
    assert not any("frequen" in caution for caution in answer(analyse(read_results(folder))).cautions)  # not known

    def cautions(gain: float) -> list[str]:
        """Where the losses of lstm-128 under det-noun are `gain` nats per token below those of frequencies."""
        for row in rows:
            poor = (row["model"], row["condition"]) == ("lstm-128", "det-noun")
            row["frequencies"] = row["nll"] + row["tokens"] * (gain if poor else 1.0)
        pq.write_table(pa.Table.from_pylist(rows), folder / "perplexity.parquet")
        return [one for one in answer(analyse(read_results(folder))).cautions if "word frequencies" in one]

    assert cautions(0.1) == []
    (told,) = cautions(0.01)
    assert told.startswith("lstm-128 has learned hardly more than word frequencies under det-noun: its perplexity")
    assert cautions(-0.5) == []
    found = answer(analyse(read_results(folder)))
    assert found.alerts[0].startswith("lstm-128 is worse than word frequencies under det-noun: its perplexity is ")
    assert found.alerts[0].endswith("; no change of its accuracies is tested.")
    assert [finding.verdict for finding in found.findings if finding.model == "lstm-128"] == ["not tested"]


@pytest.mark.parametrize(
    ("unlearned", "kind", "void"),
    [
        (["full"], "remove", {"agr-pp-mod", "det-noun"}),
        (["det-noun.random"], "remove", {"det-noun"}),
        (["det-noun"], "remove", {"det-noun"}),
        (["det-noun"], "perturb", set()),
        ([], "remove", set()),
    ],
)
def test_a_model_worse_than_word_frequencies_is_not_tested(tmp_path: Path, unlearned, kind: str, void) -> None:
    folder = Fabricated(items=60).write(tmp_path / "results")
    revise(folder, det_noun={"kind": kind})
    rows = pq.read_table(folder / "perplexity.parquet").to_pylist()
    for row in rows:
        poor = row["model"] == "lstm-128" and row["condition"] in unlearned
        row["frequencies"] = row["nll"] + row["tokens"] * (-0.02 if poor else 1.0)
    pq.write_table(pa.Table.from_pylist(rows), folder / "perplexity.parquet")
    report = report_of(analyse(read_results(folder)))
    untested = {(f.condition, f.model) for f in report.answer.findings if f.verdict == "not tested"}
    assert untested == {(condition, "lstm-128") for condition in void}
    headlines = {h.condition for h in report.analysis.headlines if h.verdict == "not tested"}
    assert headlines == void | ({""} if void else set())
    assert [alert.partition(" under ")[0] for alert in report.answer.alerts] == (
        ["lstm-128 is worse than word frequencies"] if void else []
    )
    if void:
        assert f"; {len(void)} {'is' if len(void) == 1 else 'are'} not tested (" in report.answer.paragraph
        assert to_text(report).split("\n\n")[1] == report.answer.alerts[0]
        other = "no change of its accuracies" if len(void) == 2 else "no change from or to these accuracies"
        assert report.answer.alerts[0].endswith(f"; {other} is tested.")
    tested = [c for c in report.analysis.targeted_contrasts if c.model == "lstm-128" and c.verdict != "not tested"]
    assert all(c.holm is not None for c in tested)


@pytest.mark.parametrize("effects", [EFFECTS, {}])
def test_every_number_of_targets_is_right(tmp_path: Path, effects) -> None:
    text = said(tmp_path, effects=effects)
    below = sum(f.verdict == "fell" for f in text.findings)
    assert f"{below or 'none'} fell below" in text.paragraph
    assert len(text.findings) == 2 * len(TARGETS)


def test_without_pairs_corpora_are_compared_by_perplexity(tmp_path: Path) -> None:
    text = said(tmp_path, paradigms=())
    assert text.paragraph.startswith("No minimal pairs are scored, so corpora are compared by perplexity alone. Of ")
    assert "changes in the perplexity of test" in text.paragraph
    assert "Targets are named" not in text.paragraph
    assert text.findings == ()


@pytest.mark.parametrize(
    "what",
    [
        "without agr-pp-mod (0.5 of the matching sentences)",
        "without agr-pp-mod (sparing 20 sentences for each lemma(V))",
        "without agr-pp-mod; 10 % of the tokens replaced by text.txt",
    ],
)
def test_only_the_removal_of_every_match_is_a_corpus_without_the_matches(tmp_path: Path, what: str) -> None:
    folder = Fabricated(items=4, conditions=("full", "agr-pp-mod")).write(tmp_path / "results")
    conditions = json.loads((folder / "conditions.json").read_text())
    for text, absent in (
        ("", True),
        ("without agr-pp-mod", True),
        ("without agr-pp-mod, det-noun", True),
        (what, False),
    ):
        conditions[1]["what"] = text
        (folder / "conditions.json").write_text(json.dumps(conditions))
        report = report_of(analyse(read_results(folder)))
        question = report.answer.question
        assert ("without the matches of a filter" in question) == absent
        assert ("on the remaining sentences" in question) == absent
        page = render(report, "report")
        assert ("Sentences it removed" in page) == absent
        assert ("Sentences that they match" in page) != absent
    assert f"The changed one is agr-pp-mod ({what})." in question


def test_paradigms_of_one_name_are_told_apart_by_their_suites(tmp_path: Path) -> None:
    rows = [
        (condition, "lstm", seed, f"{suite}/p1", "accuracy", value + 0.001 * seed)
        for condition in ("full", "a")
        for suite, value in (("blimp", 0.5), ("probe", 0.55))
        for seed in (1, 2)
    ]
    table = read_long_form(long_form.write(tmp_path / "table.csv", rows))
    found = answer(analyse(results_of(table, targets={"a": ["blimp/p1", "probe/p1"]})))
    assert "2 are undecided (blimp/p1 under a: lstm 0.0; probe/p1 under a: lstm 0.0)" in found.paragraph
    assert [finding.paradigm for finding in found.findings] == ["blimp/p1", "probe/p1"]
    (caution,) = (caution for caution in found.cautions if "near or below chance" in caution)
    assert "blimp/p1 (lstm 50.2 %); probe/p1 (lstm 55.2 %)" in caution


def revise(folder: Path, **changes: dict[str, object]) -> None:
    """Change the records of conditions, by their names with `_` for other characters."""
    conditions = json.loads((folder / "conditions.json").read_text())
    revised = [condition | changes.get(re.sub(r"\W", "_", condition["name"]), {}) for condition in conditions]
    (folder / "conditions.json").write_text(json.dumps(revised))


@pytest.mark.parametrize(
    ("by", "amount"),
    [
        ("sentences", "as many sentences removed at random"),
        ("tokens", "as many words removed at random"),
        ("lengths", "as many sentences of each length removed at random"),
        (None, "sentences removed at random"),
    ],
)
def test_the_amount_of_a_control_is_named_by_its_unit(tmp_path: Path, by: str | None, amount: str) -> None:
    conditions = ("full", "agr-pp-mod", "agr-pp-mod.random")
    folder = Fabricated(items=4, conditions=conditions).write(tmp_path / "results")
    revise(folder, agr_pp_mod_random={"by": by})
    assert f"and on their controls ({amount}), and evaluated" in answer(analyse(read_results(folder))).question


def test_cautions_about_a_control_with_more_words(tmp_path: Path) -> None:
    folder = Fabricated(items=4, conditions=("full", "agr-pp-mod", "agr-pp-mod.random")).write(tmp_path / "results")

    def cautions(words: int, redrawn: list[int] = []) -> list[str]:  # noqa: B006
        keys = ("sentences", "removed_sentences", "removed_words", "tokens")
        sizes = [{"seed": i, "words": words} | dict.fromkeys(keys, 0) for i, words in enumerate(redrawn)]
        revise(folder, agr_pp_mod={"words": 22_863}, agr_pp_mod_random={"words": words, "redrawn": sizes})
        return [one for one in answer(analyse(read_results(folder))).cautions if "as many words" in one]

    assert cautions(23_000) == cautions(1, redrawn=[22_000, 23_726]) == []
    (told,) = cautions(23_850)
    assert "agr-pp-mod.random +4.3 % (23,850 against 22,863). With `by = " in told
    assert "−3.8 % (22,000" in cautions(22_000)[0]


def test_cautions_where_word_frequencies_change_as_much_as_the_model(tmp_path: Path) -> None:
    folder = Fabricated(items=60, conditions=("full", "agr-pp-mod")).write(tmp_path / "results")
    rows = pq.read_table(folder / "items.parquet").to_pylist()
    unigram = [row for row in rows if row["model"] == "unigram"]

    def cautions(share: float) -> list[str]:
        """Where word frequencies prefer the bad sentence of a share of the pairs under the condition only."""
        changed = []
        for row in unigram:
            good, bad = (-1.0, -2.0) if row["item"] >= share * 60 else (-2.0, -1.0)
            changed.append(row | {"condition": "agr-pp-mod", "score_good": good, "score_bad": bad})
        full = [row | {"score_good": -1.0, "score_bad": -2.0} for row in unigram]
        own = [row for row in rows if row["model"] != "unigram"]
        schema = pq.read_schema(folder / "items.parquet")
        pq.write_table(pa.Table.from_pylist([*own, *full, *changed], schema), folder / "items.parquet")
        return [one for one in answer(analyse(read_results(folder))).cautions if "word frequencies alone change" in one]

    assert cautions(0.0) == cautions(0.05) == []
    (told,) = cautions(0.5)
    assert told.startswith("On distractor_agreement_relational_noun, word frequencies alone change from 100.0 to ")
    assert "between full and agr-pp-mod, about as much as the models or more (lstm-128 −" in told
