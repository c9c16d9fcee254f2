"""A place in a text, broken as it may be, into what may stand there: the tokens before it decide, not the parser.

While somebody types, the clause at hand hardly ever parses; what comes before the cursor still says what is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fictdsl.source import Span
from fictdsl.syntax.printing.comments import comments
from fictdsl.syntax.text.scan import Lexeme, item_spans, lexemes, reparse_span
from runner.lsp.complete.kinds import Kind
from runner.lsp.complete.positions import classify

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
    part = reparse_span(text, offset - len(_before(r"\w*$", text, offset)), offset)
    found = _context(text[part.start : part.end], offset - part.start)
    return replace(found, span=Span(found.span.start + part.start, found.span.end + part.start))


def _context(text: str, offset: int) -> Context:
    start = offset - len(_before(r"\w*$", text, offset))
    comment = next((found.span for found in comments(text) if found.start < offset <= found.span.end), None)
    if comment is not None:
        return _in_comment(text, comment, offset)
    begin = max((span.start for span in item_spans(text, 0) if span.start < start), default=0)
    before = list(lexemes(text, begin, start))
    if before and _is_open_string(before[-1], start):
        return _in_string(before, offset)
    kind, about = classify(before)
    shape = _SHAPES.get(kind)
    return Context(kind, Span(offset - len(_before(shape, text, offset)) if shape else start, offset), about)


def _before(pattern: str, text: str, offset: int) -> str:
    line = text.rfind("\n", 0, offset) + 1
    match = re.search(pattern, text[line:offset])
    return match[0] if match else ""


def _in_comment(text: str, comment: Span, offset: int) -> Context:
    typed = re.fullmatch(r"#\s*fict:\s*ignore\s*\[\s*(\w*)", text[comment.start : offset])
    return Context("code" if typed else "nothing", Span(offset - len(typed[1]) if typed else offset, offset))


def _is_open_string(lexeme: Lexeme, at: int) -> bool:
    return (
        lexeme.kind == "string"
        and lexeme.span.end == at
        and (len(lexeme.text) == 1 or not re.search(r'(?<!\\)"$', lexeme.text))
    )


def _in_string(before: Sequence[Lexeme], offset: int) -> Context:
    opener = before[-2].text if len(before) > 1 else ""
    return Context("path" if opener in ("use", "file") else "nothing", Span(before[-1].span.start + 1, offset), opener)
