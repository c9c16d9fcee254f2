"""Where and why the parser stopped, into the diagnostic that says what was meant."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from fictdsl.diagnostics.suggest import nearest
from fictdsl.shipped import shipped
from fictdsl.source import Source, Span
from fictdsl.syntax.attempt import Stop, attempt
from fictdsl.syntax.expected import describe, keywords
from fictdsl.syntax.scan import PARTNER, Bit, open_brackets
from fictdsl.syntax.vocabulary import ACTIONS, RESERVED

MISTAKES = "grammar/mistakes.toml"

_ANY = "<any>"
_FILTER_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_QUOTES = "'‘’“”„«»`"
_WRAPPED = {
    "item": "{}",
    "filter": "filter a {{ {} }}",
    "clause": "filter a {{ match {{ {} }} }}",
    "test": "filter a {{ match {{ X[{}] }} }}",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """A diagnostic, and a text that may be read in place of a span to look for more mistakes."""

    diagnostic: Diagnostic
    patch: tuple[Span, str] | None = None


def explain(source: Source, text: str, item: Span, stop: Stop) -> Explanation:
    """What to say where the parser stopped within `item` of `text`; `text` is the source's, perhaps with blanks."""
    case = _Case(source, text, item, stop)
    for explainer in _EXPLAINERS:
        if found := explainer(case):
            return found
    return _unexpected(case)


@dataclass
class _Case:
    """All that an explanation may look at."""

    source: Source
    text: str
    item: Span
    stop: Stop

    @property
    def found(self) -> str:
        return self.stop.found.text if self.stop.found else ""

    @property
    def span(self) -> Span:
        return self.stop.found.span if self.stop.found else Span(self.item.end, self.item.end)

    @cached_property
    def open(self) -> list[Bit]:
        return open_brackets(self.text, self.item.start, self.stop.at)

    def before(self, steps: int = 1) -> Bit | None:
        return self.stop.before[-steps] if len(self.stop.before) >= steps else None

    def accepts(self, *terminals: str) -> bool:
        return self.stop.accepts.issuperset(terminals)

    def say(
        self, code: str, span: Span | None = None, *, hint: str | None = None, fix: str | None = None, **parts: str
    ) -> Explanation:
        """The diagnostic at `span`; `fix` is put in its place, in the file if asked, and here to read on."""
        at = span or self.span
        repair = Fix(at, fix, safe=False) if fix is not None else None
        made = diagnostic(code, self.source, at, labels=(), hint=hint, fix=repair, **parts)
        return Explanation(made, (at, fix) if fix is not None else None)


# --- strings, regexes, brackets


def _unclosed_string(case: _Case) -> Explanation | None:
    found = case.stop.found
    if found and found.kind == "string" and (len(found.text) == 1 or not found.text.endswith('"')):
        return case.say("FICT106", hint='close it with `"`; a quotation mark inside a string is written `\\"`')
    return None


def _unclosed_regex(case: _Case) -> Explanation | None:
    if case.found == "/" and case.accepts("REGEX"):
        return case.say("FICT108", hint="close it with `/`; a slash inside is written `\\/`")
    return None


def _unclosed_bracket(case: _Case) -> Explanation | None:
    """The end of the item, or something that does not fit the innermost open bracket."""
    at_end = case.stop.found is None
    if case.found in ACTIONS and case.accepts("RBRACE", "NAME"):
        # An action among clauses: if brackets are missing in the item, one is missing here.
        if not open_brackets(case.text, case.item.start, case.item.end):
            return None
    elif not at_end and case.found not in PARTNER.values():
        return None
    elif not at_end and case.found not in (PARTNER[opened.text] for opened in case.open):
        return case.say("FICT128", closing=case.found)
    if not case.open or case.found == PARTNER[case.open[-1].text]:
        return None
    opened = case.open[-1]
    partner = PARTNER[opened.text]
    text = "the item ends here" if at_end else f"`{partner}` is missing before this"
    made = diagnostic("FICT115", case.source, opened.span, labels=(Label(case.span, text),), opening=opened.text)
    return Explanation(made)


