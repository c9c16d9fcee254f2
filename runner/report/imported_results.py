"""Make the results of a report from a table in long form."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.words import counted, listed
from runner import formatting
from runner.errors import InputError
from runner.readers import parse_toml
from runner.report.long_form import LongForm, Row, column_indices, line_error, read_csv
from runner.report.records import Condition, Filter, RunCard
from runner.report.results import ImportedValue, Results, TextPerplexity, curve_points
from runner.score.pair_formats import FORMATS, stands_alone
from runner.score.pair_matrices import Paradigm, Score, without_items

TOLERANCE = 1e-3  # relative difference up to which a perplexity and exp(loss) count as equal


def results_of(
    table: LongForm,
    baseline: str = "full",
    targets: Mapping[str, Sequence[str]] | None = None,
    filters: Sequence[Filter] = (),
) -> Results:
    """Return the results of a table. Raises InputError (FICT895) if it has no corpus named `baseline`.

    A filter belongs to the corpus of the same name, ignoring case and separators: `AGR_PP_MOD` matches agr-pp-mod.
    """
    corpora = list(dict.fromkeys(row.corpus for row in table.rows))
    check_corpus(baseline, corpora, f"the results in {table.name}")
    final_rows, checkpoint_remarks = _final_values(table.rows)
    tokens = {row.corpus: int(row.value) for row in table.rows if row.metric == "tokens"}
    by_normalized_name = {_normalized_name(name): name for name in corpora}
    owners = [(by_normalized_name.get(_normalized_name(filter_.name)), filter_) for filter_ in filters]
    conditions = tuple(
        Condition(
            name=name,
            kind="full" if name == baseline else "given",
            what="full corpus" if name == baseline else "as in the table",
            sentences=None,
            words=None,
            tokens=tokens.get(name),
            filters=tuple(filter_ for owner, filter_ in owners if owner == name),
            targets=tuple((targets or {}).get(name, ())),
        )
        for name in sorted(corpora, key=lambda name: name != baseline)
    )
    models = dict.fromkeys(row.arch for row in table.rows if row.arch)
    seeds = sorted({row.seed for row in table.rows if row.seed is not None})
    run_card = RunCard(name=table.name, seeds=tuple(seeds), models=tuple({"name": model} for model in models))
    accuracies = tuple(_imported_values(final_rows, "accuracy"))
    remarks = _remarks(table, final_rows, [filter_.name for owner, filter_ in owners if owner is None])
    return Results(
        _paradigms(accuracies),
        tuple(_perplexities(final_rows)),
        conditions,
        run_card,
        accuracies,
        curve_points(table.rows),
        tuple(_imported_values(final_rows, "delta")),
        tuple(_imported_values(final_rows, "pearson")),
        remarks=(*checkpoint_remarks, *remarks),
    )


def check_corpus(name: str, corpora: Sequence[str], where: str) -> None:
    """Raise InputError (FICT895) if `name` is not one of the corpora."""
    if name not in corpora:
        raise InputError.of("FICT895", name=name, where=where, hint=known_names(name, corpora))


def known_names(name: str, known: Sequence[str]) -> str:
    return did_you_mean(name, known) or f"known names: {', '.join(known[:8])}{' …' if len(known) > 8 else ''}"


def read_targets(path: Path, corpora: Sequence[str]) -> dict[str, list[str]]:
    """Return the benchmarks by corpus of a CSV file `corpus,benchmark`. Raises InputError (FICT893–FICT895)."""
    source, rows = read_csv(path)
    header = next(rows, (0, []))[1]
    indices = column_indices(source, header, ("corpus", "benchmark"), {"condition": "corpus"})
    targets: dict[str, list[str]] = {}
    for line, fields in rows:
        if len(fields) <= max(indices.values()) or not all(fields[index] for index in indices.values()):
            raise InputError(line_error(source, line, "a corpus and a benchmark are needed"))
        corpus = fields[indices["corpus"]]
        check_corpus(corpus, corpora, f"the results, and line {line} of {path} names it")
        targets.setdefault(corpus, []).append(fields[indices["benchmark"]])
    return targets


def _normalized_name(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


def _final_values(rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Return the values at the largest checkpoint that all cells share, else at the last one of each, and remarks."""
    measured: dict[tuple[str, str, str], dict[tuple[str, int | None], dict[float, Row]]] = {}
    for row in rows:
        cells = measured.setdefault((row.arch, row.benchmark, row.metric), {})
        checkpoint = math.inf if row.checkpoint is None else row.checkpoint
        cells.setdefault((row.corpus, row.seed), {})[checkpoint] = row
    final_rows: list[Row] = []
    truncated, uneven = [], []
    for (arch, benchmark, metric), cells in measured.items():
        last = {max(by_checkpoint) for by_checkpoint in cells.values()}
        common = set.intersection(*map(set, cells.values())) if len(last) > 1 else last
        final_rows += [by_checkpoint[max(common or by_checkpoint)] for by_checkpoint in cells.values()]
        name = f"{metric} of {benchmark}, {arch}"
        if not common:
            uneven.append(name)
        elif len(last) > 1:
            truncated.append(f"{name}: {formatting.count(int(max(common)))}")
    remarks = []
    if truncated:
        remarks.append(
            "Not all corpora and seeds were measured up to the same checkpoint; the comparison uses the last "
            f"checkpoint that all cells of a model share ({formatting.abbreviated(truncated)})."
        )
    if uneven:
        remarks.append(
            "Not all corpora and seeds were measured up to the same checkpoint, and they share none; each cell is "
            f"represented by its own last checkpoint ({formatting.abbreviated(uneven)})."
        )
    return final_rows, remarks


