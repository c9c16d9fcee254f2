"""An action that makes matches invalid.

## What
An action on words that an earlier action of the rewrite deletes, a word inserted with a deleted head, or
`set X.deprel = root` where X has a head that stays.

## Why
A match is not rewritten at all if one of its actions cannot be carried out, so the rewrite changes nothing.

## Example
```fict
rewrite r { match { V -[obj]-> O } delete node(O) set O.form = it }
```

## Use instead
```fict
rewrite r { match { V -[obj]-> O } set O.form = it }
```
"""

from collections.abc import Iterator

from fictdsl.diagnostics.diagnostic import Label
from fictdsl.lint.facts import dependents, descendant_names, names_in_target, target_text
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import targets_of

RULE = Rule(
    "FICT537",
    "a match with this action is never valid: {why}",
    "A match with an action that cannot be carried out is not rewritten at all.",
)

_Deleted = nodes.Target | tuple[str, str] | str  # a target, a word with its subtree, a word, or `sentence`


@RULE.over(LintContext.rewrites)
def check(context: LintContext, rewrite: nodes.RewriteDef) -> Findings:
    yield from _check_deleted(context, rewrite)
    if any(isinstance(action, nodes.Delete) for action in rewrite.actions):
        return  # a word may become the root if the words above it are deleted
    names_with_heads = dependents(rewrite.match)
    for action in rewrite.actions:
        if isinstance(action, nodes.Set) and _makes_root(action) and action.attribute.node.text in names_with_heads:
            why = f"`{action.attribute.node.text}` has a head, and only the root has the relation `root`"
            yield context.report(RULE, action.span, why=why)


def _makes_root(action: nodes.Set) -> bool:
    sets_deprel = action.attribute.attribute.name == "deprel"
    return sets_deprel and isinstance(action.value, nodes.Value) and action.value.text == "root"


def _check_deleted(context: LintContext, rewrite: nodes.RewriteDef) -> Findings:
    descendants = descendant_names(rewrite.match)
    deletions = [action for action in rewrite.actions if isinstance(action, nodes.Delete)]
    # With a deleted subtree, the new word may be deleted together with its head.
    deletes_subtree = any(other.target.kind == "subtree" for other in deletions)
    spans: dict[_Deleted, Span] = {}  # of the actions so far that delete something in every match
    for action in rewrite.actions:
        if conflict := next(_conflicts(action, spans), None):
            yield context.report(RULE, action.span, labels=(Label(conflict[1], "here"),), why=conflict[0])
        if isinstance(action, nodes.Delete):
            for deleted in _deleted(action.target, descendants):
                spans.setdefault(deleted, action.span)
        if isinstance(action, nodes.Insert) and not deletes_subtree:
            why = f"`{action.head.text}`, the head of the new word, is deleted"
            for deletion in (other for other in deletions if action.head in other.target.nodes):
                yield context.report(RULE, action.span, labels=(Label(deletion.span, "here"),), why=why)


def _deleted(target: nodes.Target, descendants: dict[str, set[str]]) -> Iterator[_Deleted]:
    yield target.kind if target.kind == "sentence" else target
    for name in sorted(names_in_target(target, descendants)):
        yield name
        if target.kind == "subtree":
            yield target.kind, name


def _conflicts(action: nodes.Rewriting, spans: dict[_Deleted, Span]) -> Iterator[tuple[str, Span]]:
    if span := spans.get("sentence"):
        yield "the sentence is dropped before it", span
    for target in targets_of(action):
        needed: _Deleted = target
        if target.kind in ("node", "subtree"):
            name = target.nodes[0].text
            needed = name if target.kind == "node" else (target.kind, name)
        if span := spans.get(needed):
            yield f"the words of `{target_text(target)}` are deleted before it", span
    if isinstance(action, nodes.Set) and (span := spans.get(action.attribute.node.text)):
        yield f"`{action.attribute.node.text}` is deleted before it", span
