"""All that an explanation of a mistake may look at, and what it makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from fictdsl.source import Source, Span
from fictdsl.syntax.grammar.try_parse import Stop
from fictdsl.syntax.mistakes.expected import describe
from fictdsl.syntax.text.scan import PARTNER, Bit, open_brackets
from fictdsl.syntax.vocabulary import RESERVED


@dataclass(frozen=True, slots=True)
class Explanation:
    """A diagnostic, and a text that may be read in place of a span to look for more mistakes."""

    diagnostic: Diagnostic
    patch: tuple[Span, str] | None = None


@dataclass
class Case:
    """Where the parser stopped within `item` of `text`; `text` is the source's, perhaps with blanks."""

    source: Source
    text: str
    item: Span
    stop: Stop

    @property
    def found(self) -> str:
        """What stands there; empty at the end."""
        return self.stop.found.text if self.stop.found else ""

    @property
    def span(self) -> Span:
        """The place of what was found."""
        return self.stop.found.span if self.stop.found else Span(self.item.end, self.item.end)

    @cached_property
    def open(self) -> list[Bit]:
        """The brackets that are open there."""
        return open_brackets(self.text, self.item.start, self.stop.at)

    def before(self, steps: int = 1) -> Bit | None:
        """The piece so many steps back, if there is one."""
        return self.stop.before[-steps] if len(self.stop.before) >= steps else None

    def accepts(self, *terminals: str) -> bool:
        """Whether the parser would have taken any of these there."""
        return self.stop.accepts.issuperset(terminals)

    def say(
        self, code: str, span: Span | None = None, *, hint: str | None = None, fix: str | None = None, **parts: str
    ) -> Explanation:
        """The diagnostic at `span`; `fix` is put in its place, in the file if asked, and here to read on."""
        at = span or self.span
        repair = Fix(at, fix, safe=False) if fix is not None else None
        made = diagnostic(code, self.source, at, labels=(), hint=hint, fix=repair, **parts)
        return Explanation(made, (at, fix) if fix is not None else None)

    def unexpected(self, expected: str | None = None, hint: str | None = None) -> Explanation:
        """What was found and what was expected; by default whatever the parser would have taken."""
        at_end = "the end of the item" if self.text[self.item.end :].strip() else "the end of the file"
        parts = {
            "found": f"`{self.found}`" if self.stop.found else at_end,
            "expected": describe(self.stop.accepts) if expected is None else expected,
        }
        previous, span, labels = self.before(), self.span, self.opened()
        lines_below = previous is not None and "\n" in self.text[previous.span.end : span.start]
        new_part = self.found not in PARTNER.values() and (self.found in RESERVED or len(self.open) < 2)
        if previous is not None and lines_below and not new_part and previous.text[-1] not in PARTNER:
            # What is missing is missing where the text stopped, not lines below.
            labels = (Label(span, "found here"), *labels)
            span = Span(previous.span.end, previous.span.end)
        return Explanation(diagnostic("FICT110", self.source, span, labels=labels, hint=hint, fix=None, **parts))

    def opened(self) -> tuple[Label, ...]:
        """The bracket that could be closed here, if it is a square or round one: those are easily forgotten."""
        last = self.open[-1] if self.open else None
        if last is not None and last.text != "{" and self.accepts({"[": "RSQB", "(": "RPAR"}[last.text]):
            return (Label(last.span, "opened here"),)
        return ()
