"""A part-of-speech tag that Universal Dependencies does not define.

## What
A tag after a node's colon, compared with `upos` or set by a rewrite, that is not one of the 17 UPOS tags of UD. The
finding is an error: `fictc plan` and `fictc run` reject the filter. A tag that occurs in the given corpus is not
reported. In a file with the comment `# tagset: other` before its first item, the finding is a hint.

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
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.lint.context import LintContext, texts
from fictdsl.lint.vocabulary import upos_hint
from fictdsl.semantics import ud
from fictdsl.semantics.walk import Definition, equal_values, terms
from fictdsl.syntax import nodes

CODE = Code(
    "FICT501",
    "unknown-upos",
    "`{found}` is not a UPOS tag",
    "Universal Dependencies has 17 UPOS tags, written in capitals. A test for another tag is true of no word.",
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check every UPOS tag."""
    for definition, clause in context.clauses:
        for term in terms(clause):
            for atom in term.upos:
                yield from _check_tag(context, definition, atom)
    for located in context.tests:
        if located.test.attribute.name == "upos" and located.level == "word":
            for atom in equal_values(located.test):
                yield from _check_tag(context, located.definition, atom)
    for assignment in context.assignments:
        if assignment.attribute.name == "upos":
            for atom in assignment.values:
                yield from _check_tag(context, assignment.definition, atom)


def _check_tag(context: LintContext, definition: Definition, atom: nodes.Atom) -> Iterator[Diagnostic]:
    for tag in texts(atom, definition):
        if tag not in ud.UPOS and not (context.facts and tag in context.facts.values.get("upos", ())):
            yield context.report_label(CODE, atom.span, hint=upos_hint(tag), found=tag)
