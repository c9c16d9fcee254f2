"""A lowercase word that is compared with case-sensitive forms.

## What
`form` or `phrase`, without `lower`, compared with a lowercase word or with a list that contains one. Comparisons with a
capital letter in a value (`form = Paris`) and values without letters are not reported.

## Why
At the beginning of a sentence and in headings the word has a capital letter, so it is not found there.

## Example
```fict
filter f { match { D[form = the] } }
```

## Use instead
```fict
filter f { match { D[lower(form) = the] } }
```
"""

from fictdsl.diagnostics.diagnostic import Fix
from fictdsl.lint.file_parts import AttributeUse
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax.files import to_lower

RULE = Rule(
    "FICT510",
    "`{attribute}` is case-sensitive: {value} matches, {other} does not",
    "Words at the beginning of a sentence have a capital letter. `lower(form)` matches a word in any position.",
)


@RULE.over(LintContext.cased_comparisons)
def check(context: LintContext, use: AttributeUse) -> Findings:
    """Report the first lowercase value. A capital letter in any value shows that the author considered case."""
    name, span = use.attribute.name, use.attribute.span
    texts = [located.text for located in use.texts]
    if name == "lemma" or use.in_tuple or any(text != text.lower() for text in texts):
        return
    for text in texts:
        if text != text.capitalize() and to_lower(text.capitalize()) == text:
            fix = Fix(span, f"lower({name})", safe=False)
            value, other = f"`{text}`", f"`{text.capitalize()}`"
            hint = f"`lower({name})` matches both"
            yield context.report(RULE, span, hint=hint, fix=fix, attribute=name, value=value, other=other)
            return
