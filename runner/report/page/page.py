"""Results to the report: one self-contained HTML page, and beside it every table as CSV and every figure as SVG."""

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

PAGE, REPORT = "report.html", "report"  # of a run, and the folder beside it
TIES = {"half": "a half", "strict": "as wrong", "argmax": "as right"}
COUNTS = {"parameters", "size", "tokens", "sentences", "words", "pairs"}  # of the run card, with thousands set apart
EXAMPLES = {
    "remove": "Sentences it removed",
    "keep": "Sentences it kept",
    "mask": "Sentences in which it masked words",
    "drop": "Sentences from which it dropped words",
}
OWN_KEYS = {"name", "description", "manifest", "failed"}  # of the run card, shown elsewhere on the page


def write_report(results_dir: Path, out_dir: Path) -> Path:
    """Read `results_dir`, write `out_dir/report.html` and `out_dir/report/*.{csv,svg}`; return the page's path.

    The same results give the same bytes. InputError FICT890–FICT892 if the results cannot be used.
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
    """Write the page to `page`, tables and figures into the folder `<stem>-files` beside it, file by file."""
    folder = page.with_name(f"{page.stem}-files")
    drawn = figures(analysis)
    for name, text in files(analysis, drawn).items():
        write_text(folder / name, text)
    write_text(page, render(analysis, drawn, folder.name))
    return page


def files(analysis: Analysis, drawn: dict[str, str]) -> dict[str, str]:
    """What lies beside the page: every table as CSV, every figure as SVG, by file name."""
    tables = [*all_tables(analysis), *(table for section in sections(analysis) for table in section.tables)]
    found = {f"{table.name}.csv": to_csv(table) for table in tables}
    found |= {f"{name}.svg": standalone(svg) for name, svg in drawn.items()}
    outside = next((name for name in found if Path(name).name != name), None)
    if outside is not None:
        raise ValueError(f"{outside} is no name of a file: a name that has others in it goes through `slug`")
    return found


def figures(analysis: Analysis) -> dict[str, str]:
    """All figures by the name of their file, as `<svg>` elements."""
    drawn = {heatmap_name(suite): heatmap(analysis, suite) for suite in analysis.results.suites}
    targeted = forest(analysis)
    if targeted is not None:
        drawn["targeted"] = targeted
    for rows in _scatter_rows(analysis):
        drawn[scatter_name(rows[0])] = scatter(rows, score_name(analysis.results.run, [rows[0].unit.suite]).unit)
    return drawn | {figure.name: figure.svg for section in sections(analysis) for figure in section.figures}


def heatmap_name(suite: str) -> str:
    """The file name of a suite's heatmap, without suffix."""
    return slug(f"heatmap-{suite}")


def scatter_name(row: ProbabilityDelta) -> str:
    """The file name of a targeted paradigm's scatter, without suffix."""
    return slug(f"items-{row.condition}-{row.unit.suite}-{row.unit.name}")


def _scatter_rows(analysis: Analysis) -> list[list[ProbabilityDelta]]:
    """Targeted rows, the models of one paradigm and condition together."""
    groups: dict[tuple[str, Unit], list[ProbabilityDelta]] = {}
    for condition in analysis.results.conditions:
        for row in analysis.probabilities:
            if row.targeted and row.condition == condition.name:
                groups.setdefault((row.condition, row.unit), []).append(row)
    return list(groups.values())


def render(analysis: Analysis, drawn: dict[str, str], folder: str) -> str:
    """The page's text; `folder` is where its tables and figures lie, relative to it."""
    context = {"title": analysis.results.run.name, "counts": COUNTS, "folder": folder, **_content(analysis, drawn)}
    return fill("page.html", context)


def _content(analysis: Analysis, drawn: dict[str, str]) -> dict[str, Any]:
    results = analysis.results
    said = answer(analysis)
    suites = [(suite, *views.paradigms(analysis, suite)) for suite in results.suites]
    removed = any(condition.kind == "remove" for condition in results.conditions)
    scores = probability_name(analysis)
    content: dict[str, Any] = {
        "kind": "Filtered corpus training" if removed else "Training corpora compared",
        "run": results.run,
        "card": {key: value for key, value in results.run.model_dump().items() if value and key not in OWN_KEYS},
        "failures": results.run.failed,
        "facts": _facts(analysis),
        "answer": said,
        "verdicts": _verdicts(said),
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
    many = len(content["suites"]) > 1
    found = [("answer", "The answer")]
    found += [("failed", "Failed cells")] if content["failures"] else []
    found += [(f"heatmap-{s}", f"Heatmap: {s}" if many else "Heatmap") for s, _, _ in content["heatmaps"]]
    found += [("targeted", "Targeted paradigms")] if content["targeted"].rows else []
    found += [(f"paradigms-{s}", f"Paradigms: {s}" if many else "All paradigms") for s, _, _ in content["suites"]]
    found += [("models", "Models and corpora")] if content["models"].rows or content["against"].rows else []
    found += [("perplexity", "Perplexity")] if content["perplexity"].rows else []
    found += [("probability", "Probability delta")] if content["probability"].rows else []
    found += [(section.id, section.heading) for section in content["extras"]]
    return [*found, ("corpora", "Corpora and filters"), ("run", "Run card")]


def _ties(results: Results) -> str:
    """How ties count, in words: once, or for each suite where they differ."""
    found = {suite: TIES[results.run.ties(suite)] for suite in results.suites}
    if len(set(found.values())) <= 1:
        return next(iter(found.values()), TIES["half"])
    return ", ".join(f"{how} in {suite}" for suite, how in found.items())


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


def _verdicts(said: Answer) -> list[tuple[str, str, list[Finding]]]:
    titles = {
        "below": "Fell below the reference",
        "spans zero": "Interval contains zero",
        "above": "Rose above the reference",
        "no interval": "One seed, no interval",
    }
    groups = [
        (title, verdict.replace(" ", "-"), [f for f in said.findings if f.verdict == verdict])
        for verdict, title in titles.items()
    ]
    return [group for group in groups if group[2]]


def _filtered(results: Results) -> list[dict[str, Any]]:
    """Conditions with their filters and the examples that are shown; `same`: the one before it that has the same."""
    found: list[dict[str, Any]] = []
    for condition in results.conditions:
        shown = []
        for one in condition.filters:
            shown += [e for e in condition.examples if e.filter == one.name][: results.run.report.examples]
        same = (o for o in found if o["condition"].filters == condition.filters and o["examples"] == shown)
        if condition.filters:
            heading = EXAMPLES.get(condition.kind, "Sentences they match")
            found.append({"condition": condition, "examples": shown, "heading": heading, "same": next(same, None)})
    return found
