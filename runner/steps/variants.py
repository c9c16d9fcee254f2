"""What conditions do: their content for the keys of steps, and their descriptions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from runner.conditions.condition import Condition
from runner.conditions.intervention import (
    WordEdit,
    edits_originals,
    keeps_originals,
    selection_of,
    text_edits_of,
    word_edits_of,
)
from runner.conditions.registry import FILTER_LISTS
from runner.steps.models import FULL
from runner.steps.resolve import Resolved


def condition_content(condition: Condition) -> dict[str, Any]:
    selection, edit = selection_of(condition), edit_content(condition)
    content = {"do": "nothing"} if selection is None else selection.content(condition)
    originals = {"with": "original"} if keeps_originals(condition) else {}
    return content | ({"edit": edit} if edit else {}) | originals


def edit_content(condition: Condition, text: str | None = None) -> dict[str, Any]:
    content: dict[str, Any] = {"with": "original"} if text is None and edits_originals(condition) else {}
    for intervention in text_edits_of(condition, text):
        content |= intervention.content(condition)
    return content


def edit_files(condition: Condition) -> list[tuple[Path, str]]:
    keys = {key for edit in word_edits_of(condition) for key in edit.text_lists}
    return [(file.path, file.sha256) for file in condition.files if file.key in keys]


def row_change_content(condition: Condition) -> dict[str, Any]:
    contents = (intervention.row_change_content(condition) for intervention in word_edits_of(condition))
    return next((content for content in contents if content), {})


def tokenizer_content(resolved: Resolved) -> dict[str, Any]:
    if resolved.tokenizer is not None:
        return {"kind": "saved", "content": resolved.tokenizer.digest} | added_tokens(resolved)
    mask = {"mask": True} if needs_mask_token(resolved) else {}
    settings = resolved.manifest.tokenizer
    splitting = {"split": resolved.tokenization.splitting} if settings.kind == "word" else {}
    return settings.model_dump(exclude={"path"}) | splitting | mask | added_tokens(resolved)


def needs_mask_token(resolved: Resolved) -> bool:
    return any(entry.model.masked for entry in resolved.models.values())


def added_tokens(resolved: Resolved) -> dict[str, list[str]]:
    corrupted = [suite.corrupt for suite in resolved.manifest.evaluate if suite.corrupt is not None]
    tagsets: set[str] = {corrupt.tags for corrupt in corrupted if corrupt.words == "tags"}
    tokens = {"masks": set[str](), "tags": set[str](), "substitutes": tagsets}
    for condition in resolved.conditions.values():
        for intervention in condition.interventions:
            if isinstance(intervention, WordEdit):
                for name, values in intervention.added_tokens(condition).items():
                    tokens[name] |= values
    return {name: sorted(values) for name, values in tokens.items() if values}


def condition_kind(condition: Condition) -> str:
    return next((intervention.key for intervention in condition.interventions), FULL)


def control_of(name: str, resolved: Resolved) -> str | None:
    table = resolved.table(name)
    return None if table is None else table.control_of


def describe_condition(condition: Condition) -> str:
    return "; ".join(intervention.describe(condition) for intervention in condition.interventions) or "everything"


def condition_facts(condition: Condition) -> dict[str, Any]:
    if not condition.interventions:
        return {}
    facts: dict[str, Any] = {}
    for intervention in condition.interventions:
        facts |= intervention.facts(condition)
    return facts | {"targets": [*condition.values["targets"], *facts.get("targets", ())]}


def targets_of(condition: Condition) -> list[str]:
    filters = condition.filters_of(*FILTER_LISTS)
    of_filters = (target for compiled in filters for target in compiled.metadata.targets)
    return list(dict.fromkeys([*condition_facts(condition).get("targets", ()), *of_filters]))


TEXTS = ("valid", "test")  # the texts on which all models are evaluated


def sets_common_size(condition: Condition) -> bool:
    """Return whether a corpus counts for `count = "smallest"`. Others get sentences back until they fit."""
    selection = selection_of(condition)
    return selection is None or (condition.draw is None and selection.sets_common_size(condition))
