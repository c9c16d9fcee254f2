"""Correlations of scores with ratings of acceptability, and Williams' test between them (hybrid paper, table 2)."""

from __future__ import annotations

from collections.abc import Sequence

from runner.report.analysis.acceptability import Agreement, AgreementTest, agreement_tests, agreements
from runner.report.analysis.statistics import Analysis
from runner.report.render import format as write
from runner.report.render.names import slug
from runner.report.render.plot import axis, short
from runner.report.render.svg import box, drawing, hint, line, tag, words
from runner.report.tables.table import Column, Table
from runner.report.tables.tables import seeds_text
from runner.report.views.section import Figure, Section
from runner.report.views.views import Head, View, p_value, text, value

WIDTH, ROW, TOP = 420, 24, 40


def ratings(analysis: Analysis) -> Section | None:
    """A dot with its interval for each condition and model, and the tests between two of them."""
    found = agreements(analysis.results)
    if not found:
        return None
    level = write.share(analysis.results.run.report.confidence)
    figures = tuple(_figure(suite, [one for one in found if one.suite == suite], level) for suite in _suites(found))
    tests = agreement_tests(analysis.results)
    views = [("Pearson's r with the ratings", _view(found, level))]
    views += [("Two correlations with the same ratings: Williams' test", _tests_view(tests))] if tests else []
    said = (
        "How far scores go with people's ratings: Pearson's r over sentences, each scored by the mean over seeds, "
        f"with its {level} interval over sentences (Fisher's z). Williams' test (1959; Steiger 1980, eq. 7) says "
        "whether two such correlations, which share the ratings, differ; Holm and BH correct over the tests of a "
        "suite. Neither holds what another seed would change: see the values by seed."
    )
    return Section("ratings", "Ratings of acceptability", said, figures, tuple(views), (_table(found), _tests(tests)))


def _suites(found: Sequence[Agreement]) -> list[str]:
    return list(dict.fromkeys(one.suite for one in found))


def _figure(suite: str, found: Sequence[Agreement], level: str) -> Figure:
    names = [f"{one.condition}, {one.model}" for one in found]
    left = max(map(len, names)) * 6.6 + 16
    ends = [end for one in found for end in (one.correlation.r, one.correlation.low, one.correlation.high, one.unigram)]
    across = axis([end for end in ends if end is not None], left, WIDTH, zero=True)
    bottom = TOP + ROW * len(found)
    body = [words("Pearson's r", left, 12, class_="head")]
    for tick in across.ticks():
        look = "zero" if tick == 0 else "rule"
        body.append(line(across(tick), TOP - 8, across(tick), bottom, look))
        body.append(words(short(round(tick, 9)), across(tick), TOP - 14, class_="small muted middle"))
    for i, (one, name) in enumerate(zip(found, names, strict=True)):
        y, r = TOP + ROW * i + ROW / 2, one.correlation
        body.append(words(name, left - 10, y + 4, class_="end"))
        inside = [hint(_hint(one, level)), box(left, y - ROW / 2, WIDTH, ROW, "hit")]
        if r.low is not None and r.high is not None:
            inside.append(line(across(r.low), y, across(r.high), y, "thick"))
        if one.unigram is not None:
            inside.append(tag("circle", cx=across(one.unigram), cy=y, r=3.2, class_="hollow"))
        inside += [tag("circle", cx=across(seed), cy=y, r=2.6, class_="control") for seed in one.by_seed.values()]
        inside.append(tag("circle", cx=across(r.r), cy=y, r=4.2, class_="estimate"))
        body.append(tag("g", *inside))
        body.append(words(write.number(r.r), left + WIDTH + 14, y + 4))
    legend = (("estimate", "mean over seeds", 4.2), ("control", "a seed", 2.6), ("hollow", "word frequencies", 3.2))
    x, y = left, bottom + 18
    for look, label, radius in legend:
        body.append(tag("circle", cx=x + 4, cy=y - 4, r=radius, class_=look))
        body.append(words(label, x + 13, y, class_="small muted"))
        x += 34 + 6.0 * len(label)
    counted = write.count(found[0].correlation.n)
    title = f"{suite}: r of scores with ratings, and its {level} interval over {counted} sentences"
    return Figure(slug(f"ratings-{suite}"), title, drawing(body, left + WIDTH + 60, bottom + 28, title))


