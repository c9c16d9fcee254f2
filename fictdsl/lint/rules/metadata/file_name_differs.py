"""A filter that is called something else than its file.

## What
A file with one filter (or one family) whose name is not the file's name without `.fict`.

## Why
People look for filters by file, and reports show the filters' own names.

## Example
```fict
filter passive { about "A passive." match { V[Voice = Pass] } }
```

in a file called `example.fict`.

## Use instead
```fict
filter example { about "A passive." match { V[Voice = Pass] } }
```
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.subject import Subject

CODE = Code(
    "FICT522",
    "file-name-differs",
    "filter `{name}` stands alone in a file called `{file}`",
    "Filters are found by the names of their files, and reports show their own names; one name for both is enough.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Compare the name of an only filter with that of the file it was read from."""
    path = PurePath(subject.module.source.name)
    if path.suffix != ".fict" or len(subject.filter_items) != 1:
        return
    name = subject.filter_items[0].name
    if name.text != path.stem:
        yield subject.report(CODE, name.span, name=name.text, file=path.name)
