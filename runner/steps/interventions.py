"""A condition as content, which names its result, and as words, which people read."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

from runner.corpus.sentences.metadata_sql import OWN
from runner.manifest.condition import Condition, Generate, Inject
from runner.manifest.model import Manifest
from runner.steps.condition_filters import EDITS, INJECTED, STAGES, Filters, stage_names
from runner.steps.resolve import Resolved


def removing(resolved: Resolved, name: str) -> tuple[str, Filters]:
    """How a condition chooses sentences by filters: `remove` or `keep`, and these."""
    condition = resolved.condition(name)
    key = "keep" if condition is not None and condition.keep else "remove"
    return key, resolved.filters_of(name, key)


def editing(resolved: Resolved, name: str) -> Filters:
    """The filters whose actions edit the sentences of a condition, or that its random edits are like."""
    condition = resolved.condition(name)
    if condition is None:
        return ()
    if condition.mask_random is not None:
        return resolved.filters_of(condition.mask_random, "mask")
    if condition.drop_random is not None:
        return resolved.filters_of(condition.drop_random, "drop")
    return resolved.filters_of(name, *EDITS)


def content(condition: Condition, resolved: Resolved) -> dict[str, Any]:
    """Plain JSON that decides the sentences of a condition, with the base corpus; filters stand there by meaning."""
    edit = edit_content(condition, resolved)
    return _choice(condition, resolved) | ({"edit": edit} if edit else {})


def _choice(condition: Condition, resolved: Resolved) -> dict[str, Any]:
    if condition.remove_random is None:
        key, filters = removing(resolved, condition.name)
        return {"do": key, "filters": _keys(filters)} if filters else {"do": "nothing"}
    key, filters = removing(resolved, condition.remove_random)
    found = {"do": "remove-random", "like": _keys(filters), "by": condition.by, "seed": condition.seed}
    return found | ({"kept": True} if key == "keep" else {}) | ({"disjoint": True} if condition.disjoint else {})


def edit_content(condition: Condition, resolved: Resolved) -> dict[str, Any]:
    """Plain JSON that decides the texts of a condition's sentences; nothing where they are as they were."""
    if condition.substitute is not None:
        return {"substitute": condition.substitute.model_dump(), "lowercase": resolved.manifest.tokenizer.lowercase}
    keys = _keys(editing(resolved, condition.name))
    if condition.mask_random is None and condition.drop_random is None:
        return {"filters": keys} if keys else {}
    return {"like": keys, "seed": condition.seed, "disjoint": condition.disjoint}


def tokenizer_content(resolved: Resolved) -> dict[str, Any]:
    """Plain JSON that decides the tokenizer, with the base corpus; one that was saved stands there by its files."""
    if resolved.tokenizer is not None:
        return {"kind": "saved", "content": resolved.tokenizer.content} | whole_tokens(resolved)
    mask = {"mask": True} if fills_masks(resolved) else {}
    return resolved.manifest.tokenizer.model_dump(exclude={"path"}) | mask | whole_tokens(resolved)


def fills_masks(resolved: Resolved) -> bool:
    """Whether a model of the manifest fills masks, so that a tokenizer of ours needs one."""
    return any(trained.model.masked for trained in resolved.models.values())


def whole_tokens(resolved: Resolved) -> dict[str, list[str]]:
    """What edits put, which the tokenizer keeps whole, or nothing.

    `masks` are strings, `tags` columns that masks put, `substitutes` the sets of tags that stand for words.
    """
    items = [item for name in resolved.filters for item in resolved.filters_of(name, "mask")]
    actions = [action for item in items for action in item.ir.actions]
    found: dict[str, set[str]] = {
        "masks": {action.replacement for action in actions if action.replacement is not None},
        "tags": {action.tag for action in actions if action.tag is not None},
        "substitutes": _tags(resolved.manifest),
    }
    return {name: sorted(some) for name, some in found.items() if some}


def _tags(manifest: Manifest) -> set[str]:
    """The sets of tags that stand for words in a condition or in corrupted sentences."""
    corrupted = [suite.corrupt for suite in manifest.evaluate if suite.corrupt is not None]
    return {c.substitute.tags for c in manifest.condition if c.substitute is not None} | {
        corrupt.tags for corrupt in corrupted if corrupt.words == "tags"
    }


def injecting(condition: Condition, resolved: Resolved) -> Inject | None:
    """What a condition injects, all settings filled in: a control's are those of the condition that it is like."""
    inject = condition.inject
    if inject is None or inject.like is None:
        return inject
    other = resolved.condition(inject.like)
    assert other is not None and other.inject is not None
    same = {name: getattr(other.inject, name) for name in ("fraction", "mode", "unit")}
    if not inject.text and other.inject.generate is not None:
        same["generate"] = other.inject.generate.model_copy(update={"paradigm": None})
    return inject.model_copy(update=same)


def units_content(condition: Condition, resolved: Resolved) -> dict[str, Any]:
    """Plain JSON that decides the units that a condition injects from; nothing where it injects none."""
    inject = injecting(condition, resolved)
    if inject is None:
        return {}
    only, without = (_keys(resolved.filters_of(condition.name, key)) for key in INJECTED)
    files = {file.label: file.sha256 for file in resolved.inserts.get(condition.name, ())}
    found = {"files": files, "unit": inject.unit, "only": only, "without": without, "seed": inject.seed}
    return found | ({"generate": _generated(inject.generate)} if inject.generate is not None else {})


