"""A table of results in long form to the results that a report is made from."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from runner.errors import InputError
from runner.readers import parse_toml
from runner.report.render import format as write
from runner.report.results.items import Cell, Paradigm, without_items
from runner.report.results.long_form import LongForm, Row, columns, problem, read_csv
from runner.report.results.results import Condition, Filter, Given, Results, RunCard, TextPerplexity, points_of

APART = 1e-3  # a perplexity and exp(loss) that differ by more, relatively, are not of the same thing


def results_of(
    table: LongForm,
    baseline: str = "full",
    targets: Mapping[str, Sequence[str]] | None = None,
    filters: Sequence[Filter] = (),
) -> Results:
    """The results that a table holds; InputError FICT895 if no corpus of it is called `baseline`.

    `targets` are benchmarks by corpus. A filter is one of the corpus with its name, whatever the case and whatever
    joins its parts: `AGR_PP_MOD` is agr-pp-mod.
    """
    corpora = list(dict.fromkeys(row.corpus for row in table.rows))
    known(baseline, corpora, f"the results in {table.name}")
    last, ends = _last(table.rows)
    tokens = {row.corpus: int(row.value) for row in table.rows if row.metric == "tokens"}
    named = {_bare(name): name for name in corpora}
    of = {name: tuple(one for one in filters if named.get(_bare(one.name)) == name) for name in corpora}
    conditions = tuple(
        Condition(
            name=name,
            kind="full" if name == baseline else "given",
            what="all of the corpus" if name == baseline else "as in the table",
            sentences=None,
            words=None,
            tokens=tokens.get(name),
            filters=of[name],
            targets=tuple((targets or {}).get(name, ())),
        )
        for name in sorted(corpora, key=lambda name: name != baseline)
    )
    models = dict.fromkeys(row.arch for row in table.rows if row.arch)
    seeds = sorted({row.seed for row in table.rows if row.seed is not None})
    card = RunCard(name=table.name, seeds=tuple(seeds), models=tuple({"name": model} for model in models))
    given = tuple(_of_paradigms(last, "accuracy"))
    lost = [one.name for one in filters if _bare(one.name) not in named]
    return Results(
        _paradigms(given),
        tuple(_perplexities(last)),
        conditions,
        card,
        given,
        points_of(table.rows),
        tuple(_of_paradigms(last, "delta")),
        tuple(
            Given(row.benchmark, "", row.corpus, row.arch, row.seed, row.value)
            for row in last
            if row.metric == "pearson" and row.seed is not None
        ),
        remarks=(*ends, *_remarks(table, last, lost)),
    )


def known(name: str, corpora: Sequence[str], where: str) -> None:
    """InputError FICT895 unless the corpus is one of those."""
    if name not in corpora:
        hint = did_you_mean(name, corpora) or f"there are {', '.join(corpora[:8])}{' …' if len(corpora) > 8 else ''}"
        raise InputError(diagnostic("FICT895", name=name, where=where, hint=hint))


def read_targets(path: Path, corpora: Sequence[str]) -> dict[str, list[str]]:
    """Read a file `corpus,benchmark` into benchmarks by corpus; InputError FICT893–FICT895."""
    source, rows = read_csv(path)
    first = next(rows, (0, []))[1]
    places = columns(source, first, ("corpus", "benchmark"), {"condition": "corpus"})
    found: dict[str, list[str]] = {}
    for line, fields in rows:
        if len(fields) <= max(places.values()) or not all(fields[place] for place in places.values()):
            raise InputError(problem(source, line, "a corpus and a benchmark are needed"))
        corpus = fields[places["corpus"]]
        known(corpus, corpora, f"the results, and line {line} of {path} names it")
        found.setdefault(corpus, []).append(fields[places["benchmark"]])
    return found


def _bare(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


def _last(rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Values at the end, without a checkpoint or of the last one, and remarks.

    Where the cells of a model (corpora and seeds) do not end alike on a benchmark, those of the largest checkpoint
    that all of them have; where there is none, each of its own last.
    """
    measured: dict[tuple[str, str, str], dict[tuple[str, int | None], dict[float, Row]]] = {}
    for row in rows:
        cells = measured.setdefault((row.arch, row.benchmark, row.metric), {})
        at = math.inf if row.checkpoint is None else row.checkpoint
        cells.setdefault((row.corpus, row.seed), {})[at] = row
    found: list[Row] = []
    cut, apart = [], []
    for (arch, benchmark, metric), cells in measured.items():
        ends = {max(each) for each in cells.values()}
        common = set.intersection(*(set(each) for each in cells.values())) if len(ends) > 1 else ends
        found += [each[max(common or each)] for each in cells.values()]
        if not common:
            apart.append(f"{metric} of {benchmark}, {arch}")
        elif len(ends) > 1:
            cut.append(f"{metric} of {benchmark}, {arch}: {write.count(int(max(common)))}")
    remarks = []
    if cut:
        remarks.append(
            "Not all corpora and seeds were measured up to the same checkpoint; what is compared is the last that "
            f"all of a model have ({write.some(cut)})."
        )
    if apart:
        remarks.append(
            "Not all corpora and seeds were measured up to the same checkpoint, and they have none in common; each "
            f"counts with its own last ({write.some(apart)})."
        )
    return found, remarks


