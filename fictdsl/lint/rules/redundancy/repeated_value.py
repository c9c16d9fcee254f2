"""A value that is listed twice.

## What
A value that occurs twice in one comparison, in one list in braces or after one colon; and a relation label whose
subtype or base is listed beside it, since `deprel = nsubj` is true of `nsubj:pass` as well.

## Why
It is left over, or one of the two is not what was meant.

## Example
```fict
filter f { match { V:VERB -[nsubj|nsubj:pass]-> S:NOUN } }
```

## Use instead
```fict
filter f { match { V:VERB -[nsubj]-> S:NOUN } }
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from fictdsl.lint.subject import Subject
from fictdsl.semantics.walk import labels, terms, values
from fictdsl.source import Span
from fictdsl.syntax import nodes

CODE = Code(
    "FICT526",
    "repeated-value",
    "the value {value} is given already{why}",
    "A value that is listed twice is left over, or one of the two is not what was meant.",
    Severity.WARNING,
)

Listed = tuple[nodes.Atom, Span]  # a value, and where it stands with its `=` if it has one


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Look at everything that is a list of values."""
    for _, clause in subject.clauses:
        for term in terms(clause):
            yield from _repeated(subject, _listed(term.upos))
        for found in labels(clause):
            plain = [(label.label, label.span) for label in found.labels if not label.exact]
            exact = [(label.label, label.span) for label in found.labels if label.exact]
            yield from _repeated(subject, exact)
            yield from _labels(subject, plain, exact)
    for tested in subject.tests:
        test = tested.test
        if test.attribute.name == "deprel" and not (isinstance(test, nodes.Compare) and test.op == "=="):
            yield from _labels(subject, _listed(values(test)), ())
        else:
            yield from _repeated(subject, _listed(values(test)))
    for item in subject.module.file.items:
        if isinstance(item, nodes.ListDef) and isinstance(item.body, nodes.ListLiteral):
            yield from _repeated(subject, _listed(item.body.values))


def _listed(atoms: Sequence[nodes.Atom]) -> list[Listed]:
    return [(atom, atom.span) for atom in atoms]


def _repeated(subject: Subject, listed: Sequence[Listed]) -> Iterator[Diagnostic]:
    first: dict[tuple[type, str], Span] = {}
    for atom, place in listed:
        text = atom.text if isinstance(atom, nodes.Value) else f"${atom.name}"
        key = (type(atom), text)
        if key in first:
            yield _report(subject, (atom, place), first[key], "first here", text, "")
        first.setdefault(key, atom.span)


def _labels(subject: Subject, plain: Sequence[Listed], exact: Sequence[Listed]) -> Iterator[Diagnostic]:
    """Labels that stand for their subtypes as well, and labels that do not."""
    yield from _repeated(subject, plain)
    known = {atom.text: atom.span for atom, _ in plain if isinstance(atom, nodes.Value)}
    for atom, place in (*plain, *exact):
        if isinstance(atom, nodes.Value):
            parts = atom.text.split(":")
            bases = [":".join(parts[:end]) for end in range(1, len(parts))]
            bases += [atom.text] if any(atom is label for label, _ in exact) else []
            base = next((base for base in bases if base in known), None)
            if base is not None:
                why = f": `{base}` is true of its subtypes"
                yield _report(subject, (atom, place), known[base], "here", atom.text, why)


def _report(subject: Subject, listed: Listed, other: Span, says: str, text: str, why: str) -> Diagnostic:
    atom, place = listed
    fix = subject.edit.element(place, ("|", ","))
    return subject.report(CODE, atom.span, labels=(Label(other, says),), fix=fix, value=f"`{text}`", why=why)
