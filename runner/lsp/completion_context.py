"""The syntactic context of a position in a text that may not parse.

A clause rarely parses while it is typed, so the tokens before the position determine the context.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fictdsl.source import Span
from fictdsl.syntax.grammar import PARTNER, Lexeme, comments, item_spans, lexemes, reparse_span
from fictdsl.syntax.nodes import ACTIONS, RESERVED, REWRITINGS, SUBSTRING_OPERATORS

Kind = Literal[
    "nothing", "header", "item", "list", "for", "in", "path", "code",
    "body", "rewrite-body", "as-is", "rewriting", "by", "action", "target", "tag", "of", "with",
    "clause", "node", "upos", "relation", "amount", "number", "measured",
    "attribute", "lowered", "layer", "key", "operator", "membership", "more", "value", "collection",
    "reference", "parameter",
]  # fmt: skip

OPERATORS = frozenset({"=", "!=", "==", "<=", ">=", "<", ">"})
RELATIONS = frozenset({"->", "->>", "<-", "<", "<<", "~", "==>", "=>", "-"})
CLOSING = {closing: opening for opening, closing in PARTNER.items()}


def classify_in_tests(inner: Sequence[Lexeme], owner: str) -> tuple[Kind, str]:
    """Return the kind after the tokens `inner` of a `[…]`, and the attribute or `owner` that it concerns."""
    has, attribute, operation = split_last_test(inner)
    if operation is None:
        last_text = inner[-1].text if inner else ""
        if last_text == ".":
            return "key", inner[-2].text if len(inner) > 1 else ""
        return ("more", "") if has and attribute else ("attribute" if not attribute else "operator", owner)
    match operation[-1]:
        case "not":
            return "in", ""
        case "in":
            return "collection", attribute
        case "@":
            return "reference", ""
        case "$":
            return "parameter", ""
        case last_text if last_text in SUBSTRING_OPERATORS:
            return "nothing", ""
        case last_text if last_text in OPERATORS or last_text in ("|", ":"):
            return "value", attribute
        case _:
            return "more", ""


def split_last_test(inner: Sequence[Lexeme]) -> tuple[bool, str, list[str] | None]:
    """Return whether the last test starts with `has`, its attribute, and its tokens from the operator on, if any."""
    has, attribute, depth = False, "", 0
    operation: list[str] | None = None
    for lexeme in inner:
        sign = lexeme.text if lexeme.kind == "sign" else ""
        if depth == 0 and (sign == "," or (lexeme.text == "or" and (operation is None or _may_end(operation)))):
            has, attribute, operation = False, "", None
        elif operation is not None:
            operation.append(lexeme.text)
        elif depth == 0 and attribute and (sign in OPERATORS or lexeme.text in ("in", "not", *SUBSTRING_OPERATORS)):
            operation = [lexeme.text]
        elif lexeme.text == "has" and not attribute:
            has = True
        elif lexeme.text != "not" or attribute:
            attribute += lexeme.text
        depth += (sign[-1:] in PARTNER) - (sign[-1:] in CLOSING)
    return has, attribute.removeprefix("lower(").removesuffix(")"), operation


def _may_end(operation: Sequence[str]) -> bool:
    """Return whether a test may end after these tokens. A following `or` then starts an alternative."""
    return operation[-1] not in OPERATORS and operation[-1] not in ("|", "in", "not", *SUBSTRING_OPERATORS)


def classify(tokens: Sequence[Lexeme]) -> tuple[Kind, str]:
    """Return `kind` and `subject` of the `Context` after the tokens of an unfinished item."""
    stack = _unclosed(tokens)
    if not stack:
        return _outside_brackets([lexeme.text for lexeme in tokens]), ""
    opening_index = stack[-1]
    outer = tokens[stack[-2]].text[-1] if len(stack) > 1 else ""
    bracket, previous = tokens[opening_index].text[-1], tokens[opening_index - 1].text if opening_index else ""
    inner = tokens[opening_index + 1 :]
    if bracket == "[":
        return _in_square(tokens[opening_index].text, previous, outer, inner)
    if bracket == "(":
        return _in_round(tokens, stack, inner)
    if previous == "in":
        return _in_collection(tokens, stack, inner)
    if previous in ("->>", "<<", "=") or (len(stack) == 1 and tokens[0].text in ("list", "use")):
        return "nothing", ""
    if len(stack) == 1 and tokens[0].text == "filter":
        return _in_filter(inner)
    if len(stack) == 1 and tokens[0].text == "rewrite":
        return _in_rewrite(inner)
    return _in_block(inner)


def _unclosed(tokens: Sequence[Lexeme]) -> list[int]:
    stack: list[int] = []
    for index, lexeme in enumerate(tokens):
        bracket = lexeme.text[-1] if lexeme.kind == "sign" else ""
        if bracket in PARTNER:
            stack.append(index)
        elif bracket in CLOSING:
            partners = [depth for depth, opener in enumerate(stack) if tokens[opener].text[-1] == CLOSING[bracket]]
            del stack[partners[-1] if partners else len(stack) :]
    return stack


def _outside_brackets(texts: Sequence[str]) -> Kind:
    match texts:
        case []:
            return "header"
        case ["use" | "list" | "pattern" | "filter" | "rewrite"] | ["fict"] | ["list", _]:
            return "nothing"
        case ["pattern", *header_texts] if "{" not in header_texts:
            return "nothing"
        case ["list", _, "="]:
            return "list"
        case ["list", _, "=", "file"] | ["list", _, "from"]:
            return "nothing"
        case ["filter" | "rewrite", *header_texts] if "{" not in header_texts:
            if header_texts[-1:] in ([], ["-"]):
                return "nothing"
            return _after_name(header_texts)
        case _:
            return "item"


def _after_name(header_texts: Sequence[str]) -> Kind:
    """Classify a position after the name of a filter or rewrite. `for` and `in` may be words of the name."""
    name_length = 1
    while header_texts[name_length : name_length + 1] == ["-"]:
        name_length += 2
    match header_texts[name_length:]:
        case ["for", _]:
            return "in"
        case ["for" | "in", *_] | [*_, "in"]:
            return "nothing"
        case _:
            return "for"


def _in_square(opening_text: str, previous: str, outer: str, inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    if opening_text == "-[" or previous in ("=", "<-"):
        expects_label = not inner or inner[-1].text in ("|", "^", "=", ":")
        return ("relation", "enhanced" if previous == "=" else "") if expects_label else ("nothing", "")
    if outer != "{" and previous[:1].isupper():
        return "layer", previous
    return classify_in_tests(inner, "sentence" if previous == "sentence" else "")


def _in_round(tokens: Sequence[Lexeme], stack: Sequence[int], inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    opening_index = stack[-1]
    previous = tokens[opening_index - 1].text if opening_index else ""
    outer = tokens[stack[-2]].text[-1] if len(stack) > 1 else ""
    in_tests = outer in ("[", "(")
    if previous == "lower":
        if in_tests:
            return "lowered", ""
        return ("lowered", "") if inner and inner[-1].text == "." else ("node", "")
    if previous in ("upper", "capital", "inflect") and inner and inner[-1].text in (".", ","):
        return ("lowered", "") if inner[-1].text == "." else ("value", previous)
    if previous in ("subtree", "span") and outer == "(":
        return ("node", "") if not inner or inner[-1].text == "," else ("nothing", "")
    if previous == "length" and not in_tests:
        return ("nothing", "") if inner else ("measured", "")
    if in_tests:
        squares = [index for index in stack if tokens[index].text[-1] == "["]
        is_sentence = bool(squares) and tokens[squares[-1] - 1].text == "sentence"
        return classify_in_tests(inner, "sentence" if is_sentence else "")
    if tokens[0].text == "pattern" and len(stack) == 1:
        return "nothing", ""
    return ("node", "") if not inner or inner[-1].text == "," else ("nothing", "")


def _in_collection(tokens: Sequence[Lexeme], stack: Sequence[int], inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    if inner and inner[-1].text not in (",", "$", ":"):
        return "nothing", ""
    if len(stack) < 2 or tokens[stack[-2]].text[-1] == "{":
        return "nothing", ""
    if inner and inner[-1].text == "$":
        return "parameter", ""
    _, attribute, _ = split_last_test(tokens[stack[-2] + 1 : stack[-1]])
    return "value", attribute


# --- blocks


def _in_block(inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    last_text = inner[-1].text if inner else "{"
    if last_text in (":", "|"):
        return "upos", ""
    if last_text == "$":
        return "parameter", ""
    if last_text == ".":
        return _after_dot(inner)
    if (last_text in OPERATORS or last_text in ("+", "-")) and _ends_in_number(inner[:-1]):
        return "number", ""
    if last_text in RELATIONS or last_text in OPERATORS or last_text in ("between", "and"):
        return "node", ""
    if last_text == "at":
        return "amount", ""
    if last_text in ("least", "most", "exactly", "either", "without", "lower"):
        return "nothing", ""
    operand = inner[:-1] if last_text == "not" else inner
    if operand and operand[-1].text == ")" and _ends_in_tuple(operand):
        return ("in", "") if last_text == "not" else ("membership", "")
    if inner and inner[-1].kind == "word" and (len(inner) == 1 or _may_end_a_clause(inner[-2])):
        return "clause", "node"
    return "clause", "either" if last_text == "}" else ""


def _may_end_a_clause(lexeme: Lexeme) -> bool:
    return lexeme.text not in RESERVED if lexeme.kind == "word" else lexeme.text[-1] in CLOSING


def _after_dot(inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    expects_key = len(inner) > 2 and inner[-3].text == "."
    return ("key", inner[-2].text) if expects_key else ("attribute", "node")


def _ends_in_tuple(tokens: Sequence[Lexeme]) -> bool:
    """Return whether the last parenthesis closes a tuple. A lowercase name before the opening one makes it a call."""
    last_unclosed = _unclosed(tokens[:-1])[-1:]
    return last_unclosed != [] and (last_unclosed == [0] or not tokens[last_unclosed[0] - 1].text[0].islower())


def _ends_in_number(tokens: Sequence[Lexeme]) -> bool:
    if tokens and tokens[-1].text == ")":
        opening = _unclosed(tokens[:-1])[-1:]
        return opening != [] and tokens[opening[0] - 1].text != "lower"
    return bool(tokens) and tokens[-1].text.isdigit()


def _in_filter(inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    words = _top_level_words(inner)
    last_word = words[-1] if words else ""
    if last_word in ("about", "source", "note", "match", "node", "subtree", "span"):
        return "nothing", ""
    if last_word in ACTIONS:
        return "of", last_word
    if last_word == "with":
        return "tag", ""
    if "match" in words:
        action_words = [word for word in words if word in (*ACTIONS, "with")]
        return "action", action_words[-1] if action_words and action_words[-1] != "with" else ""
    metadata_keywords = [word for word in words if word in ("about", "source", "note", "targets")]
    return ("target" if metadata_keywords[-1:] == ["targets"] else "body"), ""


def _in_rewrite(inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    words = _top_level_words(inner)
    last_word = words[-1] if words else ""
    if "match" not in words:
        if words[-2:] == ["as", "is"]:
            return "as-is", ""
        metadata_keywords = [word for word in words if word in ("about", "source", "note", "targets")]
        in_targets = metadata_keywords[-1:] == ["targets"]
        return ("nothing", "") if last_word in metadata_keywords[-1:] and not in_targets else ("rewrite-body", "")
    action_words = [word for word in words[words.index("match") :] if word in REWRITINGS]
    if action_words[-1:] == ["set"] and inner[-1].text in (".", "="):
        return _in_set(inner)
    if last_word == "as":
        return "relation", ""
    if last_word in ("match", "node", "subtree", "span", "insert"):
        return "nothing", ""
    if last_word in ("set", "of"):
        return "node", ""
    if last_word == "by":
        return "by", action_words[-1]
    if last_word in REWRITINGS or last_word in ("before", "after", "with"):
        return "of", last_word if last_word in ("delete", "move", "swap") else "rewrite"
    return "rewriting", action_words[-1] if action_words else ""


def _in_set(inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    if inner[-1].text == "=":
        return "value", inner[-2].text
    kind, subject = _after_dot(inner)
    return kind, f"set {subject}" if kind == "key" and inner[-5].text == "set" else subject


def _top_level_words(inner: Sequence[Lexeme]) -> list[str]:
    """Return the words outside brackets, with `string` for each string and a closing bracket for each bracket pair."""
    words: list[str] = []
    depth = 0
    for lexeme in inner:
        sign = lexeme.text[-1] if lexeme.kind == "sign" else ""
        depth -= sign in CLOSING
        if depth == 0 and (lexeme.kind in ("word", "string") or sign in CLOSING):
            words.append("string" if lexeme.kind == "string" else lexeme.text)
        depth += sign in PARTNER
    return words


# of the text already typed, by kind; `\w*` for the other kinds
_TYPED_PATTERNS = {
    "relation": r"[\w:@]*$",
    "value": r"[\w:]*$",
    "target": r"[\w/-]*$",
    "code": r"\w*$",
    "path": r'[^"\n]*$',
}


@dataclass(frozen=True, slots=True)
class Context:
    """The kind of text that may follow at a position. `span` is the text already typed, up to the position.

    `subject` specifies the kind: the attribute or function of a value; `sentence` for an attribute of the sentence, or
    `node` for one that is compared with another node's; the attribute before the dot of a key, or `set misc` for a key
    that `set` writes; `enhanced` for a relation of the enhanced graph; the feature of a layer; the action (or
    `rewrite`) before a target, `by` or another action; `either` if another branch may follow, or `node` before
    `may be`; `use`, `file` or `from` for a path.
    """

    kind: Kind
    span: Span
    subject: str = ""


def context(text: str, offset: int) -> Context:
    region = reparse_span(text, offset - len(_text_before(r"\w*$", text, offset)), offset)
    region_context = _context(text[region.start : region.end], offset - region.start)
    return replace(
        region_context, span=Span(region_context.span.start + region.start, region_context.span.end + region.start)
    )


def _context(text: str, offset: int) -> Context:
    start = offset - len(_text_before(r"\w*$", text, offset))
    comment_spans = (comment.span for comment in comments(text))
    comment = next((span for span in comment_spans if span.start < offset <= span.end), None)
    if comment is not None:
        return _in_comment(text, comment, offset)
    item_start = max((span.start for span in item_spans(text, 0) if span.start < start), default=0)
    tokens = list(lexemes(text, item_start, start))
    if tokens and _is_open_string(tokens[-1], start):
        return _in_string(tokens, offset)
    kind, subject = classify(tokens)
    pattern = _TYPED_PATTERNS.get(kind)
    return Context(kind, Span(offset - len(_text_before(pattern, text, offset)) if pattern else start, offset), subject)


def _text_before(pattern: str, text: str, offset: int) -> str:
    line = text.rfind("\n", 0, offset) + 1
    match = re.search(pattern, text[line:offset])
    return match[0] if match else ""


def _in_comment(text: str, comment: Span, offset: int) -> Context:
    typed = re.fullmatch(r"#\s*fict:\s*ignore\s*\[\s*(\w*)", text[comment.start : offset])
    return Context("code" if typed else "nothing", Span(offset - len(typed[1]) if typed else offset, offset))


def _is_open_string(lexeme: Lexeme, end: int) -> bool:
    return (
        lexeme.kind == "string"
        and lexeme.span.end == end
        and (len(lexeme.text) == 1 or not re.search(r'(?<!\\)"$', lexeme.text))
    )


def _in_string(tokens: Sequence[Lexeme], offset: int) -> Context:
    keyword = tokens[-2].text if len(tokens) > 1 else ""
    kind: Kind = "path" if keyword in ("use", "file", "from") else "nothing"
    return Context(kind, Span(tokens[-1].span.start + 1, offset), keyword)
