"""A filter that matches no sentence of the corpus.

## What
A filter that matches nothing in the corpus given with `--corpus`.

## Why
It would not change the corpus or, with `keep sentence`, would leave nothing of it. The construction does not occur, or
is annotated differently. `fictc explain --corpus` shows the step after which no match is left.

## Example
```fict
filter f { match { P:PUNCT -[nsubj]-> S } }
```

## Use instead
```fict
filter f { match { P:VERB -[nsubj]-> S } }
```
"""

from fictdsl.compiler import CompiledFilter
from fictdsl.lint.rule_context import Findings, LintContext, Rule

RULE = Rule(
    "FICT534",
    "filter `{name}` matches no sentence of the corpus",
    "A filter that matches nothing does not change a corpus or, with `keep sentence`, leaves nothing of it. "
    "The construction does not occur, or is annotated differently.",
    needs_corpus=True,
)


@RULE.over(LintContext.counted_filters)
def check(context: LintContext, counted: tuple[CompiledFilter, int]) -> Findings:
    compiled, matching = counted
    if context.corpus.sentences and matching == 0:
        yield context.report(RULE, compiled.definition.name.span, name=compiled.name)
