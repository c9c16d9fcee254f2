"""Explain invalid names, values and signs, among them those of other query languages."""

from __future__ import annotations

import re

from fictdsl.source import Span
from fictdsl.syntax.explanations import WINDOW, ErrorContext, Explanation, signs
from fictdsl.syntax.nodes import FAMILY_VALUE, FILTER_NAME, RESERVED, quote

_QUOTES = "'‘’“”„«»`"
_NAME_HINT = "letters, digits and `_`, with a letter first"
_ASCII_NAME_HINT = "letters from `a` to `z`, digits and `_`, with a letter first"
_STTS_TAG = re.compile(r"\$[,(](?=\s*[]|,)}])")  # `$,` and `$(` of German treebanks, at the end of a value
_FAMILY = re.compile(r"\bfor\s+\w+\s+in\s*$")  # before the braces around the values of a family
# `'s` and `'tis`: a quotation mark before a word that a bracket or comma ends. The next mark is that of another value.
_APOSTROPHE = re.compile(r"['’]\w+(?=\s*[]),|}])")
_ID = re.compile(r"[0-9]+([-.])[0-9]+")
_NUMBER_FIRST = re.compile(r"[0-9]+\s*(?:[<>]=?|!?=)\s*\w+\s*\(")
_ID_KINDS = {"-": "a multiword token", ".": "an empty node"}


def reserved_name(context: ErrorContext) -> Explanation | None:
    if context.found in RESERVED and context.accepts("NAME"):
        hint = "choose another name; as a value it needs no quotes"
        if context.found in ("subtree", "span"):
            hint = "numbers of words are `length(subtree(X))` and `length(span(X, Y))`, outside square brackets"
        return context.report("FICT116", hint=hint, patch="x", found=context.found)
    return None


def bad_name(context: ErrorContext) -> Explanation | None:
    if context.accepts("FILTER_NAME"):
        return _bad_filter_name(context, context.stop.offset)
    if explanation := _continued_filter_name(context):
        return explanation
    previous = context.preceding()
    found = context.stop.found
    if previous is None or found is None:
        return None
    kind = {"list": "list", "pattern": "pattern", "for": "parameter"}.get(previous.text, "node")
    if context.accepts("NAME") and found.kind == "word" and (context.accepts("ANY") or not context.accepts("LOWER")):
        match = context.match(r"[\w-]+")
        assert match is not None
        if context.match(_NUMBER_FIRST, match.start()):
            return context.unexpected("a clause", f"the number is on the right side: `distance(A, B) > {match[0]}`")
        span, hint = Span(*match.span()), _name_hint(match[0])
        return context.report("FICT117", span, hint=hint, patch="X", found=match[0], what=kind)
    return None


def hyphenated_name(context: ErrorContext) -> Explanation | None:
    """Explain a hyphen in a name: `my-list` for a list or pattern, `Subj-1` for a node."""
    previous, before_previous, found = context.preceding(), context.preceding(2), context.stop.found
    if previous is None or before_previous is None or found is None or previous.span.end != context.stop.offset:
        return None
    if context.found == "-" and before_previous.text in ("list", "pattern"):
        return _underscored(context, previous.span.start, before_previous.text)
    adjacent_words = before_previous.kind == found.kind == "word" and before_previous.span.end == previous.span.start
    if (
        adjacent_words
        and previous.text == "-"
        and context.accepts("LSQB")
        and context.text[found.span.end : found.span.end + 1] != "-"
    ):
        return _underscored(context, before_previous.span.start, "node")
    return None


def _underscored(context: ErrorContext, start: int, kind: str) -> Explanation:
    match = context.match(r"[\w-]+", start)
    assert match is not None
    name = match[0].replace("-", "_")
    return context.report(
        "FICT117",
        Span(*match.span()),
        hint=f"{_name_hint(name)}: `{name}`" if name.isascii() else _name_hint(name),
        fix=name if name.isascii() else None,
        found=match[0],
        what=kind,
    )


def _name_hint(name: str) -> str:
    return _NAME_HINT if name.isascii() else _ASCII_NAME_HINT


def _continued_filter_name(context: ErrorContext) -> Explanation | None:
    """Explain `filter agr.pp {` and `rewrite agr pp {`, where the parser accepted the first part as the name."""
    keyword = re.compile(r"(?:filter|rewrite)\s+(?=[\w-]+\s*$)").match(
        context.text[: context.stop.offset], context.item_span.start
    )
    if keyword is None or not context.match(r"[\w.-]+( [\w.-]+)*\s*\{"):
        return None
    return None if context.found in RESERVED else _bad_filter_name(context, keyword.end())


def _bad_filter_name(context: ErrorContext, start: int) -> Explanation | None:
    match = context.match(r'"[^"\n]*"|[\w.-]+( (?!for )[\w.-]+)*', start)
    if match is None:
        return None
    name = re.sub(r"[^a-z0-9]+", "-", match[0].lower()).strip("-")
    valid = bool(FILTER_NAME.fullmatch(name)) and match[0].isascii()
    letters = "small letters" if match[0].isascii() else "letters from `a` to `z`"
    hint = f"{letters}, digits and single hyphens, with a letter first" + (f": `{name}`" if valid else "")
    kind = "rewrite" if context.text.startswith("rewrite", context.item_span.start) else "filter"
    patch = name if valid else "x"
    return context.report("FICT117", Span(*match.span()), hint=hint, patch=patch, found=match[0], what=kind)


