"""Words that are moved into themselves.

## What
A `move` whose target and destination share a word in every match, or a `swap` whose two targets do. Both are the same
node, or one is inside the subtree of the other.

## Why
Words cannot stand before or after themselves, so every match is invalid and the rewrite changes nothing.

## Example
```fict
rewrite r { match { V -[obj]-> O } move subtree(V) after node(O) }
```

## Use instead
```fict
rewrite r { match { V -[obj]-> O } move node(V) after subtree(O) }
```
"""

from fictdsl.lint.facts import descendant_names, names_in_target
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT538",
    "both {targets} contain the word of `{name}`",
    "The target and the destination of `move`, and the two targets of `swap`, cannot share a word.",
)


@RULE.over(LintContext.rewrites)
def check(context: LintContext, rewrite: nodes.RewriteDef) -> Findings:
    descendants = descendant_names(rewrite.match)
    for action in rewrite.actions:
        match action:
            case nodes.Move(target=target, destination=other) | nodes.Swap(target=target, other=other):
                if other.kind == "sentence":
                    continue
                targets = "the target and the destination" if isinstance(action, nodes.Move) else "targets"
                if shared_names := names_in_target(target, descendants) & names_in_target(other, descendants):
                    yield context.report(RULE, action.span, targets=targets, name=min(shared_names))
