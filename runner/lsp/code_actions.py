"""Code actions: fixes of findings, and comments that suppress lints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Fix
from fictdsl.diagnostics.suggest import suggested_name
from fictdsl.lint.fix import fix
from fictdsl.source import Span
from fictdsl.syntax.scan import comments
from runner.lsp.documents import Documents, Finding, Snapshot, findings

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
    """Return the actions for the findings that overlap or touch a span."""
    result: list[Action] = []
    for finding in findings(snapshot):
        if finding.span.start <= span.end and span.start <= finding.span.end:
            result += _fix_actions(snapshot, finding)
            result += _ignore_actions(snapshot, finding)
    return result


def fixed_text(documents: Documents, snapshot: Snapshot) -> str:
    """Return the text of a document after all safe fixes."""
    return fix(snapshot.document.written, lambda text: documents.with_text(snapshot, text).diagnostics).text


def _fix_actions(snapshot: Snapshot, finding: Finding) -> list[Action]:
    edit = finding.diagnostic.fix or _suggested_fix(snapshot, finding)
    if edit is None or not _is_in_document(snapshot, finding):
        return []
    old, new = snapshot.document.text[edit.span.start : edit.span.end], edit.replacement
    title = f"Replace `{old}` with `{new}`" if old and new else f"Insert `{new.strip()}`" if new else f"Remove `{old}`"
    return [Action(" ".join(title.split()), finding, edit.span, new, edit.safe)]


def _suggested_fix(snapshot: Snapshot, finding: Finding) -> Fix | None:
    """Return the replacement of a misspelt name with the name that the hint suggests, or None."""
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
    if _has_comment(text, end, [comment.span for comment in comments(text)]):
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


def _has_comment(text: str, end: int, comment_spans: Sequence[Span]) -> bool:
    start = text.rfind("\n", 0, end) + 1
    return any(start <= comment.start <= end for comment in comment_spans)
