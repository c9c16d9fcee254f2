"""The report's files: one self-contained HTML page, tables as CSV and figures as SVG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runner.report.analysis.analysis import analyse
from runner.report.analysis.score_names import probability_name, score_name
from runner.report.analysis.statistics import Analysis, ProbabilityDelta, Unit
from runner.report.figures.forest import forest
from runner.report.figures.heatmap import heatmap
from runner.report.figures.scatter import scatter
from runner.report.page.answer import Answer, Finding, answer
from runner.report.page.methods import methods
from runner.report.page.shell import fill
from runner.report.render import format as write
from runner.report.render.names import slug
from runner.report.render.svg import standalone
from runner.report.results.results import Results, read_results
from runner.report.sections.gather import sections
from runner.report.tables.table import to_csv
from runner.report.tables.tables import all_tables
from runner.report.views import model_views, views
from runner.report.views.wide import item_data
from runner.workspace import publish_dir, write_text

PAGE, REPORT = "report.html", "report"  # page of a run, and the folder of its files
TIES = {"half": "½", "strict": "as wrong", "argmax": "as right"}
COUNTS = {"parameters", "size", "tokens", "sentences", "words", "pairs"}  # keys of the run card formatted as counts
EXAMPLES = {
    "remove": "Sentences it removed",
    "keep": "Sentences it kept",
    "mask": "Sentences in which it masked words",
    "drop": "Sentences from which it dropped words",
}
OWN_KEYS = {"name", "description", "manifest", "failed"}  # keys of the run card that the page shows elsewhere


def write_report(results_dir: Path, out_dir: Path) -> Path:
    """Write `out_dir/report.html` and `out_dir/report/*.{csv,svg}` from `results_dir`. Return the page's path.

    Equal results give equal bytes. Raises InputError (FICT890–FICT892) if the results cannot be used.
    """
    analysis = analyse(read_results(results_dir))
    drawn = figures(analysis)
    with publish_dir(out_dir / REPORT, replace=True) as temp:
        for name, text in files(analysis, drawn).items():
            (temp / name).write_text(text, encoding="utf-8", newline="")
    page = out_dir / PAGE
    write_text(page, render(analysis, drawn, REPORT))
    return page


def write_page(analysis: Analysis, page: Path) -> Path:
    """Write the page to `page`, and its tables and figures to the folder `<stem>-files` next to it."""
    folder = page.with_name(f"{page.stem}-files")
    drawn = figures(analysis)
    for name, text in files(analysis, drawn).items():
        write_text(folder / name, text)
    write_text(page, render(analysis, drawn, folder.name))
    return page


def files(analysis: Analysis, figures_by_name: dict[str, str]) -> dict[str, str]:
    """Return the page's files by name: every table as CSV, every figure as SVG."""
    tables = [*all_tables(analysis), *(table for section in sections(analysis) for table in section.tables)]
    contents = {f"{table.name}.csv": to_csv(table) for table in tables}
    contents |= {f"{name}.svg": standalone(svg) for name, svg in figures_by_name.items()}
    invalid = next((name for name in contents if Path(name).name != name), None)
    if invalid is not None:
        raise ValueError(f"{invalid} is not a file name; names built from other names need `slug`")
    return contents


def figures(analysis: Analysis) -> dict[str, str]:
    """Return all figures as `<svg>` elements, by file name."""
    drawn = {heatmap_name(suite): heatmap(analysis, suite) for suite in analysis.results.suites}
    targeted = forest(analysis)
    if targeted is not None:
        drawn["targeted"] = targeted
    for rows in _scatter_rows(analysis):
        drawn[scatter_name(rows[0])] = scatter(rows, score_name(analysis.results.run, [rows[0].unit.suite]).unit)
    return drawn | {figure.name: figure.svg for section in sections(analysis) for figure in section.figures}


def heatmap_name(suite: str) -> str:
    """Return the file name of a suite's heatmap, without suffix."""
    return slug(f"heatmap-{suite}")


def scatter_name(row: ProbabilityDelta) -> str:
    """Return the file name of a targeted paradigm's scatter plot, without suffix."""
    return slug(f"items-{row.condition}-{row.unit.suite}-{row.unit.name}")


def _scatter_rows(analysis: Analysis) -> list[list[ProbabilityDelta]]:
    """Return the targeted rows, grouped by paradigm and condition."""
    groups: dict[tuple[str, Unit], list[ProbabilityDelta]] = {}
    for condition in analysis.results.conditions:
        for row in analysis.probabilities:
            if row.targeted and row.condition == condition.name:
                groups.setdefault((row.condition, row.unit), []).append(row)
    return list(groups.values())


def render(analysis: Analysis, drawn: dict[str, str], folder: str) -> str:
    """Return the page's text. `folder` is the relative path of its tables and figures."""
    context = {"title": analysis.results.run.name, "counts": COUNTS, "folder": folder, **_content(analysis, drawn)}
    return fill("page.html", context)


