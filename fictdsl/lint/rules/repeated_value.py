"""A value that another value of the same list makes redundant.

## What
A value that occurs twice in one comparison, in one list in braces or after one colon. Also a relation label listed
together with a relation that includes it, since `deprel = nsubj` is also true of `nsubj:pass`.

## Why
The value is a leftover, or one of the two is a mistake.

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

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import labels, named_labels, terms, values

CODE = Code(
    "FICT526",
    "repeated-value",
    "the value {value} is redundant{why}",
    "A value that is listed twice is a leftover, or one of the two is a mistake.",
    Severity.WARNING,
)

ListedValue = tuple[nodes.Atom, Span]  # a value, and its span including a `=` before it


def check(context: LintContext) -> Iterator[Diagnostic]:
    for _, clause in context.clauses:
        for term in terms(clause):
            yield from _check_repeated(context, _with_spans(term.upos))
        for label_list in labels(clause):
            plain = [(name, label.span) for name, label in named_labels(label_list) if not label.exact]
            exact = [(name, label.span) for name, label in named_labels(label_list) if label.exact]
            yield from _check_repeated(context, exact)
            yield from _check_labels(context, plain, exact)
    for located in context.tests:
        test = located.test
        if test.attribute.name == "deprel" and not (isinstance(test, nodes.Compare) and test.op == "=="):
            yield from _check_labels(context, _with_spans(values(test)), ())
        else:
            yield from _check_repeated(context, _with_spans(values(test)))
    for item in context.module.file.items:
        if isinstance(item, nodes.ListDef) and isinstance(item.body, nodes.ListLiteral):
            yield from _check_repeated(context, _with_spans(item.body.values))


def _with_spans(atoms: Sequence[nodes.Atom]) -> list[ListedValue]:
    return [(atom, atom.span) for atom in atoms]


def _check_repeated(context: LintContext, listed: Sequence[ListedValue]) -> Iterator[Diagnostic]:
    first_spans: dict[tuple[type, str], Span] = {}
    for atom, span in listed:
        text = atom.text if isinstance(atom, nodes.Value) else f"${atom.name}"
        key = (type(atom), text)
        if key in first_spans:
            yield _report(context, (atom, span), first_spans[key], "first here", text, ": it is listed twice")
        first_spans.setdefault(key, atom.span)


def _check_labels(
    context: LintContext, plain: Sequence[ListedValue], exact: Sequence[ListedValue]
) -> Iterator[Diagnostic]:
    """Check labels that include their subtypes (`plain`) and labels that do not (`exact`)."""
    yield from _check_repeated(context, plain)
    plain_spans = {atom.text: atom.span for atom, _ in plain if isinstance(atom, nodes.Value)}
    for atom, span in (*plain, *exact):
        if isinstance(atom, nodes.Value):
            parts = atom.text.split(":")
            bases = [":".join(parts[:end]) for end in range(1, len(parts))]
            bases += [atom.text] if any(atom is label for label, _ in exact) else []
            base = next((base for base in bases if base in plain_spans), None)
            if base is not None:
                why = f": `{base}` includes it"
                yield _report(context, (atom, span), plain_spans[base], "here", atom.text, why)


def _report(context: LintContext, listed: ListedValue, other: Span, label: str, text: str, why: str) -> Diagnostic:
    atom, span = listed
    fix = context.fix_builder.remove_element(span, ("|", ","))
    return context.report(CODE, atom.span, labels=(Label(other, label),), fix=fix, value=f"`{text}`", why=why)
