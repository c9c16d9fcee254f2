"""A value that a morphological feature never has.

## What
A value compared with a feature of UD that is not among those UD documents for it. A value with a comma is one too: a
word with `Case=Acc,Dat` has the values `Acc` and `Dat`.

## Why
The test is never true, and its negation always.

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

from collections.abc import Iterator

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.diagnostics.suggest import nearest
from fictdsl.lint.subject import Subject, texts
from fictdsl.semantics import ud
from fictdsl.semantics.walk import values

CODE = Code(
    "FICT504",
    "unknown-feature-value",
    "the feature `{feature}` has no value `{found}`",
    "A test for a value that a feature never has is never true, and its negation always.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look at every literal that is compared with a feature UD knows."""
    for tested in subject.tests:
        feature = tested.test.attribute.name
        if tested.place != "word" or feature not in ud.FEATURES:
            continue
        for atom in values(tested.test):
            for found in texts(atom, tested.definition):
                if found not in ud.FEATURES[feature]:
                    hint = _hint(feature, found)
                    yield subject.report(CODE, atom.span, hint=hint, feature=feature, found=found)


def _hint(feature: str, found: str) -> str:
    known = ud.FEATURES[feature]
    parts = found.split(",")
    if len(parts) > 1:
        return "a word with several values has each of them: " + ", ".join(f"`{feature} = {part}`" for part in parts)
    near = nearest(found, known) or next((value for value in known if found.lower().startswith(value.lower())), None)
    if near:
        return f"the nearest value is `{near}`"
    owner = next((name for name, others in ud.FEATURES.items() if found in others), None)
    if owner:
        return f"`{found}` is a value of `{owner}`"
    shown = ", ".join(known[:12])
    return f"its values are {shown}" + (", …" if len(known) > 12 else "")
