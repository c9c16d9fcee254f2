"""What the page's tables show and how they sort."""

from dataclasses import replace

from runner.report.analysis.statistics import Unit
from runner.report.render import format as write
from runner.report.views import views


def by_first(view: views.View) -> dict[str, tuple[views.Cell, ...]]:
    return {row[0].text: row for row in view.rows}


def test_targeted_table(analysis) -> None:
    view = views.targeted(analysis)
    titles = [head.title for head in view.heads]
    row = next(r for r in view.rows if r[0].small == "under agr-pp-mod" and r[1].text == "lstm-128")
    cells = dict(zip(titles, row, strict=True))
    unit = Unit("paradigm", "blimp", row[0].text)
    control = analysis.contrasts[unit, "agr-pp-mod", "lstm-128", "agr-pp-mod.random"]
    assert cells["Δ random"].text == write.points(control.difference.delta)
    assert cells["Δ random"].small == write.interval(control.difference)
    assert cells["Δ random"].sort == control.difference.delta
    assert cells["Δ random"].look == "drop"
    assert cells["bootstrap"].text == write.bounds(control.bootstrap)
    assert cells["seeds"].text == "3 + 3"


def test_rows_and_spans_are_as_wide_as_heads(analysis) -> None:
    single, groups = views.paradigms(analysis, "blimp")
    for view in (
        single,
        groups,
        views.targeted(analysis),
        views.perplexity(analysis),
        views.probability(analysis),
        views.corpora(analysis),
        views.detectable(analysis),
    ):
        assert view.rows, view.name
        assert all(len(row) == len(view.heads) for row in view.rows), view.name
        assert not view.spans or sum(width for _, width in view.spans) == len(view.heads), view.name


def test_paradigm_rows_open_their_own_items(analysis) -> None:
    single, _ = views.paradigms(analysis, "blimp")
    for row, index in zip(single.rows, single.items, strict=True):
        assert analysis.results.paradigms[index].name == row[0].text


def test_perplexity_names_its_reference(analysis) -> None:
    rows = by_first(views.perplexity(analysis))
    assert rows["full"][1].small == ""
    assert rows["det-noun"][1].small.endswith("against det-noun.random")
    assert rows["det-noun.random"][1].small.endswith("against full")


def test_perplexities_of_masked_words_are_called_pseudo(analysis) -> None:
    first, second = analysis.results.models
    named = ({"name": first, "masked": True}, {"name": second})
    run = analysis.results.run.model_copy(update={"models": named})
    view = views.perplexity(replace(analysis, results=replace(analysis.results, run=run)))
    assert [head.title for head in view.heads[1:3]] == [f"{first} (pseudo)", second]
    assert view.heads[1].help.startswith("pseudo-perplexity of valid")


def test_probability_shows_conditions_beside_their_controls(analysis) -> None:
    view = views.probability(analysis)
    assert {(row[0].text, row[1].text) for row in view.rows} == {
        ("distractor_agreement_relational_noun", "agr-pp-mod"),
        ("distractor_agreement_relational_noun", "agr-pp-mod.random"),
        ("determiner_noun_agreement_1", "det-noun"),
        ("determiner_noun_agreement_1", "det-noun.random"),
    }


def test_corpora_say_what_each_condition_is(analysis) -> None:
    rows = by_first(views.corpora(analysis))
    assert rows["agr-pp-mod"][1].text == "without agr-pp-mod"
    assert rows["agr-pp-mod.random"][1].text == "random removal of the same amount as agr-pp-mod"
    assert rows["agr-pp-mod"][5].text == "954"
