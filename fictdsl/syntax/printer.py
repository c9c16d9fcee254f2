"""Print a syntax tree as canonical text, which parses to an equal tree, and format texts with their comments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import assert_never

from fictdsl.diagnostics.diagnostic import Diagnostic, has_errors
from fictdsl.source import Source
from fictdsl.syntax import nodes
from fictdsl.syntax.document import (
    ROW_INDENT,
    WIDTH,
    Break,
    Doc,
    Group,
    Indent,
    Join,
    Line,
    Rows,
    Trivia,
    ends_with_comment,
    flat,
    forced,
    join,
    render,
)
from fictdsl.syntax.nodes import File
from fictdsl.syntax.parse import parse
from fictdsl.syntax.terms import (
    atom,
    braces,
    bracketed,
    node,
    node_attribute,
    on_one_line,
    relation,
    sum_text,
    tests,
    value,
)


def print_rewriting(action: nodes.Rewriting) -> str:
    match action:
        case nodes.Insert(test=test, head=head):
            columns = "" if test is None else f"[{flat(tests(test, Trivia()))}]"
            place = f"as {atom(action.label)} of {head.text} {action.side} {print_target(action.destination)}"
            return f"insert {atom(action.word)}{columns} {place}"
        case nodes.Move(target=target, side=side, destination=destination):
            return f"move {print_target(target)} {side} {print_target(destination)}"
        case nodes.Swap(target=target, other=other):
            return f"swap {print_target(target)} with {print_target(other)}"
        case nodes.Set(attribute=attribute, value=value):
            return f"set {node_attribute(attribute)} = {_value(value)}"
        case nodes.Order(key=key, descending=descending, head_final=head_final):
            modifiers = f" by {key}{' desc' * descending}{' head-final' * head_final}"
        case nodes.Shuffle(by_length=by_length, window=window):
            modifiers = " by length" if by_length else "" if window is None else f" in {window}"
        case nodes.Delete() | nodes.Reverse() | nodes.Interleave():
            modifiers = ""
    return f"{type(action).__name__.lower()} {print_target(action.target)}{modifiers}"


def print_target(target: nodes.Target) -> str:
    names = ", ".join(node.text for node in target.nodes)
    return f"{target.kind}({names})" if target.nodes else target.kind


def _value(value: nodes.Atom | nodes.NodeAttribute | nodes.Function) -> str:
    match value:
        case nodes.NodeAttribute():
            return node_attribute(value)
        case nodes.Function(name=name, argument=argument, tag=tag):
            return f"{name}({node_attribute(argument)}{'' if tag is None else f', {tag.text}'})"
    return atom(value)


def block(head: str, block_node: nodes.Block, start: int, trivia: Trivia, max_inline: int = 2) -> Doc:
    """Lay out `head { clauses }`: on one line if it fits, has at most `max_inline` clauses and no nested block."""
    leading, content = _block(head, block_node, start, trivia, max_inline)
    return join(leading, Group(content), trivia.trailing_comment(block_node.span.end))


def _block(head: str, block_node: nodes.Block, start: int, trivia: Trivia, max_inline: int) -> tuple[Doc, Join]:
    leading, trailing = trivia.comments_around(start, block_node.span.start + 1)
    multiline = len(block_node.clauses) > max_inline or any(
        isinstance(clause, _BLOCK_CLAUSES) for clause in block_node.clauses
    )
    clause_docs: list[Doc] = []
    for clause, following in zip_longest(block_node.clauses, block_node.clauses[1:]):
        position = clause.span.start
        gap = "   " if clause_docs else " "
        if trivia.is_pinned(position):
            clause_docs.append(gap)
        elif clause_docs and trivia.blank_line_before(position):
            clause_docs.append(Break(blank=True))
        else:
            clause_docs.append(Break() if multiline else Line(gap))
        clause_docs.append(trivia.leading_comments(position))
        match clause, following:
            case nodes.Chain(nodes.NodeTerm(nodes.Name(text), (), None), ()), nodes.TupleMember():
                # `V (` begins a pattern call
                clause_docs.append(on_one_line(f"{text};", position, clause.span.end, trivia))
            case _:
                clause_docs.append(_clause(clause, trivia))
    closing = block_node.span.end - 1
    body = Indent(join(*clause_docs, trivia.remaining_comments(closing)))
    return leading, join(f"{head} {{", trailing, body, trivia.line_break(closing), "}")


_BLOCK_CLAUSES = (nodes.Without, nodes.Either, nodes.Maybe, nodes.Count)


def _clause(clause: nodes.Clause, trivia: Trivia) -> Doc:
    start, end = clause.span.start, clause.span.end
    match clause:
        case nodes.Chain(first, links):
            return _chain(first, ((relation(link.relation), link.target, link.span.start) for link in links), trivia)
        case nodes.Between(middle, left, right):
            ends = (("between", left), ("and", right))
            steps = ((word, term, trivia.previous_start(term.span.start)) for word, term in ends)
            return _chain(middle, steps, trivia)
        case nodes.Crossing():
            return _crossing(clause, trivia)
        case nodes.Maybe(inner_block) | nodes.Without(inner_block):
            return block(type(clause).__name__.lower(), inner_block, start, trivia)
        case nodes.Either(branches):
            return _either(branches, start, trivia)
        case nodes.Count(quantifier, number, counted, inner_block):
            return block(f"{quantifier} {number} {flat(node(counted, Trivia()))}", inner_block, start, trivia)
        case nodes.SentenceTest(test):
            return bracketed("sentence", test, start, trivia.end_of("[", start), end, trivia)
        case nodes.AttributeComparison(left, op, right):
            text = f"{node_attribute(left)} {op} {node_attribute(right)}"
        case nodes.SumComparison(left, op, right):
            text = f"{sum_text(left)} {op} {sum_text(right)}"
        case nodes.TupleMember(attributes, negated, reference):
            text = f"({', '.join(map(node_attribute, attributes))}) {'not in' if negated else 'in'} @{reference.name}"
        case nodes.Coincide(left, right):
            text = f"{left.text} may be {right.text}"
        case nodes.Call(pattern, arguments):
            names = ", ".join("_" if argument is None else argument.text for argument in arguments)
            text = f"{pattern.text}({names})"
        case _:
            assert_never(clause)
    return on_one_line(text, start, end, trivia)


def _chain(first: nodes.NodeTerm, steps: Iterable[tuple[str, nodes.NodeTerm, int]], trivia: Trivia) -> Doc:
    """Lay out a node and further nodes, each after a relation or keyword that begins at an offset."""
    head = node(first, trivia)
    docs: list[Doc] = []
    for text, term, position in steps:
        docs += [trivia.line_break(position), node(term, trivia, f"{text} ", position)]
    return Group(join(head, Indent(join(*docs)))) if docs else head


def _crossing(clause: nodes.Crossing, trivia: Trivia) -> Doc:
    position = clause.right.span.start
    head = node(clause.left, trivia, "crossing ", clause.span.start)
    return Group(join(head, ",", Indent(join(trivia.line_break(position), node(clause.right, trivia)))))


def _either(branches: Sequence[nodes.Block], start: int, trivia: Trivia) -> Doc:
    tight: list[Doc] = []
    loose: list[Doc] = []
    rows: list[Doc] = []
    for index, branch in enumerate(branches):
        position = trivia.previous_start(branch.span.start) if index else start
        is_pinned = index > 0 and trivia.is_pinned(position)
        leading, content = _block("or" if index else "either", branch, position, trivia, max_inline=2)
        trailing = trivia.trailing_comment(branch.span.end)
        if index:
            # `}` and the next `or` share a line, unless there is a comment between them.
            loose.append(Break() if leading or ends_with_comment(loose[-1]) else " ")
        loose.append(join(leading, content, trailing))
        branch_doc = join(leading, Group(content), trailing)
        tight.append(Indent(join(" " if is_pinned else Break(), branch_doc), by=ROW_INDENT) if index else branch_doc)
        rows.append(content)
    return Rows(tuple(rows), join(*tight), join(*loose))


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
        is_on_one_line = not forced(item_doc) and len(flat(item_doc)) <= WIDTH
        item_type = type(item) if is_on_one_line and isinstance(item, nodes.Use | nodes.ListDef) else None
        is_blank_optional = has_any_blank_line or (item_type is not None and item_type is previous_type)
        docs += [" " if is_pinned else Break(blank=has_blank_line or not is_blank_optional), leading_comments, item_doc]
        previous_type = item_type
    return render(join(*docs, trivia.remaining_comments(trivia.end))) + "\n"


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
        case nodes.FilterDef() | nodes.RewriteDef():
            return _query_doc(item, trivia)
    raise TypeError(item)


def _query_doc(query: nodes.Query, trivia: Trivia) -> Doc:
    keyword = "filter" if isinstance(query, nodes.FilterDef) else "rewrite"
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
        case nodes.TargetBenchmarks():
            return _targets_doc(part, trivia)
        case nodes.Block():
            return block("match", part, start, trivia, max_inline=0)
        case nodes.Text(kind, text):
            line = f"{kind.ljust(_METADATA_COLUMN)}{value(text)}"
        case nodes.AsIs(kind):
            line = f"as-is {kind}"
        case nodes.Action():
            line = print_action(part)
        case _:
            line = print_rewriting(part)
    return on_one_line(line, start, part.span.end, trivia)


def _targets_doc(targets: nodes.TargetBenchmarks, trivia: Trivia) -> Doc:
    start = targets.span.start
    names: list[Doc] = []
    for name in targets.names:
        names += [trivia.line_break(name.span.start)] if names else []
        keyword = "" if names else "targets".ljust(_METADATA_COLUMN)
        names.append(on_one_line(keyword + name.text, name.span.start if names else start, name.span.end, trivia))
    return Group(Indent(join(*names), by=_METADATA_COLUMN))


def print_action(action: nodes.Action) -> str:
    line = f"{action.verb} {print_target(action.target)}"
    if action.replacement is not None:
        return f"{line} with {value(action.replacement)}"
    return f"{line} with {action.tag}" if action.tag is not None else line


_MAX_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Formatted:
    text: str | None
    diagnostics: tuple[Diagnostic, ...]


class FormatError(Exception):
    """The formatted text differs from the original in more than layout: a bug. The file must not be written."""


def format_text(text: str, name: str = "<text>") -> Formatted:
    """Format a text to NFC, with its line endings. Raises FormatError if the tree or comments would change."""
    source = Source.of(text.removeprefix("\ufeff"), name)
    file, problems = parse(source)
    if file is None or has_errors(problems):
        return Formatted(None, tuple(problems))
    formatted = _format_verified(file, source)
    has_crlf = "\r\n" in source.text[: source.text.find("\n") + 1]
    return Formatted(formatted.replace("\n", "\r\n") if has_crlf else formatted, tuple(problems))


def _format_verified(file: File, source: Source) -> str:
    """Format until the result is stable. This takes several rounds only if a clause contains several comments."""
    comments = Trivia(source.text).texts
    formatted = print_file(file, Trivia(source.text))
    for _ in range(_MAX_ROUNDS):
        reparsed, problems = parse(Source.of(formatted, source.name))
        if reparsed is None or reparsed != file or has_errors(problems):
            raise FormatError(f"the layout of {source.name} has another syntax tree")
        trivia = Trivia(formatted)
        if trivia.texts != comments:
            raise FormatError(f"the layout of {source.name} has other comments")
        previous, formatted = formatted, print_file(reparsed, trivia)
        if formatted == previous:
            return formatted
    raise FormatError(f"the layout of {source.name} is not stable")
