"""Classify a position inside square brackets by the tokens before it."""

from __future__ import annotations

from collections.abc import Sequence

from fictdsl.syntax.nodes import SUBSTRING_OPERATORS
from fictdsl.syntax.scan import PARTNER, Lexeme
from runner.lsp.complete.kinds import CLOSING, OPERATORS, Kind


def classify_in_tests(inner: Sequence[Lexeme], owner: str) -> tuple[Kind, str]:
    """Return the kind of completion after the tokens `inner` of a `[…]`, and the attribute or owner that it concerns.

    `owner` is `sentence` for tests of a sentence, and empty for tests of a node.
    """
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
    """Split the last test. Return whether it starts with `has`, its attribute, and its tokens from the operator on.

    The tokens are None if there is no operator yet.
    """
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
