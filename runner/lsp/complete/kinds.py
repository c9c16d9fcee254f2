"""The kinds of contexts, and the signs that determine them."""

from __future__ import annotations

from typing import Literal

from fictdsl.syntax.scan import PARTNER

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
