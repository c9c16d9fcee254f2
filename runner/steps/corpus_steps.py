"""The steps of training corpora: edited words, units of injected text, and sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from runner.interventions.context import ConditionContext
from runner.interventions.registry import FILTER_LISTS
from runner.steps.interventions import (
    arrangement_content,
    condition_content,
    edit_content,
    units_content,
)
from runner.steps.resolve import Resolved
from runner.steps.step import Step
from runner.steps.variants import Variant, sets_common_size

TEXTS = ("valid", "test")


def edit_steps(resolved: Resolved, corpora: Mapping[str, Variant], stores: Mapping[str, Step]) -> dict[str, Step]:
    """Return the steps that produce the edited sentences of corpora with edited words.

    A condition that rewrites texts also has a step for every text that its models are evaluated on.
    """
    steps: dict[str, Step] = {}
    train = stores["train"]
    for name, variant in corpora.items():
        inputs, base_inputs = _contents(edit_content, variant, resolved)
        if inputs:
            step_name = variant.condition if inputs == base_inputs else name
            steps[name] = Step.of("edit", step_name, inputs, {"corpus": train})
    for context in resolved.contexts:
        for text in (text for text in TEXTS if text in stores and edit_content(context, text)):
            name, inputs = f"{context.name}/{text}", edit_content(context, text)
            steps[name] = Step.of("edit", name, inputs, {"corpus": stores[text], "reference": train})
    return steps


def _contents(
    content_of: Callable[[ConditionContext], dict[str, Any]], variant: Variant, resolved: Resolved
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the content of a variant, and of its condition. They are equal if nothing is drawn anew.

    Both are empty for `full`.
    """
    context, base_context = variant.context(resolved), resolved.context(variant.condition)
    return ({}, {}) if context is None or base_context is None else (content_of(context), content_of(base_context))


def unit_steps(
    resolved: Resolved, corpora: Mapping[str, Variant], generator_needs: Mapping[str, Step]
) -> dict[str, Step]:
    """Return the steps of corpora with injected text. Steps that generate the text also depend on `generator_needs`."""
    inputs_of = {name: _contents(units_content, variant, resolved)[0] for name, variant in corpora.items()}
    return {
        name: Step.of("units", name, inputs, generator_needs if "generate" in inputs else None)
        for name, inputs in inputs_of.items()
        if inputs
    }


def corpus_steps(
    resolved: Resolved,
    corpora: Mapping[str, Variant],
    store: Step,
    matches: Mapping[str, Step],
    edits: Mapping[str, Step],
    units: Mapping[str, Step],
) -> dict[str, Step]:
    """Return one step per corpus.

    With `count = "smallest"`, every key covers the selections of all corpora that set the common size. Changes after
    sampling to the common size affect only the key of their own condition. Corpora that are drawn anew for a seed
    depend only on the corpora of the same seed.
    """
    steps: dict[str, Step] = {}
    for redraw in dict.fromkeys(variant.redraw for variant in corpora.values()):
        draw_corpora = {name: variant for name, variant in corpora.items() if variant.redraw == redraw}
        inputs = _inputs_of_draw(resolved, draw_corpora)
        for name, variant in draw_corpora.items():
            read = _read_conditions(resolved, variant.condition)
            filters = [compiled for condition in read for compiled in resolved.filters_of(condition, *FILTER_LISTS)]
            read_edits = {
                f"edit:{other.condition}": edits[each]
                for each, other in draw_corpora.items()
                if each in edits and other.condition in read
            }
            needs = {"corpus": store, **{compiled.key: matches[compiled.key] for compiled in filters}, **read_edits}
            needs |= ({"edit": edits[name]} if name in edits else {}) | (
                {"units": units[name]} if name in units else {}
            )
            steps[name] = Step.of("corpus", name, inputs[name], needs)
    return {name: steps[name] for name in corpora}


def _inputs_of_draw(resolved: Resolved, corpora: Mapping[str, Variant]) -> dict[str, dict[str, Any]]:
    """Return the inputs of the corpora of one draw by name."""
    size = resolved.manifest.size
    contexts = {name: variant.context(resolved) for name, variant in corpora.items()}
    contents: dict[str, dict[str, Any]] = {
        name: {"do": "nothing"} if context is None else condition_content(context) for name, context in contexts.items()
    }
    distinct_contents = {
        repr(content): content for name, content in contents.items() if sets_common_size(corpora[name], resolved)
    }
    common: dict[str, Any] = {
        "size": size.model_dump(exclude={"redraw"}),
        "all": [distinct_contents[text] for text in sorted(distinct_contents)] if size.count == "smallest" else None,
    }
    return {
        name: {**common, "do": contents[name]}
        | ({} if context is None else arrangement_content(context))
        | ({} if corpora[name].redraw is None else {"redraw": corpora[name].redraw})
        for name, context in contexts.items()
    }


def _read_conditions(resolved: Resolved, name: str) -> list[str]:
    """Return the conditions whose filters determine a corpus: all, or those that the condition names, and itself."""
    conditions = {condition.name: condition for condition in resolved.manifest.condition}
    if resolved.manifest.size.count == "smallest":
        return list(conditions)
    read = [name] if name in conditions else []
    for condition in read:  # it grows while it is read
        index = resolved.manifest.condition.index(conditions[condition])
        words = set(_words(resolved.draft.raw["condition"][index]))
        read += [other for other in conditions if other in words and other not in read]
    return read


def _words(value: Any) -> Iterator[str]:
    """Yield the strings in a value of a manifest."""
    match value:
        case str():
            yield value
        case dict():
            yield from (word for item in value.values() for word in _words(item))
        case list():
            yield from (word for item in value for word in _words(item))
