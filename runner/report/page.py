"""The report's files: one self-contained HTML page, tables as CSV and LaTeX, figures as SVG."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from fictdsl.words import counted, inflected
from runner import formatting
from runner.errors import InputError
from runner.report.accuracy_tables import CSS_CLASSES, SIGNS, condition_models
from runner.report.analysis import analyse
from runner.report.answer import VERDICTS
from runner.report.document import Report, report_of
from runner.report.markup import Format, fill, render_image, standalone
from runner.report.results import Results, read_run_card, read_snapshot, snapshot_of, state_of
from runner.report.section import Section
from runner.report.statistics import Analysis, score_name
from runner.score.convention import UNIGRAM
from runner.score.inference import Floats
from runner.score.measures import probability_delta
from runner.score.pair_matrices import Paradigm
from runner.tables import to_csv, to_latex
from runner.workspace import atomic_write, publish_dir, write_text

MAX_PAIRS, MAX_TARGETED_PAIRS = 20, 40  # per paradigm on the page; items.parquet has all pairs
MAX_NUMBERS = 60_000  # numbers embedded in the page; with more conditions and models, fewer pairs fit


def item_data(analysis: Analysis) -> str:
    """Return, as escaped JSON, the columns (condition and model) and {how, term, unit, pairs} for each paradigm.

    A pair is [item, notes, good, bad, scores…] with the mean scores of both sentences for each column.
    """
    paradigms = analysis.results.paradigms
    score_columns = [column for column in condition_models(analysis) if column[1] != UNIGRAM]
    max_pairs = max(5, MAX_NUMBERS // max(1, 2 * len(paradigms) * max(1, len(score_columns))))
    data = [_paradigm_data(analysis, paradigm, score_columns, max_pairs) for paradigm in paradigms]
    text = json.dumps({"columns": score_columns, "paradigms": data}, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _paradigm_data(
    analysis: Analysis, paradigm: Paradigm, score_columns: list[tuple[str, str]], max_pairs: int
) -> dict[str, object]:
    no_scores = np.full(len(paradigm.item), np.nan)
    deltas: dict[tuple[str, str], Floats] = {}
    sides: list[Floats] = []
    for column in score_columns:
        seeds, good, bad = paradigm.scores(*column)
        deltas[column] = probability_delta(good, bad) if seeds else no_scores
        sides += [good.mean(axis=0), bad.mean(axis=0)] if seeds else [no_scores, no_scores]
    selected, selection = _selected_pairs(analysis, paradigm, deltas, max_pairs)
    pairs = [
        [
            int(paradigm.item[i]),
            _notes(paradigm, i),
            paradigm.good[i],
            paradigm.bad[i],
            *(None if np.isnan(side[i]) else round(float(side[i]), 2) for side in sides),
        ]
        for i in selected
    ]
    score_label = score_name(analysis.results.run, [paradigm.suite])
    return {"how": selection, "term": score_label.term, "unit": score_label.unit, "pairs": pairs}


def _notes(paradigm: Paradigm, i: int) -> str:
    cells = len(paradigm.cells)
    ties = int((paradigm.score_good[:, i] == paradigm.score_bad[:, i]).sum())
    notes = [
        note if count == cells else f"{note} in {count} of {cells}"
        for note, flags in (("identical after tokenisation", paradigm.identical), ("unknown word", paradigm.unknown))
        if (count := int(flags[:, i].sum()))
    ]
    return ", ".join([*notes, *([f"tie in {ties} of {cells}"] if ties else [])])


def _selected_pairs(
    analysis: Analysis, paradigm: Paradigm, deltas: dict[tuple[str, str], Floats], max_pairs: int
) -> tuple[list[int], str]:
    total, full = len(paradigm.item), analysis.full
    changes = [
        np.abs(deltas[condition, model] - deltas[full.name, model])
        for condition, keys in analysis.targets.items()
        if full is not None and paradigm.key in keys
        for model in analysis.results.models
        if (condition, model) in deltas and (full.name, model) in deltas
    ]
    limit = min(total, max_pairs, MAX_TARGETED_PAIRS if changes else MAX_PAIRS)
    of_pairs = f"{limit} of {counted(total, 'pair')}"
    if not changes:
        return list(range(limit)), f"the first {of_pairs}"
    mean_changes = np.nan_to_num(np.mean(changes, axis=0), nan=-1.0)
    selected = np.argsort(-mean_changes, kind="stable")[:limit].tolist()
    return selected, f"the {of_pairs} that the condition for this paradigm changed most"


RESULTS = "results"  # the folder of a run with its results
PAGE, FILES_FOLDER = "report.html", "report"  # the page of a run, and the folder of its other files
COUNT_KEYS = {"parameters", "size", "tokens", "sentences", "words", "pairs"}  # keys of the run card formatted as counts
EXAMPLE_HEADINGS = {
    "remove": "Sentences it removed",
    "keep": "Sentences it kept",
    "mask": "Sentences in which it masked words",
    "drop": "Sentences from which it dropped words",
    "rewrite": "Sentences before it rewrote them",
}
STATE_MARK = "<!-- state of the run -->"  # where the page of a finished run may be marked later
_MARKED = re.compile(re.escape(STATE_MARK) + '(?:<ul class="alerts">.*?</ul>)?')
# keys of the run card in the order of the page, without those that are shown elsewhere
CARD_KEYS = (
    *("seeds", "report", "convention", "suites", "tokenizer", "models", "training", "versions", "hardware", "times"),
    *("suite_hashes", "command", "sources", "size", "lists", "fictc", "compute"),
)


def write_report(results_dir: Path, out_dir: Path, formats: Sequence[Format] = ()) -> Path:
    """Write `report.html` and `report/*.{csv,tex,svg}` to `out_dir`, again if a run replaces the results meanwhile."""
    page = out_dir / PAGE
    while True:
        results, snapshot = read_snapshot(results_dir)
        report = report_of(analyse(results))
        with publish_dir(out_dir / FILES_FOLDER, replace=True) as temp:
            for name, content in files(report.sections, formats).items():
                (temp / name).write_bytes(content)
        write_text(page, render(report, FILES_FOLDER, formats))
        if snapshot_of(results_dir) == snapshot:
            return page


def mark_stale(run: Path) -> None:
    page, results = run / PAGE, run / RESULTS
    try:
        state = [*state_of(read_run_card(results), results)]
        text = page.read_text(encoding="utf-8")
    except (InputError, OSError, ValueError):
        return
    items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in state)
    mark = STATE_MARK + (f'<ul class="alerts">{items}</ul>' if items else "")
    marked = _MARKED.sub(lambda _: mark, text, count=1)
    if marked != text:
        write_text(page, marked)


def write_page(report: Report, page: Path, formats: Sequence[Format] = ()) -> Path:
    """Write the page to `page`, and its tables and figures to the folder `<stem>-files` next to it."""
    folder = page.with_name(f"{page.stem}-files")
    for name, content in files(report.sections, formats).items():
        with atomic_write(folder / name) as temp:
            temp.write_bytes(content)
    write_text(page, render(report, folder.name, formats))
    return page


def files(sections: tuple[Section, ...], formats: Sequence[Format] = ()) -> dict[str, bytes]:
    texts = {f"{table.name}.csv": to_csv(table) for section in sections for table in section.saved}
    texts |= {f"{table.name}.tex": to_latex(table) for section in sections for table in section.shown}
    figures = [figure for section in sections for figure in section.figures]
    texts |= {f"{figure.name}.svg": standalone(figure.svg) for figure in figures}
    contents = {name: text.encode() for name, text in texts.items()}
    contents |= {f"{figure.name}.{format_}": render_image(figure, format_) for figure in figures for format_ in formats}
    invalid = next((name for name in contents if Path(name).name != name), None)
    if invalid is not None:
        raise ValueError(f"{invalid} is not a file name; pass composed names through `slug`")
    return contents


def render(report: Report, folder: str, formats: Sequence[Format] = ()) -> str:
    """Return the page's HTML. `folder` is the relative path of its files, with figures as SVG and in `formats`."""
    results = report.analysis.results
    card = results.run.model_dump()
    visible_sections = [section for section in report.sections if section.visible]
    has_removal = any(condition.kind == "remove" for condition in results.conditions)
    context: dict[str, Any] = {
        "title": results.run.name,
        "state_mark": "" if results.state else STATE_MARK,
        "counts": COUNT_KEYS,
        "folder": quote(folder),
        "formats": ("svg", *formats),
        "kind": "Filtered corpus training" if has_removal else "Training corpora compared",
        "run": results.run,
        "card": {key: value for key in CARD_KEYS if (value := card[key])},
        "failures": results.run.failed,
        "facts": _facts(report.analysis),
        "answer": report.answer,
        "warnings": report.warnings,
        "verdicts": [
            (f"{SIGNS[verdict]} {verdict.capitalize()}", CSS_CLASSES[verdict], findings)
            for verdict in VERDICTS
            if (findings := [each for each in report.answer.findings if each.verdict == verdict])
        ],
        "sections": visible_sections,
        "filtered": _filter_entries(results),
        "items": item_data(report.analysis),
        "methods": report.methods,
        "contents": [
            ("answer", "Summary"),
            *([("failed", "Failed cells")] if results.run.failed else []),
            *((section.id, section.nav or section.heading) for section in visible_sections),
            ("run", "Run card"),
        ],
    }
    return fill("page.html", context)


