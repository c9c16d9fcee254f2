"""Two parts of a filter that no relation connects.

## What
A `match` with two groups of nodes, each of two or more and held together by relations of its own, and nothing that
relates a node of the one to a node of the other. A single word with a test, anywhere in the sentence
(`N:NOUN  Q[form = "?"]`), is left alone.

## Why
Every match of the one group is paired with every match of the other, wherever in the sentence they are. Most often a
name is misspelt that should stand in both.

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
from fictdsl.lint.subject import Subject
from fictdsl.semantics.walk import all_names, terms
from fictdsl.source import Span
from fictdsl.syntax import nodes

CODE = Code(
    "FICT519",
    "unconnected-nodes",
    "no relation connects {one} with {other}",
    "Each match of one part is paired with each match of the other, anywhere in the sentence, which is "
    "seldom meant where both have relations of their own.",
    Severity.WARNING,
)

_SHOWN = 3

_Part = dict[str, Span]  # the nodes of a connected part, each where it first stands


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Join what stands in one clause, and see what is left apart."""
    for item in subject.filter_items:
        parts = [part for part in _parts(item.match) if len(part) > 1]
        for other in parts[1:]:
            first = parts[0]
            spans = sorted(other.values())
            labels = (Label(sorted(first.values())[0], "the other part"),)
            yield subject.report(CODE, spans[0], labels=labels, one=_shown(other), other=_shown(first))


def _parts(block: nodes.Block) -> list[_Part]:
    parts: list[_Part] = []
    for clause in block.clauses:
        joined = _nodes(clause)
        if not joined:
            continue
        apart = []
        for part in parts:
            if joined.keys().isdisjoint(part):
                apart.append(part)
            else:
                joined = part | {name: span for name, span in joined.items() if name not in part}
        parts = [*apart, joined]
    return sorted(parts, key=lambda part: min(part.values()))


def _nodes(clause: nodes.Clause) -> _Part:
    """The nodes a clause relates; those of a block in it relate to each other."""
    found: _Part = {}
    for name in all_names(clause):
        found.setdefault(name.text, name.span)
    if isinstance(clause, nodes.Chain | nodes.Between):
        found |= {f"_{term.span.start}": term.span for term in terms(clause) if term.name is None}
    return found


def _shown(part: _Part) -> str:
    names = ["`_`" if name.startswith("_") else f"`{name}`" for name in sorted(part, key=part.__getitem__)]
    return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")
