"""A part-of-speech tag that Universal Dependencies does not define.

## What
A tag after a node's colon, or compared with `upos`, that is not one of the 17 UPOS tags of UD.

## Why
UPOS tags are written in capitals and have their own abbreviations (ADP, SCONJ, PROPN). A test for another tag is true
of no word, so the filter silently finds nothing, or everything with `!=`.

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
    "`{found}` is not a UPOS tag",
    "Universal Dependencies has 17 UPOS tags, written in capitals. A test for another tag is true of no word.",
    Severity.WARNING,
)

# Tags of other tag sets, and their UPOS equivalents.
_UPOS_NAMES = {
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
    """Check every UPOS tag."""
    for item, clause in subject.clauses:
        for term in terms(clause):
            for atom in term.upos:
                yield from _tag(subject, item, atom)
    for tested in subject.tests:
        if tested.test.attribute.name == "upos" and tested.level == "word":
            for atom in values(tested.test):
                yield from _tag(subject, tested.definition, atom)


def _tag(subject: Subject, item: Definition, atom: nodes.Atom) -> Iterator[Diagnostic]:
    for tag in texts(atom, item):
        if tag not in ud.UPOS:
            yield subject.report(CODE, atom.span, hint=_hint(tag), found=tag)


def _hint(tag: str) -> str | None:
    if tag.upper() in _UPOS_NAMES:
        return f"UD calls it `{_UPOS_NAMES[tag.upper()]}`"
    if tag in _PENN:
        return f"`xpos = {tag}` tests the tags of the Penn Treebank"
    return did_you_mean(tag, ud.UPOS)
