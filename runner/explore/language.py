"""Highlighting, diagnostics, completion and formatting for the editor of queries."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.draw.svg import escaped
from fictdsl.highlight import FictLexer
from fictdsl.lint.rules.unconstrained_node import RULE as UNCONSTRAINED
from fictdsl.source import Span
from fictdsl.syntax.printer import format_text
from fictdsl.words import inflected
from runner.corpus.filter_arguments import bare_names, bare_names_note, words_query
from runner.explore.query import Query, filters_of
from runner.lsp.completion import complete
from runner.lsp.documents import Documents, Snapshot, findings
from runner.lsp.navigation import actions
from runner.lsp.text_document import TextDocument

_MAX_COMPLETIONS = 40
_PLACEHOLDER = re.compile(r"\$\{\d+:([^{}]*)\}|\$\{?\d+\}?")

Position = tuple[int, int]  # line and UTF-16 unit in the editor, from 0


@dataclass(frozen=True)
class Problem:
    """A diagnostic with its position in the editor. A fix is a title, a start, an end and a replacement."""

    code: str
    severity: str
    message: str
    start: Position
    end: Position
    fixes: list[tuple[str, Position, Position, str]]


@dataclass(frozen=True)
class Analysis:
    lines: list[str]
    problems: list[Problem]
    filters: list[str]


def prepare_editor() -> None:
    analyse(Query("V -[nsubj]-> S"))


def analyse(query: Query) -> Analysis:
    if not query.text.strip():
        return Analysis(_highlighted(query), [], [])
    snapshot = _snapshot(query)
    problems = [_problem(query, snapshot, finding) for finding in findings(snapshot)]
    if note := _note_of_names(query, snapshot):
        problems = [note, *(problem for problem in problems if problem.code != UNCONSTRAINED.code)]
    visible = [problem for problem in problems if 0 <= problem.start[0] <= query.text.count("\n")]
    if not visible and snapshot.has_load_errors:
        visible = problems[:1]
    return Analysis(_highlighted(query), visible, [filter_.name for filter_ in filters_of(snapshot.compilation)])


def completions(query: Query, line: int, character: int) -> dict[str, Any]:
    snapshot = _snapshot(query)
    offset = snapshot.document.offset(line + query.lines_before, character)
    context, candidates = complete(snapshot, offset)
    typed = snapshot.document.text[context.span.start : offset].casefold()
    matching = [item for item in candidates if item.label.casefold().startswith(typed)][:_MAX_COMPLETIONS]
    items = []
    for item in matching:
        text = _PLACEHOLDER.sub(lambda match: match[1] or "", item.snippet or item.label).replace("\\$", "$")
        items.append({"label": item.label, "about": item.about, "insert": text})
    return {"start": _position(query, snapshot, context.span.start), "items": items}


def formatted(query: Query) -> str | None:
    text = format_text(query.file_text, "query").text
    return None if text is None else query.body(text)


def match_end(query: Query) -> Position | None:
    if not query.is_file:
        return None
    return TextDocument(query.text).position(query.filter.definition.match.span.end - 1)


def _snapshot(query: Query) -> Snapshot:
    documents = Documents("utf-16")
    path = None if query.folder is None else query.folder / "query.fict"
    documents.open("query", path, query.file_text)
    return documents.snapshot("query")


def _problem(query: Query, snapshot: Snapshot, finding: Any) -> Problem:
    span, problem = finding.span, finding.diagnostic
    fixes = [
        (action.title, *_positions(query, snapshot, action.span), action.replacement)
        for action in actions(snapshot, Span(span.start, span.end))
        if action.finding.diagnostic is problem
    ]
    severity = "error" if problem.severity is Severity.ERROR else "warning"
    start, end = _positions(query, snapshot, span)
    message = finding.message.replace(problem.message, query.reworded(problem).message, 1)
    return Problem(problem.code, severity, message, start, end, fixes)


def _note_of_names(query: Query, snapshot: Snapshot) -> Problem | None:
    filters = filters_of(snapshot.compilation)
    names = () if query.is_file or not filters else bare_names(filters[0])
    if not names:
        return None
    lines = query.text.split("\n")
    end = len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2
    title = inflected(len(names), "search for the word")
    return Problem("", "warning", bare_names_note(names), (0, 0), end, [(title, (0, 0), end, words_query(names))])


def _position(query: Query, snapshot: Snapshot, offset: int) -> Position:
    line, character = snapshot.document.position(offset)
    return line - query.lines_before, character


def _positions(query: Query, snapshot: Snapshot, span: Span) -> tuple[Position, Position]:
    return _position(query, snapshot, span.start), _position(query, snapshot, span.end)


def _highlighted(query: Query) -> list[str]:
    """Return the lines of the editor as HTML. Each token is a `span` whose class is its Pygments short name."""
    from pygments.token import STANDARD_TYPES

    lines = [""]
    for token_type, value in FictLexer(stripnl=False, ensurenl=False).get_tokens(query.file_text):
        class_name = STANDARD_TYPES.get(token_type, "")
        for index, part in enumerate(value.split("\n")):
            if index:
                lines.append("")
            if part:
                lines[-1] += f'<span class="{class_name}">{escaped(part)}</span>' if class_name else escaped(part)
    return lines[query.lines_before : query.lines_before + query.text.count("\n") + 1]


def library_text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