def _content(analysis: Analysis, drawn: dict[str, str]) -> dict[str, Any]:
    results = analysis.results
    answer_text = answer(analysis)
    suites = [(suite, *views.paradigms(analysis, suite)) for suite in results.suites]
    removed = any(condition.kind == "remove" for condition in results.conditions)
    scores = probability_name(analysis)
    content: dict[str, Any] = {
        "kind": "Filtered corpus training" if removed else "Training corpora compared",
        "run": results.run,
        "card": {key: value for key, value in results.run.model_dump().items() if value and key not in OWN_KEYS},
        "failures": results.run.failed,
        "facts": _facts(analysis),
        "answer": answer_text,
        "verdicts": _verdicts(answer_text),
        "ties": _ties(results),
        "level": write.share(results.run.report.confidence),
        "heatmaps": [(s, drawn[heatmap_name(s)], f"{heatmap_name(s)}.svg") for s in results.suites],
        "targeted": views.targeted(analysis),
        "forest": drawn.get("targeted", ""),
        "detectable": views.detectable(analysis),
        "suites": suites,
        "models": model_views.models(analysis),
        "against": model_views.against_full(analysis),
        "within": [
            ("Models within each corpus, over benchmarks", model_views.within(analysis, "benchmarks")),
            ("Models within each benchmark, over corpora", model_views.within(analysis, "corpora")),
        ],
        "relations": model_views.correlations(analysis),
        "perplexity": views.perplexity(analysis),
        "extras": sections(analysis),
        "probability": views.probability(analysis),
        "scatters": [
            (f"{rows[0].unit.name} under {rows[0].condition}", drawn[scatter_name(rows[0])])
            for rows in _scatter_rows(analysis)
        ],
        "corpora": views.corpora(analysis),
        "filtered": _filtered(results),
        "items": item_data(analysis),
        "scores": scores,
        "methods": methods(results.run.report.confidence, scores),
    }
    return content | {"sections": _sections(content)}


def _sections(content: dict[str, Any]) -> list[tuple[str, str]]:
    several_suites = len(content["suites"]) > 1
    titles = [("answer", "Summary")]
    titles += [("failed", "Failed cells")] if content["failures"] else []
    titles += [(f"heatmap-{s}", f"Heatmap: {s}" if several_suites else "Heatmap") for s, _, _ in content["heatmaps"]]
    titles += [("targeted", "Targeted paradigms")] if content["targeted"].rows else []
    titles += [
        (f"paradigms-{s}", f"Paradigms: {s}" if several_suites else "All paradigms") for s, _, _ in content["suites"]
    ]
    titles += [("models", "Models and corpora")] if content["models"].rows or content["against"].rows else []
    titles += [("perplexity", "Perplexity")] if content["perplexity"].rows else []
    titles += [("probability", "Probability delta")] if content["probability"].rows else []
    titles += [(section.id, section.heading) for section in content["extras"]]
    return [*titles, ("corpora", "Corpora and filters"), ("run", "Run card")]


def _ties(results: Results) -> str:
    """Return how ties count, for each suite if they differ."""
    ties_by_suite = {suite: TIES[results.run.ties(suite)] for suite in results.suites}
    if len(set(ties_by_suite.values())) <= 1:
        return next(iter(ties_by_suite.values()), TIES["half"])
    return ", ".join(f"{ties} in {suite}" for suite, ties in ties_by_suite.items())


def _facts(analysis: Analysis) -> list[tuple[str, str]]:
    results = analysis.results
    cells = {cell for p in results.paradigms for cell in p.cells if cell.seed >= 0}
    pairs = sum(len(paradigm.item) for paradigm in results.paradigms)

    def fact(n: int, word: str) -> tuple[str, str]:
        return write.count(n), word if n == 1 else word + "s"

    return [
        fact(len(results.conditions), "condition"),
        fact(len(results.models), "model"),
        fact(len(results.run.seeds), "seed"),
        fact(len(cells), "trained cell"),
        fact(len(results.paradigms), "paradigm"),
        fact(pairs, "minimal pair"),
    ]


def _verdicts(answer_text: Answer) -> list[tuple[str, str, list[Finding]]]:
    titles = {
        "below": "Fell below the reference",
        "spans zero": "Interval contains zero",
        "above": "Rose above the reference",
        "no interval": "One seed, no interval",
    }
    groups = [
        (title, verdict.replace(" ", "-"), [f for f in answer_text.findings if f.verdict == verdict])
        for verdict, title in titles.items()
    ]
    return [group for group in groups if group[2]]


def _filtered(results: Results) -> list[dict[str, Any]]:
    """Return conditions with filters and examples. `same` is an earlier entry with equal filters and examples."""
    entries: list[dict[str, Any]] = []
    for condition in results.conditions:
        examples = []
        for filter_ in condition.filters:
            examples += [example for example in condition.examples if example.filter == filter_.name][
                : results.run.report.examples
            ]
        equal = (
            entry
            for entry in entries
            if entry["condition"].filters == condition.filters and entry["examples"] == examples
        )
        if condition.filters:
            heading = EXAMPLES.get(condition.kind, "Sentences they match")
            entries.append(
                {"condition": condition, "examples": examples, "heading": heading, "same": next(equal, None)}
            )
    return entries
