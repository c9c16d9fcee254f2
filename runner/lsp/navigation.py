"""Definitions, references, renaming and code actions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Fix, Severity
from fictdsl.diagnostics.suggest import suggested_name
from fictdsl.lint.fix import fix
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.grammar import comments
from fictdsl.syntax.nodes import RESERVED
from runner.lsp.documents import Documents, Finding, Snapshot, findings
from runner.lsp.occurrences import Occurrence, occurrence_at
from runner.lsp.text_document import TextDocument

_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_QUERIES = ("filter", "rewrite")
_QUERY_NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")


class RefusedError(Exception):
    """A name cannot be changed. The message states the reason."""


@dataclass(frozen=True, slots=True)
class Location:
    document: TextDocument
    uri: str
    span: Span


def definition(documents: Documents, snapshot: Snapshot, offset: int) -> Location | None:
    occurrence = occurrence_at(snapshot.occurrences, offset)
    if occurrence is None:
        return None
    if occurrence.path is None or occurrence.path == snapshot.path:
        return Location(snapshot.document, snapshot.uri, occurrence.definition)
    source = (
        Source(str(occurrence.path), "", occurrence.path)
        if occurrence.item_module is None
        else occurrence.item_module.source
    )
    return Location(documents.document_of(source), documents.uri_for(occurrence.path), occurrence.definition)


def references(documents: Documents, snapshot: Snapshot, offset: int) -> list[Location]:
    occurrence = occurrence_at(snapshot.occurrences, offset)
    return [] if occurrence is None else _locations(_snapshots_to_search(documents, snapshot, occurrence), occurrence)


def document_references(snapshot: Snapshot, offset: int) -> list[Span]:
    occurrence = occurrence_at(snapshot.occurrences, offset)
    return [] if occurrence is None else [location.span for location in _locations([snapshot], occurrence)]


def name_at(snapshot: Snapshot, offset: int) -> Occurrence:
    """Return the name at an offset. Raises RefusedError if it cannot be renamed."""
    occurrence = occurrence_at(snapshot.occurrences, offset)
    if occurrence is None or occurrence.kind == "file":
        raise RefusedError("there is no name here that can be renamed, or the item around it has an error")
    return occurrence


def rename(documents: Documents, snapshot: Snapshot, offset: int, new_name: str) -> list[Location]:
    """Return the locations to replace. Raises RefusedError if the name is taken or errors hide names."""
    occurrence = name_at(snapshot, offset)
    _check_valid(occurrence, new_name)
    snapshots = _snapshots_to_search(documents, snapshot, occurrence)
    for affected in snapshots:
        if any(problem.severity is Severity.ERROR and problem.code < "FICT2" for problem in affected.load_diagnostics):
            raise RefusedError(f"{affected.module.source.name} has syntax errors, so some of its names are unknown")
        _check_unused(affected, occurrence, new_name)
    return _locations(snapshots, occurrence)


def _snapshots_to_search(documents: Documents, snapshot: Snapshot, occurrence: Occurrence) -> list[Snapshot]:
    """Return the documents to search: this document and, for lists and patterns, others that contain the name."""
    if occurrence.kind not in ("list", "pattern") or occurrence.path is None:
        return [snapshot]
    candidates = (documents.file_snapshot(path) for path in documents.project_paths(snapshot) if path != snapshot.path)
    name_pattern = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(occurrence.name)}(?![A-Za-z0-9_])")
    return [
        snapshot,
        *(
            candidate
            for candidate in candidates
            if candidate is not None and name_pattern.search(candidate.document.text)
        ),
    ]


def _locations(snapshots: list[Snapshot], occurrence: Occurrence) -> list[Location]:
    locations: list[Location] = []
    for snapshot in snapshots:
        spans = {other.span for other in snapshot.occurrences if other.definition_key == occurrence.definition_key}
        locations += [Location(snapshot.document, snapshot.uri, span) for span in sorted(spans)]
    return locations


def _check_valid(occurrence: Occurrence, new_name: str) -> None:
    if occurrence.kind in _QUERIES:
        if not _QUERY_NAME.fullmatch(new_name):
            expected = "expected lower-case letters, digits and hyphens, as in `det-noun`"
            raise RefusedError(f"`{new_name}` is not a {occurrence.kind} name: {expected}")
    elif not _NAME.fullmatch(new_name):
        raise RefusedError(
            f"`{new_name}` is not a {occurrence.kind} name: expected a letter, then letters, digits and `_`"
        )
    if new_name in RESERVED:
        raise RefusedError(f"`{new_name}` is a reserved word")


def _check_unused(snapshot: Snapshot, occurrence: Occurrence, new_name: str) -> None:
    if new_name == occurrence.name:
        return
    clash = next(
        (other for other in snapshot.occurrences if other.name == new_name and _would_clash(other, occurrence)), None
    )
    visible = snapshot.resolution.visible(snapshot.module)
    visible_names = {"list": {*visible.lists}, "pattern": {*visible.patterns}}.get(occurrence.kind, set())
    occurs = any(other.definition_key == occurrence.definition_key for other in snapshot.occurrences)
    if clash is not None or (new_name in visible_names and occurs):
        kind = occurrence.kind if clash is None else clash.kind
        raise RefusedError(f"{snapshot.module.source.name} already has a {kind} `{new_name}`")


def _would_clash(other: Occurrence, occurrence: Occurrence) -> bool:
    if occurrence.kind in _QUERIES:  # filters and rewrites share their names
        return other.kind in _QUERIES and other.path == occurrence.path
    if occurrence.kind in ("node", "parameter"):
        return other.kind == occurrence.kind and other.item is occurrence.item
    return other.kind == occurrence.kind


def symbols(snapshot: Snapshot) -> Iterator[tuple[nodes.ListDef | nodes.PatternDef | nodes.Query, str]]:
    for item in snapshot.module.file.items:
        match item:
            case nodes.FilterDef(metadata=metadata) | nodes.RewriteDef(metadata=metadata):
                texts = (entry for entry in metadata if isinstance(entry, nodes.Text) and entry.kind == "about")
                yield item, next((entry.text.text for entry in texts), "")
            case nodes.PatternDef(parameters=parameters):
                yield item, f"({', '.join(parameter.text for parameter in parameters)})"
            case nodes.ListDef():
                yield item, ""
            case nodes.Use():
                pass


_REASON_PLACEHOLDER = "say why"


@dataclass(frozen=True, slots=True)
class Action:
    """A replacement that resolves or suppresses a finding. It is `preferred` if it is a safe fix."""

    title: str
    finding: Finding
    span: Span
    replacement: str
    preferred: bool


def actions(snapshot: Snapshot, span: Span) -> list[Action]:
    result: list[Action] = []
    for finding in findings(snapshot):
        if finding.span.start <= span.end and span.start <= finding.span.end:
            result += _fix_actions(snapshot, finding)
            result += _ignore_actions(snapshot, finding)
    return result


def fixed_text(documents: Documents, snapshot: Snapshot) -> str:
    return fix(snapshot.document.written, lambda text: documents.with_text(snapshot, text).diagnostics).text


def _fix_actions(snapshot: Snapshot, finding: Finding) -> list[Action]:
    edit = finding.diagnostic.fix or _suggested_fix(snapshot, finding)
    if edit is None or not _is_in_document(snapshot, finding):
        return []
    old, new = snapshot.document.text[edit.span.start : edit.span.end], edit.replacement
    title = f"Replace `{old}` with `{new}`" if old and new else f"Insert `{new.strip()}`" if new else f"Remove `{old}`"
    return [Action(" ".join(title.split()), finding, edit.span, new, edit.safe)]


def _suggested_fix(snapshot: Snapshot, finding: Finding) -> Fix | None:
    span, problem = finding.span, finding.diagnostic
    name, current_name = suggested_name(problem.hint or ""), snapshot.document.text[span.start : span.end]
    return Fix(span, name, safe=False) if name is not None and f"`{current_name}`" in problem.message else None


def _ignore_actions(snapshot: Snapshot, finding: Finding) -> list[Action]:
    """Return an action that adds an ignore comment at the end of the line, unless the line has a comment."""
    problem = finding.diagnostic
    if not problem.from_rule or not _is_in_document(snapshot, finding):
        return []
    text = snapshot.document.text
    end = _line_end(text, finding.span.start)
    start = text.rfind("\n", 0, end) + 1
    if any(start <= comment.span.start <= end for comment in comments(text)):
        return []
    comment = f"  # fict: ignore[{problem.code}] {_REASON_PLACEHOLDER}"
    return [Action(f"Ignore {problem.code} on this line, with a reason", finding, Span(end, end), comment, False)]


def _is_in_document(snapshot: Snapshot, finding: Finding) -> bool:
    source = finding.diagnostic.source
    return (
        source is not None and source.path == snapshot.module.source.path and source.name == snapshot.module.source.name
    )


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    return end - 1 if text[end - 1 : end] == "\r" else end
