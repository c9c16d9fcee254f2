"""Explain syntax errors by examples: the context of an error, what the parser expects, and `grammar/mistakes.toml`.

An example matches an error if the parser stops in the same state at the same lexemes (C. L. Jeffery, "Generating LR
syntax error messages from examples", TOPLAS 25, 2003).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from fictdsl.source import Source, Span
from fictdsl.syntax.grammar import PARTNER, Lexeme, Stop, open_brackets, parser, try_parse
from fictdsl.syntax.nodes import RESERVED
from fictdsl.syntax.regex import MISTAKES, mistake_tables
from fictdsl.words import listed

WINDOW = 200  # characters searched before and after an error, which bounds the time


@cache
def _display_names() -> dict[str, str]:
    patterns = {terminal.name: terminal.pattern.value for terminal in parser().terminals}
    literals = {name: value.removesuffix("(?!\\w)").replace("\\", "") for name, value in patterns.items()}
    return {**literals, **mistake_tables()["terminals"]}


def keywords(terminals: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(word for word in _as_written(terminals) if word.isalpha()))


def signs(terminals: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in _as_written(terminals) if not word.isalpha())


def _as_written(terminals: frozenset[str]) -> list[str]:
    return [_display_names()[terminal] for terminal in terminals if terminal not in mistake_tables()["terminals"]]


def describe(terminals: frozenset[str]) -> str:
    remaining = {_display_names()[terminal] for terminal in terminals}
    phrases: list[str] = []
    for group in mistake_tables()["group"]:
        if remaining.issuperset(group["of"]):
            remaining.difference_update(group["of"], group.get("also", ()))
            phrases.append(group["name"])
    quoted_names = (name if " " in name or name.startswith("`") else f"`{name}`" for name in remaining)
    phrases += sorted(quoted_names, key=lambda name: (name.startswith("`"), name))
    return listed(phrases, "or") or "nothing"


@dataclass(frozen=True, slots=True)
class Explanation:
    """A diagnostic, and optionally a replacement of a span, with which parsing can continue."""

    diagnostic: Diagnostic
    patch: tuple[Span, str] | None = None


@dataclass
class ErrorContext:
    """A syntax error at `stop` in `text`, which has earlier errors patched or blanked at the same offsets."""

    source: Source
    text: str
    item_span: Span
    stop: Stop

    @property
    def found(self) -> str:
        return self.stop.found.text if self.stop.found else ""

    @property
    def span(self) -> Span:
        return self.stop.found.span if self.stop.found else Span(self.item_span.end, self.item_span.end)

    @cached_property
    def open(self) -> list[Lexeme]:
        return open_brackets(self.text, self.item_span.start, self.stop.offset)

    def preceding(self, steps: int = 1) -> Lexeme | None:
        return self.stop.preceding[-steps] if len(self.stop.preceding) >= steps else None

    @property
    def window(self) -> tuple[int, int]:
        offset = self.stop.offset
        return max(self.item_span.start, offset - WINDOW), min(self.item_span.end, offset + WINDOW)

    def match(self, pattern: str | re.Pattern[str], start: int | None = None) -> re.Match[str] | None:
        return re.compile(pattern).match(self.text, self.stop.offset if start is None else start, self.item_span.end)

    def accepts(self, *terminals: str) -> bool:
        return self.stop.accepts.issuperset(terminals)

    def report(
        self,
        code: str,
        span: Span | None = None,
        *,
        hint: str | None = None,
        fix: str | None = None,
        patch: str | None = None,
        safe: bool = False,
        **parameters: str,
    ) -> Explanation:
        """A `fix` is `safe` if no other correction is plausible. Parsing continues with `patch`, by default the fix."""
        target = span or self.span
        repair = Fix(target, fix, safe=safe) if fix is not None else None
        problem = diagnostic(code, self.source, target, labels=(), hint=hint, fix=repair, **parameters)
        replacement = fix if patch is None else patch
        return Explanation(problem, None if replacement is None else (target, replacement))

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
        innermost = self.open[-1] if self.open else None
        if innermost is not None and innermost.text != "{" and self.accepts({"[": "RSQB", "(": "RPAR"}[innermost.text]):
            return (Label(innermost.span, "opened here"),)
        return ()


_ANY = "<any>"
_MAX_LOOKAHEAD = 2
_TEMPLATES: dict[str, tuple[str, ...]] = {
    "item": ("{}",),
    "filter": ("filter a {{ {} }}",),
    "rewrite": ("rewrite a {{ match {{ X }} {} }}",),
    # Blocks nested in `match` have different parser states.
    "clause": ("filter a {{ match {{ {} }} }}", "filter a {{ match {{ without {{ {} }} }} }}"),
    "test": ("filter a {{ match {{ X[{}] }} }}",),
}
_LABEL = re.compile(r"=?\w+(?::\w+)*")
_LABEL_AT_END = re.compile(r"=?\w+(?::\w+)*$")
_ATTRIBUTE = re.compile(r'\w+(?:\.(?:\w+|"[^"\n]*")|\[\w+\])?')
_PLACEHOLDER = re.compile(r"<(before|found|next)>")

_Situation = tuple[int, frozenset[str]]
_Key = tuple[_Situation, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Mistake:
    code: str
    expected: str
    hint: str | None
    patch: str | None


def by_example(context: ErrorContext) -> Explanation | None:
    """Explain an error by the example that shares the most lexemes with it, starting at the unexpected one."""
    kinds = tuple(_kind(lexeme) for lexeme in (context.stop.found, *context.stop.following))
    for length in range(1 + _MAX_LOOKAHEAD, 0, -1):
        if mistake := _examples().get((_situation(context.stop), kinds[:length])):
            return _explanation(context, mistake)
    return None


def by_wildcard_example(context: ErrorContext) -> Explanation | None:
    mistake = _examples().get((_situation(context.stop), (_ANY,)))
    return _explanation(context, mistake) if mistake else None


def _kind(lexeme: Lexeme | None) -> str:
    """Return the part of a lexeme that an example must share: the text of a sign or reserved word, else the kind."""
    if lexeme is None:
        return ""
    return lexeme.text if lexeme.kind == "sign" or lexeme.text in RESERVED else f"<{lexeme.kind}>"


def _explanation(context: ErrorContext, mistake: _Mistake) -> Explanation:
    hint = _filled_hint(context, mistake.hint)
    if mistake.code == "FICT110":
        explanation = context.unexpected(mistake.expected, hint)
        return Explanation(explanation.diagnostic, None if mistake.patch is None else (context.span, mistake.patch))
    span = _full_operator(context)
    found = context.text[span.start : span.end]
    problem = diagnostic(mistake.code, context.source, span, labels=context.bracket_labels(), hint=hint, found=found)
    return Explanation(problem, None if mistake.patch is None else (span, mistake.patch))


def _filled_hint(context: ErrorContext, hint: str | None) -> str | None:
    nearby = {
        "before": context.preceding(),
        "found": context.stop.found,
        "next": next(iter(context.stop.following), None),
    }

    def lexeme_text(match: re.Match[str]) -> str:
        lexeme = nearby[match[1]]
        if lexeme is None:
            return "…"
        assert hint is not None
        whole: re.Match[str] | None = None
        if "-[" in hint and match[1] == "before":
            window_start = max(context.item_span.start, lexeme.span.end - WINDOW)
            whole = _LABEL_AT_END.search(context.text, window_start, lexeme.span.end)
        elif "-[" in hint and match[1] == "next":
            whole = context.match(_LABEL, lexeme.span.start)
        elif "not has" in hint:
            whole = context.match(_ATTRIBUTE, lexeme.span.start)
        return lexeme.text if whole is None else whole[0]

    return None if hint is None else _PLACEHOLDER.sub(lexeme_text, hint)


def _full_operator(context: ErrorContext) -> Span:
    """Return the span of the unexpected lexeme with an adjacent sign before it, such as the accepted `=` of `=~`."""
    previous = context.preceding()
    adjacent = previous is not None and previous.kind == "sign" and previous.span.end == context.span.start
    if previous is None or not adjacent or previous.text not in ("=", "<", "|", "-"):
        return context.span
    return previous.span.to(context.span)


def _situation(stop: Stop) -> _Situation:
    """Return the key of a stop: state and terminals (one state may take two). `)` and `]` are equivalent."""
    accepts = stop.accepts
    return stop.state, (accepts - {"RPAR"}) | {"RSQB"} if "RPAR" in accepts else accepts


@cache
def _examples() -> dict[_Key, _Mistake]:
    """Return the mistakes by situation and lexemes. The first entry of the file that matches wins."""
    mistakes: dict[_Key, _Mistake] = {}
    for entry in mistake_tables()["mistake"]:
        mistake = _Mistake(entry["code"], entry.get("expected", ""), entry.get("hint"), entry.get("patch"))
        texts = [template.format(snippet) for snippet in expand_examples(entry) for template in _TEMPLATES[entry["in"]]]
        for text in texts:
            stop = try_parse(text, Span(0, len(text)), "item")
            if not isinstance(stop, Stop):
                raise ValueError(f"{MISTAKES}: this example has no syntax error: {text}")
            kinds = tuple(_kind(lexeme) for lexeme in (stop.found, *stop.following))[: 1 + entry.get("ahead", 0)]
            mistakes.setdefault((_situation(stop), (_ANY,) if entry.get("any") else kinds), mistake)
    return mistakes


def expand_examples(entry: dict[str, list[str]]) -> Iterator[str]:
    for snippet in entry["snippets"]:
        signs = entry.get("signs", []) if "@@" in snippet else [""]
        yield from (snippet.replace("@@", sign) for sign in signs)
