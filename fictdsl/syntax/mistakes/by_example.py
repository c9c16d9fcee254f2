"""grammar/mistakes.toml into explanations: a mistake is known by the parser's state and what stands there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.shipped import shipped
from fictdsl.source import Span
from fictdsl.syntax.grammar.try_parse import Stop, attempt
from fictdsl.syntax.mistakes.case import Case, Explanation
from fictdsl.syntax.text.scan import Bit
from fictdsl.syntax.vocabulary import RESERVED

MISTAKES = "grammar/mistakes.toml"

_ANY = "<any>"
_MOST_AHEAD = 2
_WRAPPED = {
    "item": "{}",
    "filter": "filter a {{ {} }}",
    "clause": "filter a {{ match {{ {} }} }}",
    "test": "filter a {{ match {{ X[{}] }} }}",
}
_PLACEHOLDER = re.compile(r"<(before|found|next)>")

_Situation = tuple[int, frozenset[str]]
_Key = tuple[_Situation, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Mistake:
    code: str
    expected: str
    hint: str | None
    patch: str | None


def by_example(case: Case) -> Explanation | None:
    """The mistake of which the file has an example with the same words or signs; the longest such one."""
    kinds = tuple(_kind(bit) for bit in (case.stop.found, *case.stop.after))
    for length in range(1 + _MOST_AHEAD, 0, -1):
        if found := _examples().get((_situation(case.stop), kinds[:length])):
            return _explanation(case, found)
    return None


def by_example_of_anything(case: Case) -> Explanation | None:
    """The mistake of which the file has an example with whatever stands there."""
    found = _examples().get((_situation(case.stop), (_ANY,)))
    return _explanation(case, found) if found else None


def _kind(found: Bit | None) -> str:
    """What makes two findings alike: the very sign or word of the language; else being a word, a string, …"""
    if found is None:
        return ""
    return found.text if found.kind == "sign" or found.text in RESERVED else f"<{found.kind}>"


def _explanation(case: Case, mistake: _Mistake) -> Explanation:
    hint = _filled(case, mistake.hint)
    if mistake.code == "FICT110":
        made = case.unexpected(mistake.expected, hint)
        return Explanation(made.diagnostic, None if mistake.patch is None else (case.span, mistake.patch))
    span = _whole_sign(case)
    found = case.text[span.start : span.end]
    made_of = diagnostic(mistake.code, case.source, span, labels=case.opened(), hint=hint, found=found)
    return Explanation(made_of, None if mistake.patch is None else (span, mistake.patch))


def _filled(case: Case, hint: str | None) -> str | None:
    """The hint with the words of the text itself, where it asks for them."""
    near = {"before": case.before(), "found": case.stop.found, "next": next(iter(case.stop.after), None)}

    def word(match: re.Match[str]) -> str:
        bit = near[match[1]]
        return bit.text if bit is not None else "…"

    return None if hint is None else _PLACEHOLDER.sub(word, hint)


def _whole_sign(case: Case) -> Span:
    """What was found, with the signs right before it: the parser may have taken the `=` of a `=~`."""
    previous = case.before()
    adjacent = previous is not None and previous.kind == "sign" and previous.span.end == case.span.start
    if previous is None or not adjacent or previous.text not in ("=", "<", "|", "-"):
        return case.span
    return previous.span.to(case.span)


def _situation(stop: Stop) -> _Situation:
    """What makes two stops the same mistake: the parser's state, and what it takes there; `)` and `]` are alike.

    The state alone would not do: one state may serve a value of a list and a value of a test.
    """
    accepts = stop.accepts
    return stop.state, (accepts - {"RPAR"}) | {"RSQB"} if "RPAR" in accepts else accepts


@cache
def _examples() -> dict[_Key, _Mistake]:
    """Situation and what was found there → the mistake. Earlier entries of the file win."""
    table: dict[_Key, _Mistake] = {}
    for entry in tomllib.loads(shipped(MISTAKES).read_text(encoding="utf-8"))["mistake"]:
        mistake = _Mistake(entry["code"], entry.get("expected", ""), entry.get("hint"), entry.get("patch"))
        for snippet in spelt_out(entry):
            text = _WRAPPED[entry["in"]].format(snippet)
            stop = attempt(text, Span(0, len(text)), "item")
            if not isinstance(stop, Stop):
                raise ValueError(f"{MISTAKES}: this is no mistake: {text}")
            kinds = tuple(_kind(bit) for bit in (stop.found, *stop.after))[: 1 + entry.get("ahead", 0)]
            table.setdefault((_situation(stop), (_ANY,) if entry.get("any") else kinds), mistake)
    return table


def spelt_out(entry: dict[str, list[str]]) -> Iterator[str]:
    """The examples of an entry, each with every one of its signs in the place of `@@`."""
    for snippet in entry["snippets"]:
        signs = entry.get("signs", []) if "@@" in snippet else [""]
        yield from (snippet.replace("@@", sign) for sign in signs)
