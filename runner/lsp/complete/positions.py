"""Classification of a position by the tokens before it in its item."""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.syntax.text.scan import PARTNER, Lexeme
from fictdsl.syntax.vocabulary import ACTIONS, REWRITINGS
from runner.lsp.complete.kinds import CLOSING, OPERATORS, RELATIONS, Kind
from runner.lsp.complete.tests import classify_in_tests, split_last_test


def classify(tokens: Sequence[Lexeme]) -> tuple[Kind, str]:
    """Return `kind` and `about` of the `Context` after the tokens of an unfinished item."""
    stack = _unclosed(tokens)
    if not stack:
        return _outside([lexeme.text for lexeme in tokens]), ""
    opening = stack[-1]
    outer = tokens[stack[-2]].text[-1] if len(stack) > 1 else ""
    bracket, previous = tokens[opening].text[-1], tokens[opening - 1].text if opening else ""
    inner = tokens[opening + 1 :]
    if bracket == "[":
        return _in_square(tokens[opening].text, previous, outer, inner)
    if bracket == "(":
        return _in_round(tokens, stack, inner)
    if previous == "in":
        return _in_collection(tokens, stack, inner)
    if previous in ("->>", "<<", "=") or (len(stack) == 1 and tokens[0].text in ("list", "use")):
        return "nothing", ""
    if len(stack) == 1 and tokens[0].text == "filter":
        return _in_body(inner)
    if len(stack) == 1 and tokens[0].text == "rewrite":
        return _in_rewrite(inner)
    return _in_block(inner)


def _unclosed(tokens: Sequence[Lexeme]) -> list[int]:
    """Return the indices of the tokens that are unclosed brackets."""
    stack: list[int] = []
    for index, lexeme in enumerate(tokens):
        bracket = lexeme.text[-1] if lexeme.kind == "sign" else ""
        if bracket in PARTNER:
            stack.append(index)
        elif bracket in CLOSING:
            partners = [depth for depth, opening in enumerate(stack) if tokens[opening].text[-1] == CLOSING[bracket]]
            del stack[partners[-1] if partners else len(stack) :]
    return stack


def _outside(words: Sequence[str]) -> Kind:
    match words:
        case []:
            return "header"
        case ["use" | "list" | "pattern" | "filter" | "rewrite"] | ["fict"] | ["list", _]:
            return "nothing"
        case ["pattern", *rest] if "{" not in rest:
            return "nothing"
        case ["list", _, "="]:
            return "list"
        case ["list", _, "=", "file"]:
            return "nothing"
        case ["filter" | "rewrite", *rest] if "{" not in rest:
            if rest[-1:] in ([], ["-"]):
                return "nothing"
            return "for" if rest[-1] not in ("for", "in") and "for" not in rest else _family(rest)
        case _:
            return "item"


def _family(rest: Sequence[str]) -> Kind:
    return "in" if len(rest) - rest.index("for") == 2 else "nothing"


