"""Print a syntax tree as canonical text, which parses to an equal tree."""

from __future__ import annotations

from fictdsl.syntax import nodes
from fictdsl.syntax.printing.clauses import block
from fictdsl.syntax.printing.document import WIDTH, Break, Doc, Group, Indent, flat, forced, join, render
from fictdsl.syntax.printing.rewrites import print_target, rewriting
from fictdsl.syntax.printing.terms import braces, on_one_line, value
from fictdsl.syntax.printing.trivia import Trivia

_METADATA_COLUMN = 8  # aligns the texts of metadata


def print_file(file: nodes.File, trivia: Trivia | None = None) -> str:
    """Return the canonical text of a file, ending in a newline, with the comments and blank lines of `trivia`."""
    trivia = Trivia() if trivia is None else trivia
    start = file.span.start
    docs: list[Doc] = [on_one_line(f"fict {file.version}", start, trivia.end_of(file.version, start), trivia)]
    previous_type: type[nodes.Item] | None = None  # of the previous item, if a blank line after it is optional
    for item in file.items:
        start = item.span.start
        is_pinned, has_blank_line = trivia.is_pinned(start), trivia.blank_line_before(start)
        has_any_blank_line = trivia.any_blank_line_before(start)
        leading_comments = trivia.leading_comments(start)
        item_doc = _item_doc(item, trivia)
        item_type = type(item) if isinstance(item, nodes.Use | nodes.ListDef) and _fits_on_one_line(item_doc) else None
        is_blank_optional = has_any_blank_line or (item_type is not None and item_type is previous_type)
        docs += [" " if is_pinned else Break(blank=has_blank_line or not is_blank_optional), leading_comments, item_doc]
        previous_type = item_type
    return render(join(*docs, trivia.remaining_comments(trivia.end))) + "\n"


def _fits_on_one_line(doc: Doc) -> bool:
    return not forced(doc) and len(flat(doc)) <= WIDTH


def _item_doc(item: nodes.Item, trivia: Trivia) -> Doc:
    start, end = item.span.start, item.span.end
    match item:
        case nodes.Use(path):
            return on_one_line(f"use {value(path)}", start, end, trivia)
        case nodes.ListDef(name, nodes.ListFile(path, table=table)):
            return on_one_line(f"list {name.text} {'from' if table else '= file'} {value(path)}", start, end, trivia)
        case nodes.ListDef(name, nodes.ListLiteral() | nodes.ListRows() as literal):
            return braces(f"list {name.text} = ", literal, start, trivia)
        case nodes.PatternDef(name, parameters, body):
            names = ", ".join(parameter.text for parameter in parameters)
            return block(f"pattern {name.text}({names})", body, start, trivia, max_inline=1)
        case nodes.FilterDef():
            return _query_doc("filter", item, trivia)
        case nodes.RewriteDef():
            return _query_doc("rewrite", item, trivia)
        case _:
            raise TypeError(item)


def _query_doc(keyword: str, query: nodes.Query, trivia: Trivia) -> Doc:
    head, search_from = f"{keyword} {query.name.text}", query.name.span.end
    if query.family is not None:
        family_values = ", ".join(value(family_value) for family_value in query.family.values)
        head += f" for {query.family.parameter.text} in {{{family_values}}}"
        search_from = query.family.span.end
    leading_comments, trailing_comment = trivia.comments_around(query.span.start, trivia.end_of("{", search_from))
    part_docs: list[Doc] = []
    for part in (*query.metadata, query.match, *query.actions):
        start = trivia.previous_start(part.span.start) if isinstance(part, nodes.Block) else part.span.start
        separator = " " if trivia.is_pinned(start) else Break(blank=bool(part_docs) and trivia.blank_line_before(start))
        part_docs += [separator, _part_doc(part, start, trivia)]
    closing = query.span.end - 1
    last_break = " " if trivia.is_pinned(closing) else Break()
    body = Indent(join(*part_docs, trivia.remaining_comments(closing)))
    return join(
        leading_comments, f"{head} {{", trailing_comment, body, last_break, "}", trivia.trailing_comment(query.span.end)
    )


def _part_doc(part: nodes.Metadata | nodes.Block | nodes.Action | nodes.Rewriting, start: int, trivia: Trivia) -> Doc:
    match part:
        case nodes.Text(kind, text):
            return on_one_line(f"{kind.ljust(_METADATA_COLUMN)}{value(text)}", start, part.span.end, trivia)
        case nodes.TargetBenchmarks():
            return _targets_doc(part, trivia)
        case nodes.Block():
            return block("match", part, start, trivia, max_inline=0)
        case nodes.AsIs(kind):
            return on_one_line(f"as-is {kind}", start, part.span.end, trivia)
        case nodes.Action():
            return on_one_line(print_action(part), start, part.span.end, trivia)
        case _:
            return rewriting(part, trivia)


def _targets_doc(targets: nodes.TargetBenchmarks, trivia: Trivia) -> Doc:
    """Print all targets on one line, or each on its own."""
    start = targets.span.start
    names: list[Doc] = []
    for name in targets.names:
        names += [trivia.line_break(name.span.start)] if names else []
        keyword = "" if names else "targets".ljust(_METADATA_COLUMN)
        names.append(on_one_line(keyword + name.text, name.span.start if names else start, name.span.end, trivia))
    return Group(Indent(join(*names), by=_METADATA_COLUMN))


def print_action(action: nodes.Action) -> str:
    """Return an action as text: `mask subtree(X) with upos`."""
    line = f"{action.verb} {print_target(action.target)}"
    if action.replacement is not None:
        return f"{line} with {value(action.replacement)}"
    return f"{line} with {action.tag}" if action.tag is not None else line
