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

from pathlib import PurePath

from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT522",
    "filter `{name}` is the only filter of `{file}`, but the names differ",
    "Filters are found by the names of their files, and reports show the names of filters, so both should be the same.",
)


@RULE.over(LintContext.queries)
def check(context: LintContext, query: nodes.Query) -> Findings:
    path, name = PurePath(context.module.source.name), query.name
    if path.suffix == ".fict" and len(context.queries) == 1 and name.text != path.stem:
        yield context.report(RULE, name.span, name=name.text, file=path.name)