def _in_square(opening: str, previous: str, outer: str, inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    if opening == "-[" or previous in ("=", "<-"):
        expects_label = not inner or inner[-1].text in ("|", "^", "=", ":")
        return ("relation", "enhanced" if previous == "=" else "") if expects_label else ("nothing", "")
    if outer != "{" and previous[:1].isupper():
        return "layer", previous
    return classify_in_tests(inner, "sentence" if previous == "sentence" else "")


def _in_round(tokens: Sequence[Lexeme], stack: Sequence[int], inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    opening = stack[-1]
    previous, outer = tokens[opening - 1].text if opening else "", tokens[stack[-2]].text[-1] if len(stack) > 1 else ""
    in_tests = outer in ("[", "(")
    if previous == "lower":
        if in_tests:
            return "lowered", ""
        return ("lowered", "") if inner and inner[-1].text == "." else ("node", "")
    if previous in ("upper", "capital", "inflect") and inner and inner[-1].text in (".", ","):
        return ("lowered", "") if inner[-1].text == "." else ("value", previous)
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
    last = inner[-1].text if inner else "{"
    if last in (":", "|"):
        return "upos", ""
    if last == "$":
        return "parameter", ""
    if last == ".":
        return _after_dot(inner)
    if last in RELATIONS or last in OPERATORS or last in ("between", "and"):
        return "node", ""
    if last == "at":
        return "amount", ""
    if last in ("least", "most", "exactly", "either", "without", "lower"):
        return "nothing", ""
    operand = inner[:-1] if last == "not" else inner
    if operand and operand[-1].text == ")" and _ends_in_tuple(operand):
        return ("in", "") if last == "not" else ("membership", "")
    return "clause", "either" if last == "}" else ""


def _after_dot(inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    """Classify a position after the dot of `X.` or of `X.misc.`."""
    has_key = len(inner) > 2 and inner[-3].text == "."
    return ("key", inner[-2].text) if has_key else ("attribute", "node")


def _ends_in_tuple(tokens: Sequence[Lexeme]) -> bool:
    """Return whether the last parenthesis closes a tuple. If the name before it is lowercase, it closes a call."""
    opening = _unclosed(tokens[:-1])[-1:]
    return opening != [] and (opening == [0] or not tokens[opening[0] - 1].text[0].islower())


def _in_body(inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    """Classify a position between the braces of a filter: metadata, `match`, actions."""
    words = _top_level_words(inner)
    last = words[-1] if words else ""
    if last in ("about", "source", "note", "match", "node", "subtree", "span"):
        return "nothing", ""
    if last in ACTIONS:
        return "of", last
    if last == "with":
        return "tag", ""
    if "match" in words:
        verbs = [word for word in words if word in ACTIONS]
        return "action", verbs[-1] if verbs and "with" not in words[_last_index(words, verbs[-1]) :] else ""
    openers = [word for word in words if word in ("about", "source", "note", "targets")]
    return ("target" if openers[-1:] == ["targets"] else "body"), ""


def _in_rewrite(inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    """Classify a position between the braces of a rewrite: metadata, `match`, actions."""
    words = _top_level_words(inner)
    last = words[-1] if words else ""
    if "match" not in words:
        if words[-2:] == ["as", "is"]:
            return "as-is", ""
        openers = [word for word in words if word in ("about", "source", "note", "targets")]
        in_targets = openers[-1:] == ["targets"]
        return ("nothing", "") if last in openers[-1:] and not in_targets else ("rewrite-body", "")
    verbs = [word for word in words[words.index("match") :] if word in REWRITINGS]
    if verbs[-1:] == ["set"] and inner[-1].text in (".", "="):
        return _in_set(inner)
    if last == "as":
        return "relation", ""
    if last in ("match", "node", "subtree", "span", "insert"):
        return "nothing", ""
    if last in ("set", "of"):
        return "node", ""
    if last == "by":
        return "by", verbs[-1]
    if last in REWRITINGS or last in ("before", "after", "with"):
        return "of", last if last in ("delete", "move", "swap") else "rewrite"
    return "rewriting", verbs[-1] if verbs else ""


def _in_set(inner: Sequence[Lexeme]) -> tuple[Kind, str]:
    """Classify a position after a dot or the sign `=` of `set X.A = Y.B`."""
    if inner[-1].text == "=":
        return "value", inner[-2].text
    kind, about = _after_dot(inner)
    return kind, f"set {about}" if kind == "key" and inner[-5].text == "set" else about


def _top_level_words(inner: Sequence[Lexeme]) -> list[str]:
    """Return the words outside brackets, `string` for each string, and the closing bracket for each bracketed text."""
    words: list[str] = []
    depth = 0
    for lexeme in inner:
        sign = lexeme.text[-1] if lexeme.kind == "sign" else ""
        depth -= sign in CLOSING
        if depth == 0 and (lexeme.kind in ("word", "string") or sign in CLOSING):
            words.append("string" if lexeme.kind == "string" else lexeme.text)
        depth += sign in PARTNER
    return words


def _last_index(words: Sequence[str], word: str) -> int:
    return len(words) - 1 - words[::-1].index(word)
