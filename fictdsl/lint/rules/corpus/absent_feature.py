"""A feature, or a value of one, that the corpus never has.

## What
A feature that no word of the corpus given with `--corpus` has, or a value that none has for it.

## Why
The test is never true there, and its negation always. Corpora differ in what was annotated, and a parser's output has
only what it was trained on.

## Example
```fict
filter f { match { N[Number = Dual] } }
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
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.lint.subject import Subject, Tested, texts
from fictdsl.semantics.check.attributes import full_name, is_feature
from fictdsl.semantics.walk import values
from fictdsl.syntax import nodes

CODE = Code(
    "FICT532",
    "absent-feature",
    "no word of the corpus has `{found}`",
    "A test of a feature, or of a value, that a corpus never has is never true there, and its negation always.",
    Severity.WARNING,
)

ASKS_CORPUS = True
_COLUMNS = ("upos", "xpos", "deprel", "enhanced")
_MOST_SHOWN = 8


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look at every test of a feature, and at every comparison of two words' features."""
    for tested in subject.tests:
        if tested.place == "word" and is_feature(tested.test.attribute.name):
            yield from _tested(subject, tested)
    for _, clause in subject.clauses:
        if isinstance(clause, nodes.Relate):
            for side in (clause.left, clause.right):
                if is_feature(side.attribute.name):
                    yield from _feature(subject, side.attribute)


def _tested(subject: Subject, tested: Tested) -> Iterator[Diagnostic]:
    attribute = tested.test.attribute
    name = full_name(attribute)
    known = subject.corpus.values.get(name)
    if not known:
        yield from _feature(subject, attribute)
        return
    for atom in values(tested.test):
        for found in texts(atom, tested.definition):
            if found not in known:
                hint = did_you_mean(found, known) or f"its values there are {', '.join(known[:_MOST_SHOWN])}"
                yield subject.report(CODE, atom.span, hint=hint, found=f"{name}={found}")


def _feature(subject: Subject, attribute: nodes.Attribute) -> Iterator[Diagnostic]:
    name = full_name(attribute)
    if not subject.corpus.values.get(name):
        known = [feature for feature in subject.corpus.values if feature not in _COLUMNS]
        yield subject.report(CODE, attribute.span, hint=did_you_mean(name, known), found=name)
