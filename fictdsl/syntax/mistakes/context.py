"""The context of a syntax error, which the explainers read, and the explanation that they return."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from fictdsl.source import Source, Span
from fictdsl.syntax.grammar.try_parse import Stop
from fictdsl.syntax.mistakes.expected import describe
from fictdsl.syntax.text.scan import PARTNER, Lexeme, open_brackets
from fictdsl.syntax.vocabulary import RESERVED


@dataclass(frozen=True, slots=True)
class Explanation:
    """A diagnostic, and optionally a replacement of a span, with which parsing can continue."""

    diagnostic: Diagnostic
    patch: tuple[Span, str] | None = None


@dataclass
class ErrorContext:
    """The context of a syntax error: the parser stopped at `stop`, within the span `item_span` of `text`.

    `text` is the source's text with earlier errors patched or blanked out, at the same offsets.
    """

    source: Source
    text: str
    item_span: Span
    stop: Stop

    @property
    def found(self) -> str:
        """The text of the unexpected lexeme, or "" at the end."""
        return self.stop.found.text if self.stop.found else ""

    @property
    def span(self) -> Span:
        """The span of the unexpected lexeme, or the empty span at the end."""
        return self.stop.found.span if self.stop.found else Span(self.item_span.end, self.item_span.end)

    @cached_property
    def open(self) -> list[Lexeme]:
        """The brackets that are open at the error, outermost first."""
        return open_brackets(self.text, self.item_span.start, self.stop.offset)

    def preceding(self, steps: int = 1) -> Lexeme | None:
        """Return the lexeme `steps` before the error, or None."""
        return self.stop.preceding[-steps] if len(self.stop.preceding) >= steps else None

    def accepts(self, *terminals: str) -> bool:
        """Return whether the parser accepts all of these terminals at the error."""
        return self.stop.accepts.issuperset(terminals)

    def report(
        self,
        code: str,
        span: Span | None = None,
        *,
        hint: str | None = None,
        fix: str | None = None,
        safe: bool = False,
        **parameters: str,
    ) -> Explanation:
        """Create an explanation at `span` (by default, the unexpected lexeme).

        `fix` replaces the span when the user applies it, and when parsing continues. It is `safe` if no other
        correction is plausible.
        """
        target = span or self.span
        repair = Fix(target, fix, safe=safe) if fix is not None else None
        problem = diagnostic(code, self.source, target, labels=(), hint=hint, fix=repair, **parameters)
        return Explanation(problem, (target, fix) if fix is not None else None)

    def unexpected(self, expected: str | None = None, hint: str | None = None) -> Explanation:
        """Explain that something else was expected: `expected`, or by default all terminals that the parser accepts."""
        end_description = "the end of the item" if self.text[self.item_span.end :].strip() else "the end of the file"
        parameters = {
            "found": f"`{self.found}`" if self.stop.found else end_description,
            "expected": describe(self.stop.accepts) if expected is None else expected,
        }
        previous, span, labels = self.preceding(), self.span, self.bracket_labels()
        is_on_later_line = previous is not None and "\n" in self.text[previous.span.end : span.start]
        begins_new_clause = self.found not in PARTNER.values() and (self.found in RESERVED or len(self.open) < 2)
        if previous is not None and is_on_later_line and not begins_new_clause and previous.text[-1] not in PARTNER:
            # Report a missing token at the end of the previous line rather than at a lexeme lines below.
            labels = (Label(span, "found here"), *labels)
            span = Span(previous.span.end, previous.span.end)
        return Explanation(diagnostic("FICT110", self.source, span, labels=labels, hint=hint, fix=None, **parameters))

    def bracket_labels(self) -> tuple[Label, ...]:
        """Return a label for the innermost open bracket if it is square or round and could be closed here."""
        innermost = self.open[-1] if self.open else None
        if innermost is not None and innermost.text != "{" and self.accepts({"[": "RSQB", "(": "RPAR"}[innermost.text]):
            return (Label(innermost.span, "opened here"),)
        return ()