def _of_paradigms(rows: Sequence[Row], metric: str) -> list[Given]:
    found = []
    for row in rows:
        if row.metric == metric and row.seed is not None:
            suite, _, paradigm = row.benchmark.rpartition("/")
            found.append(Given(suite, paradigm, row.corpus, row.arch, row.seed, row.value))
    return found


def _perplexities(rows: Sequence[Row]) -> list[TextPerplexity]:
    """One a text and cell; a perplexity goes before a loss."""
    loss: dict[tuple[str, str, int, str], float] = {}
    for row in sorted(rows, key=lambda row: row.metric == "ppl"):
        if row.metric in ("ppl", "loss") and row.seed is not None:
            value = math.log(row.value) if row.metric == "ppl" else row.value
            loss[row.corpus, row.arch, row.seed, row.benchmark] = value
    return [TextPerplexity(*key, value) for key, value in loss.items()]


def _paradigms(given: Sequence[Given]) -> tuple[Paradigm, ...]:
    """Paradigms without pairs, in the order of the table."""
    cells: dict[tuple[str, str], list[Cell]] = {}
    for one in given:
        cells.setdefault((one.suite, one.paradigm), []).append(Cell(one.condition, one.model, one.seed))
    return tuple(
        without_items(suite, name, *blimp().get(name, ("", "")), scored) for (suite, name), scored in cells.items()
    )


@cache
def blimp() -> dict[str, tuple[str, str]]:
    """Phenomenon and field of each of BLiMP's paradigms."""
    text = (files("runner.report") / "assets" / "blimp.toml").read_text(encoding="utf-8")
    return {
        paradigm: (entry["name"], entry["field"])
        for entry in parse_toml(text)["phenomenon"]
        for paradigm in entry["paradigms"]
    }


def _remarks(table: LongForm, last: Sequence[Row], lost: Sequence[str]) -> list[str]:
    found = []
    if table.absent:
        found.append(f"{table.absent:,} values of the table are empty; means are over the values that are there.")
    if table.unused:
        found.append(f"Metrics of the table that no statistic here is about: {', '.join(table.unused)}.")
    ppl, loss = (
        {(row.corpus, row.arch, row.seed, row.benchmark): row.value for row in last if row.metric == metric}
        for metric in ("ppl", "loss")
    )
    apart = [key for key in ppl.keys() & loss.keys() if abs(math.log(ppl[key]) - loss[key]) > APART]
    if apart:
        found.append(f"In {len(apart):,} cells the perplexity is not exp(loss); the perplexity is what is shown.")
    if lost:
        found.append(f"Filters that no corpus of the table is named after: {', '.join(lost)}.")
    return found