# --- misspelt words


def _misspelt_before(case: _Case) -> Explanation | None:
    """A misspelt keyword that was taken for a node or an attribute, and what follows it makes no sense."""
    previous = case.before()
    if previous is None or previous.kind != "word" or previous.text in RESERVED or case.stop.found is None:
        return None
    candidates: tuple[str, ...] = ()
    if case.found == "{" and case.accepts("NAME"):
        candidates = ("without", "either")
    elif case.found == "(":
        candidates = ("lower",)
    elif case.found.isdigit():
        candidates = ("exactly",)
    elif case.found == "and":
        previous = case.before(2) or previous
        candidates = ("between",)
    meant = nearest(previous.text, candidates)
    return _misspelt_as(case, previous.span, previous.text, meant) if meant else None


def _misspelt(case: _Case) -> Explanation | None:
    found = case.stop.found
    if found is None or found.kind != "word" or found.text in RESERVED:
        return None
    meant = nearest(found.text, keywords(case.stop.accepts))
    return _misspelt_as(case, found.span, found.text, meant) if meant else None


def _misspelt_as(case: _Case, span: Span, found: str, meant: str) -> Explanation:
    return case.say("FICT111", span, fix=meant, found=found, nearest=meant)


# --- names


def _reserved_name(case: _Case) -> Explanation | None:
    if case.found in RESERVED and (case.accepts("NAME") or case.accepts("FILTER_NAME")):
        hint = "choose another name; as a value it needs no quotes"
        said = case.say("FICT116", hint=hint, found=case.found)
        return Explanation(said.diagnostic, (case.span, "x"))
    return None


def _bad_name(case: _Case) -> Explanation | None:
    if case.accepts("FILTER_NAME"):
        return _bad_filter_name(case)
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
    earlier = case.before(2)
    if case.found != "-" or previous.span.end != case.stop.at or earlier is None:
        return None
    if earlier.text not in ("list", "pattern"):
        return None
    run = re.compile(r"[\w-]+").match(case.text, previous.span.start, case.item.end)
    assert run is not None
    name = run[0].replace("-", "_")
    hint = f"{_NAME_HINT}: `{name}`"
    return case.say("FICT117", Span(*run.span()), hint=hint, fix=name, found=run[0], what=earlier.text)


_NAME_HINT = "letters, digits and `_`, with a letter first"


def _bad_filter_name(case: _Case) -> Explanation | None:
    run = re.compile(r'[\w.-]+|"[\w.-]+"').match(case.text, case.stop.at, case.item.end)
    if run is None:
        return None
    name = re.sub(r"[^a-z0-9]+", "-", run[0].lower()).strip("-")
    good = bool(_FILTER_NAME.fullmatch(name)) and name not in RESERVED
    hint = "small letters, digits and single hyphens, with a letter first" + (f": `{name}`" if good else "")
    said = case.say("FICT117", Span(*run.span()), hint=hint, found=run[0], what="filter")
    return Explanation(said.diagnostic, (Span(*run.span()), name if good else "x"))


# --- values


def _needs_quotes(case: _Case) -> Explanation | None:
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
    if run is None or found.kind != "sign":
        return None
    return _quoted(case, Span(*run.span()), run[0])


def _quoted(case: _Case, span: Span, value: str) -> Explanation:
    quoted = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    found = f"`{case.text[span.start : span.end]}`"
    said = case.say("FICT118", span, fix=quoted, found=found, quoted=quoted)
    return Explanation(said.diagnostic, (span, '""'))


# --- mistakes by example


@dataclass(frozen=True, slots=True)
class _Mistake:
    code: str
    expected: str
    hint: str | None
    patch: str | None


def _by_example(case: _Case) -> Explanation | None:
    return _example(case, _kind(case.stop.found))


def _by_example_of_anything(case: _Case) -> Explanation | None:
    return _example(case, _ANY)


def _kind(found: Bit | None) -> str:
    """What makes two findings alike: the very sign or word of the language; else being a word, a string, …"""
    if found is None:
        return ""
    return found.text if found.kind == "sign" or found.text in RESERVED else f"<{found.kind}>"


