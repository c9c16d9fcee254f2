"""A filter whose name differs from that of its file.

## What
A file with one filter (or one family) whose name is not the file's name without `.fict`.

## Why
Filters are found by file name, and reports show the names of filters.

## Example
```fict
filter passive { about "A passive." match { V[Voice = Pass] } }
```

in the file `example.fict`.

## Use instead
```fict
filter example { about "A passive." match { V[Voice = Pass] } }
```
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext

CODE = Code(
    "FICT522",
    "file-name-differs",
    "filter `{name}` is the only filter of `{file}`, but the names differ",
    "Filters are found by the names of their files, and reports show the names of filters, so both should be the same.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Compare the name of a file with that of its only filter."""
    path = PurePath(context.module.source.name)
    if path.suffix != ".fict" or len(context.queries) != 1:
        return
    name = context.queries[0].name
    if name.text != path.stem:
        yield context.report(CODE, name.span, name=name.text, file=path.name)
