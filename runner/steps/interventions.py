"""The content of conditions, which goes into step keys, and their descriptions for people."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

from runner.corpus.sentences.metadata_sql import SENTENCE_COLUMNS
from runner.manifest.condition import Condition, Generate, Inject
from runner.manifest.model import Manifest
from runner.steps.condition_filters import EDIT_VERBS, INJECTION_KEYS, STAGE_KEYS, Filters, stage_names
from runner.steps.resolve import Resolved


def selection_filters(resolved: Resolved, name: str) -> tuple[str, Filters]:
    """Return `remove` or `keep`, and the filters by which a condition selects sentences."""
    condition = resolved.condition(name)
    key = "keep" if condition is not None and condition.keep else "remove"
    return key, resolved.filters_of(name, key)


def edit_filters(resolved: Resolved, name: str) -> Filters:
    """Return the filters that edit a condition's sentences, or those of the condition that it controls for."""
    condition = resolved.condition(name)
    if condition is None:
        return ()
    if condition.mask_random is not None:
        return resolved.filters_of(condition.mask_random, "mask")
    if condition.drop_random is not None:
        return resolved.filters_of(condition.drop_random, "drop")
    return resolved.filters_of(name, *EDIT_VERBS)


def condition_content(condition: Condition, resolved: Resolved) -> dict[str, Any]:
    """Return plain JSON that, with the base corpus, determines a condition's sentences; filters are content keys."""
    edit = edit_content(condition, resolved)
    return _selection_content(condition, resolved) | ({"edit": edit} if edit else {})


def _selection_content(condition: Condition, resolved: Resolved) -> dict[str, Any]:
    if condition.remove_random is None:
        key, filters = selection_filters(resolved, condition.name)
        return {"do": key, "filters": _keys(filters)} if filters else {"do": "nothing"}
    key, filters = selection_filters(resolved, condition.remove_random)
    content = {"do": "remove-random", "like": _keys(filters), "by": condition.by, "seed": condition.seed}
    return content | ({"kept": True} if key == "keep" else {}) | ({"disjoint": True} if condition.disjoint else {})


def edit_content(condition: Condition, resolved: Resolved) -> dict[str, Any]:
    """Return plain JSON that determines how a condition edits words, or an empty table if it does not."""
    if condition.substitute is not None:
        return {"substitute": condition.substitute.model_dump(), "lowercase": resolved.manifest.tokenizer.lowercase}
    keys = _keys(edit_filters(resolved, condition.name))
    if condition.mask_random is None and condition.drop_random is None:
        return {"filters": keys} if keys else {}
    return {"like": keys, "seed": condition.seed, "disjoint": condition.disjoint}


def tokenizer_content(resolved: Resolved) -> dict[str, Any]:
    """Return plain JSON that, with the base corpus, determines the tokenizer; a saved one is a hash of its files."""
    if resolved.tokenizer is not None:
        return {"kind": "saved", "content": resolved.tokenizer.content} | added_tokens(resolved)
    mask = {"mask": True} if fills_masks(resolved) else {}
    return resolved.manifest.tokenizer.model_dump(exclude={"path"}) | mask | added_tokens(resolved)


def fills_masks(resolved: Resolved) -> bool:
    """Return whether any model is a masked language model, so that the tokenizer needs a mask token."""
    return any(trained.model.masked for trained in resolved.models.values())


def added_tokens(resolved: Resolved) -> dict[str, list[str]]:
    """Return what edits insert and the tokenizer must not split, without empty entries.

    `masks` are strings, `tags` are columns whose values masks insert, and `substitutes` are tagsets that replace words.
    """
    items = [item for name in resolved.filters for item in resolved.filters_of(name, "mask")]
    actions = [action for item in items for action in item.ir.actions]
    tokens: dict[str, set[str]] = {
        "masks": {action.replacement for action in actions if action.replacement is not None},
        "tags": {action.tag for action in actions if action.tag is not None},
        "substitutes": _tagsets(resolved.manifest),
    }
    return {name: sorted(values) for name, values in tokens.items() if values}


def _tagsets(manifest: Manifest) -> set[str]:
    """Return the tagsets that replace words in a condition or in corrupted sentences."""
    corrupted = [suite.corrupt for suite in manifest.evaluate if suite.corrupt is not None]
    return {c.substitute.tags for c in manifest.condition if c.substitute is not None} | {
        corrupt.tags for corrupt in corrupted if corrupt.words == "tags"
    }


def injection(condition: Condition, resolved: Resolved) -> Inject | None:
    """Return the `inject` settings of a condition, with those that a control takes over from another condition."""
    inject = condition.inject
    if inject is None or inject.like is None:
        return inject
    other = resolved.condition(inject.like)
    assert other is not None and other.inject is not None
    inherited = {name: getattr(other.inject, name) for name in ("fraction", "mode", "unit")}
    if not inject.text and other.inject.generate is not None:
        inherited["generate"] = other.inject.generate.model_copy(update={"paradigm": None})
    return inject.model_copy(update=inherited)


def units_content(condition: Condition, resolved: Resolved) -> dict[str, Any]:
    """Return plain JSON that determines the units a condition injects from, or an empty table if it injects none."""
    inject = injection(condition, resolved)
    if inject is None:
        return {}
    only, without = (_keys(resolved.filters_of(condition.name, key)) for key in INJECTION_KEYS)
    files = {file.label: file.sha256 for file in resolved.inserts.get(condition.name, ())}
    content = {"files": files, "unit": inject.unit, "only": only, "without": without, "seed": inject.seed}
    return content | ({"generate": _generated_content(inject.generate)} if inject.generate is not None else {})