def _facts(analysis: Analysis) -> list[tuple[str, str]]:
    results = analysis.results
    counts = [
        (len(results.conditions), ("condition",)),
        (len(results.models), ("model",)),
        (len({cell.seed for cell in results.cells}), ("seed",)),
        (len(results.cells - results.external_cells), ("trained cell",)),
        (len(results.external_cells), ("added cell",)),
        (len(results.paradigms), ("paradigm",)),
        (sum(len(paradigm.item) for paradigm in results.paradigms), ("minimal pair",)),
        *((count, (f"pair of {kind}", f"pairs of {kind}")) for kind, count in results.other_pairs.items()),
    ]
    return [(formatting.count(count), inflected(count, *forms)) for count, forms in counts if count]


def _filter_entries(results: Results) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    for condition in results.conditions:
        examples = []
        for filter_ in condition.filters:
            matching = [example for example in condition.examples if example.filter == filter_.name]
            examples += matching[: results.run.report.examples]
        equal = (e for e in entries if e["condition"].filters == condition.filters and e["examples"] == examples)
        if condition.filters:
            has_all_matches = condition.kind != "remove" or condition.removes_all_matches
            heading = EXAMPLE_HEADINGS.get(condition.kind if has_all_matches else "", "Sentences that they match")
            same = next(equal, None)
            entries.append({"condition": condition, "examples": examples, "heading": heading, "same": same})
    return entries
