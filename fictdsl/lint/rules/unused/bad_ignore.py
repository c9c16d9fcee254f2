"""A comment that is meant to silence a lint, and cannot.

## What
A comment that begins `# fict:` and is not of the form `# fict: ignore[FICT503] reason`: it names no code or several,
a code that there is not or that is an error, or it gives no reason.

## Why
It silences nothing, and looks as if it did. The reason is for the next reader.

## Example
```fict
filter f { match { N[Numerus = Plur] } }  # fict: ignore[FICT503]
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
from fictdsl.lint.suppress import malformed, marks

CODE = Code(
    "FICT528",
    "bad-ignore",
    "this comment silences nothing: {problem}",
    "`# fict: ignore[FICT503] reason` on a line, or above an item, silences one lint there. The reason is "
    "for the next reader.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look at every comment that begins `# fict:`."""
    for span, what in marks(subject.module):
        problem = malformed(what)
        if problem is not None:
            yield subject.report(CODE, span, hint=problem[1], problem=problem[0])
