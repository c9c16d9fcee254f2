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

from __future__ import annotations

from collections.abc import Iterator

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Label, Severity
from fictdsl.lint.facts import dependents, descendant_names, names_in_target, target_text
from fictdsl.lint.rule_context import LintContext
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import targets_of

CODE = Code(
    "FICT537",
    "never-applied",
    "a match with this action is never valid: {why}",
    "A match with an action that cannot be carried out is not rewritten at all.",
    Severity.WARNING,
)


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Report actions on deleted words, words inserted with a deleted head, and `root` for a word with a head."""
    for definition in context.rewrites:
        yield from _check_deleted(context, definition)
        if any(isinstance(action, nodes.Delete) for action in definition.actions):
            continue  # a word may become the root if the words above it are deleted
        names_with_heads = dependents(definition.match)
        for action in definition.actions:
            if isinstance(action, nodes.Set) and _makes_root(action) and action.attribute.node.text in names_with_heads:
                why = f"`{action.attribute.node.text}` has a head, and only the root has the relation `root`"
                yield context.report(CODE, action.span, why=why)


def _makes_root(action: nodes.Set) -> bool:
    sets_deprel = action.attribute.attribute.name == "deprel"
    return sets_deprel and isinstance(action.value, nodes.Value) and action.value.text == "root"


def _check_deleted(context: LintContext, definition: nodes.RewriteDef) -> Iterator[Diagnostic]:
    deleted = _DeletedWords(descendant_names(definition.match))
    deletions = [action for action in definition.actions if isinstance(action, nodes.Delete)]
    # With a deleted subtree, the new word may be deleted together with its head.
    deletes_subtree = any(other.target.kind == "subtree" for other in deletions)
    for action in definition.actions:
        if conflict := next(deleted.conflicts_with(action), None):
            yield context.report(CODE, action.span, labels=(Label(conflict[1], "here"),), why=conflict[0])
        if isinstance(action, nodes.Delete):
            deleted.add(action)
        if isinstance(action, nodes.Insert) and not deletes_subtree:
            why = f"`{action.head.text}`, the head of the new word, is deleted"
            for deletion in (other for other in deletions if action.head in other.target.nodes):
                yield context.report(CODE, action.span, labels=(Label(deletion.span, "here"),), why=why)


class _DeletedWords:
    """The words that earlier actions delete in every match, each with the span of the action."""

    def __init__(self, descendants: dict[str, set[str]]) -> None:
        self._descendants = descendants
        self._words: dict[str, Span] = {}
        self._targets: dict[nodes.Target, Span] = {}
        self._sentence_deletion: Span | None = None

    def add(self, action: nodes.Delete) -> None:
        target, span = action.target, action.span
        self._targets.setdefault(target, span)
        if target.kind == "sentence":
            self._sentence_deletion = self._sentence_deletion or span
            return
        for name in sorted(names_in_target(target, self._descendants)):
            self._words.setdefault(name, span)

    def conflicts_with(self, action: nodes.Rewriting) -> Iterator[tuple[str, Span]]:
        """Yield a reason and the span of the deletion for each deleted word that an action needs."""
        if self._sentence_deletion is not None:
            yield "the sentence is dropped before it", self._sentence_deletion
        for target in targets_of(action):
            if span := self._deletion_of(target):
                yield f"the words of `{target_text(target)}` are deleted before it", span
        if isinstance(action, nodes.Set) and (span := self._words.get(action.attribute.node.text)):
            yield f"`{action.attribute.node.text}` is deleted before it", span

    def _deletion_of(self, target: nodes.Target) -> Span | None:
        if target.kind == "node":
            return self._words.get(target.nodes[0].text)
        if target.kind == "subtree":
            return next((span for deleted, span in self._targets.items() if self._contains(deleted, target)), None)
        return self._targets.get(target)

    def _contains(self, deleted: nodes.Target, target: nodes.Target) -> bool:
        return deleted.kind == "subtree" and target.nodes[0].text in names_in_target(deleted, self._descendants)
