"""The reserved words of the language, and the closed sets of words that it accepts."""

from __future__ import annotations

import re

_RESERVED = """fict use list pattern filter for file about source note targets match without either or at least
most exactly sentence between remove keep mask count with node subtree span and not in has lower phrase
maybe may crossing"""
RESERVED: tuple[str, ...] = tuple(_RESERVED.split())
ITEM_WORDS: tuple[str, ...] = ("use", "list", "pattern", "filter", "rewrite")
ORDER_OPERATORS: tuple[str, ...] = ("<", "<=", ">", ">=")  # compare numbers
SUBSTRING_OPERATORS: tuple[str, ...] = ("contains", "starts", "ends")  # not reserved
VERSION = "1"
FILTER_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
FAMILY_VALUE = re.compile(r"[A-Za-z0-9_-]+")

ACTIONS: tuple[str, ...] = ("remove", "keep", "mask", "count")

# Words of rewrites. They are not reserved: the grammar accepts each only where no name is allowed.
REWRITINGS: tuple[str, ...] = (
    "delete", "move", "swap", "insert", "set", "reverse", "order", "shuffle", "interleave",
)  # fmt: skip
REWRITE_WORDS: tuple[str, ...] = (
    "rewrite", "as-is", "case", "article", *REWRITINGS, "before", "after", "as", "of", "by", "length", "desc", "chance",
    "head-final", "upper", "capital", "inflect",
)  # fmt: skip
