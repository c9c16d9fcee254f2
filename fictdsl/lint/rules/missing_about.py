"""A filter without a description.

## What
A filter without `about "…"`, or with an empty one.

## Why
`fictc explain` and the report of a run show the description to people who do not read the filter itself.

## Example
```fict
filter f { match { N:NOUN } }
```

## Use instead
```fict
filter f {
  about "A noun."
  match { N:NOUN }
}
```
"""

from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT520",
    "{kind} `{name}` has no description",
    '`fictc explain` and the report of a run show the description of a filter, `about "…"`.',
)


@RULE.over(LintContext.queries)
def check(context: LintContext, query: nodes.Query) -> Findings:
    texts = [entry for entry in query.metadata if isinstance(entry, nodes.Text) and entry.kind == "about"]
    if not any(entry.text.text.strip() for entry in texts):
        kind = "rewrite" if isinstance(query, nodes.RewriteDef) else "filter"
        yield context.report(RULE, query.name.span, hint='add `about "…"`', kind=kind, name=query.name.text)
