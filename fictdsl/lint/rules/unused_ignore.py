"""An ignore comment without effect.

## What
`# fict: ignore[FICT503] reason` where FICT503 is not reported on its line or in the item directly below.

## Why
It would silently hide a later mistake.

## Example
```fict
filter f { match { N[Number = Plur] } }  # fict: ignore[FICT503] our treebank has it
```

## Use instead
```fict
filter f { match { N[Number = Plur] } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext

CODE = Code(
    "FICT527",
    "unused-ignore",
    "{ignored} is not reported here, so this comment ignores nothing",
    "An ignore comment without effect would silently hide a later mistake.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:  # noqa: ARG001
    """Yield nothing: `lint.suppress` reports these comments after all rules have run."""
    yield from ()
