"""A relation label that no treebank of Universal Dependencies has.

## What
A label in a relation, or compared with `deprel`, that is neither one of the 37 relations of UD nor a subtype that is
documented for English or for several languages. Of the enhanced graph, whose labels end in prepositions and
conjunctions (`nmod:in`), only the part before the colon is looked at.

## Why
A label that is misspelt relates no words, so the filter silently finds nothing.

## Example
```fict
filter f { match { V -[nsub]-> S:NOUN } }
```

## Use instead
```fict
filter f { match { V -[nsubj]-> S:NOUN } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.suggest import nearest
from fictdsl.lint.subject import Subject, texts
from fictdsl.semantics import ud
from fictdsl.semantics.walk import Definition, links, values
from fictdsl.syntax import nodes

CODE = Code(
    "FICT502",
    "unknown-relation",
    "`{found}` is no relation of Universal Dependencies",
    "UD has 37 relations; languages add subtypes after a colon. A label that no treebank has relates no words.",
    Severity.WARNING,
)

# What earlier and other schemes call them.
_OTHERS = {
    "dobj": "obj",
    "pobj": "obl` or `nmod",
    "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass",
    "auxpass": "aux:pass",
    "neg": "advmod",
    "prep": "case",
    "rcmod": "acl:relcl",
    "relcl": "acl:relcl",
    "agent": "obl:agent",
    "poss": "nmod:poss",
    "prt": "compound:prt",
    "num": "nummod",
    "attr": "cop",
    "ROOT": "root",
    "SBJ": "nsubj",
    "subj": "nsubj",
}


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look at every literal that stands for a relation."""
    for item, clause in subject.clauses:
        for _, link in links(clause):
            relation = link.relation
            if isinstance(relation, nodes.Edge | nodes.Path) and relation.labels is not None:
                enhanced = isinstance(relation, nodes.Edge) and relation.enhanced
                for label in relation.labels.labels:
                    yield from _label(subject, item, label.label, enhanced=enhanced)
    for tested in subject.tests:
        if tested.test.attribute.name == "deprel" and tested.place == "word":
            for atom in values(tested.test):
                yield from _label(subject, tested.definition, atom, enhanced=False)


def _label(subject: Subject, item: Definition, atom: nodes.Atom, *, enhanced: bool) -> Iterator[Diagnostic]:
    for found in texts(atom, item):
        if not ud.is_relation(found, enhanced=enhanced):
            yield subject.report(CODE, atom.span, hint=_hint(found), found=found)


def _hint(found: str) -> str | None:
    if found in _OTHERS:
        return f"UD calls it `{_OTHERS[found]}`"
    near = nearest(found, (*ud.RELATIONS, *ud.ENGLISH_SUBTYPES, *ud.OTHER_SUBTYPES))
    if near:
        return f"the nearest name is `{near}`"
    base = found.partition(":")[0]
    return f"`{base}` is one, and true of all its subtypes" if base in ud.RELATIONS else None
