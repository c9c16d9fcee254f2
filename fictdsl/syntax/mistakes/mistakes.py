"""Explain a syntax error by the first explainer that recognizes it."""

from __future__ import annotations

import re
from collections.abc import Callable

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Label
from fictdsl.diagnostics.suggest import is_misspelling, nearest
from fictdsl.glossary.language import FUNCTIONS
from fictdsl.source import Source, Span
from fictdsl.syntax.grammar.try_parse import Stop
from fictdsl.syntax.mistakes.by_example import by_example, by_wildcard_example
from fictdsl.syntax.mistakes.case import Case, Explanation
from fictdsl.syntax.mistakes.expected import keywords
from fictdsl.syntax.mistakes.wrong_names import bad_name, hyphenated_name, needs_quotes, reserved_name
from fictdsl.syntax.mistakes.wrong_signs import (
    alternative_value,
    compared_with_value,
    labelled_comparison,
    not_equal,
    second_caret,
    typeset_arrow,
)
from fictdsl.syntax.text.scan import PARTNER, open_brackets
from fictdsl.syntax.vocabulary import ACTIONS, RESERVED

_WITH_HYPHEN = {"HEAD_FINAL": "head-final", "AS_IS": "as-is"}
_HYPHENATED = re.compile(r"[A-Za-z]\w*(-\w+)*")


def explain(source: Source, text: str, item_span: Span, stop: Stop) -> Explanation:
    """Explain a syntax error. The parameters are the fields of `Case`."""
    case = Case(source, text, item_span, stop)
    for explainer in _EXPLAINERS:
        if explanation := explainer(case):
            return explanation
    return case.unexpected()


# --- strings, regexes, brackets


def _unclosed_string(case: Case) -> Explanation | None:
    found = case.stop.found
    if found and found.kind == "string" and (len(found.text) == 1 or not found.text.endswith('"')):
        return case.report("FICT106", hint='close it with `"`; a quotation mark inside a string is written `\\"`')
    return None


def _unclosed_regex(case: Case) -> Explanation | None:
    if case.found == "/" and case.accepts("REGEX"):
        return case.report("FICT108", hint="close it with `/`; a slash inside is written `\\/`")
    return None


def _unbalanced_bracket(case: Case) -> Explanation | None:
    """Explain a bracket that is still open at an outer closing bracket, an action or the end of the item.

    Also explain a closing bracket that closes no open one.
    """
    at_end = case.stop.found is None
    if case.found in ACTIONS and case.accepts("RBRACE", "NAME"):
        # An action among clauses: a bracket is missing here if the item has unclosed brackets.
        if not open_brackets(case.text, case.item_span.start, case.item_span.end):
            return None
    elif not at_end and case.found not in PARTNER.values():
        return None
    elif not at_end and case.found not in (PARTNER[opening_bracket.text] for opening_bracket in case.open):
        return case.report("FICT128", closing=case.found)
    if not case.open or case.found == PARTNER[case.open[-1].text]:
        return None
    opening_bracket = case.open[-1]
    partner = PARTNER[opening_bracket.text]
    text = "the item ends here" if at_end else f"`{partner}` is missing before this"
    labels = (Label(case.span, text),)
    return Explanation(
        diagnostic("FICT115", case.source, opening_bracket.span, labels=labels, opening=opening_bracket.text)
    )


# --- misspelled words


def _misspelled_previous_word(case: Case) -> Explanation | None:
    """Explain a misspelled keyword that was accepted as a node or an attribute, so that the error follows it."""
    previous = case.preceding()
    if previous is None or previous.kind != "word" or previous.text in RESERVED or case.stop.found is None:
        return None
    candidates: tuple[str, ...] = ()
    if case.found == "{" and case.accepts("NAME"):
        candidates = ("without", "either")
    elif case.found == "(":
        candidates = FUNCTIONS if case.accepts("DELETE") else ("lower",)
    elif case.found.isdigit():
        candidates = ("exactly", "at least", "at most")
    elif case.found == "and":
        previous = case.preceding(2) or previous
        candidates = ("between",)
    suggested = nearest(previous.text, candidates)
    return _misspelling(case, previous.span, previous.text, suggested) if suggested else None


def _misspelled(case: Case) -> Explanation | None:
    found = case.stop.found
    if found is None or found.kind != "word" or found.text in RESERVED:
        return None
    suggested = nearest(found.text, keywords(case.stop.accepts))
    return _misspelling(case, found.span, found.text, suggested) if suggested else None


def _misspelled_with_hyphen(case: Case) -> Explanation | None:
    """Explain a misspelled `head-final` or `as-is`, of which the parser finds the first part."""
    occurrence = _HYPHENATED.match(case.text, case.stop.offset, case.item_span.end)
    candidates = [word for terminal, word in _WITH_HYPHEN.items() if case.accepts(terminal)]
    suggested = nearest(occurrence[0], candidates) if occurrence else None
    return _misspelling(case, Span(*occurrence.span()), occurrence[0], suggested) if occurrence and suggested else None


def _misspelling(case: Case, span: Span, found: str, suggested: str) -> Explanation:
    return case.report(
        "FICT111", span, fix=suggested, safe=is_misspelling(found, suggested), found=found, nearest=suggested
    )


_EXPLAINERS: tuple[Callable[[Case], Explanation | None], ...] = (
    _unclosed_string,
    _unclosed_regex,
    _unbalanced_bracket,
    _misspelled_previous_word,
    _misspelled_with_hyphen,
    _misspelled,
    typeset_arrow,
    labelled_comparison,
    alternative_value,
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
