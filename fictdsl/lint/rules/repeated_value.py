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

from collections.abc import Sequence

from fictdsl.diagnostics.diagnostic import Diagnostic, Label
from fictdsl.lint.file_parts import ListedValues
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.source import Span
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT526",
    "the value {value} is redundant{why}",
    "A value that is listed twice is a leftover, or one of the two is a mistake.",
)

ListedValue = tuple[nodes.Atom, Span]  # a value, and its span including a `=` before it


@RULE.over(LintContext.listed_values)
def check(context: LintContext, listed: ListedValues) -> Findings:
    yield from _check_repeated(context, listed.exact)
    yield from _check_repeated(context, listed.plain)
    plain_spans = {atom.text: atom.span for atom, _ in listed.plain if isinstance(atom, nodes.Value)}
    for atom, span in (*listed.plain, *listed.exact) if plain_spans else ():
        if isinstance(atom, nodes.Value):
            parts = atom.text.split(":")
            bases = [":".join(parts[:end]) for end in range(1, len(parts))]
            bases += [atom.text] if any(atom is label for label, _ in listed.exact) else []
            base = next((base for base in bases if base in plain_spans), None)
            if base is not None:
                why = f": `{base}` includes it"
                yield _report(context, (atom, span), plain_spans[base], "here", atom.text, why)


def _check_repeated(context: LintContext, listed: Sequence[ListedValue]) -> Findings:
    first_spans: dict[tuple[type, str], Span] = {}
    for atom, span in listed:
        text = atom.text if isinstance(atom, nodes.Value) else f"${atom.name}"
        key = (type(atom), text)
        if key in first_spans:
            yield _report(context, (atom, span), first_spans[key], "first here", text, ": it is listed twice")
        first_spans.setdefault(key, atom.span)


def _report(context: LintContext, listed: ListedValue, other: Span, label: str, text: str, why: str) -> Diagnostic:
    atom, span = listed
    fix = context.fix_builder.remove_element(span, ("|", ","))
    return context.report(RULE, atom.span, labels=(Label(other, label),), fix=fix, value=f"`{text}`", why=why)
