"""Explain invalid names and values."""

from __future__ import annotations

import re

from fictdsl.source import Span
from fictdsl.syntax.mistakes.case import Case, Explanation
from fictdsl.syntax.text.strings import quote
from fictdsl.syntax.vocabulary import FILTER_NAME, RESERVED

_QUOTES = "'‘’“”„«»`"
_NAME_HINT = "letters, digits and `_`, with a letter first"
_ASCII_NAME_HINT = "letters from `a` to `z`, digits and `_`, with a letter first"
_STTS_TAG = re.compile(r"\$[,(](?=\s*[]|,)}])")  # `$,` and `$(` of German treebanks, at the end of a value
_ID = re.compile(r"[0-9]+([-.])[0-9]+")
_ID_KINDS = {"-": "a multiword token", ".": "an empty node"}


def reserved_name(case: Case) -> Explanation | None:
    """Explain a reserved word used as a name."""
    if case.found in RESERVED and case.accepts("NAME"):
        hint = "choose another name; as a value it needs no quotes"
        explanation = case.report("FICT116", hint=hint, found=case.found)
        return Explanation(explanation.diagnostic, (case.span, "x"))
    return None


def bad_name(case: Case) -> Explanation | None:
    """Explain a word that is not a valid name for a filter, list, pattern, parameter or node."""
    if case.accepts("FILTER_NAME"):
        return _bad_filter_name(case, case.stop.offset)
    if explanation := _continued_filter_name(case):
        return explanation
    previous = case.preceding()
    found = case.stop.found
    if previous is None or found is None:
        return None
    kind = {"list": "list", "pattern": "pattern", "for": "parameter"}.get(previous.text, "node")
    if case.accepts("NAME") and found.kind == "word" and (case.accepts("ANY") or not case.accepts("LOWER")):
        match = re.compile(r"[\w-]+").match(case.text, case.stop.offset, case.item_span.end)
        assert match is not None
        explanation = case.report("FICT117", Span(*match.span()), hint=_name_hint(match[0]), found=match[0], what=kind)
        return Explanation(explanation.diagnostic, (Span(*match.span()), "X"))
    return None


def hyphenated_name(case: Case) -> Explanation | None:
    """Explain a hyphen in a name: `my-list` for a list or pattern, `Subj-1` for a node."""
    previous, before_previous, found = case.preceding(), case.preceding(2), case.stop.found
    if previous is None or before_previous is None or found is None or previous.span.end != case.stop.offset:
        return None
    if case.found == "-" and before_previous.text in ("list", "pattern"):
        return _underscored(case, previous.span.start, before_previous.text)
    adjacent_words = before_previous.kind == found.kind == "word" and before_previous.span.end == previous.span.start
    if (
        adjacent_words
        and previous.text == "-"
        and case.accepts("LSQB")
        and case.text[found.span.end : found.span.end + 1] != "-"
    ):
        return _underscored(case, before_previous.span.start, "node")
    return None


def _underscored(case: Case, start: int, kind: str) -> Explanation:
    match = re.compile(r"[\w-]+").match(case.text, start, case.item_span.end)
    assert match is not None
    name = match[0].replace("-", "_")
    return case.report(
        "FICT117",
        Span(*match.span()),
        hint=f"{_name_hint(name)}: `{name}`" if name.isascii() else _name_hint(name),
        fix=name if name.isascii() else None,
        found=match[0],
        what=kind,
    )


def _name_hint(name: str) -> str:
    return _NAME_HINT if name.isascii() else _ASCII_NAME_HINT


def _continued_filter_name(case: Case) -> Explanation | None:
    """Explain `filter agr.pp {` and `rewrite agr pp {`, where the parser accepted the first part as the name."""
    keyword = re.compile(r"(?:filter|rewrite)\s+(?=[\w-]+\s*$)").match(
        case.text[: case.stop.offset], case.item_span.start
    )
    if keyword is None or not re.compile(r"[\w.-]+( [\w.-]+)*\s*\{").match(
        case.text, case.stop.offset, case.item_span.end
    ):
        return None
    return None if case.found in RESERVED else _bad_filter_name(case, keyword.end())


