"""`# fict: ignore[FICT503] reason` into the findings it silences, and those comments that silence nothing.

On a line it silences what begins there; on lines of its own right above an item, what begins in that item.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.codes.lint import CODES
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import nearest
from fictdsl.lint.edit import Editor
from fictdsl.source import Span
from fictdsl.syntax.comments import comments
from fictdsl.syntax.program import Module

_MARK = re.compile(r"#\s*fict:\s*(?P<what>.*)")
_IGNORE = re.compile(r"ignore\s*\[\s*(?P<code>[^\]\s]*)\s*\]\s*(?P<reason>.*)")
_KNOWN = {entry.code for entry in CODES}


@dataclass(frozen=True, slots=True)
class _Ignore:
    """One comment that is well formed: what it silences, where."""

    code: str
    span: Span
    reach: Span


def suppress(found: Sequence[Diagnostic], module: Module, asked: Collection[str]) -> list[Diagnostic]:
    """The findings that no comment silences, and FICT527 for each comment that silences none.

    `asked` are the codes of the rules that were asked: a comment for another one may well be needed.
    """
    ignores = list(_ignores(module))
    kept: list[Diagnostic] = []
    used: set[_Ignore] = set()
    for finding in found:
        silent = {ignore for ignore in ignores if _silences(ignore, finding)}
        used |= silent
        if not silent:
            kept.append(finding)
    hint = "it stands on the line of what it silences, or on a line of its own right above the item"
    edit = Editor(module.source.text)
    for ignore in ignores:
        if ignore not in used and ignore.code in asked:
            fix = edit.line(ignore.span)
            kept.append(diagnostic("FICT527", module.source, ignore.span, hint=hint, fix=fix, ignored=ignore.code))
    return kept


def _ignores(module: Module) -> Iterator[_Ignore]:
    for span, what in marks(module):
        ignore = _IGNORE.fullmatch(what)
        if ignore is not None and malformed(what) is None:
            yield _Ignore(ignore["code"], span, _reach(span, module))


def marks(module: Module) -> Iterator[tuple[Span, str]]:
    """The comments that begin `# fict:`, and what follows."""
    if "fict:" not in module.source.text:
        return
    for comment in comments(module.source.text):
        mark = _MARK.fullmatch(comment.text)
        if mark is not None:
            yield comment.span, mark["what"]


def malformed(what: str) -> tuple[str, str] | None:
    """What is wrong with what follows `# fict:`, and a hint; None if nothing is."""
    form = "the form is `# fict: ignore[FICT503] reason`"
    ignore = _IGNORE.fullmatch(what)
    if ignore is None or not ignore["code"]:
        return "it names no code", form
    if "," in ignore["code"]:
        return "it names several codes", "each code has a comment of its own, with its own reason"
    if ignore["code"] not in _KNOWN:
        near = nearest(ignore["code"], sorted(_KNOWN))
        if ignore["code"].startswith("FICT") and not ignore["code"].startswith("FICT5"):
            return f"{ignore['code']} is no lint, and errors cannot be ignored", form
        return f"there is no lint {ignore['code']}", f"the nearest code is {near}" if near else form
    return None if ignore["reason"] else ("it gives no reason", form)


def _reach(span: Span, module: Module) -> Span:
    """The line of the comment; or, if it stands alone above an item, the item, with comments between them skipped."""
    text = module.source.text
    start = text.rfind("\n", 0, span.start) + 1
    if text[start : span.start].strip():
        return Span(start, span.end)
    rest = text[span.end :]
    skipped = re.match(r"\s*\n(?:[ \t]*#[^\n]*\n)*[ \t]*", rest)
    after = span.end + (skipped.end() if skipped else 0)
    for item in module.file.items:
        if item.span.start == after and rest[: after - span.end].count("\n\n") == 0:
            return item.span
    return Span(start, span.end)


def _silences(ignore: _Ignore, finding: Diagnostic) -> bool:
    if finding.code != ignore.code or finding.span is None:
        return False
    return ignore.reach.start <= finding.span.start <= ignore.reach.end
