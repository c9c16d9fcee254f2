"""A comment that silences nothing.

## What
`# fict: ignore[FICT503] reason` where there is no such finding on its line, or in the item right below.

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
from fictdsl.lint.subject import Subject

CODE = Code(
    "FICT527",
    "unused-ignore",
    "there is no {ignored} here to ignore",
    "A comment that silences nothing would silently hide the next mistake.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:  # noqa: ARG001
    """Nothing here: `lint.suppress` knows which comments were needed once all rules have spoken."""
    yield from ()
