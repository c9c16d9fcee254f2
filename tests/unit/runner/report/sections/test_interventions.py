"""Injected text, corrupted sentences, words as tags, and other ways to count."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from runner.report.analysis import analyse
from runner.report.imported_results import results_of
from runner.report.long_form import read_long_form
from runner.report.page import write_report
from runner.report.results import read_results
from runner.report.sections import accuracies, corpora, injections, tagged_words
from runner.report.statistics import Unit, controls_of
from tests.support import long_form
from tests.support.report import section_of
from tests.support.results import Fabricated

PARADIGM = "only_npi_scope"


@pytest.fixture(scope="module")
def injected(tmp_path_factory):
    """Two shares of text about a paradigm and a control of the larger."""
    names = ("full", "one", "ten", "ten.random")
    made = Fabricated(items=40, conditions=names, effects={("one", PARADIGM): 0.2, ("ten", PARADIGM): 0.4})
    folder = made.write(tmp_path_factory.mktemp("run") / "results")
    told = json.loads((folder / "conditions.json").read_text(encoding="utf-8"))
    for condition, tokens in (("one", 2_000), ("ten", 20_000), ("ten.random", 20_000)):
        entry = next(c for c in told if c["name"] == condition)
        entry |= {"kind": "inject", "filters": [], "injected_tokens": tokens}
        entry |= {"words": 200_000, "tokens": 500_000}  # injected tokens are words, whatever their pieces
        entry["targets"] = [] if condition.endswith("random") else [f"blimp/{PARADIGM}"]
        entry["random_text"] = condition.endswith("random")
    (folder / "conditions.json").write_text(json.dumps(told), encoding="utf-8")
    return analyse(read_results(folder))


def test_injected_paradigms_stand_beside_full_and_control(injected) -> None:
    section = section_of(injections.sections, injected)
    assert section is not None
    rows = {(r["condition"], r["model"]): r for r in section.tables[-1].records()}
    row = rows["ten", "lstm-128"]
    (wide,) = section.tables[0].records()
    assert (wide["paradigm"], wide["full"], wide["share_0.1"]) == (PARADIGM, row["full"], row["after"])
    assert wide["share_0.01"] == rows["one", "lstm-128"]["after"]
    assert wide["control_ten.random"] == row["control"]
    assert wide["delta"] == pytest.approx(row["delta"])
    assert row["share"] == pytest.approx(0.1)
    assert row["delta"] == pytest.approx(row["after"] - row["full"])
    assert row["delta"] > 0.3
    assert row["control"] == pytest.approx(row["full"], abs=0.1)
    assert rows["one", "lstm-128"]["control"] is None
    assert [figure.name for figure in section.figures] == ["injected-lstm-128", "injected-transformer-128"]
    assert "at 10: " in section.figures[0].svg  # percent


def test_text_may_be_injected_beside_another_intervention(injected) -> None:
    conditions = tuple(
        c.model_copy(update={"kind": "remove", "control_of": None}) if c.name == "ten" else c
        for c in injected.results.conditions
    )
    free = tuple(c.model_copy(update={"control_of": None}) for c in conditions)
    found = analyse(replace(injected.results, conditions=free))
    section = section_of(injections.sections, found)
    assert section is not None
    assert {row["condition"] for row in section.tables[-1].records()} == {"one", "ten"}
    assert [c.name for c in controls_of(found.results, "ten")] == ["ten.random"]


def varied(analysis, **amounts):
    """The same scores of conditions that injected other shares of the tokens."""
    results = analysis.results
    conditions = tuple(
        c.model_copy(update={"fraction": amounts[c.name]}) if c.name in amounts else c for c in results.conditions
    )
    return analyse(replace(results, conditions=conditions))


def test_conditions_of_one_amount_are_columns_of_their_own(injected) -> None:
    section = section_of(injections.sections, varied(injected, one=0.1))
    assert section is not None
    (wide,) = section.tables[0].records()
    rows = {(r["condition"], r["model"]): r for r in section.tables[-1].records()}
    assert (wide["share_0.1_one"], wide["share_0.1_ten"]) == tuple(rows[c, "lstm-128"]["after"] for c in ("one", "ten"))
    assert wide["delta"] is None  # of which of the two?
    assert section.figures == ()


def test_a_gain_has_the_colour_of_its_verdict_and_none_at_zero(injected) -> None:
    section = section_of(injections.sections, injected)
    assert section is not None
    assert section.tables[0].rows[0][-1].css_class == "rose"
    first, *rest = injected.results.paradigms
    assert first.name != PARADIGM
    same = [replace(p, score_good=p.score_good * 0, score_bad=p.score_bad * 0) for p in rest if p.name == PARADIGM]
    section = section_of(injections.sections, analyse(replace(injected.results, paradigms=(first, *same))))
    assert section is not None
    delta = section.tables[0].rows[0][-1]
    assert (delta.value, delta.css_class) == (0.0, "undecided"), "58 equal decisions leave 6 points open"


def test_paradigms_of_one_name_in_two_suites_are_two_lines(injected) -> None:
    other = [replace(p, suite="other") for p in injected.results.paradigms if p.name == PARADIGM]
    conditions = tuple(
        c.model_copy(update={"targets": (*c.targets, *(f"other/{PARADIGM}" for _ in c.targets))})
        for c in injected.results.conditions
    )
    results = replace(injected.results, paradigms=(*injected.results.paradigms, *other), conditions=conditions)
    section = section_of(injections.sections, analyse(results))
    assert section is not None
    assert f">blimp/{PARADIGM}</text>" in section.figures[0].svg
    assert f">other/{PARADIGM}</text>" in section.figures[0].svg


def test_random_text_is_the_control_of_all_that_injects_as_much(injected) -> None:
    conditions = {c.name: c for c in injected.results.conditions}
    free = replace(
        injected.results, conditions=tuple(c.model_copy(update={"control_of": None}) for c in conditions.values())
    )
    assert [c.name for c in controls_of(free, "ten")] == ["ten.random"]
    assert controls_of(free, "one") == controls_of(free, "ten.random") == controls_of(free, "full") == ()
    assert [c.name for c in controls_of(injected.results, "ten")] == ["ten.random"]
    other = replace(free, conditions=tuple(c.model_copy(update={"random_text": False}) for c in free.conditions))
    assert controls_of(other, "ten") == ()  # any other text may be about anything
    unit = Unit("paradigm", "blimp", PARADIGM)
    assert analyse(free).contrasts[unit, "ten", "lstm-128", "ten.random"].reference_kind == "control"


def test_nothing_injected_no_such_part(analysis) -> None:
    assert section_of(injections.sections, analysis) is None
    assert section_of(tagged_words.corruptions_section, analysis) is None
    assert section_of(tagged_words.substitutions_section, analysis) is None


def test_corrupted_sentences_by_operation_domain_and_treatment(tmp_path: Path) -> None:
    rows = [
        (corpus, "bert", 1, f"{suite}/{operation}", "accuracy", value)
        for corpus, more in (("full", 0.0), ("alpha-0.10", 0.05))
        for operation in ("delete-root", "insert-word")
        for suite, value in (("email", 0.8 + more), ("email.tags", 0.7 + more), ("weblog", 0.6 + more))
    ]
    rows += [("full", "bert", 1, "ratings", "pearson", 0.44), ("alpha-0.10", "bert", 1, "ratings", "pearson", 0.5)]
    found = analyse(results_of(read_long_form(long_form.write(tmp_path / "hybrid.csv", rows))))
    section = section_of(tagged_words.corruptions_section, found)
    assert section is not None
    assert [table.name for table in section.tables] == ["corrupted-delete-root", "corrupted-insert-word"]
    first = section.tables[0].records()
    assert [(r["condition"], r["sentences"]) for r in first] == [
        ("full", "plain"),
        ("full", "tags for rare words"),
        ("alpha-0.10", "plain"),
        ("alpha-0.10", "tags for rare words"),
    ]
    assert (first[0]["email"], first[0]["weblog"]) == (0.8, 0.6)
    assert (first[3]["email"], first[3]["weblog"]) == (pytest.approx(0.75), None)
    curve = section_of(tagged_words.substitutions_section, found)
    assert curve is not None
    assert [row["alpha"] for row in curve.tables[0].records()] == [0.0, 0.1]
    assert "at 0.1: 85.00" in curve.figures[0].svg
    assert [row["pearson_ratings"] for row in curve.tables[0].records()] == [0.44, 0.5]
    assert "at 0.1: 0.50" in curve.figures[1].svg


def test_kinds_of_tags_are_lines_of_their_own(tmp_path: Path) -> None:
    values = {"full": 0.5, "xpos-0.1": 0.75, "upos-0.1": 0.25, "xpos-0.2": 0.85, "upos-0.2": 0.35}
    rows = [(corpus, "bert", 1, "email/delete-root", "accuracy", value) for corpus, value in values.items()]
    results = results_of(read_long_form(long_form.write(tmp_path / "hybrid.csv", rows)))
    shares = {name: float(name.rpartition("-")[2]) for name in values if name != "full"}
    conditions = tuple(c.model_copy(update={"alpha": shares.get(c.name, 0.0)}) for c in results.conditions)
    curve = section_of(tagged_words.substitutions_section, analyse(replace(results, conditions=conditions)))
    assert curve is not None
    for kind, first, second in (("xpos", "75.00", "85.00"), ("upos", "25.00", "35.00")):
        for tip in ("at 0: 50.00", f"at 0.1: {first}", f"at 0.2: {second}"):
            assert f"email, {kind}\n{tip}" in curve.figures[0].svg


def test_sensitivity_counts_the_same_scores_otherwise(analysis) -> None:
    section = section_of(accuracies.sensitivity_section, analysis)
    assert section is not None
    row = section.tables[0].records()[0]
    assert row["strict"] < row["half"] < row["argmax"]  # the fixture has a tie in each paradigm
    assert row["per_token"] == pytest.approx(row["half"])  # all its sentences are equally long
    means = []
    for paradigm in analysis.results.paradigms:
        _, good, bad = paradigm.scores(row["condition"], row["model"])
        assert (
            np.isfinite(good).sum() + paradigm.identical[paradigm.rows(row["condition"], row["model"])].sum()
            == good.size
        )
        right, wrong = (good > bad).mean(), (good < bad).mean()  # of all pairs, identical ones included
        means.append((right, 1 - wrong, (right + (1 - wrong)) / 2))
    strict, argmax, middle = np.mean(means, axis=0)
    assert (row["strict"], row["argmax"]) == (pytest.approx(strict), pytest.approx(argmax))
    assert row["half"] != pytest.approx(middle)  # which leaves identical pairs out


def test_rewrites_are_counted_and_shown_with_the_changed_words_marked(tmp_path) -> None:
    folder = Fabricated(items=40, conditions=("full", "swapped")).write(tmp_path / "results")
    told = json.loads((folder / "conditions.json").read_text(encoding="utf-8"))
    count = {"name": "swap", "sentences": 3, "taken": 5, "overlapping": 2, "invalid": 1, "unknown_lemmas": 0}
    texts = {"before": "She gave <it> to him.", "after": "She gave him <it>."}
    sentences = [{"source": "a", "number": 7, **texts}, {"source": "a", "number": 9, "before": "Go.", "after": None}]
    told[1] |= {"kind": "rewrite", "filters": [], "rewrites": [count], "rewritten": sentences}
    (folder / "conditions.json").write_text(json.dumps(told), encoding="utf-8")
    section = section_of(corpora.rewrites_section, analyse(read_results(folder)))
    assert section is not None
    counts, examples = section.tables
    assert counts.records() == [{"condition": "swapped", "rewrite": "swap"} | _without_name(count)]
    assert [row["after"] for row in examples.records()] == ["She gave him <it>.", None]
    page = write_report(folder, tmp_path / "out").read_text(encoding="utf-8")
    assert "She gave <mark>&lt;it&gt; to him.</mark>" in page and "She gave <mark>him &lt;it&gt;.</mark>" in page
    assert section_of(corpora.rewrites_section, analyse(read_results(Fabricated().write(tmp_path / "plain")))) is None


def _without_name(count: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in count.items() if key != "name"}


def test_a_name_of_a_share_counts_only_for_given_corpora(tmp_path: Path) -> None:
    rows = [
        (corpus, "bert", 1, "email/delete-root", "accuracy", 0.8)
        for corpus in ("full", "alpha-0.5", "alpha-1", "alpha-2")
    ]
    results = results_of(read_long_form(long_form.write(tmp_path / "hybrid.csv", rows)))
    curve = section_of(tagged_words.substitutions_section, analyse(results))
    assert curve is not None
    assert [row["alpha"] for row in curve.tables[0].records()] == [0.0, 0.5, 1.0]
    removed = tuple(c if c.kind == "full" else c.model_copy(update={"kind": "remove"}) for c in results.conditions)
    assert section_of(tagged_words.substitutions_section, analyse(replace(results, conditions=removed))) is None


def test_a_suite_may_be_called_like_a_treatment(tmp_path: Path) -> None:
    values = (("tags", 0.7), ("email", 0.8), ("email.unk", 0.6))
    rows = [("full", "bert", 1, f"{suite}/delete-root", "accuracy", value) for suite, value in values]
    section = section_of(
        tagged_words.corruptions_section, analyse(results_of(read_long_form(long_form.write(tmp_path / "a.csv", rows))))
    )
    assert section is not None
    first, second = section.tables[0].records()
    assert (first["sentences"], first["tags"], first["email"]) == ("plain", 0.7, 0.8)
    assert (second["sentences"], second["tags"], second["email"]) == ("[UNK] for rare words", None, 0.6)