def _example(case: _Case, key: str) -> Explanation | None:
    mistake = _examples().get((*_situation(case.stop), key))
    if mistake is None:
        return None
    if mistake.code == "FICT110":
        made = _unexpected(case, mistake.expected, mistake.hint)
        return Explanation(made.diagnostic, None if mistake.patch is None else (case.span, mistake.patch))
    span = _whole_sign(case)
    found = case.text[span.start : span.end]
    made_of = diagnostic(mistake.code, case.source, span, labels=_opened(case), hint=mistake.hint, found=found)
    return Explanation(made_of, None if mistake.patch is None else (span, mistake.patch))


def _whole_sign(case: _Case) -> Span:
    """What was found, with the signs right before it: the parser may have taken the `=` of a `=~`."""
    previous = case.before()
    adjacent = previous is not None and previous.kind == "sign" and previous.span.end == case.span.start
    if previous is None or not adjacent or previous.text not in ("=", "<", "|", "-"):
        return case.span
    return previous.span.to(case.span)


def _situation(stop: Stop) -> tuple[int, frozenset[str]]:
    """What makes two stops the same mistake: the parser's state, and what it takes there; `)` and `]` are alike.

    The state alone would not do: one state may serve a value of a list and a value of a test.
    """
    accepts = stop.accepts
    return stop.state, (accepts - {"RPAR"}) | {"RSQB"} if "RPAR" in accepts else accepts


@cache
def _examples() -> dict[tuple[int, frozenset[str], str], _Mistake]:
    """Situation and what was found there → the mistake. Earlier entries of the file win."""
    table: dict[tuple[int, frozenset[str], str], _Mistake] = {}
    for entry in tomllib.loads(shipped(MISTAKES).read_text(encoding="utf-8"))["mistake"]:
        mistake = _Mistake(entry["code"], entry.get("expected", ""), entry.get("hint"), entry.get("patch"))
        for snippet in entry["snippets"]:
            text = _WRAPPED[entry["in"]].format(snippet)
            stop = attempt(text, Span(0, len(text)), "item")
            if not isinstance(stop, Stop):
                raise ValueError(f"{MISTAKES}: this is no mistake: {text}")
            key = _ANY if entry.get("any") else _kind(stop.found)
            table.setdefault((*_situation(stop), key), mistake)
    return table


# --- anything else


def _unexpected(case: _Case, expected: str | None = None, hint: str | None = None) -> Explanation:
    at_end = "the end of the item" if case.text[case.item.end :].strip() else "the end of the file"
    parts = {
        "found": f"`{case.found}`" if case.stop.found else at_end,
        "expected": describe(case.stop.accepts) if expected is None else expected,
    }
    previous, span, labels = case.before(), case.span, _opened(case)
    lines_below = previous is not None and "\n" in case.text[previous.span.end : span.start]
    new_part = case.found not in PARTNER.values() and (case.found in RESERVED or len(case.open) < 2)
    if previous is not None and lines_below and not new_part:
        # What is missing is missing where the text stopped, not lines below.
        labels = (Label(span, "found here"), *labels)
        span = Span(previous.span.end, previous.span.end)
    made = diagnostic("FICT110", case.source, span, labels=labels, hint=hint, fix=None, **parts)
    return Explanation(made)


def _opened(case: _Case) -> tuple[Label, ...]:
    """The bracket that could be closed here, if it is a square or round one: those are easily forgotten."""
    if case.open and case.open[-1].text != "{" and case.accepts({"[": "RSQB", "(": "RPAR"}[case.open[-1].text]):
        return (Label(case.open[-1].span, "opened here"),)
    return ()


_EXPLAINERS: tuple[Callable[[_Case], Explanation | None], ...] = (
    _unclosed_string,
    _unclosed_regex,
    _unclosed_bracket,
    _misspelt_before,
    _misspelt,
    _by_example,
    _reserved_name,
    _bad_name,
    _needs_quotes,
    _by_example_of_anything,
)
