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

from fictdsl.diagnostics.diagnostic import Diagnostic, Fix
from fictdsl.lint.file_parts import AttributeUse
from fictdsl.lint.rule_context import Findings, LintContext, Rule, shown
from fictdsl.syntax.files import TAB
from fictdsl.words import inflected

RULE = Rule(
    "FICT512",
    "{entries} {verb} a {character}, but `{attribute}` is a single word",
    "Words rarely contain a space. `phrase` and `lower(phrase)` match several words in a row.",
)

_MAX_SHOWN = 3


@RULE.over(LintContext.spaced_comparisons)
def check(context: LintContext, use: AttributeUse) -> Findings:
    texts = [located.text for located in use.texts]
    if tabbed := [text for text in texts if TAB in text]:
        hint = "a tab separates columns: leave only the column of the words"
        yield _report(context, use, tabbed, "tab", hint)
    if spaced := [text for text in texts if " " in text and TAB not in text and not text.replace(" ", "").isdigit()]:
        if use.in_tuple:  # where `phrase` is not allowed
            yield _report(context, use, spaced, "space")
            return
        phrase = "lower(phrase)" if use.attribute.lower else "phrase"
        fix = Fix(use.attribute.span, phrase, safe=False) if use.attribute.name == "form" else None
        yield _report(context, use, spaced, "space", f"`{phrase}` matches several words in a row", fix)


def _report(
    context: LintContext,
    use: AttributeUse,
    texts: list[str],
    character: str,
    hint: str | None = None,
    fix: Fix | None = None,
) -> Diagnostic:
    entries, verb = shown(texts, _MAX_SHOWN), inflected(len(texts), "has", "have")
    span, attribute = use.attribute.span, use.attribute.text()
    parameters = {"entries": entries, "verb": verb, "attribute": attribute, "character": character}
    return context.report(RULE, span, labels=use.texts[0].labels, hint=hint, fix=fix, **parameters)