def _generated(wanted: Generate) -> dict[str, Any]:
    """What decides a generated text; the release of what inflects it, where something does."""
    packages = {"basic": (), "corpus": ("lemminflect",), "wordfreq": ("lemminflect", "wordfreq")}[wanted.lemmas]
    return wanted.model_dump() | {"packages": {name: _release(name) for name in packages}}


def _release(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def schedule_content(condition: Condition, resolved: Resolved) -> dict[str, Any]:
    """Plain JSON that decides what becomes of a condition's sentences after the common size, with its units."""
    inject, levels, found = injecting(condition, resolved), condition.levels, dict[str, Any]()
    if levels is not None:
        found[condition.scheduled] = levels.model_dump(exclude={"filters", "stages"}) | {
            "stages": stages_of(condition, resolved)
        }
        if others := _unnamed(condition, resolved):
            found[condition.scheduled]["others"] = others
        if levels.key not in (None, *OWN):
            found["values"] = "of documents"  # too, not of sentences alone
        if levels.equal == "tokens" and edit_content(condition, resolved):
            found["sizes"] = "edited"
        if condition.order is not None:
            found["begins"] = True if inject is None else "shifted"  # of stages, which are kept under their names
            found["names"] = list(levels.stages) or [item.name for item in staging(condition, resolved)]
    if inject is not None:
        split = resolved.manifest.tokenizer.split
        found["inject"] = {"fraction": inject.fraction, "mode": inject.mode, "split": split}
    return found


def staging(condition: Condition, resolved: Resolved) -> Filters:
    """The filters that put the sentences of a condition into stages."""
    return resolved.filters_of(condition.name, *STAGES)


def stages_of(condition: Condition, resolved: Resolved) -> list[Any]:
    """The stages of a condition in their order: for filters the keys of each, sorted; else values of a comment."""
    levels, keys = condition.levels, {item.name: item.key for item in staging(condition, resolved)}
    if levels is None or not keys:
        return [] if levels is None else list(levels.stages)
    return [sorted(keys[name] for name in stage_names(stage)) for stage in levels.stages or keys]


def _unnamed(condition: Condition, resolved: Resolved) -> list[str]:
    """The filters of an order that no stage names: what one of them matches too is in no stage."""
    stages = () if condition.levels is None else condition.levels.stages
    named = {name for stage in stages for name in stage_names(stage)}
    return sorted(item.key for item in staging(condition, resolved) if stages and item.name not in named)


def _keys(filters: Filters) -> list[str]:
    return sorted({item.key for item in filters})


def kind(name: str, resolved: Resolved) -> str:
    """What a condition does first, in the manifest's words; `full` where it does nothing."""
    condition = resolved.condition(name)
    return "full" if condition is None else condition.interventions[0]


def control_of(name: str, resolved: Resolved) -> str | None:
    """The condition that a condition is the random control of."""
    condition = resolved.condition(name)
    return None if condition is None else condition.control_of


def described(name: str, resolved: Resolved) -> str:
    """What a condition is, in a line: `without agr-pp-mod`."""
    condition = resolved.condition(name)
    if condition is None:
        return "everything"
    return "; ".join(_described(key, condition, resolved) for key in condition.interventions)


def _described(key: str, condition: Condition, resolved: Resolved) -> str:
    names = ", ".join(dict.fromkeys(item.name for item in resolved.filters_of(condition.name, key)))
    other = ", and none of its own" if condition.disjoint else ""
    match key:
        case "remove":
            return f"without {names}"
        case "keep":
            return f"only {names}"
        case "mask" | "drop":
            return f"words {'masked' if key == 'mask' else 'dropped'} by {names}"
        case "remove-random":
            measure = "sentences of each length" if condition.by == "lengths" else condition.by
            return f"without as many {measure} as {condition.remove_random} takes out, at random{other}"
        case "mask-random":
            return f"words masked at random, as many as in {condition.mask_random}{other}"
        case "drop-random":
            return f"words dropped at random, as many as in {condition.drop_random}{other}"
        case "substitute":
            assert condition.substitute is not None
            tags, alpha = condition.substitute.tags.upper(), condition.substitute.alpha
            return f"the rarest words, {alpha:.4g} of all, as their {tags} tags"
        case "order" | "balance":
            levels = condition.levels
            assert levels is not None
            stages = levels.stages or tuple(item.name for item in staging(condition, resolved)) or (f"by {levels.key}",)
            if key == "balance":
                return f"as many {condition.balance.by if condition.balance else ''} of {', '.join(stages)}"
            order = reversed(stages) if condition.order and condition.order.reverse else stages
            equal = f", as many {condition.order.balance} each" if condition.order and condition.order.balance else ""
            return f"in the order {' → '.join(order)}{equal}"
        case "inject":
            inject = injecting(condition, resolved)
            assert inject is not None and inject.fraction is not None
            files = ", ".join(file.label for file in resolved.inserts.get(condition.name, ()))
            if inject.generate is not None:
                files = f"generated text with {inject.generate.paradigm or 'no paradigm'}"
            verb = "replaced by" if inject.mode == "replace" else "added from"
            return f"{inject.fraction:.4%}".rstrip("0%").rstrip(".") + f" % of the tokens {verb} {files}"
        case _:
            raise AssertionError(key)
