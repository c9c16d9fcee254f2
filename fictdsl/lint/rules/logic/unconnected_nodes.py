"""Two parts of a filter that no relation connects.

## What
A `match` with two groups of at least two nodes each, in which relations connect the nodes of each group but no relation
connects the groups. A single node with a test, anywhere in the sentence (`N:NOUN  Q[form = "?"]`), is not reported.

## Why
Every match of one group is combined with every match of the other, anywhere in the sentence. Most often a name that
should occur in both groups is misspelt.

## Example
```fict
filter f { match { V:VERB -[nsubj]-> S  N:NOUN -[nmod]-> M } }
```

## Use instead
```fict
filter f { match { V:VERB -[nsubj]-> S  S:NOUN -[nmod]-> M } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from fictdsl.lint.context import LintContext
from fictdsl.semantics.walk import all_names, terms
from fictdsl.source import Span
from fictdsl.syntax import nodes

CODE = Code(
    "FICT519",
    "unconnected-nodes",
    "no relation connects {one} with {other}",
    "Each match of one part is combined with each match of the other, anywhere in the sentence. This is rarely "
    "intended if both parts have relations.",
    Severity.WARNING,
)

_MAX_SHOWN = 3

_Part = dict[str, Span]  # the nodes of a connected part, with their first occurrences


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Compute the connected components of the nodes of each `match`."""
    for item in context.queries:
        parts = [part for part in _parts(item.match) if len(part) > 1]
        for part in parts[1:]:
            first = parts[0]
            spans = sorted(part.values())
            labels = (Label(sorted(first.values())[0], "the other part"),)
            yield context.report(CODE, spans[0], labels=labels, one=_node_list(part), other=_node_list(first))


def _parts(block: nodes.Block) -> list[_Part]:
    parts: list[_Part] = []
    for clause in block.clauses:
        connected = _nodes(clause)
        if not connected:
            continue
        unconnected = []
        for part in parts:
            if connected.keys().isdisjoint(part):
                unconnected.append(part)
            else:
                connected = part | {name: span for name, span in connected.items() if name not in part}
        parts = [*unconnected, connected]
    return sorted(parts, key=lambda part: min(part.values()))


def _nodes(clause: nodes.Clause) -> _Part:
    """Return the nodes that a clause connects, including those of the blocks in it."""
    part: _Part = {}
    for name in all_names(clause):
        part.setdefault(name.text, name.span)
    if isinstance(clause, nodes.Chain | nodes.Between | nodes.Crossing):
        part |= {f"_{term.span.start}": term.span for term in terms(clause) if term.name is None}
    return part


def _node_list(part: _Part) -> str:
    names = ["`_`" if name.startswith("_") else f"`{name}`" for name in sorted(part, key=part.__getitem__)]
    return ", ".join(names[:_MAX_SHOWN]) + (", …" if len(names) > _MAX_SHOWN else "")
