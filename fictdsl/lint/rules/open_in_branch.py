"""A node that only some branches of an `either` mention.

## What
A node that some but not all branches of an `either` mention, if the block around the `either` only orders it with `<`
or `<<`.

## Why
A name that also occurs outside the `either` belongs to the block around it, so every branch has the node. In a branch
that does not mention it, the node is any word in that position.

## Example
```fict
filter f { match { either { V:VERB -[nsubj]-> S } or { V:VERB -[obj]-> O }  O << V } }
```

## Use instead
```fict
filter f { match { either { V:VERB -[nsubj]-> S } or { V:VERB -[obj]-> O  O << V } } }
```
"""

from fictdsl.diagnostics.diagnostic import Label
from fictdsl.lint.file_parts import LocatedBlock
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import all_names, terms

RULE = Rule(
    "FICT540",
    "this branch does not mention `{name}`, which is any word in its position here",
    "A name that also occurs outside an `either` belongs to the block around it. In a branch that does not mention it, "
    "the node is any word that is in the right position.",
)


@RULE.over(LintContext.blocks_with_either)
def check(context: LintContext, located: LocatedBlock) -> Findings:
    enclosing = context.enclosing_names(located)
    ordered = {name: span for name, span in _only_ordered(located.block).items() if name not in enclosing}
    for either in located.block.clauses:
        if isinstance(either, nodes.Either):
            yield from _check_either(context, either, ordered)


def _check_either(context: LintContext, either: nodes.Either, ordered: dict[str, Span]) -> Findings:
    names_by_branch = [
        {name.text for clause in branch.clauses for name in all_names(clause)} for branch in either.branches
    ]
    mentioned = set().union(*names_by_branch)
    for branch, names in zip(either.branches, names_by_branch, strict=True):
        for name in sorted(mentioned & ordered.keys() - names):
            label = Label(ordered[name], f"`{name}` belongs to the block around the `either`")
            hint = f"describe `{name}` in every branch, or order it in the branches that mention it"
            yield context.report(RULE, branch.span, labels=(label,), hint=hint, name=name)


def _only_ordered(block: nodes.Block) -> dict[str, Span]:
    """Return the nodes that a block only orders outside of any `either`, each with its first occurrence."""
    ordered: dict[str, Span] = {}
    described: set[str] = set()
    for clause in block.clauses:
        if isinstance(clause, nodes.Either):
            continue
        if not isinstance(clause, nodes.Chain):
            described |= {name.text for name in all_names(clause)}
            continue
        for index, term in enumerate(terms(clause)):
            links = clause.links[max(0, index - 1) : index + 1]
            is_described = bool(term.upos) or term.test is not None
            is_described |= not all(isinstance(link.relation, nodes.Next | nodes.Before) for link in links)
            if term.name is not None:
                ordered.setdefault(term.name.text, term.name.span)
                if is_described:
                    described.add(term.name.text)
    return {name: span for name, span in ordered.items() if name not in described}
