"""A malformed ignore comment.

## What
A comment that begins with `# fict:` and is not of the form `# fict: ignore[FICT503] reason`. It must name the code of
one lint rule and give a reason.

## Why
The comment looks as if it ignored a finding, but has no effect. The reason is for the next reader.

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

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.lint.suppress import directive_problem, directives

CODE = Code(
    "FICT528",
    "bad-ignore",
    "this comment ignores nothing: {problem}",
    "`# fict: ignore[FICT503] reason` on a line, or above an item, ignores the findings of one lint rule there. The "
    "reason is for the next reader.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check every comment that begins with `# fict:`."""
    for span, directive in directives(context.module):
        problem = directive_problem(directive)
        if problem is not None:
            yield context.report(CODE, span, hint=problem[1], problem=problem[0])
