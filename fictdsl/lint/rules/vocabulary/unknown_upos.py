"""A part of speech that Universal Dependencies does not have.

## What
A tag after a node's colon, or compared with `upos`, that is none of the seventeen of UD.

## Why
The tags are spelt in capitals and abbreviated in ways of their own (ADP, SCONJ, PROPN). A test for another one holds
of no word, so the filter silently finds nothing, or with `!=` everything.

## Example
```fict
filter f { match { V:VREB } }
```

## Use instead
```fict
filter f { match { V:VERB } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.lint.subject import Subject, texts
from fictdsl.semantics import ud
from fictdsl.semantics.walk import Definition, terms, values
from fictdsl.syntax import nodes

CODE = Code(
    "FICT501",
    "unknown-upos",
    "`{found}` is no part of speech of Universal Dependencies",
    "UD has seventeen, spelt in capitals, so a test for another one holds of no word.",
    Severity.WARNING,
)

# What other tag sets call them.
_OTHERS = {
    "CONJ": "CCONJ",
    "PREP": "ADP",
    "P": "ADP",
    "N": "NOUN",
    "V": "VERB",
    "A": "ADJ",
    "MODAL": "AUX",
    "NP": "PROPN",
}
_PENN = (
    "CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NN", "NNS", "NNP", "NNPS", "PDT", "POS", "PRP",
    "RB", "RBR", "RBS", "RP", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "WDT", "WP", "WRB",
)  # fmt: skip


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look at every literal that stands for a part of speech."""
    for item, clause in subject.clauses:
        for term in terms(clause):
            for atom in term.upos:
                yield from _tag(subject, item, atom)
    for tested in subject.tests:
        if tested.test.attribute.name == "upos" and tested.place == "word":
            for atom in values(tested.test):
                yield from _tag(subject, tested.definition, atom)


def _tag(subject: Subject, item: Definition, atom: nodes.Atom) -> Iterator[Diagnostic]:
    for found in texts(atom, item):
        if found not in ud.UPOS:
            yield subject.report(CODE, atom.span, hint=_hint(found), found=found)


def _hint(found: str) -> str | None:
    if found.upper() in _OTHERS:
        return f"UD calls it `{_OTHERS[found.upper()]}`"
    if found in _PENN:
        return f"`xpos = {found}` tests the tags of the Penn Treebank"
    return did_you_mean(found, ud.UPOS)
