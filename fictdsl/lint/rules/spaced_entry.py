"""A value of several words that is compared with one word.

## What
A value with a space or a tab, in a list or in the test itself, that is compared with the form or lemma of a node.

## Why
Nodes are single words, which rarely contain a space (some numbers do). `phrase` matches several words in a row,
beginning at the node. An entry with a tab is a row of a table, such as a word and its count; only a list with `from`
has columns.

## Example
```fict
list npi = {ever, "at all"}
filter f { match { N[lower(form) in @npi] } }
```

## Use instead
```fict
list npi = {ever, "at all"}
filter f { match { N[lower(phrase) in @npi] } }
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.semantics.check_tests import full_name
from fictdsl.syntax import nodes
from fictdsl.syntax.files import TAB
from fictdsl.words import inflected

CODE = Code(
    "FICT512",
    "spaced-entry",
    "{entries} {verb} a {character}, but `{attribute}` is a single word",
    "Words rarely contain a space. `phrase` and `lower(phrase)` match several words in a row.",
    Severity.WARNING,
)

_MAX_SHOWN = 3


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check every value that a form or lemma is compared with."""
    for comparison in context.comparisons:
        attribute = comparison.attribute
        if attribute.name not in ("form", "lemma") or attribute.key:
            continue
        compared_texts = [located.text for located in comparison.texts]
        tabbed_texts = [text for text in compared_texts if TAB in text]
        spaced_texts = [
            text for text in compared_texts if " " in text and TAB not in text and not text.replace(" ", "").isdigit()
        ]
        if not tabbed_texts and not spaced_texts:
            continue
        labels = () if comparison.reference is None else context.list_labels(comparison.reference)
        if tabbed_texts:
            yield context.report(
                CODE,
                attribute.span,
                labels=labels,
                hint="a tab separates columns: leave only the column of the words",
                entries=_shown(tabbed_texts),
                verb=inflected(len(tabbed_texts), "has", "have"),
                attribute=full_name(attribute),
                character="tab",
            )
        if not spaced_texts:
            continue
        phrase = "lower(phrase)" if attribute.lower else "phrase"
        is_in_tuple = isinstance(comparison.node, nodes.TupleMember)  # where `phrase` is not allowed
        yield context.report(
            CODE,
            attribute.span,
            labels=labels,
            hint=None if is_in_tuple else f"`{phrase}` matches several words in a row",
            fix=Fix(attribute.span, phrase, safe=False) if attribute.name == "form" and not is_in_tuple else None,
            entries=_shown(spaced_texts),
            verb=inflected(len(spaced_texts), "has", "have"),
            attribute=full_name(attribute),
            character="space",
        )


def _shown(texts: Sequence[str]) -> str:
    """Return the first texts, and the number of the others."""
    remainder = f" and {len(texts) - _MAX_SHOWN} more" if len(texts) > _MAX_SHOWN else ""
    return ", ".join(f"`{text}`" for text in texts[:_MAX_SHOWN]) + remainder
