"""The content of conditions for step keys, and their descriptions for readers."""

from __future__ import annotations

from typing import Any

from runner.interventions.context import ConditionContext
from runner.interventions.intervention import (
    arrangements_of,
    selection_of,
)
from runner.interventions.word_edit import (
    WordEdit,
    edits_originals,
    keeps_originals,
    text_edits_of,
    word_edits_of,
)
from runner.manifest.model import Manifest
from runner.steps.resolve import Resolved


def condition_content(context: ConditionContext) -> dict[str, Any]:
    """Return plain JSON that, with the base corpus, determines a condition's sentences.

    It contains the content keys of the filters.
    """
    selection, edit = selection_of(context), edit_content(context)
    content = {"do": "nothing"} if selection is None else selection.content(context)
    originals = {"with": "original"} if keeps_originals(context) else {}
    return content | ({"edit": edit} if edit else {}) | originals


def edit_content(context: ConditionContext, text: str | None = None) -> dict[str, Any]:
    """Return plain JSON that determines how a condition edits words of its corpus, or of another text.

    The dict is empty if it does not edit any.
    """
    content: dict[str, Any] = {"with": "original"} if text is None and edits_originals(context) else {}
    for intervention in text_edits_of(context, text):
        content |= intervention.content(context)
    return content


def units_content(context: ConditionContext) -> dict[str, Any]:
    """Return plain JSON that determines the units a condition injects, or an empty dict if it injects none."""
    contents = (intervention.units_content(context) for intervention in arrangements_of(context))
    return next((content for content in contents if content), {})


def arrangement_content(context: ConditionContext) -> dict[str, Any]:
    """Return plain JSON that, with the injected units, determines the changes after sampling to the common size."""
    content: dict[str, Any] = {}
    for intervention in arrangements_of(context):
        content |= intervention.content(context)
    return content


def edits_suites(context: ConditionContext) -> bool:
    """Return whether the models of a condition are evaluated on edited suites."""
    return any(intervention.edits_suites for intervention in word_edits_of(context))


def edited_texts(context: ConditionContext) -> tuple[str, ...]:
    """Return which of the texts `valid` and `test` are edited for the models of a condition."""
    return tuple(text for intervention in word_edits_of(context) for text in intervention.edited_texts(context))


def row_change_content(context: ConditionContext | None) -> dict[str, Any]:
    """Return plain JSON that determines how a condition changes encoded rows, or an empty dict if it does not."""
    contents = (
        [] if context is None else [intervention.row_change_content(context) for intervention in word_edits_of(context)]
    )
    return next((content for content in contents if content), {})


def tokenizer_content(resolved: Resolved) -> dict[str, Any]:
    """Return plain JSON that, with the base corpus, determines the tokenizer.

    For a saved tokenizer, it contains the hash.
    """
    if resolved.tokenizer is not None:
        return {"kind": "saved", "content": resolved.tokenizer.digest} | added_tokens(resolved)
    mask = {"mask": True} if needs_mask_token(resolved) else {}
    settings = resolved.manifest.tokenizer
    splitting = {"split": resolved.tokenization.splitting} if settings.kind == "word" else {}
    return settings.model_dump(exclude={"path"}) | splitting | mask | added_tokens(resolved)


def needs_mask_token(resolved: Resolved) -> bool:
    """Return whether the tokenizer needs a mask token, because a model is a masked language model."""
    return any(entry.model.masked for entry in resolved.models.values())


def added_tokens(resolved: Resolved) -> dict[str, list[str]]:
    """Return the tokens that edits insert and the tokenizer must not split; empty entries are omitted.

    `masks` are strings, `tags` are columns whose values masks insert, and `substitutes` are tagsets that replace words.
    """
    tokens: dict[str, set[str]] = {"masks": set(), "tags": set(), "substitutes": _corrupted_tags(resolved.manifest)}
    edits = ((intervention, context) for context in resolved.contexts for intervention in context.interventions)
    for intervention, context in edits:
        for name, values in (intervention.added_tokens(context) if isinstance(intervention, WordEdit) else {}).items():
            tokens[name] |= values
    return {name: sorted(values) for name, values in tokens.items() if values}


def _corrupted_tags(manifest: Manifest) -> set[str]:
    """Return the tagsets that replace words in corrupted sentences."""
    corrupted = [suite.corrupt for suite in manifest.evaluate if suite.corrupt is not None]
    return {corrupt.tags for corrupt in corrupted if corrupt.words == "tags"}


def condition_kind(name: str, resolved: Resolved) -> str:
    """Return the key of a condition's first intervention, or `full` for the full corpus."""
    condition = resolved.condition(name)
    return "full" if condition is None else condition.interventions[0].key


def control_of(name: str, resolved: Resolved) -> str | None:
    """Return the name of the condition for which this condition is a control, or None."""
    condition = resolved.condition(name)
    return None if condition is None else condition.control_of


def describe_condition(name: str, resolved: Resolved) -> str:
    """Describe a condition in one line, such as `without agr-pp-mod`."""
    context = resolved.context(name)
    if context is None:
        return "everything"
    return "; ".join(intervention.describe(context) for intervention in context.interventions)


def condition_facts(name: str, resolved: Resolved) -> dict[str, Any]:
    """Return further facts about a condition for the results: those of its interventions, and its targets."""
    context = resolved.context(name)
    if context is None:
        return {}
    facts: dict[str, Any] = {}
    for intervention in context.interventions:
        facts |= intervention.facts(context)
    return facts | {"targets": [*context.values["targets"], *facts.get("targets", ())]}
