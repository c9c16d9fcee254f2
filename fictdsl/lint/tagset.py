"""The comment `# tagset: other`, which declares that a file uses tags and relations that UD does not define."""

from __future__ import annotations

import re

from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module
from fictdsl.syntax.printing.comments import comments

HINT = "`# tagset: other` at the head of a file declares another tag set"
_DECLARATION = re.compile(r"#\s*tagset:\s*other")


def has_other_tagset(module: Module) -> bool:
    """Return whether a file has the comment before its first list, pattern, filter or rewrite, on a line of its own."""
    text = module.source.text
    if "tagset:" not in text:
        return False
    definitions = (item for item in module.file.items if not isinstance(item, nodes.Use))
    head = min((definition.span.start for definition in definitions), default=len(text))
    return any(
        comment.own_line and comment.start < head and _DECLARATION.fullmatch(comment.text) for comment in comments(text)
    )
