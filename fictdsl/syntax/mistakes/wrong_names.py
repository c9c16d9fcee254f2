"""A name or value that cannot be one, into what it should be."""

from __future__ import annotations

import re

from fictdsl.source import Span
from fictdsl.syntax.mistakes.case import Case, Explanation
from fictdsl.syntax.vocabulary import RESERVED

_FILTER_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_QUOTES = "'‘’“”„«»`"
_NAME_HINT = "letters, digits and `_`, with a letter first"


def reserved_name(case: Case) -> Explanation | None:
    """A word of the language where a name stands."""
    if case.found in RESERVED and case.accepts("NAME"):
        hint = "choose another name; as a value it needs no quotes"
        said = case.say("FICT116", hint=hint, found=case.found)
        return Explanation(said.diagnostic, (case.span, "x"))
    return None


def bad_name(case: Case) -> Explanation | None:
    """A word that cannot name what is named there."""
    if case.accepts("FILTER_NAME"):
        return _bad_filter_name(case, case.stop.at)
    if continued := _filter_name_goes_on(case):
        return continued
    previous = case.before()
    found = case.stop.found
    if previous is None or found is None:
        return None
    what = {"list": "list", "pattern": "pattern", "for": "parameter"}.get(previous.text, "node")
    if case.accepts("NAME") and found.kind == "word" and (case.accepts("ANY") or not case.accepts("LOWER")):
        run = re.compile(r"[\w-]+").match(case.text, case.stop.at, case.item.end)
        assert run is not None
        said = case.say("FICT117", Span(*run.span()), hint=_NAME_HINT, found=run[0], what=what)
        return Explanation(said.diagnostic, (Span(*run.span()), "X"))
    return None


def hyphenated_name(case: Case) -> Explanation | None:
    """`my-list` for a list or pattern, `Subj-1` for a node."""
    previous, earlier, found = case.before(), case.before(2), case.stop.found
    if previous is None or earlier is None or found is None or previous.span.end != case.stop.at:
        return None
    if case.found == "-" and earlier.text in ("list", "pattern"):
        return _underscored(case, previous.span.start, earlier.text)
    whole = earlier.kind == found.kind == "word" and earlier.span.end == previous.span.start
    if (
        whole
        and previous.text == "-"
        and case.accepts("LSQB")
        and case.text[found.span.end : found.span.end + 1] != "-"
    ):
        return _underscored(case, earlier.span.start, "node")
    return None


def _underscored(case: Case, start: int, what: str) -> Explanation:
    run = re.compile(r"[\w-]+").match(case.text, start, case.item.end)
    assert run is not None
    name = run[0].replace("-", "_")
    return case.say("FICT117", Span(*run.span()), hint=f"{_NAME_HINT}: `{name}`", fix=name, found=run[0], what=what)


def _filter_name_goes_on(case: Case) -> Explanation | None:
    """`filter agr.pp {` and `filter agr pp {`: the parser took the first part for the whole name."""
    begun = re.compile(r"filter\s+(?=[\w-]+\s*$)").match(case.text[: case.stop.at], case.item.start)
    if begun is None or not re.compile(r"[\w.-]+( [\w.-]+)*\s*\{").match(case.text, case.stop.at, case.item.end):
        return None
    return None if case.found in RESERVED else _bad_filter_name(case, begun.end())


def _bad_filter_name(case: Case, start: int) -> Explanation | None:
    run = re.compile(r'"[^"\n]*"|[\w.-]+( (?!for )[\w.-]+)*').match(case.text, start, case.item.end)
    if run is None:
        return None
    name = re.sub(r"[^a-z0-9]+", "-", run[0].lower()).strip("-")
    good = bool(_FILTER_NAME.fullmatch(name))
    hint = "small letters, digits and single hyphens, with a letter first" + (f": `{name}`" if good else "")
    said = case.say("FICT117", Span(*run.span()), hint=hint, found=run[0], what="filter")
    return Explanation(said.diagnostic, (Span(*run.span()), name if good else "x"))


def needs_quotes(case: Case) -> Explanation | None:
    """A value with signs in it, or between other quotation marks than `"`."""
    found, previous = case.stop.found, case.before()
    if found is None:
        return None
    if case.accepts("STRING") and case.found in _QUOTES:
        line_end = case.text.find("\n", case.stop.at)
        end = case.item.end if line_end < 0 else min(line_end, case.item.end)
        run = re.compile(rf"[{_QUOTES}][^{_QUOTES}\n]*[{_QUOTES}]").match(case.text, case.stop.at, end)
        return _quoted(case, Span(*run.span()), run[0][1:-1]) if run else None
    start = case.stop.at
    if not case.accepts("WORD"):
        if previous is None or previous.kind != "word" or previous.span.end != start or not case.accepts("VBAR"):
            in_list = case.accepts("COMMA", "RBRACE")
            if previous is None or previous.span.end != start or not in_list or previous.kind != "word":
                return None
        start = previous.span.start
    run = re.compile(r"""[^\s,;|()\[\]{}"@=<>#]+""").match(case.text, start, case.item.end)
    if run is None or found.kind != "sign" or run.end() <= case.stop.at:
        return None
    return _quoted(case, Span(*run.span()), run[0])


def _quoted(case: Case, span: Span, value: str) -> Explanation:
    quoted = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    found = f"`{case.text[span.start : span.end]}`"
    hint = None
    if case.accepts("REGEX") or "*" in value:
        pattern = re.sub(r"(?<!\.)\*", ".*", value)
        hint = f"any characters in its place are a regular expression: `/{pattern}/`" if "*" in value else None
    said = case.say("FICT118", span, hint=hint, fix=quoted, found=found, quoted=quoted)
    return Explanation(said.diagnostic, (span, '""'))
