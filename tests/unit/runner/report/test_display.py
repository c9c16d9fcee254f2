"""What the page's tables show and how they sort."""

from dataclasses import replace

from runner import formatting
from runner.report.accuracy_tables import paradigms
from runner.report.contrast_tables import targeted_overview
from runner.report.document import report_of
from runner.report.sections import perplexities
from runner.report.sections.corpora import corpora
from runner.report.statistics import Unit
from runner.tables import Cell, Column, Table, format_value, grid, lines


def by_first(table: Table) -> dict[str, tuple[Cell, ...]]:
    return {row[0].text: row for row in grid(table).rows}


def test_values_are_formatted_by_kind() -> None:
    kinds = ("percent", "points", "signed", "number", "p", "count", "yes", "text")
    values = (0.8634, -0.302, 1.5, -1.5, 0.0001, 16_000, True, "a")
    shown = [format_value(value, Column("k", "k", kind)) for value, kind in zip(values, kinds, strict=True)]
    assert shown == ["86.3", "−30.2", "+1.50", "−1.50", "<0.001", "16,000", "yes", "a"]
    assert format_value(None, Column("k", "k", "count")) == "–"


def test_an_interval_stands_below_its_value() -> None:
    columns = (
        Column("d", "Δ", "points", interval=("low", "high")),
        Column("low", "low", "points", shown=False),
        Column("high", "high", "points", shown=False),
        Column("page", "page", saved=False),
    )
    first_item = {"d": -0.1, "low": -0.2, "high": 0.05, "page": Cell("x", tip="tip")}
    table = Table("t", "T", columns, (first_item, {"d": 0.3, "low": None, "high": None, "page": None}))
    first, second = grid(table).rows
    assert (first[0].text, first[0].small, first[0].sort) == ("−10.0", "[−20.0, +5.0]", -0.1)
    assert (first[1].text, first[1].tip) == ("x", "tip")
    assert second[0].small == "no interval"
    assert table.records()[0] == {"d": -0.1, "low": -0.2, "high": 0.05}
    assert lines(table) == [("Δ", "page"), ("−10.0 [−20.0, +5.0]", "x"), ("+30.0 no interval", "–")]


def test_targeted_table(analysis) -> None:
    table = targeted_overview(analysis)
    titles = [head.title for head in grid(table).heads]
    row = next(r for r in grid(table).rows if r[1].text == "agr-pp-mod" and r[2].text == "lstm-128")
    cells = dict(zip(titles, row, strict=True))
    unit = Unit("paradigm", "blimp", row[0].text)
    control = analysis.contrasts[unit, "agr-pp-mod", "lstm-128", "agr-pp-mod.random"]
    unigram = analysis.accuracies[unit, "full", "unigram"].mean
    assert cells["unigram"].text == formatting.percent(unigram)
    assert cells["Δ"].text == formatting.points(control.difference.delta)
    assert cells["Δ"].small == formatting.interval(control.difference.low, control.difference.high)
    assert cells["Δ"].sort == control.difference.delta
    assert cells["Δ"].css_class == "fell"
    assert cells["verdict"].text == "▾ fell"


def test_rows_and_spans_are_as_wide_as_heads(analysis) -> None:
    for section in report_of(analysis).sections:
        for table in section.tables:
            shown = grid(table)
            assert all(len(row) == len(shown.heads) for row in shown.rows), table.name
            assert not table.spans or sum(width for _, width in table.spans) == len(shown.heads), table.name


def test_names_and_titles_occur_once(analysis) -> None:
    sections = report_of(analysis).sections
    names = [table.name for section in sections for table in section.tables]
    titles = [figure.title for section in sections for figure in section.figures if figure.title]
    assert len(set(names)) == len(names)
    assert len(set(titles)) == len(titles)


def test_paradigm_rows_open_their_own_items(analysis) -> None:
    table = paradigms(analysis, "blimp")
    for row, index in zip(grid(table).rows, table.opens, strict=True):
        assert analysis.results.paradigms[index].name == row[0].text


def test_perplexity_names_its_reference(analysis) -> None:
    rows = by_first(perplexities.perplexities(analysis))
    assert rows["full"][1].small == ""
    assert rows["det-noun"][1].small.endswith("against det-noun.random")
    assert rows["det-noun.random"][1].small.endswith("against full")


def test_perplexities_of_masked_words_are_called_pseudo(analysis) -> None:
    first, second = analysis.results.models
    named = ({"name": first, "masked": True}, {"name": second})
    run = analysis.results.run.model_copy(update={"models": named})
    table = perplexities.perplexities(replace(analysis, results=replace(analysis.results, run=run)))
    assert [column.title for column in table.columns[1:3]] == [f"{first} (pseudo)", second]
    assert table.columns[1].help.startswith("pseudo-perplexity of valid")


def test_probability_shows_conditions_beside_their_controls(analysis) -> None:
    rows = grid(perplexities.targeted_probability(analysis)).rows
    assert {(row[0].text, row[1].text) for row in rows} == {
        ("distractor_agreement_relational_noun", "agr-pp-mod"),
        ("distractor_agreement_relational_noun", "agr-pp-mod.random"),
        ("determiner_noun_agreement_1", "det-noun"),
        ("determiner_noun_agreement_1", "det-noun.random"),
    }


def test_corpora_say_what_each_condition_is(analysis) -> None:
    rows = by_first(corpora(analysis))
    assert rows["agr-pp-mod"][1].text == "without agr-pp-mod"
    assert rows["agr-pp-mod.random"][1].text == "random removal of the same amount as agr-pp-mod"
    assert [cell.text for cell in rows["agr-pp-mod"][5:7]] == ["94.70", "954"]  # tokens, % of full; removed sentences
