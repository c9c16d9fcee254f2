"""An ignore comment without effect.

## What
`# fict: ignore[FICT503] reason` where there is no such finding on its line, or in the item directly below.

## Why
It would silently hide the next mistake.

## Example
```fict
filter f { match { N[Number = Plur] } }  # fict: ignore[FICT503] our treebank has it
```

## Use instead
```fict
filter f { match { N[Numerus = Plur] } }  # fict: ignore[FICT503] our treebank has it
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.context import LintContext

CODE = Code(
    "FICT527",
    "unused-ignore",
    "{ignored} is not reported here, so this comment ignores nothing",
    "An ignore comment without effect would silently hide the next mistake.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:  # noqa: ARG001
    """Yield nothing: `lint.suppress` reports these comments after all rules have run."""
    yield from ()
