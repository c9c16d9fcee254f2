"""A relation label that the corpus never has.

## What
A label in a relation, or compared with `deprel`, that no word of the corpus given with `--corpus` bears, nor, where
subtypes count, any subtype of it. Of the enhanced graph, its own labels are looked at.

## Why
The relation holds of no words there, so the filter silently finds nothing: `obl:tmod` is in older releases of UD
English, `obl:unmarked` in newer ones.

## Example
```fict
filter f { match { V -[obl:tmod]-> N:NOUN } }
```

## Use instead
```fict
filter f { match { V -[obl]-> N:NOUN } }
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.lint.subject import Subject, texts
from fictdsl.semantics.walk import Definition, links, values
from fictdsl.syntax import nodes

CODE = Code(
    "FICT530",
    "absent-relation",
    "no word of the corpus bears `{found}`",
    "A label that a corpus never has relates no words there. Treebanks differ in the subtypes they have, and "
    "releases of Universal Dependencies rename some.",
    Severity.WARNING,
)

ASKS_CORPUS = True
_MOST_SHOWN = 8


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look at every literal that stands for a relation."""
    for item, clause in subject.clauses:
        for _, link in links(clause):
            relation = link.relation
            if isinstance(relation, nodes.Edge | nodes.Path) and relation.labels is not None:
                graph = "enhanced" if isinstance(relation, nodes.Edge) and relation.enhanced else "deprel"
                for label in relation.labels.labels:
                    yield from _label(subject, item, label.label, exact=label.exact, graph=graph)
    for tested in subject.tests:
        test = tested.test
        if test.attribute.name == "deprel" and tested.place == "word":
            exact = isinstance(test, nodes.Compare) and test.op == "=="
            for atom in values(test):
                yield from _label(subject, tested.definition, atom, exact=exact, graph="deprel")


def _label(subject: Subject, item: Definition, atom: nodes.Atom, *, exact: bool, graph: str) -> Iterator[Diagnostic]:
    for found in texts(atom, item):
        if not subject.corpus.has_label(found, exact=exact, graph=graph):
            yield subject.report(CODE, atom.span, hint=_hint(found, subject.corpus.values.get(graph, ())), found=found)


def _hint(found: str, known: Sequence[str]) -> str | None:
    base = found.partition(":")[0]
    related = [label for label in known if label.partition(":")[0] == base]
    if related:
        return "it has " + ", ".join(f"`{label}`" for label in related[:_MOST_SHOWN])
    return did_you_mean(found, known)
