"""The findings of a document into what can be done about them: their fixes, and comments that silence lints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.lint.fix import fix
from fictdsl.source import Span
from fictdsl.syntax.printing.comments import comments
from runner.lsp.documents.documents import Desk, Study
from runner.lsp.documents.findings import Finding, findings

_REASON = "say why"


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done about a finding: a replacement. `preferred` if it is surely what is wanted."""

    title: str
    finding: Finding
    span: Span
    replacement: str
    preferred: bool


def actions(study: Study, within: Span) -> list[Action]:
    """What can be done about the findings that touch a span."""
    found: list[Action] = []
    for finding in findings(study):
        if finding.span.start <= within.end and within.start <= finding.span.end:
            found += _fix(study, finding)
            found += _ignore(study, finding)
    return found


def fixed(desk: Desk, study: Study) -> str:
    """The text of a document after every fix that never changes what a filter means."""
    return fix(study.page.written, lambda text: desk.tried(study, text).diagnostics).text


def _fix(study: Study, finding: Finding) -> list[Action]:
    cure = finding.diagnostic.fix
    if cure is None or not _is_own(study, finding):
        return []
    old, new = study.page.text[cure.span.start : cure.span.end], cure.replacement
    title = f"Replace `{old}` by `{new}`" if old and new else f"Insert `{new.strip()}`" if new else f"Remove `{old}`"
    return [Action(" ".join(title.split()), finding, cure.span, new, cure.safe)]


def _ignore(study: Study, finding: Finding) -> list[Action]:
    """A comment at the end of the line that silences a lint there; a line that has a comment gets none."""
    problem = finding.diagnostic
    if not problem.code.startswith("FICT5") or problem.severity is Severity.ERROR or not _is_own(study, finding):
        return []
    text = study.page.text
    end = _line_end(text, finding.span.start)
    if _has_comment(text, end, [comment.span for comment in comments(text)]):
        return []
    comment = f"  # fict: ignore[{problem.code}] {_REASON}"
    return [Action(f"Ignore {problem.code} on this line, with a reason", finding, Span(end, end), comment, False)]


def _is_own(study: Study, finding: Finding) -> bool:
    source = finding.diagnostic.source
    return source is not None and source.path == study.module.source.path and source.name == study.module.source.name


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    return end - 1 if text[end - 1 : end] == "\r" else end


def _has_comment(text: str, end: int, found: Sequence[Span]) -> bool:
    start = text.rfind("\n", 0, end) + 1
    return any(start <= comment.start <= end for comment in found)
