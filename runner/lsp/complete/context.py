"""The syntactic context of a position in a text that may not parse.

While a clause is being typed it rarely parses, so the tokens before the position decide.
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

_TYPED = {"relation": r"[\w:@]*$", "value": r"[\w:]*$", "target": r"[\w/-]*$", "code": r"\w*$", "path": r'[^"\n]*$'}


@dataclass(frozen=True, slots=True)
class Context:
    """What may follow at a position. `span` is the text already typed, up to the position.

    `about` specifies the kind: the attribute of a value, `sentence` for an attribute of the sentence, `enhanced` for a
    relation of the enhanced graph, the action of a target, the feature of a layer, `node` for an attribute that is
    compared with another node's, `either` if another branch may follow, `use` or `file` for a path,
    `set misc` for a key that `set` writes.
    """

    kind: Kind
    span: Span
    about: str = ""


def context(text: str, offset: int) -> Context:
    """Return what may follow at an offset of a text."""
    region = reparse_span(text, offset - len(_before(r"\w*$", text, offset)), offset)
    local = _context(text[region.start : region.end], offset - region.start)
    return replace(local, span=Span(local.span.start + region.start, local.span.end + region.start))


def _context(text: str, offset: int) -> Context:
    start = offset - len(_before(r"\w*$", text, offset))
    comment = next((each.span for each in comments(text) if each.start < offset <= each.span.end), None)
    if comment is not None:
        return _in_comment(text, comment, offset)
    begin = max((span.start for span in item_spans(text, 0) if span.start < start), default=0)
    before = list(lexemes(text, begin, start))
    if before and _is_open_string(before[-1], start):
        return _in_string(before, offset)
    kind, about = classify(before)
    typed = _TYPED.get(kind)
    return Context(kind, Span(offset - len(_before(typed, text, offset)) if typed else start, offset), about)


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
