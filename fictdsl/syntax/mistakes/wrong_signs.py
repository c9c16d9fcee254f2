"""Explain errors from typeset characters and from the syntax of other query languages."""

from __future__ import annotations

import re

from fictdsl.source import Span
from fictdsl.syntax.mistakes.context import ErrorContext, Explanation
from fictdsl.syntax.mistakes.expected import signs

_TO_ASCII = str.maketrans({"–": "-", "—": "-", "−": "-", "→": "->", "⟶": "->", "⇒": "->", "←": "<-", "⟵": "<-"})
_TYPESET_ARROW = re.compile(r"[–—−→⟶⇒←⟵]+[>–—−-]*")

_CLOSING_SIGNS = ("->", "->>", "=>", "-")  # after the labels of `-[l]->`, `=[l]=>` and `<-[l]-`

_WINDOW = 200  # characters searched before and after an error, which bounds the time
_COMPARISON = re.compile(
    r"""(?:lower\((?P<lowered_node>\w+)\.(?P<lowered>\w+)\)|(?P<node>\w+)\.(?P<attribute>\w+(?:\.\w+|\[\w+\])?))\s*
        (?P<sign>==|!=|<=|>=|=|<|>)\s*(?P<value>"[^"\n]*"|/[^/\n]*/i?|[\w:]+(?![\w:]|\s*[.(]))""",
    re.VERBOSE,
)

_VALUE = r'(?:"[^"\n]*"|\w+(?::\w+)*)'
_VALUES = re.compile(rf"{_VALUE}(?:\s*\|\s*{_VALUE})*")
_ALTERNATIVE = re.compile(rf"(?:!?=|\|)\s*(?P<first>{_VALUE})\s+or\s+(?P<second>{_VALUE})\s*(?=[]),]|or\b)")
_ATTRIBUTE_AT_END = re.compile(r'(lower\(\w+\)|[A-Za-z]\w*(?:\.(?:\w+|"[^"\n]*")|\[\w+\])?)\s*$')

# Numbers of words as other languages write them, by what they are here.
_N, _SIZE = r"([A-Za-z]\w*)", r"(?:\s*\.\s*(?:length|size|len|count))?"
_FOREIGN_MEASURES = {
    rf"(?<![\w.]){_N}\s*\.\s*subtree\b{_SIZE}": "length(subtree({}))",
    rf"(?<![\w.(])subtree\s*\(\s*{_N}\s*\){_SIZE}": "length(subtree({}))",
    rf"(?<![\w.(])span\s*\(\s*{_N}\s*,\s*{_N}\s*\){_SIZE}": "length(span({}, {}))",
    rf"\babs\s*\(\s*{_N}\.id\s*-\s*{_N}\.id\s*\)": "distance({}, {})",
    rf"(?<![\w.]){_N}\.id\s*-\s*{_N}\.id\b": "distance({}, {})",
}


def foreign_measure(context: ErrorContext) -> Explanation | None:
    """Explain `O.subtree.length > 5` and `V.id - S.id > 5`: numbers of words that are written differently here."""
    start = max(context.item_span.start, context.stop.offset - _WINDOW)
    end = min(context.item_span.end, context.stop.offset + _WINDOW)
    for pattern, form in _FOREIGN_MEASURES.items():
        for match in re.compile(pattern).finditer(context.text, start, end):
            if match.start() <= context.stop.offset < match.end():
                hint = f"write `{form.format(*match.groups())}`"
                if "-" in match[0]:
                    hint += f", whichever is first; with the order, `{match[2]} <<{{6..}} {match[1]}`"
                return context.report("FICT136", Span(*match.span()), hint=hint, found=match[0])
    return None


def typeset_arrow(context: ErrorContext) -> Explanation | None:
    """Explain `–[nsubj]–>` and `→`: an arrow with typeset characters from an editor or a web page."""
    match = _TYPESET_ARROW.match(context.text, context.stop.offset, context.item_span.end)
    if match is None:
        return None
    ascii_arrow = re.sub(r"-+", "-", match[0].translate(_TO_ASCII))
    has_label = context.text.startswith("[", match.end())
    ascii_arrow = (
        ascii_arrow if has_label or ascii_arrow.startswith("<") or ascii_arrow.endswith(">") else f"{ascii_arrow}>"
    )
    previous = context.preceding()
    closing_signs = [sign for sign in _CLOSING_SIGNS if sign in signs(context.stop.accepts)]
    if previous is not None and previous.text == "]" and closing_signs and ascii_arrow not in closing_signs:
        ascii_arrow = closing_signs[0]
    explanation = context.report("FICT112", Span(*match.span()), hint=f"in ASCII it is `{ascii_arrow}`", found=match[0])
    spaces = re.compile(r"\s*").match(context.text, match.end(), context.item_span.end)
    assert spaces is not None
    return Explanation(explanation.diagnostic, (Span(match.start(), spaces.end()), ascii_arrow))


