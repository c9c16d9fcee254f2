"""`# fict: ignore[FICT503] reason` into the findings it silences, and those comments that silence nothing.

On a line it silences what begins there; on lines of its own right above an item, what begins in that item.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fictdsl.diagnostics.codes import CATALOGUE, diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import nearest
from fictdsl.lint.edit import Editor
from fictdsl.source import Span
from fictdsl.syntax.parsing.program import Module
from fictdsl.syntax.printing.comments import comments

_MARK = re.compile(r"#\s*fict:\s*(?P<what>.*)")
_IGNORE = re.compile(r"ignore\s*\[\s*(?P<code>[^\]\s]*)\s*\]\s*(?P<reason>.*)")
_LINE_ENDS = re.compile(r"\s*\n")
_COMMENT_LINE = re.compile(r"[ \t]*#[^\n]*\n")
_SPACES = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class _Ignore:
    """One comment that is well formed: what it silences, where."""

    code: str
    span: Span
    reach: Span

    @property
    def on_line(self) -> bool:
        """Whether it silences its own line, not an item."""
        return self.reach.end == self.span.end


def suppress(found: Sequence[Diagnostic], module: Module, asked: Collection[str]) -> list[Diagnostic]:
    """The findings that no comment silences, and FICT527 for each comment that silences none.

    `asked` are the codes of the rules that were asked: a comment for another one may well be needed.
    """
    ignores = list(_ignores(module))
    silencers = _Silencers(ignores)
    kept = [finding for finding in found if not silencers.silence(finding)]
    hint = "it stands on the line of what it silences, or on a line of its own right above the item"
    edit = Editor(module.source.text)
    for ignore in ignores:
        if not silencers.is_used(ignore) and ignore.code in asked:
            fix = edit.line(ignore.span)
            kept.append(diagnostic("FICT527", module.source, ignore.span, hint=hint, fix=fix, ignored=ignore.code))
    return kept


class _Silencers:
    """The reaches of the comments, by code. Of one code, reaches of lines are disjoint, and so are those of items."""

    def __init__(self, ignores: Iterable[_Ignore]) -> None:
        reaches: dict[tuple[str, bool], set[Span]] = {}
        for ignore in ignores:
            reaches.setdefault((ignore.code, ignore.on_line), set()).add(ignore.reach)
        self._reaches = {key: sorted(spans) for key, spans in reaches.items()}
        self._used: set[tuple[str, Span]] = set()

    def silence(self, finding: Diagnostic) -> bool:
        """Return whether a comment silences the finding, and remember which ones did."""
        if finding.span is None:
            return False
        at = finding.span.start
        silent = set()
        for on_line in (True, False):
            spans = self._reaches.get((finding.code, on_line), [])
            index = bisect_right(spans, at, key=lambda span: span.start) - 1
            if index >= 0 and at <= spans[index].end:
                silent.add((finding.code, spans[index]))
        self._used |= silent
        return bool(silent)

    def is_used(self, ignore: _Ignore) -> bool:
        """Return whether a comment has silenced a finding."""
        return (ignore.code, ignore.reach) in self._used


def _ignores(module: Module) -> Iterator[_Ignore]:
    reaches = _Reaches(module)
    for span, what in marks(module):
        ignore = _IGNORE.fullmatch(what)
        if ignore is not None and malformed(what) is None:
            yield _Ignore(ignore["code"], span, reaches.of(span))


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
    known = [code for code in CATALOGUE if code.startswith("FICT5")]
    if ignore["code"] not in known:
        near = nearest(ignore["code"], known)
        if ignore["code"].startswith("FICT") and not ignore["code"].startswith("FICT5"):
            return f"{ignore['code']} is no lint, and errors cannot be ignored", form
        return f"there is no lint {ignore['code']}", f"the nearest code is {near}" if near else form
    return None if ignore["reason"] else ("it gives no reason", form)


class _Reaches:
    """What the comments of a module silence."""

    def __init__(self, module: Module) -> None:
        self._source = module.source
        self._items = {item.span.start: item.span for item in module.file.items}
        self._after: dict[int, int] = {}  # the start of a line: where the comments that begin there end

    def of(self, span: Span) -> Span:
        """Return the line of a comment; or, if it stands alone above an item, the item.

        Other comments between the two are skipped, empty lines are not.
        """
        text = self._source.text
        line = Span(self._source.line_span(self._source.position(span.start)[0]).start, span.end)
        between = _LINE_ENDS.match(text, span.end)
        if text[line.start : span.start].strip() or between is None or "\n\n" in between[0]:
            return line
        return self._items.get(self._skipped(between.end()), line)

    def _skipped(self, start: int) -> int:
        """Return where the comments that begin on a line end, and the spaces after them. Each line is read once."""
        lines = []
        while start not in self._after and (comment := _COMMENT_LINE.match(self._source.text, start)):
            lines.append(start)
            start = comment.end()
        spaces = _SPACES.match(self._source.text, start)
        after = self._after.get(start, spaces.end() if spaces else start)
        self._after |= dict.fromkeys(lines, after)
        return after
