"""Print a syntax tree as canonical text, which parses to an equal tree."""

from __future__ import annotations

from fictdsl.syntax import nodes
from fictdsl.syntax.printing.clauses import block
from fictdsl.syntax.printing.document import WIDTH, Break, Doc, Group, Indent, flat, forced, join, render
from fictdsl.syntax.printing.rewrites import print_target, rewriting
from fictdsl.syntax.printing.terms import atomic, braces, value
from fictdsl.syntax.printing.trivia import Trivia

_METADATA_COLUMN = 8  # aligns the texts of metadata


def print_file(file: nodes.File, trivia: Trivia | None = None) -> str:
    """Return the canonical text of a file, ending in a newline, with the comments and blank lines of `trivia`."""
    trivia = Trivia() if trivia is None else trivia
    start = file.span.start
    parts: list[Doc] = [atomic(f"fict {file.version}", start, trivia.end_of(file.version, start), trivia)]
    previous_kind: type[nodes.Item] | None = None  # of the previous item, if a blank line after it is optional
    for item in file.items:
        start = item.span.start
        pinned, blank_first = trivia.is_pinned(start), trivia.blank_line_before(start)
        blank_anywhere = trivia.any_blank_line_before(start)
        leading = trivia.leading_comments(start)
        printed = _item(item, trivia)
        kind = type(item) if isinstance(item, nodes.Use | nodes.ListDef) and _fits_on_one_line(printed) else None
        blank_optional = blank_anywhere or (kind is not None and kind is previous_kind)
        parts += [" " if pinned else Break(blank=blank_first or not blank_optional), leading, printed]
        previous_kind = kind
    return render(join(*parts, trivia.remaining_comments(trivia.end))) + "\n"


def _fits_on_one_line(doc: Doc) -> bool:
    return not forced(doc) and len(flat(doc)) <= WIDTH


def _item(item: nodes.Item, trivia: Trivia) -> Doc:
    start, end = item.span.start, item.span.end
    match item:
        case nodes.Use(path):
            return atomic(f"use {value(path)}", start, end, trivia)
        case nodes.ListDef(name, nodes.ListFile(path, table=table)):
            return atomic(f"list {name.text} {'from' if table else '= file'} {value(path)}", start, end, trivia)
        case nodes.ListDef(name, nodes.ListLiteral() | nodes.ListRows() as literal):
            return braces(f"list {name.text} = ", literal, start, trivia)
        case nodes.PatternDef(name, parameters, inner):
            names = ", ".join(parameter.text for parameter in parameters)
            return block(f"pattern {name.text}({names})", inner, start, trivia, max_inline=1)
        case nodes.FilterDef():
            return _query("filter", item, trivia)
        case nodes.RewriteDef():
            return _query("rewrite", item, trivia)
        case _:
            raise TypeError(item)


def _query(keyword: str, item: nodes.Query, trivia: Trivia) -> Doc:
    head, search_from = f"{keyword} {item.name.text}", item.name.span.end
    if item.family is not None:
        choices = ", ".join(value(choice) for choice in item.family.values)
        head += f" for {item.family.parameter.text} in {{{choices}}}"
        search_from = item.family.span.end
    leading, trailing = trivia.comments_around(item.span.start, trivia.end_of("{", search_from))
    inner: list[Doc] = []
    for part in (*item.metadata, item.match, *item.actions):
        start = trivia.previous_start(part.span.start) if isinstance(part, nodes.Block) else part.span.start
        separator = " " if trivia.is_pinned(start) else Break(blank=bool(inner) and trivia.blank_line_before(start))
        inner += [separator, _part(part, start, trivia)]
    closing = item.span.end - 1
    end = " " if trivia.is_pinned(closing) else Break()
    body = Indent(join(*inner, trivia.remaining_comments(closing)))
    return join(leading, f"{head} {{", trailing, body, end, "}", trivia.trailing_comment(item.span.end))


def _part(part: nodes.Metadata | nodes.Block | nodes.Action | nodes.Rewriting, start: int, trivia: Trivia) -> Doc:
    match part:
        case nodes.Text(kind, text):
            return atomic(f"{kind.ljust(_METADATA_COLUMN)}{value(text)}", start, part.span.end, trivia)
        case nodes.TargetBenchmarks():
            return _targets(part, trivia)
        case nodes.Block():
            return block("match", part, start, trivia, max_inline=0)
        case nodes.AsIs(kind):
            return atomic(f"as-is {kind}", start, part.span.end, trivia)
        case nodes.Action():
            return atomic(print_action(part), start, part.span.end, trivia)
        case _:
            return rewriting(part, trivia)


def _targets(part: nodes.TargetBenchmarks, trivia: Trivia) -> Doc:
    """Print all targets on one line, or each on its own."""
    start = part.span.start
    names: list[Doc] = []
    for name in part.names:
        names += [trivia.line_break(name.span.start)] if names else []
        keyword = "" if names else "targets".ljust(_METADATA_COLUMN)
        names.append(atomic(keyword + name.text, name.span.start if names else start, name.span.end, trivia))
    return Group(Indent(join(*names), by=_METADATA_COLUMN))


def print_action(action: nodes.Action) -> str:
    """Return an action as text: `mask subtree(X) with upos`."""
    line = f"{action.verb} {print_target(action.target)}"
    if action.replacement is not None:
        return f"{line} with {value(action.replacement)}"
    return f"{line} with {action.tag}" if action.tag is not None else line
