"""Explain a syntax error by the first explainer that recognizes it."""

from __future__ import annotations

import re
from collections.abc import Callable

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Label
from fictdsl.diagnostics.suggest import is_misspelling, nearest
from fictdsl.source import Source, Span
from fictdsl.syntax.explanations import ErrorContext, Explanation, by_example, by_wildcard_example, keywords
from fictdsl.syntax.grammar import PARTNER, Lexeme, Stop, open_brackets
from fictdsl.syntax.nodes import ACTIONS, RESERVED, VALUE_FUNCTIONS
from fictdsl.syntax.wrong_tokens import (
    alternative_value,
    bad_name,
    compared_with_value,
    foreign_measure,
    hyphenated_name,
    labelled_comparison,
    needs_quotes,
    not_equal,
    reserved_name,
    second_caret,
    subtyped_alternative,
    typeset_arrow,
)

_WITH_HYPHEN = {"HEAD_FINAL": "head-final", "AS_IS": "as-is"}
_HYPHENATED = re.compile(r"[A-Za-z]\w*(-\w+)*")


def explain(source: Source, text: str, item_span: Span, stop: Stop) -> Explanation:
    context = ErrorContext(source, text, item_span, stop)
    for explainer in _EXPLAINERS:
        if explanation := explainer(context):
            return explanation
    return context.unexpected()


# --- strings, regexes, brackets


def _unclosed_string(context: ErrorContext) -> Explanation | None:
    found = context.stop.found
    if found and found.kind == "string" and (len(found.text) == 1 or not found.text.endswith('"')):
        return context.report("FICT106", hint='close it with `"`; a quotation mark inside a string is written `\\"`')
    return None


def _unclosed_regex(context: ErrorContext) -> Explanation | None:
    if context.found == "/" and context.accepts("REGEX"):
        return context.report("FICT108", hint="close it with `/`; a slash inside is written `\\/`")
    return None


def _unbalanced_bracket(context: ErrorContext) -> Explanation | None:
    """Explain a bracket that is still open at an outer one, an action or the end, or that closes none."""
    at_end = context.stop.found is None
    if context.found in ACTIONS and context.accepts("RBRACE", "NAME"):
        # An action among clauses: a bracket is missing here if the item has unclosed brackets.
        if not open_brackets(context.text, context.item_span.start, context.item_span.end):
            return None
    elif not at_end and context.found not in PARTNER.values():
        return None
    elif not at_end and context.found not in (PARTNER[opening_bracket.text] for opening_bracket in context.open):
        return context.report("FICT128", closing=context.found)
    if not context.open or context.found == PARTNER[context.open[-1].text]:
        return None
    opening_bracket = context.open[-1]
    text = "the item ends here" if at_end else f"`{PARTNER[opening_bracket.text]}` is missing before this"
    return _unclosed(context, opening_bracket, Label(context.span, text))


def _unclosed(context: ErrorContext, bracket: Lexeme, label: Label) -> Explanation:
    return Explanation(diagnostic("FICT115", context.source, bracket.span, labels=(label,), opening=bracket.text))


def _unclosed_relation(context: ErrorContext) -> Explanation | None:
    previous = context.preceding()
    if previous is None or not context.open or context.open[-1].text != "[":
        return None
    opening_bracket = context.open[-1]
    is_relation = context.text[: opening_bracket.span.start].endswith("-")
    arrow = context.text.find("->", previous.span.end, context.item_span.end)
    if not is_relation or arrow < 0 or context.text[previous.span.end : arrow].strip():
        return None
    return _unclosed(context, opening_bracket, Label(Span(arrow, arrow + 2), "`]` is missing before this"))


# --- misspelled words


def _misspelled_previous_word(context: ErrorContext) -> Explanation | None:
    """Explain a misspelled keyword that was accepted as a node or an attribute, so that the error follows it."""
    previous = context.preceding()
    if previous is None or previous.kind != "word" or previous.text in RESERVED or context.stop.found is None:
        return None
    candidates: tuple[str, ...] = ()
    if context.found == "{" and context.accepts("NAME"):
        candidates = ("without", "either", "maybe")
    elif context.found == "(":
        outer = context.preceding(3)
        is_measured = outer is not None and outer.text == "length"
        candidates = (
            ("subtree", "span") if is_measured else VALUE_FUNCTIONS if context.accepts("DELETE") else ("lower",)
        )
    elif context.found.isdigit():
        candidates = ("exactly", "at least", "at most")
    elif context.found in ("]", ")", ",", "or") and _is_in_sentence_test(context):
        candidates = ("projective",)
    elif context.found == "and":
        previous = context.preceding(2) or previous
        candidates = ("between",)
    suggested = nearest(previous.text, candidates)
    return _misspelling(context, previous.span, previous.text, suggested) if suggested else None


def _is_in_sentence_test(context: ErrorContext) -> bool:
    before_word = context.preceding(2)
    if before_word is None or before_word.text not in ("[", "(", ",", "or", "not"):
        return False
    brackets = [bracket for bracket in context.open if bracket.text == "["]
    return bool(brackets) and context.text[: brackets[-1].span.start].rstrip().endswith("sentence")


def _misspelled(context: ErrorContext) -> Explanation | None:
    found = context.stop.found
    if found is None or found.kind != "word" or found.text in RESERVED:
        return None
    suggested = nearest(found.text, keywords(context.stop.accepts))
    return _misspelling(context, found.span, found.text, suggested) if suggested else None


def _misspelled_with_hyphen(context: ErrorContext) -> Explanation | None:
    """Explain a misspelled `head-final` or `as-is`, of which the parser finds the first part."""
    occurrence = _HYPHENATED.match(context.text, context.stop.offset, context.item_span.end)
    candidates = [word for terminal, word in _WITH_HYPHEN.items() if context.accepts(terminal)]
    suggested = nearest(occurrence[0], candidates) if occurrence else None
    return (
        _misspelling(context, Span(*occurrence.span()), occurrence[0], suggested) if occurrence and suggested else None
    )


def _misspelling(context: ErrorContext, span: Span, found: str, suggested: str) -> Explanation:
    return context.report(
        "FICT111", span, fix=suggested, safe=is_misspelling(found, suggested), found=found, nearest=suggested
    )


_EXPLAINERS: tuple[Callable[[ErrorContext], Explanation | None], ...] = (
    _unclosed_string,
    _unclosed_regex,
    _unbalanced_bracket,
    _unclosed_relation,
    foreign_measure,
    _misspelled_previous_word,
    _misspelled_with_hyphen,
    _misspelled,
    typeset_arrow,
    labelled_comparison,
    alternative_value,
    subtyped_alternative,
    not_equal,
    compared_with_value,
    hyphenated_name,
    by_example,
    reserved_name,
    bad_name,
    second_caret,
    needs_quotes,
    by_wildcard_example,
)