def _bad_filter_name(case: Case, start: int) -> Explanation | None:
    match = re.compile(r'"[^"\n]*"|[\w.-]+( (?!for )[\w.-]+)*').match(case.text, start, case.item_span.end)
    if match is None:
        return None
    name = re.sub(r"[^a-z0-9]+", "-", match[0].lower()).strip("-")
    valid = bool(FILTER_NAME.fullmatch(name)) and match[0].isascii()
    letters = "small letters" if match[0].isascii() else "letters from `a` to `z`"
    hint = f"{letters}, digits and single hyphens, with a letter first" + (f": `{name}`" if valid else "")
    kind = "rewrite" if case.text.startswith("rewrite", case.item_span.start) else "filter"
    explanation = case.report("FICT117", Span(*match.span()), hint=hint, found=match[0], what=kind)
    return Explanation(explanation.diagnostic, (Span(*match.span()), name if valid else "x"))


def needs_quotes(case: Case) -> Explanation | None:
    """Explain an unquoted value that contains punctuation, or a value in quotation marks other than `"`."""
    found, previous = case.stop.found, case.preceding()
    if found is None:
        return None
    if case.accepts("STRING") and case.found in _QUOTES:
        line_end = case.text.find("\n", case.stop.offset)
        end = case.item_span.end if line_end < 0 else min(line_end, case.item_span.end)
        match = re.compile(rf"[{_QUOTES}][^{_QUOTES}\n]*[{_QUOTES}]").match(case.text, case.stop.offset, end)
        return _quoted(case, Span(*match.span()), match[0][1:-1]) if match else None
    start = case.stop.offset
    if not (case.accepts("WORD") or case.accepts("LABEL")):
        if previous is None or previous.kind != "word" or previous.span.end != start or not case.accepts("VBAR"):
            in_list = case.accepts("COMMA", "RBRACE")
            if previous is None or previous.span.end != start or not in_list or previous.kind != "word":
                return None
        start = previous.span.start
    match = re.compile(r"""[^\s,;|()\[\]{}"@=<>#]+""").match(case.text, start, case.item_span.end)
    if match is None or found.kind != "sign" or match.end() <= case.stop.offset:
        return None
    if id_kind := _id_kind(case, match[0]):
        hint = (
            "nodes are words, whose ids are 1, 2, …; `token` is the form of the multiword token that a word is part of"
        )
        value = f"`{match[0]}`, the id of {id_kind},"
        explanation = case.report("FICT310", Span(*match.span()), hint=hint, value=value, attribute="id")
        return Explanation(explanation.diagnostic, (Span(*match.span()), "1"))
    stts_tag = _STTS_TAG.match(case.text, start, case.item_span.end)
    return _quoted(case, Span(*(stts_tag or match).span()), (stts_tag or match)[0])


def _id_kind(case: Case, value: str) -> str | None:
    """Return what has the id `value` in CoNLL-U if `id` is compared with it and it is not the id of a word."""
    match = _ID.fullmatch(value)
    number, operator, attribute = (case.preceding(step) for step in (1, 2, 3))
    if match is None or number is None or operator is None or attribute is None:
        return None
    return _ID_KINDS[match[1]] if attribute.text == "id" and operator.text in ("=", "!=") else None


def _quoted(case: Case, span: Span, value: str) -> Explanation:
    quoted_value = quote(value)
    found = f"`{case.text[span.start : span.end]}`"
    hint = None
    if "*" in value:
        # Both `*` as a wildcard and `.*` as a regular expression become `.*`. Other punctuation is escaped.
        pattern = re.sub(r"(\.?\*)|([!-/:-@\[-^`{-~])", lambda match: ".*" if match[1] else f"\\{match[2]}", value)
        hint = f"for a wildcard, use a regular expression: `/{pattern}/`"
    explanation = case.report("FICT118", span, hint=hint, fix=quoted_value, found=found, quoted=quoted_value)
    return Explanation(explanation.diagnostic, (span, '""'))
