"""A syntax tree into its one canonical text: parsing the text gives the tree back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from fictdsl.syntax import nodes
from fictdsl.syntax.print_tests import atom, list_literal, node_attribute, node_term, relation, test, value

WIDTH = 100
_INDENT = "  "
_METADATA_COLUMN = 8  # texts of metadata begin here, so that they stand below each other


def print_file(file: nodes.File) -> str:
    """The canonical text of a file, ending in a newline. Comments are no part of the tree, so they are gone."""
    parts = [f"fict {file.version}\n"]
    before: nodes.Item | None = None
    for item in file.items:
        lines = _item(item)
        close = type(item) is type(before) and isinstance(item, nodes.Use | nodes.ListDef) and len(lines) == 1
        parts.append(("" if close else "\n") + "\n".join(lines) + "\n")
        before = item if len(lines) == 1 else None
    return "".join(parts)


def _item(item: nodes.Item) -> list[str]:
    match item:
        case nodes.Use(path):
            return [f"use {value(path)}"]
        case nodes.ListDef(name, nodes.ListFile(path)):
            return [f"list {name.text} = file {value(path)}"]
        case nodes.ListDef(name, nodes.ListLiteral() as literal):
            return _list(f"list {name.text} = ", literal)
        case nodes.PatternDef(name, parameters, block):
            names = ", ".join(parameter.text for parameter in parameters)
            return _headed(f"pattern {name.text}({names})", block)
        case nodes.FilterDef():
            return _filter(item)
        case _:
            raise TypeError(item)


def _list(head: str, literal: nodes.ListLiteral) -> list[str]:
    line = head + list_literal(literal)
    if len(line) <= WIDTH:
        return [line]
    entries = [atom(entry) for entry in literal.values]
    filled = _fill([f"{entry}," for entry in entries[:-1]] + entries[-1:])
    return [head + "{", *_indented(filled), "}"]


def _fill(words: Iterable[str]) -> list[str]:
    """Words joined by spaces into lines that fit, indented, into the width."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= WIDTH - len(_INDENT):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _indented(lines: Iterable[str]) -> list[str]:
    return [_INDENT + line for line in lines]


def _filter(item: nodes.FilterDef) -> list[str]:
    head = f"filter {item.name.text}"
    if item.family is not None:
        choices = ", ".join(value(choice) for choice in item.family.values)
        head += f" for {item.family.parameter.text} in {{{choices}}}"
    inner = [line for part in item.metadata for line in _metadata(part)]
    inner += _headed("match", item.match)
    inner += [_action(action) for action in item.actions]
    return [head + " {", *_indented(inner), "}"]


def _metadata(part: nodes.Metadata) -> list[str]:
    match part:
        case nodes.Text(kind, text):
            return [f"{kind.ljust(_METADATA_COLUMN)}{value(text)}"]
        case nodes.Targets(names):
            margin = " " * _METADATA_COLUMN
            lines = _fill(name.text for name in names)
            return [("targets " if index == 0 else margin) + line for index, line in enumerate(lines)]
        case _:
            assert_never(part)


def _action(action: nodes.Action) -> str:
    target = action.target.kind
    if action.target.nodes:
        target += "(" + ", ".join(node.text for node in action.target.nodes) + ")"
    line = f"{action.verb} {target}"
    if action.replacement is not None:
        return f"{line} with {value(action.replacement)}"
    return f"{line} with {action.tag}" if action.tag is not None else line


# --- blocks and clauses: a list of lines each, not yet indented


def _headed(head: str, block: nodes.Block) -> list[str]:
    """`head { clause }` on one line if that is all and fits, else a line for each clause."""
    inner = [line for clause in block.clauses for line in _clause(clause)]
    if len(inner) == 1 and not _holds_block(block.clauses[0]):
        line = f"{head} {{ {inner[0]} }}"
        if len(line) <= WIDTH:
            return [line]
    return [head + " {", *_indented(inner), "}"]


def _holds_block(clause: nodes.Clause) -> bool:
    return isinstance(clause, nodes.Without | nodes.Either | nodes.Count)


def _clause(clause: nodes.Clause) -> list[str]:
    match clause:
        case nodes.Chain(first, links):
            return _chain(first, links)
        case nodes.Between(middle, left, right):
            return [f"{node_term(middle)} between {node_term(left)} and {node_term(right)}"]
        case nodes.Relate(left_side, op, right_side):
            return [f"{node_attribute(left_side)} {op} {node_attribute(right_side)}"]
        case nodes.Without(block):
            return _headed("without", block)
        case nodes.Either(branches):
            return _either(branches)
        case nodes.Count(quantifier, number, node, block):
            return _headed(f"{quantifier} {number} {node_term(node)}", block)
        case nodes.SentenceTest(tests):
            return [f"sentence[{test(tests)}]"]
        case nodes.Call(pattern, arguments):
            named = ", ".join("_" if argument is None else argument.text for argument in arguments)
            return [f"{pattern.text}({named})"]
        case _:
            assert_never(clause)


def _chain(first: nodes.NodeTerm, links: tuple[nodes.Link, ...]) -> list[str]:
    steps = [f"{relation(link.relation)} {node_term(link.target)}" for link in links]
    line = " ".join([node_term(first), *steps])
    if len(line) <= WIDTH - 2 * len(_INDENT) or not steps:
        return [line]
    return [node_term(first), *_indented(steps)]


def _either(branches: tuple[nodes.Block, ...]) -> list[str]:
    printed = [_headed("either" if index == 0 else "or", branch) for index, branch in enumerate(branches)]
    line = " ".join(lines[0] for lines in printed)
    if all(len(lines) == 1 for lines in printed) and len(line) <= WIDTH - 2 * len(_INDENT):
        return [line]
    # `}` and the next `or` share a line where both are long: `} or {`.
    joined: list[str] = []
    for lines in printed:
        if joined and joined[-1] == "}":
            joined[-1] = f"}} {lines[0]}"
            joined += lines[1:]
        else:
            joined += lines
    return joined