def _imported_values(rows: Sequence[Row], metric: str) -> Iterator[ImportedValue]:
    for row in rows:
        if row.metric == metric and row.seed is not None:
            # ratings are of a whole suite
            suite, _, paradigm = (row.benchmark, "", "") if metric == "pearson" else row.benchmark.rpartition("/")
            yield ImportedValue(suite, paradigm, row.corpus, row.arch, row.seed, row.value)


def _perplexities(rows: Sequence[Row]) -> list[TextPerplexity]:
    losses: dict[tuple[str, str, int, str], float] = {}
    for row in sorted(rows, key=lambda row: row.metric == "ppl"):
        if row.metric in ("ppl", "loss") and row.seed is not None:
            value = math.log(row.value) if row.metric == "ppl" else row.value
            losses[row.corpus, row.arch, row.seed, row.benchmark] = value
    return [TextPerplexity(*key, value) for key, value in losses.items()]


def _paradigms(imported: Sequence[ImportedValue]) -> tuple[Paradigm, ...]:
    cells: dict[tuple[str, str], list[Score]] = {}
    for value in imported:
        cells.setdefault((value.suite, value.paradigm), []).append(Score(value.condition, value.model, value.seed))
    return tuple(
        without_items(suite, name, *blimp_groups().get(name, ("", "")), paradigm_cells)
        for (suite, name), paradigm_cells in cells.items()
    )


@cache
def blimp_groups() -> dict[str, tuple[str, str]]:
    text = (files("runner.report") / "assets" / "blimp.toml").read_text(encoding="utf-8")
    return {
        paradigm: (entry["name"], entry["field"])
        for entry in parse_toml(text)["phenomenon"]
        for paradigm in entry["paradigms"]
    }


def _remarks(table: LongForm, final_rows: Sequence[Row], unused_filters: Sequence[str]) -> list[str]:
    remarks = []
    if table.absent:
        remarks.append(f"The table has {counted(table.absent, 'empty value')}; means are over the other values.")
    if table.unused:
        remarks.append(f"No statistic of the report uses these metrics of the table: {', '.join(table.unused)}.")
    delta_benchmarks = list(dict.fromkeys(row.benchmark for row in final_rows if row.metric == "delta"))
    if unused_deltas := [name for name in delta_benchmarks if not stands_alone(name.rpartition("/")[2])]:
        used = listed([format_.usage.name for format_ in FORMATS if format_.alone and format_.usage])
        shown = formatting.abbreviated(unused_deltas)
        remarks.append(f"No statistic of the report uses a delta of other benchmarks than {used} ({shown}).")
    ppl, loss = (
        {(row.corpus, row.arch, row.seed, row.benchmark): row.value for row in final_rows if row.metric == metric}
        for metric in ("ppl", "loss")
    )
    inconsistent = [key for key in ppl.keys() & loss.keys() if abs(math.log(ppl[key]) - loss[key]) > TOLERANCE]
    if inconsistent:
        cell_count = counted(len(inconsistent), "cell")
        remarks.append(f"In {cell_count} the perplexity is not exp(loss); the report uses the perplexity.")
    if unused_filters:
        remarks.append(f"No corpus of the table has the name of these filters: {', '.join(unused_filters)}.")
    return remarks