def needs_quotes(context: ErrorContext) -> Explanation | None:
    """Explain an unquoted value that contains punctuation, or a value in quotation marks other than `"`."""
    found, previous = context.stop.found, context.preceding()
    if found is None:
        return None
    if context.accepts("STRING") and context.found in _QUOTES:
        line_end = context.text.find("\n", context.stop.offset)
        end = context.item_span.end if line_end < 0 else min(line_end, context.item_span.end)
        if match := _APOSTROPHE.match(context.text, context.stop.offset, end):
            return _quoted(context, Span(*match.span()), match[0])
        match = re.compile(rf"[{_QUOTES}][^{_QUOTES}\n]*[{_QUOTES}]").match(context.text, context.stop.offset, end)
        return _quoted(context, Span(*match.span()), match[0][1:-1]) if match else None
    start = context.stop.offset
    if not (context.accepts("WORD") or context.accepts("LABEL")):
        if previous is None or previous.kind != "word" or previous.span.end != start or not context.accepts("VBAR"):
            in_list = context.accepts("COMMA", "RBRACE")
            if previous is None or previous.span.end != start or not in_list or previous.kind != "word":
                return None
        start = previous.span.start
    match = re.compile(r"""[^\s,;|()\[\]{}"@=<>#]+""").match(context.text, start, context.item_span.end)
    if match is None or found.kind != "sign" or match.end() <= context.stop.offset:
        return None
    if id_kind := _id_kind(context, match[0]):
        hint = (
            "nodes are words, whose ids are 1, 2, …; `token` is the form of the multiword token that a word is part of"
        )
        value = f"`{match[0]}`, the id of {id_kind},"
        return context.report("FICT310", Span(*match.span()), hint=hint, patch="1", value=value, attribute="id")
    stts_tag = context.match(_STTS_TAG, start)
    return _quoted(context, Span(*(stts_tag or match).span()), (stts_tag or match)[0])


def _id_kind(context: ErrorContext, value: str) -> str | None:
    """Return what has the id `value` in CoNLL-U if `id` is compared with it and it is not the id of a word."""
    match = _ID.fullmatch(value)
    number, operator, attribute = (context.preceding(step) for step in (1, 2, 3))
    if match is None or number is None or operator is None or attribute is None:
        return None
    return _ID_KINDS[match[1]] if attribute.text == "id" and operator.text in ("=", "!=") else None


def _is_in_family(context: ErrorContext) -> bool:
    if not context.open or context.open[-1].text != "{":
        return False
    brace = context.open[-1].span.start
    return _FAMILY.search(context.text, max(context.item_span.start, brace - WINDOW), brace) is not None


def _quoted(context: ErrorContext, span: Span, value: str) -> Explanation:
    if _is_in_family(context) and not FAMILY_VALUE.fullmatch(value):
        valid_value = re.sub(r"[^A-Za-z0-9_-]", "_", value) or "x"
        return context.report("FICT123", span, patch=valid_value, found=value)
    quoted_value = quote(value)
    found = f"`{context.text[span.start : span.end]}`"
    hint = None
    if "*" in value:
        # Both `*` as a wildcard and `.*` as a regular expression become `.*`. Other punctuation is escaped.
        pattern = re.sub(r"(\.?\*)|([!-/:-@\[-^`{-~])", lambda match: ".*" if match[1] else f"\\{match[2]}", value)
        hint = f"for a wildcard, use a regular expression: `/{pattern}/`"
    return context.report("FICT118", span, hint=hint, fix=quoted_value, patch='""', found=found, quoted=quoted_value)


_TO_ASCII = str.maketrans({"–": "-", "—": "-", "−": "-", "→": "->", "⟶": "->", "⇒": "->", "←": "<-", "⟵": "<-"})
_TYPESET_ARROW = re.compile(r"[–—−→⟶⇒←⟵]+[>–—−-]*")

_CLOSING_SIGNS = ("->", "->>", "=>", "-")  # after the labels of `-[l]->`, `=[l]=>` and `<-[l]-`

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
    for pattern, form in _FOREIGN_MEASURES.items():
        for match in re.compile(pattern).finditer(context.text, *context.window):
            if match.start() <= context.stop.offset < match.end():
                hint = f"write `{form.format(*match.groups())}`"
                if "-" in match[0]:
                    hint += f", whichever is first; with the order, `{match[2]} <<{{6..}} {match[1]}`"
                return context.report("FICT136", Span(*match.span()), hint=hint, found=match[0])
    return None


def typeset_arrow(context: ErrorContext) -> Explanation | None:
    """Explain `–[nsubj]–>` and `→`: an arrow with typeset characters from an editor or a web page."""
    match = context.match(_TYPESET_ARROW)
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
    match = context.match(r"(>>?)([a-z]+(?::[a-z]+)?)\s+(\w+)")
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
    matches = _COMPARISON.finditer(context.text, *context.window)
    match = max((match for match in matches if match.start() < context.stop.offset), key=re.Match.start, default=None)
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
    for match in _ALTERNATIVE.finditer(context.text, *context.window):
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
    values = context.match(_VALUES)
    value = found.text if values is None else values[0]
    return None if name is None else context.unexpected(expected, f"inequality is written `{name} != {value}`")


def _attribute_before(context: ErrorContext, end: int) -> str | None:
    match = _ATTRIBUTE_AT_END.search(context.text, max(context.item_span.start, end - WINDOW), end)
    return None if match is None else match[1]


def second_caret(context: ErrorContext) -> Explanation | None:
    """Explain `-[^nsubj|^obj]->`: `^` negates the whole list, so it is written once."""
    previous = context.preceding()
    if context.found != "^" or previous is None or previous.text != "|" or not context.accepts("EQUAL"):
        return None
    hint = "`^` is written once, before all labels: `-[^nsubj|obj]->`"
    return context.report("FICT110", hint=hint, fix="", found="`^`", expected="a label")
