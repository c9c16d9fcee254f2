"""A relation label that Universal Dependencies does not define.

## What
A label in a relation, or compared with `deprel`, that is neither one of the 37 relations of UD nor a subtype that is
documented for English or for several languages. In the enhanced graph, where labels end in prepositions and
conjunctions (`nmod:in`), only the part before the colon is checked.

## Why
A misspelt label matches no words, so the filter silently finds nothing.

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
from fictdsl.semantics.walk import Definition, links, named_labels, values
from fictdsl.syntax import nodes

CODE = Code(
    "FICT502",
    "unknown-relation",
    "`{found}` is not a relation of Universal Dependencies",
    "UD has 37 relations; languages add subtypes after a colon. A label that no treebank has matches no words.",
    Severity.WARNING,
)

# Labels of other schemes, such as Stanford Dependencies and spaCy, and their UD equivalents.
_UD_NAMES = {
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
    """Check every relation label."""
    for item, clause in subject.clauses:
        for _, link in links(clause):
            relation = link.relation
            if isinstance(relation, nodes.Edge | nodes.Path) and relation.labels is not None:
                enhanced = isinstance(relation, nodes.Edge) and relation.enhanced
                for name, _ in named_labels(relation.labels):
                    yield from _label(subject, item, name, enhanced=enhanced)
    for tested in subject.tests:
        if tested.test.attribute.name == "deprel" and tested.level == "word":
            for atom in values(tested.test):
                yield from _label(subject, tested.definition, atom, enhanced=False)


def _label(subject: Subject, item: Definition, atom: nodes.Atom, *, enhanced: bool) -> Iterator[Diagnostic]:
    for label in texts(atom, item):
        if not ud.is_relation(label, enhanced=enhanced):
            yield subject.report(CODE, atom.span, hint=_hint(label), found=label)


def _hint(label: str) -> str | None:
    if label in _UD_NAMES:
        return f"UD calls it `{_UD_NAMES[label]}`"
    near = nearest(label, (*ud.RELATIONS, *ud.ENGLISH_SUBTYPES, *ud.OTHER_SUBTYPES))
    if near:
        return f"the nearest name is `{near}`"
    base = label.partition(":")[0]
    return f"`{base}` is a relation, and includes all its subtypes" if base in ud.RELATIONS else None
