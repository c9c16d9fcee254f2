"""Suppress findings by comments such as `# fict: ignore[FICT503] reason`, and report comments without effect.

After code, a comment suppresses findings that begin on its line. On a line of its own directly above an item, it
suppresses findings that begin in the item.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fictdsl.diagnostics.codes import CATALOGUE, diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import nearest
from fictdsl.lint.fix import FixBuilder
from fictdsl.source import Span
from fictdsl.syntax.grammar import comments
from fictdsl.syntax.load import Module

_DIRECTIVE = re.compile(r"#\s*fict:\s*(?P<directive>.*)")
_IGNORE = re.compile(r"ignore\s*\[\s*(?P<code>[^\]\s]*)\s*\]\s*(?P<reason>.*)")
_LINE_ENDS = re.compile(r"[ \t\r]*\n(\s*\n)?")
_COMMENT_LINE = re.compile(r"[ \t]*#[^\n]*\n")
_SPACES = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class _Ignore:
    """A well-formed comment: it suppresses findings of `code` that begin in `scope`."""

    code: str
    span: Span
    scope: Span

    @property
    def on_line(self) -> bool:
        return self.scope.end == self.span.end


def suppress(findings: Sequence[Diagnostic], module: Module, active: Collection[str]) -> list[Diagnostic]:
    """Return the findings that no comment suppresses, and FICT527 for each comment that suppresses none.

    `active` are the codes of the rules that ran. A comment for another code is not reported.
    """
    ignores = list(_ignores(module))
    index = _SuppressionIndex(ignores)
    reported = [finding for finding in findings if not index.suppresses(finding)]
    hint = "put it on the line of the finding, or on a line of its own directly above the item"
    fix_builder = FixBuilder(module.source.text)
    for ignore in ignores:
        if not index.is_used(ignore) and ignore.code in active:
            fix = fix_builder.remove_item(ignore.span)
            reported.append(diagnostic("FICT527", module.source, ignore.span, hint=hint, fix=fix, ignored=ignore.code))
    return reported


class _SuppressionIndex:
    """Comments by scope. For one code, scopes of lines are disjoint, and so are scopes of items."""

    def __init__(self, ignores: Iterable[_Ignore]) -> None:
        scopes: dict[tuple[str, bool], set[Span]] = {}
        for ignore in ignores:
            scopes.setdefault((ignore.code, ignore.on_line), set()).add(ignore.scope)
        self._scopes = {key: sorted(spans) for key, spans in scopes.items()}
        self._used: set[tuple[str, Span]] = set()

    def suppresses(self, finding: Diagnostic) -> bool:
        if finding.span is None:
            return False
        start = finding.span.start
        used_scopes = set()
        for on_line in (True, False):
            spans = self._scopes.get((finding.code, on_line), [])
            index = bisect_right(spans, start, key=lambda span: span.start) - 1
            if index >= 0 and start <= spans[index].end:
                used_scopes.add((finding.code, spans[index]))
        self._used |= used_scopes
        return bool(used_scopes)

    def is_used(self, ignore: _Ignore) -> bool:
        return (ignore.code, ignore.scope) in self._used


def _ignores(module: Module) -> Iterator[_Ignore]:
    scope_finder = _ScopeFinder(module)
    for span, directive in directives(module):
        match = _IGNORE.fullmatch(directive)
        if match is not None and directive_problem(directive) is None:
            yield _Ignore(match["code"], span, scope_finder.scope_of(span))


def directives(module: Module) -> Iterator[tuple[Span, str]]:
    """Yield the span of each comment that begins with `# fict:`, and the text after this prefix."""
    for comment in comments(module.source.text):
        match = _DIRECTIVE.fullmatch(comment.text)
        if match is not None:
            yield comment.span, match["directive"]


def directive_problem(directive: str) -> tuple[str, str] | None:
    """Return the problem with the text after `# fict:`, and a hint; None if the text is well-formed."""
    format_hint = "the form is `# fict: ignore[FICT503] reason`"
    match = _IGNORE.fullmatch(directive)
    if match is None:
        return "it is malformed", format_hint
    code, reason = match["code"], match["reason"]
    if not code:
        return "it names no code", format_hint
    if "," in code:
        return "it names several codes", "write one comment for each code, with a reason"
    rule_codes = [rule_code for rule_code in CATALOGUE if rule_code.startswith("FICT5")]
    if code not in rule_codes:
        suggestion = nearest(code, rule_codes)
        if code.startswith("FICT") and not code.startswith("FICT5"):
            return f"{code} is not a lint rule", "only findings of lint rules can be ignored"
        return (
            f"there is no lint rule {code}",
            f"the nearest code is {suggestion}" if suggestion else format_hint,
        )
    return None if reason else ("it gives no reason", format_hint)


class _ScopeFinder:
    def __init__(self, module: Module) -> None:
        self._source = module.source
        self._items = {item.span.start: item.span for item in module.file.items}
        self._comment_ends: dict[int, int] = {}  # start of a line -> result of `_end_of_comments`

    def scope_of(self, span: Span) -> Span:
        """Return the line of a comment or, if only comments are between its own line and an item below, the item."""
        text = self._source.text
        line = Span(self._source.line_span(self._source.position(span.start)[0]).start, span.end)
        line_break = _LINE_ENDS.match(text, span.end)
        if text[line.start : span.start].strip() or line_break is None or line_break[1] is not None:
            return line
        return self._items.get(self._end_of_comments(line_break.end()), line)

    def _end_of_comments(self, start: int) -> int:
        """Return the offset after the comment lines that begin at `start`, cached so that each line is read once."""
        line_starts = []
        while start not in self._comment_ends and (comment := _COMMENT_LINE.match(self._source.text, start)):
            line_starts.append(start)
            start = comment.end()
        spaces = _SPACES.match(self._source.text, start)
        end = self._comment_ends.get(start, spaces.end() if spaces else start)
        self._comment_ends |= dict.fromkeys(line_starts, end)
        return end
