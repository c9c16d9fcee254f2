"""A filter that matches no sentence of the corpus.

## What
A filter that matches nothing in the corpus given with `--corpus`.

## Why
It would not change the corpus or, with `keep sentence`, would leave nothing of it. The construction does not occur, or
is annotated differently. `fictc explain --corpus` shows the step after which no match is left.

## Example
```fict
filter f { match { P:PUNCT -[nsubj]-> S } }
```

## Use instead
```fict
filter f { match { P:VERB -[nsubj]-> S } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext

CODE = Code(
    "FICT534",
    "matches-nothing",
    "filter `{name}` matches no sentence of the corpus",
    "A filter that matches nothing does not change a corpus or, with `keep sentence`, leaves nothing of it. "
    "The construction does not occur, or is annotated differently.",
    Severity.WARNING,
)

NEEDS_CORPUS = True


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Report each filter that matches no sentence."""
    for compiled in context.filters:
        if context.corpus.sentences and context.corpus.match_counts.get(compiled.key) == 0:
            yield context.report(CODE, compiled.definition.name.span, name=compiled.name)
