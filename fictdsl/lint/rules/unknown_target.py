"""A target that is neither a paradigm nor a phenomenon of its benchmark.

## What
A name in `targets` that begins with a known benchmark (`blimp/`, `winobias/`) and is not one of its paradigms or
phenomena. Also a name that begins with a probable misspelling of one (`blmp/`). Other benchmarks are not checked.

## Why
The report compares the targets of a filter first. A target that does not exist has no scores to compare.

## Example
```fict
filter f { targets blimp/passive_3 match { V[Voice = Pass] } }
```

## Use instead
```fict
filter f { targets blimp/passive_1 match { V[Voice = Pass] } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.suggest import nearest
from fictdsl.lint.rule_context import LintContext
from fictdsl.lint.vocabulary import PARADIGMS, misspelled_suite, target_names
from fictdsl.syntax import nodes

CODE = Code(
    "FICT523",
    "unknown-target",
    "`{suite}` has no paradigm `{name}`",
    "`targets` names the paradigms that a report compares first. "
    "A target that does not exist has no scores to compare.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    for query in context.queries:
        for entry in query.metadata:
            for target in entry.names if isinstance(entry, nodes.TargetBenchmarks) else ():
                suite, _, name = target.text.partition("/")
                if suite in PARADIGMS and name not in target_names(suite):
                    suggestion = nearest(name, sorted(target_names(suite)))
                    hint = f"the nearest one is `{suite}/{suggestion}`" if suggestion else None
                    yield context.report(CODE, target.span, hint=hint, suite=suite, name=name)
                elif suite not in PARADIGMS and (suggestion := misspelled_suite(suite)):
                    hint = f"a known benchmark is `{suggestion}`"
                    yield context.report(CODE, target.span, hint=hint, suite=suite, name=name)
