"""Explain syntax errors by the examples in `grammar/mistakes.toml`.

An example matches an error if the parser stops in the same state at the same lexemes (C. L. Jeffery, "Generating LR
syntax error messages from examples", TOPLAS 25, 2003).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.shipped import shipped
from fictdsl.source import Span
from fictdsl.syntax.grammar.try_parse import Stop, try_parse
from fictdsl.syntax.mistakes.context import ErrorContext, Explanation
from fictdsl.syntax.text.scan import Lexeme
from fictdsl.syntax.vocabulary import RESERVED

MISTAKES = "grammar/mistakes.toml"

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
_LABEL_WINDOW = 200  # characters before an error that are searched for a label
_PLACEHOLDER = re.compile(r"<(before|found|next)>")

_Situation = tuple[int, frozenset[str]]
_Key = tuple[_Situation, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Mistake:
    """An entry of `grammar/mistakes.toml`."""

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
    """Explain an error by an example that matches any lexeme."""
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
    """Fill the placeholders of a hint with lexemes around the error, or with whole labels or attributes."""
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
            window_start = max(context.item_span.start, lexeme.span.end - _LABEL_WINDOW)
            whole = _LABEL_AT_END.search(context.text, window_start, lexeme.span.end)
        elif "-[" in hint and match[1] == "next":
            whole = _LABEL.match(context.text, lexeme.span.start, context.item_span.end)
        elif "not has" in hint:
            whole = _ATTRIBUTE.match(context.text, lexeme.span.start, context.item_span.end)
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
    """Return the key of a parser stop: its state and accepted terminals, where `)` and `]` are equivalent.

    The state alone is ambiguous: one state may accept a value of a list or a value of a test.
    """
    accepts = stop.accepts
    return stop.state, (accepts - {"RPAR"}) | {"RSQB"} if "RPAR" in accepts else accepts


@cache
def _examples() -> dict[_Key, _Mistake]:
    """Return the mistakes by situation and lexemes. The first entry of the file that matches wins."""
    mistakes: dict[_Key, _Mistake] = {}
    for entry in tomllib.loads(shipped(MISTAKES).read_text(encoding="utf-8"))["mistake"]:
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
    """Yield the examples of an entry, with `@@` replaced by each of its signs."""
    for snippet in entry["snippets"]:
        signs = entry.get("signs", []) if "@@" in snippet else [""]
        yield from (snippet.replace("@@", sign) for sign in signs)
