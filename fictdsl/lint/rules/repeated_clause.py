"""A clause that occurs twice in its block.

## What
A relation between the same named nodes, or a `without`, `either`, `maybe`, counting block, call, comparison or sentence
test, that occurs twice in a block. Also two equal branches of an `either`. An `either` or `maybe` with a `_` and a
call of a pattern that introduces nodes are not reported: written twice, they match two words.

## Why
The second one has no effect, or one of the two is a mistake.

## Example
```fict
filter f { match { V -[nsubj]-> S  S << V  V -[nsubj]-> S } }
```

## Use instead
```fict
filter f { match { V -[nsubj]-> S  S << V } }
```
"""

from collections.abc import Hashable, Iterator

from fictdsl.diagnostics.diagnostic import Fix, Label
from fictdsl.lint.file_parts import LocatedBlock
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.semantics.scopes import Resolution
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import blocks_of, links, own_names, terms

RULE = Rule(
    "FICT525",
    "this repeats an earlier part of the block",
    "A clause that is written twice has no more effect than a single one, or one of the two is a mistake.",
)


@RULE.over(LintContext.blocks)
def check(context: LintContext, located: LocatedBlock) -> Findings:
    """Compare the clauses of a block. Syntax trees compare equal regardless of their spans."""
    first_spans: dict[Hashable, Span] = {}
    introducing: dict[int, bool] = {}
    for clause in located.block.clauses:
        for part, span in _parts(clause, context.resolution, introducing):
            if part in first_spans:
                fix = context.fix_builder.remove_clause(clause.span) if _is_whole_clause(part, clause) else None
                yield context.report(RULE, span, labels=(Label(first_spans[part], "first here"),), fix=fix)
            first_spans.setdefault(part, span)


@RULE.over(LintContext.blocks_with_either)
def check_branches(context: LintContext, located: LocatedBlock) -> Findings:
    for either in located.block.clauses:
        if isinstance(either, nodes.Either):
            yield from _check_branches(context, either)


def _check_branches(context: LintContext, either: nodes.Either) -> Findings:
    first_spans: dict[nodes.Block, Span] = {}
    remaining = len(either.branches)
    for branch in either.branches:
        if branch in first_spans:
            remaining -= 1
            fix: Fix | None = None
            if remaining >= 2:  # an `either` needs two branches
                fix = context.fix_builder.remove_element(branch.span, ("or",))
            yield context.report(RULE, branch.span, labels=(Label(first_spans[branch], "first here"),), fix=fix)
        first_spans.setdefault(branch, branch.span)


def _parts(
    clause: nodes.Clause, resolution: Resolution, introducing: dict[int, bool]
) -> Iterator[tuple[Hashable, Span]]:
    """Yield the parts of a clause to compare: for a chain, each relation between two named nodes."""
    match clause:
        case nodes.Chain():
            for left, link in links(clause):
                if left.name is not None and link.target.name is not None:
                    yield (left.name, link.relation, link.target.name), left.name.span.to(link.target.name.span)
        case nodes.Between():
            names = tuple(term.name for term in terms(clause))
            if None not in names:
                yield ("between", *names), clause.span
        case _ if _introduces_nodes(clause, resolution, introducing, None):
            pass  # each `_` is a new node, and so is each node that a pattern introduces
        case _:
            yield clause, clause.span


def _is_whole_clause(part: Hashable, clause: nodes.Clause) -> bool:
    if isinstance(clause, nodes.Chain | nodes.Between):
        untested = all(not term.upos and term.test is None for term in terms(clause))
        return untested and (isinstance(clause, nodes.Between) or len(clause.links) == 1)
    return part == clause


def _introduces_nodes(
    clause: nodes.Clause, resolution: Resolution, introducing: dict[int, bool], known_names: frozenset[str] | None
) -> bool:
    """`known_names` is None if all are known. `introducing` has results by the `id` of a pattern."""
    match clause:
        case nodes.Call(arguments=arguments):
            pattern = resolution.pattern_of(clause)
            assert pattern is not None, clause.pattern.text
            key, block = id(pattern.item), pattern.item.block
            if key not in introducing:
                names = frozenset(name.text for name in pattern.item.parameters)
                introduced = (_introduces_nodes(each, resolution, introducing, names) for each in block.clauses)
                introducing[key] = any(introduced)
            if None in arguments or introducing[key]:
                return True
        case nodes.Either() | nodes.Maybe():
            inner_clauses = (inner for block in blocks_of(clause) for inner in block.clauses)
            return any(_introduces_nodes(inner, resolution, introducing, known_names) for inner in inner_clauses)
        case nodes.Chain() | nodes.Between() | nodes.Crossing() if any(term.name is None for term in terms(clause)):
            return True
    return known_names is not None and any(name.text not in known_names for name in own_names(clause))
