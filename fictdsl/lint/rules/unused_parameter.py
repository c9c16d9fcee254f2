"""A parameter that is never used.

## What
A parameter of a pattern that does not occur in its block, or the parameter of a family that does not occur in its
`match` or in the actions of a rewrite.

## Why
Each call of the pattern has to name a node that the pattern does not constrain. All members of such a family are the
same.

## Example
```fict
filter f for g in {Fem, Masc} { match { P:PRON[Gender = Fem] } }
```

## Use instead
```fict
filter f for g in {Fem, Masc} { match { P:PRON[Gender = $g] } }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import all_names, parameters

CODE = Code(
    "FICT508",
    "unused-parameter",
    "the parameter `{name}` is never used",
    "A pattern that does not use a parameter does not constrain the node passed for it. A family that does not "
    "use its parameter has members that are all the same.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Report each parameter that its pattern or family does not use."""
    for definition in context.definitions:
        if isinstance(definition, nodes.PatternDef):
            used_names = {name.text for name in all_names(definition.block)}
            for name in definition.parameters:
                if name.text not in used_names:
                    yield context.report(CODE, name.span, name=name.text)
        elif definition.family is not None and not any(parameters((definition.match, definition.actions))):
            name = definition.family.parameter
            yield context.report(CODE, name.span, name=name.text)
