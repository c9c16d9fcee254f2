"""An action without effect.

## What
An action that the next action undoes (`reverse`, `swap`), replaces (`move`) or repeats (`order … by length`). A value
that is set to itself, set again by a later action, or set on a word that is deleted. An action before
`delete sentence`.

## Why
The actions of a rewrite are applied one after the other, so one of the two is a mistake.

## Example
```fict
rewrite r { match { V -[obj]-> O } move node(O) before node(V) move node(O) after node(V) }
```

## Use instead
```fict
rewrite r { match { V -[obj]-> O } move node(O) after node(V) }
```
"""

from collections.abc import Collection, Sequence
from itertools import pairwise

from fictdsl.diagnostics.diagnostic import Diagnostic, Label
from fictdsl.lint.facts import target_text
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax import nodes

RULE = Rule(
    "FICT539",
    "this action has no effect: {why}",
    "A later action of the rewrite undoes or replaces what this one does, or it changes nothing at all.",
)


@RULE.over(LintContext.rewrites)
def check(context: LintContext, rewrite: nodes.RewriteDef) -> Findings:
    bound_names = context.resolution.scopes(rewrite).of(rewrite.match).owned
    for action, following in pairwise(rewrite.actions):
        if why := _undone_by_next(action, following, bound_names):
            yield _report_conflict(context, action, following, why)
    for index, action in enumerate(rewrite.actions):
        later_actions = rewrite.actions[index + 1 :]
        if isinstance(action, nodes.Set):
            yield from _check_assignment(context, action, later_actions)
        elif drop := next((later_action for later_action in later_actions if _drops_sentence(later_action)), None):
            yield _report_conflict(context, action, drop, "the sentence is dropped")


def _undone_by_next(action: nodes.Rewriting, following: nodes.Rewriting, bound_names: Collection[str]) -> str | None:
    """Return why the first of two consecutive actions has no effect; None if it has one.

    `bound_names` are bound in every match. The second action is left out of a match that does not bind its destination.
    """
    match action, following:
        case nodes.Reverse(target=target), nodes.Reverse(target=other) if target == other:
            return "the next one undoes it"
        case nodes.Swap(target=a, other=b), nodes.Swap(target=c, other=d) if (a, b) in ((c, d), (d, c)):
            return "the next one undoes it"
        case nodes.Move(target=target), nodes.Move(target=other, destination=destination) if target == other:
            if all(name.text in bound_names for name in destination.nodes):
                return f"the next one moves `{target_text(target)}` again"
        case nodes.Order(key="length"), nodes.Order(key="length") if action == following:
            return "the next one repeats it"
    return None


def _check_assignment(context: LintContext, action: nodes.Set, later_actions: Sequence[nodes.Rewriting]) -> Findings:
    if action.value == action.attribute:
        yield context.report(RULE, action.span, why="the value is set to itself")
        return
    for later_action in later_actions:
        if _replaces(later_action, action):
            yield _report_conflict(context, action, later_action, "the value is set again")
            return
        if _drops_sentence(later_action) or _deletes(later_action, action.attribute.node):
            yield _report_conflict(context, action, later_action, "the word is deleted")
            return
        if _may_read(later_action, action):
            return


def _report_conflict(
    context: LintContext, action: nodes.Rewriting, later_action: nodes.Rewriting, why: str
) -> Diagnostic:
    return context.report(RULE, action.span, labels=(Label(later_action.span, "here"),), why=why)


def _drops_sentence(action: nodes.Rewriting) -> bool:
    return isinstance(action, nodes.Delete) and action.target.kind == "sentence"


def _deletes(action: nodes.Rewriting, node: nodes.Name) -> bool:
    if not isinstance(action, nodes.Delete):
        return False
    return action.target.kind in ("node", "subtree") and action.target.nodes[0] == node


def _replaces(later_action: nodes.Rewriting, action: nodes.Set) -> bool:
    if not isinstance(later_action, nodes.Set) or later_action.attribute != action.attribute:
        return False
    return isinstance(later_action.value, nodes.Value | nodes.Param)


def _may_read(later_action: nodes.Rewriting, action: nodes.Set) -> bool:
    """Return whether a later action may read the assigned value: to copy it, or to order words."""
    if isinstance(later_action, nodes.Set):
        source = later_action.value.argument if isinstance(later_action.value, nodes.Function) else later_action.value
        return isinstance(source, nodes.NodeAttribute) and source.node == action.attribute.node
    return isinstance(later_action, nodes.Order)
