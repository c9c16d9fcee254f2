"""A value that Universal Dependencies does not define for a feature.

## What
A value that is compared with a feature, or set by a rewrite, and that UD does not document for this feature. Values
with a comma are reported too: a word with `Case=Acc,Dat` has the values `Acc` and `Dat`.

## Why
The test is never true, and its negation always is.

## Example
```fict
filter f { match { N[Number = Plural] } }
```

## Use instead
```fict
filter f { match { N[Number = Plur] } }
```
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.context import LintContext, texts
from fictdsl.lint.vocabulary import value_hint
from fictdsl.semantics import ud
from fictdsl.semantics.check.attributes import full_name
from fictdsl.semantics.walk import Definition, equal_values
from fictdsl.syntax import nodes

CODE = Code(
    "FICT504",
    "unknown-feature-value",
    "the feature `{feature}` has no value `{found}`",
    "A test for a value that a feature never has is never true, and its negation always is.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check every value that a feature of UD is compared with or set to."""
    for located in context.tests:
        if located.level == "word":
            yield from _check_values(context, located.definition, located.test.attribute, equal_values(located.test))
    for assignment in context.assignments:
        yield from _check_values(context, assignment.definition, assignment.attribute, assignment.values)


def _check_values(
    context: LintContext, definition: Definition, attribute: nodes.Attribute, atoms: Iterable[nodes.Atom]
) -> Iterator[Diagnostic]:
    feature = attribute.name
    for atom in atoms if feature in ud.FEATURES else ():
        for value in texts(atom, definition):
            if value not in ud.FEATURES[feature]:
                hint = value_hint(full_name(attribute), value)
                yield context.report(CODE, atom.span, hint=hint, feature=feature, found=value)