def _generated_content(generate: Generate) -> dict[str, Any]:
    """Return plain JSON that determines a generated text, with the versions of the packages that it uses."""
    packages = {"basic": (), "corpus": ("lemminflect",), "wordfreq": ("lemminflect", "wordfreq")}[generate.lemmas]
    return generate.model_dump() | {"packages": {name: _version(name) for name in packages}}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def schedule_content(condition: Condition, resolved: Resolved) -> dict[str, Any]:
    """Return plain JSON that, with its units, determines what happens after sampling to the common size."""
    inject, levels, content = injection(condition, resolved), condition.levels, dict[str, Any]()
    if levels is not None:
        content[condition.schedule_key] = levels.model_dump(exclude={"filters", "stages"}) | {
            "stages": _stage_content(condition, resolved)
        }
        if others := _unstaged(condition, resolved):
            content[condition.schedule_key]["others"] = others
        if levels.key not in (None, *SENTENCE_COLUMNS):
            content["values"] = "of documents"  # comments of documents count as well as those of sentences
        if levels.balanced_by == "tokens" and edit_content(condition, resolved):
            content["sizes"] = "edited"
        if condition.order is not None:
            content["begins"] = True if inject is None else "shifted"  # the result has the first line of each stage
            content["names"] = list(levels.stages) or [item.name for item in stage_filters(condition, resolved)]
    if inject is not None:
        split = resolved.manifest.tokenizer.split
        content["inject"] = {"fraction": inject.fraction, "mode": inject.mode, "split": split}
    return content


def stage_filters(condition: Condition, resolved: Resolved) -> Filters:
    """Return the filters that assign a condition's sentences to stages."""
    return resolved.filters_of(condition.name, *STAGE_KEYS)


def _stage_content(condition: Condition, resolved: Resolved) -> list[Any]:
    """Return the stages of a condition in their order: sorted filter keys, or values of a comment."""
    levels, keys = condition.levels, {item.name: item.key for item in stage_filters(condition, resolved)}
    if levels is None or not keys:
        return [] if levels is None else list(levels.stages)
    return [sorted(keys[name] for name in stage_names(stage)) for stage in levels.stages or keys]


def _unstaged(condition: Condition, resolved: Resolved) -> list[str]:
    """Return the keys of filters in no stage; the sentences they match are in no stage either."""
    stages = () if condition.levels is None else condition.levels.stages
    staged = {name for stage in stages for name in stage_names(stage)}
    return sorted(item.key for item in stage_filters(condition, resolved) if stages and item.name not in staged)


def _keys(filters: Filters) -> list[str]:
    return sorted({item.key for item in filters})


def condition_kind(name: str, resolved: Resolved) -> str:
    """Return the key of a condition's first intervention, or `full`."""
    condition = resolved.condition(name)
    return "full" if condition is None else condition.interventions[0]


def control_of(name: str, resolved: Resolved) -> str | None:
    """Return the name of the condition that a condition is a control of."""
    condition = resolved.condition(name)
    return None if condition is None else condition.control_of


def describe_condition(name: str, resolved: Resolved) -> str:
    """Describe a condition in one line, such as `without agr-pp-mod`."""
    condition = resolved.condition(name)
    if condition is None:
        return "everything"
    return "; ".join(_describe(key, condition, resolved) for key in condition.interventions)


def _describe(key: str, condition: Condition, resolved: Resolved) -> str:
    names = ", ".join(dict.fromkeys(item.name for item in resolved.filters_of(condition.name, key)))
    disjoint = ", disjoint from these" if condition.disjoint else ""
    match key:
        case "remove":
            return f"without {names}"
        case "keep":
            return f"only {names}"
        case "mask" | "drop":
            return f"words {'masked' if key == 'mask' else 'dropped'} by {names}"
        case "remove-random":
            measure = "sentences of each length" if condition.by == "lengths" else condition.by
            return f"without as many {measure} as {condition.remove_random} removes, at random{disjoint}"
        case "mask-random":
            return f"words masked at random, as many as in {condition.mask_random}{disjoint}"
        case "drop-random":
            return f"words dropped at random, as many as in {condition.drop_random}{disjoint}"
        case "substitute":
            assert condition.substitute is not None
            tags, alpha = condition.substitute.tags.upper(), condition.substitute.alpha
            return f"the rarest words, {alpha:.4g} of all, as their {tags} tags"
        case "order" | "balance":
            levels = condition.levels
            assert levels is not None
            stages = (
                levels.stages
                or tuple(item.name for item in stage_filters(condition, resolved))
                or (f"by {levels.key}",)
            )
            if key == "balance":
                return f"as many {condition.balance.by if condition.balance else ''} of {', '.join(stages)}"
            order = reversed(stages) if condition.order and condition.order.reverse else stages
            equal = f", as many {condition.order.balance} each" if condition.order and condition.order.balance else ""
            return f"in the order {' → '.join(order)}{equal}"
        case "inject":
            inject = injection(condition, resolved)
            assert inject is not None and inject.fraction is not None
            files = ", ".join(file.label for file in resolved.inserts.get(condition.name, ()))
            if inject.generate is not None:
                files = f"generated text with {inject.generate.paradigm or 'no paradigm'}"
            verb = "replaced by" if inject.mode == "replace" else "added from"
            return f"{inject.fraction:.4%}".rstrip("0%").rstrip(".") + f" % of the tokens {verb} {files}"
        case _:
            raise AssertionError(key)
