"""A part-of-speech tag that does not occur in the corpus.

## What
A tag after a node's colon, or compared with `upos` or `xpos`, that no word of the corpus given with `--corpus` has.

## Why
The test is never true in this corpus. Treebanks have different language-specific tags, and some do not use every
universal tag.

## Example
```fict
filter f { match { N[xpos = NNX] } }
```

## Use instead
```fict
filter f { match { N[xpos = NN] } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.lint.context import LintContext, texts
from fictdsl.semantics.walk import Definition, equal_values, terms
from fictdsl.syntax import nodes

CODE = Code(
    "FICT531",
    "absent-tag",
    "no word of the corpus has the {attribute} `{found}`",
    "A test for a tag that does not occur in a corpus is never true there, and its negation always is.",
    Severity.WARNING,
)

NEEDS_CORPUS = True


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check every UPOS and XPOS tag."""
    for definition, clause in context.clauses:
        for term in terms(clause):
            for atom in term.upos:
                yield from _check_tag(context, definition, "upos", atom)
    for located in context.tests:
        if located.test.attribute.name in ("upos", "xpos") and located.level == "word":
            for atom in equal_values(located.test):
                yield from _check_tag(context, located.definition, located.test.attribute.name, atom)


def _check_tag(context: LintContext, definition: Definition, attribute: str, atom: nodes.Atom) -> Iterator[Diagnostic]:
    corpus_tags = context.corpus.values.get(attribute, ())
    for tag in texts(atom, definition):
        if tag not in corpus_tags:
            hint = did_you_mean(tag, corpus_tags)
            yield context.report(CODE, atom.span, hint=hint, attribute=attribute, found=tag)
