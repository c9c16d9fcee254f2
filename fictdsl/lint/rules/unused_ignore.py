"""An ignore comment without effect.

## What
`# fict: ignore[FICT503] reason` where FICT503 is not reported on its line or in the item directly below.

## Why
It would silently hide a later mistake.

## Example
```fict
filter f { match { N[Number = Plur] } }  # fict: ignore[FICT503] our treebank has it
```

## Use instead
```fict
filter f { match { N[Number = Plur] } }
```
"""

from fictdsl.lint.rule_context import Rule

# `fictdsl.lint.suppress` reports these comments after all rules have run
RULE = Rule(
    "FICT527",
    "{ignored} is not reported here, so this comment ignores nothing",
    "An ignore comment without effect would silently hide a later mistake.",
)
