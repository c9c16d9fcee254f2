"""A place in a text, broken as it may be, into what may stand there: the tokens before it decide, not the parser.

While somebody types, the clause at hand hardly ever parses; what comes before the cursor still says what is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fictdsl.lint.suppress import comments
from fictdsl.source import Span
from fictdsl.syntax.scan import PARTNER, Bit, bits, items
from fictdsl.syntax.vocabulary import ACTIONS

Kind = Literal[
    "nothing", "header", "item", "list", "for", "in", "path", "code",
    "body", "action", "target", "tag", "of", "with",
    "clause", "node", "upos", "relation", "amount",
    "attribute", "lowered", "layer", "key", "operator", "more", "value", "collection", "reference", "parameter",
]  # fmt: skip

OPERATORS = frozenset({"=", "!=", "==", "<=", ">=", "<", ">"})
_RELATIONS = frozenset({"->", "->>", "<-", "<", "<<", "~", "==>", "=>", "-"})
_CLOSING = {closing: opening for opening, closing in PARTNER.items()}
_SHAPES = {"relation": r"[\w:]*$", "value": r"[\w:]*$", "target": r"[\w/-]*$", "code": r"\w*$", "path": r'[^"\n]*$'}


@dataclass(frozen=True, slots=True)
class Context:
    """What may stand at a place. `span` is what is there already, up to the place.

    `about` is the attribute whose value is wanted, `sentence` where an attribute is one of the sentence, `enhanced`
    where a relation is one of the enhanced graph, the action whose target is wanted, the feature that has a layer,
    `node` where an attribute of a node is compared with another's, `either` where another branch may follow, `use` or
    `file` where a path is wanted.
    """

    kind: Kind
    span: Span
    about: str = ""


def context(text: str, offset: int) -> Context:
    """What may stand at an offset of a text."""
    start = offset - len(_before(r"\w*$", text, offset))
    comment = next((span for span in comments(text) if span.start < offset <= span.end), None)
    if comment is not None:
        return _in_comment(text, comment, offset)
    begin = max((span.start for span in items(text, 0) if span.start < start), default=0)
    before = list(bits(text, begin, start))
    if before and _is_open_string(before[-1], start):
        return _in_string(before, offset)
    kind, about = _classify(before)
    shape = _SHAPES.get(kind)
    return Context(kind, Span(offset - len(_before(shape, text, offset)) if shape else start, offset), about)


def _before(pattern: str, text: str, offset: int) -> str:
    line = text.rfind("\n", 0, offset) + 1
    match = re.search(pattern, text[line:offset])
    return match[0] if match else ""


def _in_comment(text: str, comment: Span, offset: int) -> Context:
    typed = re.fullmatch(r"#\s*fict:\s*ignore\s*\[\s*(\w*)", text[comment.start : offset])
    return Context("code" if typed else "nothing", Span(offset - len(typed[1]) if typed else offset, offset))


def _is_open_string(bit: Bit, at: int) -> bool:
    return bit.kind == "string" and bit.span.end == at and (len(bit.text) == 1 or not re.search(r'(?<!\\)"$', bit.text))


def _in_string(before: Sequence[Bit], offset: int) -> Context:
    opener = before[-2].text if len(before) > 1 else ""
    return Context("path" if opener in ("use", "file") else "nothing", Span(before[-1].span.start + 1, offset), opener)


# --- brackets


def _classify(before: Sequence[Bit]) -> tuple[Kind, str]:
    """What may follow some tokens of an item, and what it is about."""
    stack = _open(before)
    if not stack:
        return _outside([bit.text for bit in before]), ""
    at = stack[-1]
    outer = before[stack[-2]].text[-1] if len(stack) > 1 else ""
    opener, head, inner = before[at].text[-1], before[at - 1].text if at else "", before[at + 1 :]
    if opener == "[":
        return _in_square(before[at].text, head, outer, inner)
    if opener == "(":
        return _in_round(before, stack, inner)
    if head == "in":
        return _in_collection(before, stack, inner)
    if head in ("->>", "<<", "=") or (len(stack) == 1 and before[0].text in ("list", "use")):
        return "nothing", ""
    if len(stack) == 1 and before[0].text == "filter":
        return _in_body(inner)
    return _in_block(inner)


def _open(before: Sequence[Bit]) -> list[int]:
    """Which of the tokens are brackets that are not closed."""
    stack: list[int] = []
    for number, bit in enumerate(before):
        last = bit.text[-1] if bit.kind == "sign" else ""
        if last in PARTNER:
            stack.append(number)
        elif last in _CLOSING:
            partners = [place for place, opened in enumerate(stack) if before[opened].text[-1] == _CLOSING[last]]
            del stack[partners[-1] if partners else len(stack) :]
    return stack


def _outside(words: Sequence[str]) -> Kind:
    match words:
        case []:
            return "header"
        case ["use" | "list" | "pattern" | "filter"] | ["fict"] | ["list", _]:
            return "nothing"
        case ["pattern", *rest] if "{" not in rest:
            return "nothing"
        case ["list", _, "="]:
            return "list"
        case ["list", _, "=", "file"]:
            return "nothing"
        case ["filter", *rest] if "{" not in rest:
            if rest[-1:] in ([], ["-"]):
                return "nothing"
            return "for" if rest[-1] not in ("for", "in") and "for" not in rest else _family(rest)
        case _:
            return "item"


def _family(rest: Sequence[str]) -> Kind:
    return "in" if len(rest) - rest.index("for") == 2 else "nothing"


def _in_square(opening: str, head: str, outer: str, inner: Sequence[Bit]) -> tuple[Kind, str]:
    if opening == "-[" or head in ("=", "<-"):
        ready = not inner or inner[-1].text in ("|", "^", "=", ":")
        return ("relation", "enhanced" if head == "=" else "") if ready else ("nothing", "")
    if outer != "{" and head[:1].isupper():
        return "layer", head
    return _in_test(inner, "sentence" if head == "sentence" else "")


def _in_round(before: Sequence[Bit], stack: Sequence[int], inner: Sequence[Bit]) -> tuple[Kind, str]:
    at = stack[-1]
    head, outer = before[at - 1].text if at else "", before[stack[-2]].text[-1] if len(stack) > 1 else ""
    tested = outer in ("[", "(")
    if head == "lower":
        if tested:
            return "lowered", ""
        return ("lowered", "") if inner and inner[-1].text == "." else ("node", "")
    if tested:
        squares = [place for place in stack if before[place].text[-1] == "["]
        sentence = bool(squares) and before[squares[-1] - 1].text == "sentence"
        return _in_test(inner, "sentence" if sentence else "")
    if before[0].text == "pattern" and len(stack) == 1:
        return "nothing", ""
    return ("node", "") if not inner or inner[-1].text == "," else ("nothing", "")


def _in_collection(before: Sequence[Bit], stack: Sequence[int], inner: Sequence[Bit]) -> tuple[Kind, str]:
    if inner and inner[-1].text not in (",", "$", ":"):
        return "nothing", ""
    if len(stack) < 2 or before[stack[-2]].text[-1] == "{":
        return "nothing", ""
    if inner and inner[-1].text == "$":
        return "parameter", ""
    _, attribute, _ = _segment(before[stack[-2] + 1 : stack[-1]])
    return "value", attribute


# --- tests


def _in_test(inner: Sequence[Bit], place: str) -> tuple[Kind, str]:
    has, attribute, rest = _segment(inner)
    if rest is None:
        last = inner[-1].text if inner else ""
        if last == ".":
            return "key", inner[-2].text if len(inner) > 1 else ""
        return ("more", "") if has and attribute else ("attribute" if not attribute else "operator", place)
    match rest[-1]:
        case "not":
            return "in", ""
        case "in":
            return "collection", attribute
        case "@":
            return "reference", ""
        case "$":
            return "parameter", ""
        case last if last in OPERATORS or last in ("|", ":"):
            return "value", attribute
        case _:
            return "more", ""


def _segment(inner: Sequence[Bit]) -> tuple[bool, str, list[str] | None]:
    """The last test of several: whether it begins with `has`, its attribute, and what there is from its operator on."""
    has, attribute, depth = False, "", 0
    rest: list[str] | None = None
    for bit in inner:
        sign = bit.text if bit.kind == "sign" else ""
        if depth == 0 and (sign == "," or (bit.text == "or" and rest != [] and (rest is None or _ends(rest)))):
            has, attribute, rest = False, "", None
        elif rest is not None:
            rest.append(bit.text)
        elif depth == 0 and attribute and (sign in OPERATORS or bit.text in ("in", "not")):
            rest = [bit.text]
        elif bit.text == "has" and not attribute:
            has = True
        elif bit.text != "not" or attribute:
            attribute += bit.text
        depth += (sign[-1:] in PARTNER) - (sign[-1:] in _CLOSING)
    return has, attribute.removeprefix("lower(").removesuffix(")"), rest


def _ends(rest: Sequence[str]) -> bool:
    """Whether a value may end here, so that a following `or` is no value itself."""
    return rest[-1] not in OPERATORS and rest[-1] not in ("|", "in", "not")


# --- blocks


def _in_block(inner: Sequence[Bit]) -> tuple[Kind, str]:
    last = inner[-1].text if inner else "{"
    if last == ":" or (last == "|" and inner[-2:-1]):
        return "upos", ""
    if last == "$":
        return "parameter", ""
    if last == ".":
        return "attribute", "node"
    if last in _RELATIONS or last in OPERATORS or last in ("between", "and"):
        return "node", ""
    if last == "at":
        return "amount", ""
    if last in ("least", "most", "exactly", "either", "without", "lower"):
        return "nothing", ""
    return "clause", "either" if last == "}" else ""


def _in_body(inner: Sequence[Bit]) -> tuple[Kind, str]:
    """Between the braces of a filter: metadata, `match`, actions."""
    words = _shallow(inner)
    last = words[-1] if words else ""
    if last in ("about", "source", "note", "match", "node", "subtree", "span"):
        return "nothing", ""
    if last in ACTIONS:
        return "of", last
    if last == "with":
        return "tag", ""
    if "match" in words:
        verbs = [word for word in words if word in ACTIONS]
        return "action", verbs[-1] if verbs and "with" not in words[_last(words, verbs[-1]) :] else ""
    openers = [word for word in words if word in ("about", "source", "note", "targets")]
    return ("target" if openers[-1:] == ["targets"] else "body"), ""


def _shallow(inner: Sequence[Bit]) -> list[str]:
    """The words outside all brackets; a string as `string`, brackets with what is in them as what closes them."""
    found: list[str] = []
    depth = 0
    for bit in inner:
        sign = bit.text[-1] if bit.kind == "sign" else ""
        depth -= sign in _CLOSING
        if depth == 0 and (bit.kind in ("word", "string") or sign in _CLOSING):
            found.append("string" if bit.kind == "string" else bit.text)
        depth += sign in PARTNER
    return found


def _last(words: Sequence[str], word: str) -> int:
    return len(words) - 1 - words[::-1].index(word)