def labelled_comparison(context: ErrorContext) -> Explanation | None:
    """Explain `V >nsubj S`, which is Semgrex syntax."""
    match = re.compile(r"(>>?)([a-z]+(?::[a-z]+)?)\s+(\w+)").match(
        context.text, context.stop.offset, context.item_span.end
    )
    if match is None or context.preceding() is None or (context.open[-1:] != [] and context.open[-1].text != "{"):
        return None
    arrow = f"-[{match[2]}]->" + ">" * (len(match[1]) - 1)
    return context.report(
        "FICT112", Span(*match.span(1)), hint=f"it is written `{arrow} {match[3]}`", found=match[1] + match[2]
    )


def compared_with_value(context: ErrorContext) -> Explanation | None:
    """Explain `V.upos = VERB`: a comparison of a node's attribute with a value instead of another node's attribute."""
    if context.accepts("STRING") or not (context.accepts("NAME", "LOWER") or context.stop.accepts == {"DOT"}):
        return None
    window_start, window_end = (
        max(context.item_span.start, context.stop.offset - _WINDOW),
        min(context.item_span.end, context.stop.offset + _WINDOW),
    )
    starts = [match.start() for match in _COMPARISON.finditer(context.text, window_start, window_end)]
    match = _COMPARISON.match(
        context.text, max((start for start in starts if start < context.stop.offset), default=window_end), window_end
    )
    if match is None or len(context.text[: context.stop.offset].rstrip()) > match.end():
        return None
    node, attribute = match["node"], f"lower({match['lowered']})" if match["lowered"] else match["attribute"]
    sign = "=" if match["sign"] == "==" and attribute != "deprel" else match["sign"]
    test = f"{node or match['lowered_node']}[{attribute} {sign} {match['value']}]"
    hint = f"a test against a value goes in brackets: `{test}`; outside brackets, attributes of two nodes are compared"
    if attribute == "length":
        compared = f"{sign} {match['value']}"
        characters = f"`{node}[form.length {compared}]`"
        hint = f"its subtree has `length(subtree({node})) {compared}` words, its form {characters} characters"
    found, expected = f"`{match['value']}`", "an attribute of a second node"
    return context.report("FICT110", Span(*match.span("value")), hint=hint, found=found, expected=expected)


def alternative_value(context: ErrorContext) -> Explanation | None:
    """Explain `upos = VERB or AUX`. The parser accepts an unquoted second value as an attribute."""
    found = context.stop.found
    preceding = [context.preceding(steps) for steps in (1, 2, 3, 4)]
    texts = ["" if lexeme is None else lexeme.text for lexeme in preceding]
    if context.found in ("]", ",", ")", "or") and texts[1] == "or":
        second, first, sign = texts[0], texts[2], texts[3]
    elif found is not None and found.kind == "string" and texts[0] == "or":
        second, first, sign = found.text, texts[1], texts[2]
    else:
        return None
    if sign not in ("=", "!=", "==", "|"):
        return None
    return _alternatives(context, first, second)


def subtyped_alternative(context: ErrorContext) -> Explanation | None:
    """Explain `deprel = nsubj:pass or obj` and `deprel = obj or nsubj:pass`."""
    if context.found not in ("]", ",", ")", "or", ":"):
        return None
    window_start = max(context.item_span.start, context.stop.offset - _WINDOW)
    window_end = min(context.item_span.end, context.stop.offset + _WINDOW)
    for match in _ALTERNATIVE.finditer(context.text, window_start, window_end):
        if match.start("second") < context.stop.offset <= match.end():
            return _alternatives(context, match["first"], match["second"])
    return None


def _alternatives(context: ErrorContext, first: str, second: str) -> Explanation:
    return context.unexpected("a comparison (`=`, `!=`, `in`, …)", f"alternatives are written `{first}|{second}`")


def not_equal(context: ErrorContext) -> Explanation | None:
    """Explain `upos not VERB` and `upos = not VERB`."""
    negation, before_negation = context.preceding(), context.preceding(2)
    found = context.stop.found
    if (
        found is None
        or negation is None
        or before_negation is None
        or negation.text != "not"
        or found.kind not in ("word", "string")
    ):
        return None
    if before_negation.text == "=":
        expected, attribute_end = "`,` between two tests", before_negation.span.start
    elif context.accepts("IN") and len(context.stop.accepts) == 1:
        expected, attribute_end = "`in`", negation.span.start
    else:
        return None
    name = _attribute_before(context, attribute_end)
    values = _VALUES.match(context.text, context.stop.offset, context.item_span.end)
    value = found.text if values is None else values[0]
    return None if name is None else context.unexpected(expected, f"inequality is written `{name} != {value}`")


def _attribute_before(context: ErrorContext, end: int) -> str | None:
    """Return the attribute written just before an offset, such as `form.length` or `lower(form)`, or None."""
    match = _ATTRIBUTE_AT_END.search(context.text, max(context.item_span.start, end - _WINDOW), end)
    return None if match is None else match[1]


def second_caret(context: ErrorContext) -> Explanation | None:
    """Explain `-[^nsubj|^obj]->`: `^` negates the whole list, so it is written once."""
    previous = context.preceding()
    if context.found != "^" or previous is None or previous.text != "|" or not context.accepts("EQUAL"):
        return None
    hint = "`^` is written once, before all labels: `-[^nsubj|obj]->`"
    return context.report("FICT110", hint=hint, fix="", found="`^`", expected="a label")
