"""The syntactic context of a position in a text that may not parse.

A clause rarely parses while it is typed, so the tokens before the position determine the context.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fictdsl.source import Span
from fictdsl.syntax.comments import comments
from fictdsl.syntax.scan import Lexeme, item_spans, lexemes, reparse_span
from runner.lsp.complete.kinds import Kind
from runner.lsp.complete.positions import classify

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
    `rewrite`) before a target, `by` or another action; `either` if another branch may follow; `use`, `file` or `from`
    for a path.
    """

    kind: Kind
    span: Span
    subject: str = ""


def context(text: str, offset: int) -> Context:
    """Return the context at an offset of a text."""
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
    """Return the text that a pattern matches on the line, up to an offset."""
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