def _hint(one: Agreement, level: str) -> str:
    seeds = ", ".join(f"{write.number(r, 3)} (seed {seed})" for seed, r in one.by_seed.items())
    return f"{one.condition} · {one.model}\nr {write.number(one.correlation.r, 3)}, {level} {_interval(one)}\n{seeds}"


def _interval(one: Agreement) -> str:
    r = one.correlation
    return "no interval" if r.low is None else f"[{write.number(r.low, 3)}, {write.number(r.high, 3)}]"


def _table(found: Sequence[Agreement]) -> Table:
    columns = (
        *(Column(name, name) for name in ("suite", "condition", "model")),
        Column("r", "r", "number", "Pearson, of scores averaged over seeds"),
        Column("low", "low", "number", "Fisher's z interval over sentences"),
        Column("high", "high", "number", "Fisher's z interval over sentences"),
        Column("p", "p", "p", "two-sided t test of r = 0"),
        Column("by_seed", "by seed", "list"),
        Column("unigram", "unigram", "number", "r of word frequencies"),
        Column("n", "sentences", "count"),
    )
    rows = tuple(
        (
            *(one.suite, one.condition, one.model, one.correlation.r, one.correlation.low, one.correlation.high),
            *(one.correlation.p, seeds_text(one.by_seed), one.unigram, one.correlation.n),
        )
        for one in found
    )
    return Table("ratings", "Ratings of acceptability", columns, rows)


def _view(found: Sequence[Agreement], level: str) -> View:
    heads = (
        *(Head(name, number=False) for name in ("condition", "model", "suite")),
        Head("r", f"of scores averaged over seeds, with its {level} interval over sentences"),
        Head("p", "two-sided t test of r = 0"),
        Head("mean of seeds", "of each seed's own r"),
        Head("unigram", "r of word frequencies"),
        Head("sentences"),
    )
    rows = []
    for one in found:
        seeds = list(one.by_seed.values())
        average = sum(seeds) / len(seeds) if seeds else None
        rows.append(
            (
                *(text(one.condition, "name"), text(one.model), text(one.suite, "quiet")),
                value(write.number(one.correlation.r, 3), one.correlation.r, small=_interval(one)),
                p_value(one.correlation.p),
                value(write.number(average, 3), average, tip=_hint(one, level)),
                value(write.number(one.unigram, 3), one.unigram),
                value(write.count(one.correlation.n), one.correlation.n),
            )
        )
    return View("ratings", heads, tuple(rows))


def _tests(tests: Sequence[AgreementTest]) -> Table:
    columns = (
        *(Column(name, name) for name in ("suite", "condition_a", "model_a", "condition_b", "model_b")),
        Column("r_a", "r of a", "number"),
        Column("r_b", "r of b", "number"),
        Column("r_ab", "r between", "number", "of the two scores with each other"),
        Column("n", "sentences", "count"),
        Column("t", "t", "number", "Williams' t"),
        Column("df", "df", "count"),
        Column("p", "p", "p", "two-sided"),
        Column("p_greater", "p greater", "p", "one-sided, a above b"),
        Column("holm", "Holm p", "p"),
        Column("bh", "BH p", "p"),
    )
    rows = tuple(
        (
            *(one.suite, *one.a, *one.b, one.r_a, one.r_b, one.between, one.n),
            *(one.test.t, one.test.df, one.test.p, one.test.p_greater, one.holm, one.bh),
        )
        for one in tests
    )
    return Table("ratings-tests", "Williams' tests", columns, rows)


def _tests_view(tests: Sequence[AgreementTest]) -> View:
    heads = (
        *(Head(name, number=False) for name in ("condition", "against", "suite")),
        Head("r"),
        Head("r against"),
        Head("r between", "of the two scores with each other"),
        Head("t", "Williams' t, degrees of freedom: sentences − 3"),
        *(Head(name) for name in ("p", "Holm", "BH")),
    )
    rows = tuple(
        (
            *(text(", ".join(one.a), "name"), text(", ".join(one.b)), text(one.suite, "quiet")),
            *(value(write.number(r, 3), r) for r in (one.r_a, one.r_b, one.between)),
            value(write.signed(one.test.t), one.test.t, small=f"df {one.test.df}"),
            *(p_value(p) for p in (one.test.p, one.holm, one.bh)),
        )
        for one in tests
    )
    return View("ratings-tests", heads, rows)
