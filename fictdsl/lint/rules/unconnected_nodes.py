"""Two parts of a filter that no relation connects.

## What
A `match` with two groups of at least two nodes each, in which relations connect the nodes of each group but no relation
connects the groups. A single node with a test, anywhere in the sentence (`N:NOUN  Q[form = "?"]`), is not reported.

## Why
Every match of one group is combined with every match of the other, anywhere in the sentence. Most often a name that
should occur in both groups is misspelt.

## Example
```fict
filter f { match { V:VERB -[nsubj]-> S  N:NOUN -[nmod]-> M } }
```

## Use instead
```fict
filter f { match { V:VERB -[nsubj]-> S  S:NOUN -[nmod]-> M } }
```
"""

from fictdsl.diagnostics.diagnostic import Label
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import all_names, terms

RULE = Rule(
    "FICT519",
    "no relation connects {one} with {other}",
    "Each match of one part is combined with each match of the other, anywhere in the sentence. This is rarely "
    "intended if both parts have relations.",
)

_MAX_SHOWN = 3

_Component = dict[str, Span]  # the nodes of a connected component, with their first occurrences


@RULE.over(LintContext.queries)
def check(context: LintContext, query: nodes.Query) -> Findings:
    components = [component for component in _components(query.match) if len(component) > 1]
    for component in components[1:]:
        labels = (Label(min(components[0].values()), "the other part"),)
        one, other = _node_list(component), _node_list(components[0])
        yield context.report(RULE, min(component.values()), labels=labels, one=one, other=other)


def _components(block: nodes.Block) -> list[_Component]:
    components: list[_Component] = []
    for clause in block.clauses:
        merged = _nodes(clause)
        if not merged:
            continue
        disjoint = []
        for component in components:
            if merged.keys().isdisjoint(component):
                disjoint.append(component)
            else:
                merged = component | {name: span for name, span in merged.items() if name not in component}
        components = [*disjoint, merged]
    return sorted(components, key=lambda component: min(component.values()))


def _nodes(clause: nodes.Clause) -> _Component:
    component: _Component = {}
    for name in all_names(clause):
        component.setdefault(name.text, name.span)
    if isinstance(clause, nodes.Chain | nodes.Between | nodes.Crossing):
        component |= {f"_{term.span.start}": term.span for term in terms(clause) if term.name is None}
    return component


def _node_list(component: _Component) -> str:
    names = ["`_`" if name.startswith("_") else f"`{name}`" for name in sorted(component, key=component.__getitem__)]
    return ", ".join(names[:_MAX_SHOWN]) + (", …" if len(names) > _MAX_SHOWN else "")
