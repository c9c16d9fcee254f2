"""A syntax tree into its one canonical text: parsing the text gives the tree back."""

from __future__ import annotations

from typing import assert_never

from fictdsl.syntax import nodes
from fictdsl.syntax.printing.clauses import block
from fictdsl.syntax.printing.document import WIDTH, Break, Doc, Group, Indent, flat, forced, join, render
from fictdsl.syntax.printing.tests import atomic, braces, value
from fictdsl.syntax.printing.trivia import Margin

_METADATA_COLUMN = 8  # texts of metadata begin here, so that they stand below each other


def print_file(file: nodes.File, margin: Margin | None = None) -> str:
    """The canonical text of a file, ending in a newline, with the comments and empty lines of a margin."""
    margin = Margin() if margin is None else margin
    start = file.span.start
    parts: list[Doc] = [atomic(f"fict {file.version}", start, margin.after(file.version, start), margin)]
    before: type[nodes.Item] | None = None  # the kind of the last item, if it may stand close to another
    for item in file.items:
        start = item.span.start
        held, first_gap, gap = margin.held(start), margin.gap(start), margin.gaps(start)
        above = margin.above(start)
        printed = _item(item, margin)
        kind = type(item) if isinstance(item, nodes.Use | nodes.ListDef) and _one_line(printed) else None
        close = gap or (kind is not None and kind is before)
        parts += [" " if held else Break(blank=first_gap or not close), above, printed]
        before = kind
    return render(join(*parts, margin.below(margin.end))) + "\n"


def _one_line(doc: Doc) -> bool:
    return not forced(doc) and len(flat(doc)) <= WIDTH


def _item(item: nodes.Item, margin: Margin) -> Doc:
    start, end = item.span.start, item.span.end
    match item:
        case nodes.Use(path):
            return atomic(f"use {value(path)}", start, end, margin)
        case nodes.ListDef(name, nodes.ListFile(path)):
            return atomic(f"list {name.text} = file {value(path)}", start, end, margin)
        case nodes.ListDef(name, nodes.ListLiteral() as literal):
            return braces(f"list {name.text} = ", literal, start, margin)
        case nodes.PatternDef(name, parameters, inner):
            names = ", ".join(parameter.text for parameter in parameters)
            return block(f"pattern {name.text}({names})", inner, start, margin, most=1)
        case nodes.FilterDef():
            return _filter(item, margin)
        case _:
            raise TypeError(item)


def _filter(item: nodes.FilterDef, margin: Margin) -> Doc:
    head, opening = f"filter {item.name.text}", item.name.span.end
    if item.family is not None:
        choices = ", ".join(value(choice) for choice in item.family.values)
        head += f" for {item.family.parameter.text} in {{{choices}}}"
        opening = item.family.span.end
    above, beside = margin.around(item.span.start, margin.after("{", opening))
    inner: list[Doc] = []
    for part in (*item.metadata, item.match, *item.actions):
        start = margin.before(part.span.start) if isinstance(part, nodes.Block) else part.span.start
        apart = " " if margin.held(start) else Break(blank=bool(inner) and margin.gap(start))
        inner += [apart, _part(part, start, margin)]
    closing = item.span.end - 1
    end = " " if margin.held(closing) else Break()
    body = Indent(join(*inner, margin.below(closing)))
    return join(above, f"{head} {{", beside, body, end, "}", margin.beside(item.span.end))


def _part(part: nodes.Metadata | nodes.Block | nodes.Action, start: int, margin: Margin) -> Doc:
    match part:
        case nodes.Text(kind, text):
            return atomic(f"{kind.ljust(_METADATA_COLUMN)}{value(text)}", start, part.span.end, margin)
        case nodes.Targets():
            return _targets(part, margin)
        case nodes.Block():
            return block("match", part, start, margin, most=0)
        case nodes.Action():
            return atomic(print_action(part), start, part.span.end, margin)
        case _:
            assert_never(part)


def _targets(part: nodes.Targets, margin: Margin) -> Doc:
    """All on one line, or each on its own."""
    start = part.span.start
    names: list[Doc] = []
    for name in part.names:
        names += [margin.line(name.span.start)] if names else []
        before = "" if names else "targets".ljust(_METADATA_COLUMN)
        names.append(atomic(before + name.text, name.span.start if names else start, name.span.end, margin))
    return Group(Indent(join(*names), by=_METADATA_COLUMN))


def print_action(action: nodes.Action) -> str:
    """An action as it is written: `mask subtree(X) with upos`."""
    target = action.target.kind
    if action.target.nodes:
        target += "(" + ", ".join(node.text for node in action.target.nodes) + ")"
    line = f"{action.verb} {target}"
    if action.replacement is not None:
        return f"{line} with {value(action.replacement)}"
    return f"{line} with {action.tag}" if action.tag is not None else line
