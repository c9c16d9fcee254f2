"""A name that is used only once, without a test.

## What
A name that occurs once, without a test, at either end of a chain: next to a relation without a label or, in `without`
and counting blocks, next to any relation. Also a name that occurs once and is probably a misspelling of another name.

## Why
A name connects the clauses in which it occurs. If it should occur elsewhere, it is misspelt there. A word that only has
to exist is written `_`. (Outside `without` and counting blocks, a name next to a relation with a label is reported only
if it is probably a misspelling: `fictc show` marks the word with it.)

## Example
```fict
filter f { match { V:VERB -> X } }
```

## Use instead
```fict
filter f { match { V:VERB -> _ } }
```
"""

from collections import Counter

from fictdsl.diagnostics.diagnostic import Fix
from fictdsl.diagnostics.suggest import nearest
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import Definition, all_names, block_of, terms

RULE = Rule(
    "FICT505",
    "`{name}` is used only once{why}",
    "A name connects the clauses in which it occurs. A word that only has to exist is `_`.",
)

_MIN_LENGTH = 3  # minimum length of a name that is checked for misspellings


@RULE.over(LintContext.definitions)
def check(context: LintContext, definition: Definition) -> Findings:
    block, scopes = block_of(definition), context.resolution.scopes(definition)
    outside_counts = _names_outside_clauses(definition)
    repeated_names = [name for name, count in (_name_counts(block) + outside_counts).items() if count > 1]

    def check_block(block: nodes.Block, outside_counts: Counter[str], *, bound: bool = False) -> Findings:
        """`outside_counts` are of names outside the block. `bound`: matches bind the names of the block."""
        counts = _name_counts(block) + outside_counts
        used_once = {name for name in scopes.of(block).owned if counts[name] == 1}
        for clause in block.clauses:
            if isinstance(clause, nodes.Chain):
                for index, term in enumerate(terms(clause)):
                    if term.name is not None and term.name.text in used_once:
                        yield from check_name(clause, index, term.name, bound=bound)
        for clause in block.clauses:
            match clause:
                case nodes.Either(branches=branches):  # the branches may share a name
                    total = Counter(name.text for name in all_names(clause)) + outside_counts
                    for branch in branches:
                        yield from check_block(branch, total - _name_counts(branch), bound=bound)
                case nodes.Maybe(block=inner_block):
                    yield from check_block(inner_block, outside_counts, bound=bound)
                case nodes.Count(node=node, block=inner_block):
                    yield from check_block(inner_block, Counter([node.name.text] if node.name else []))
                case nodes.Without(block=inner_block):
                    yield from check_block(inner_block, Counter())
                case _:
                    pass

    def check_name(clause: nodes.Chain, index: int, name: nodes.Name, *, bound: bool) -> Findings:
        similar_name = None
        if len(name.text) >= _MIN_LENGTH:
            similar_name = nearest(name.text, [other for other in repeated_names if _stem(other) != _stem(name.text)])
        if similar_name:
            hint = f"the nearest name is `{similar_name}`"
            yield context.report(RULE, name.span, hint=hint, name=name.text, why="")
        elif _is_unconstrained(clause, index, bound=bound):
            hint, why = "write `_` for a word that only has to exist", ", without a test"
            fix = Fix(name.span, "_", safe=not bound)  # without the name, matches that differ in this word coincide
            yield context.report(RULE, name.span, hint=hint, fix=fix, name=name.text, why=why)

    yield from check_block(block, outside_counts, bound=True)


def _names_outside_clauses(definition: Definition) -> Counter[str]:
    if isinstance(definition, nodes.PatternDef):
        return Counter(name.text for name in definition.parameters)
    return Counter(name.text for name in all_names(definition.actions))


def _name_counts(block: nodes.Block) -> Counter[str]:
    return Counter(name.text for clause in block.clauses for name in all_names(clause))


def _stem(name: str) -> str:
    return name.rstrip("0123456789")


def _is_unconstrained(clause: nodes.Chain, index: int, *, bound: bool) -> bool:
    term = terms(clause)[index]
    if term.upos or term.test is not None or not clause.links or index not in (0, len(clause.links)):
        return False
    relation = clause.links[0 if index == 0 else -1].relation
    return not (bound and isinstance(relation, nodes.Edge | nodes.Path) and relation.labels is not None)
