"""A part-of-speech tag that Universal Dependencies does not define.

## What
A tag after a node's colon, compared with `upos`, directly or in a named list, or set by a rewrite, that is not one of
the 17 UPOS tags of UD. The finding is an error: `fictc plan` and `fictc run` reject the filter. A tag that occurs in
the given corpus is not reported. In a file with the comment `# tagset: other` before its first list, pattern, filter or
rewrite, the finding is a hint.

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

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.lint.rule_context import LintContext, LocatedText, located_texts
from fictdsl.lint.vocabulary import upos_hint
from fictdsl.semantics import ud
from fictdsl.syntax.walk import terms

CODE = Code(
    "FICT501",
    "unknown-upos",
    "`{found}` is not a UPOS tag",
    "Universal Dependencies has 17 UPOS tags, written in capitals. A test for another tag is true of no word.",
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    for definition, clause in context.clauses:
        for term in terms(clause):
            for located in located_texts(term.upos, definition):
                yield from _check_tag(context, located)
    for comparison in context.comparisons:
        if comparison.attribute.name == "upos":
            for located in comparison.texts:
                yield from _check_tag(context, located)
    for assignment in context.assignments:
        if assignment.attribute.name == "upos":
            for located in assignment.texts:
                yield from _check_tag(context, located)


def _check_tag(context: LintContext, located: LocatedText) -> Iterator[Diagnostic]:
    tag = located.text
    if tag not in ud.UPOS and not (context.corpus_facts and tag in context.corpus_facts.values.get("upos", ())):
        yield context.report_label(CODE, located, hint=upos_hint(tag))
