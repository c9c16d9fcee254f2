"""Apply an intervention to a share of the matches, or to those beyond a number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, cast

from pydantic import field_validator

from runner.conditions.condition import BaseCorpus, Condition, Filters
from runner.conditions.intervention import SEED, Key, selection_of
from runner.toml_tables import SHARE, Range, TomlTable

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.corpus.matches import Attribute
    from runner.corpus.sentence_arrays import Indices


ATTRIBUTES = ("form", "lemma", "upos", "xpos", "deprel")
_PER = re.compile(rf"({'|'.join(ATTRIBUTES)})\((\w+)\)")


class Beyond(TomlTable):
    """`beyond = {…}`: spare up to `at_most` sentences for each value of `per`, an attribute such as `lemma(V)`."""

    per: str
    at_most: Annotated[int, Range(0, 10**12, "no corpus has more sentences")]

    @field_validator("per")
    @classmethod
    def _check_per(cls, per: str) -> str:
        if _PER.fullmatch(per) is None:
            raise ValueError(f"it should be an attribute ({', '.join(ATTRIBUTES)}) of a named word, such as lemma(V)")
        return per

    @property
    def attribute(self) -> Attribute:
        return cast("Attribute", self.per.partition("(")[0])

    @property
    def name(self) -> str:
        return self.per.partition("(")[2].removesuffix(")")


OPTIONS: Mapping[str, Key] = {
    "fraction": Key(Annotated[float, replace(SHARE, least_open=True)] | None),
    "beyond": Key(Beyond | None),
    "seed": SEED,
}


def share_problems(condition: Condition, key: str, filters: Filters) -> Iterator[Diagnostic]:
    share_keys = [name for name in ("fraction", "beyond") if name in condition.values]
    edits = [name for name in ("mask", "drop", "rewrite") if name in condition.values]
    if key == "remove" and share_keys and edits:
        reason = f"remove and {edits[0]} match different sentences; use two conditions"
        yield condition.problem("FICT604", share_keys[0], key=f"condition.{share_keys[0]}", reason=reason)
    if len(share_keys) > 1 and key == next(name for name in ("remove", *edits) if name in condition.values):
        yield condition.problem(
            "FICT604", "beyond", key="condition.beyond", reason="fraction and beyond exclude each other"
        )
    settings = condition.values.get("beyond")
    per = _PER.fullmatch(str(settings.get("per"))) if isinstance(settings, dict) else None
    for filter_ in filters if per is not None else ():
        if per is not None and per[2] not in filter_.names:
            names = ", ".join(f"`{name}`" for name in filter_.names)
            hint = f"it has {names}" if names else "it binds no word"
            kind = "rewrite" if key == "rewrite" else "filter"
            yield condition.problem("FICT655", "beyond", kind=kind, filter=filter_.name, name=per[2], hint=hint)


def share_content(condition: Condition, filters: Filters) -> dict[str, Any]:
    seed_settings = {"seed": condition.values["seed"]} | condition.redrawn
    if (fraction := condition.values["fraction"]) is not None:
        return {"fraction": fraction} | seed_settings
    settings: Beyond | None = condition.values["beyond"]
    if settings is None:
        return {}
    nodes = sorted((filter_.key, filter_.names.index(settings.name)) for filter_ in filters)
    per = [settings.attribute, [list(node) for node in nodes]]
    return {"beyond": settings.at_most, "per": per} | seed_settings


def share_description(condition: Condition) -> str:
    if (fraction := condition.values["fraction"]) is not None:
        return f" ({fraction:.4g} of the matching sentences)"
    settings: Beyond | None = condition.values["beyond"]
    return "" if settings is None else f" (sparing {settings.at_most} sentences for each {settings.per})"


def affected_sentences(
    condition: Condition, filters: Filters, base: BaseCorpus, among: Indices | None = None
) -> Indices:
    import numpy as np

    from runner.conditions.samples import fraction_of, unspared_sentences
    from runner.corpus.matches import values_by_sentence

    matched = base.matching(filters)
    matched = matched if among is None else np.intersect1d(matched, among, assume_unique=True)
    seed = condition.seed(condition.values["seed"])
    if (fraction := condition.values["fraction"]) is not None:
        return fraction_of(matched, base.ranks(f"fraction:{seed}"), fraction)
    settings: Beyond | None = condition.values["beyond"]
    if settings is None:
        return matched
    values: dict[int, set[str]] = {}
    for filter_ in filters:
        for sid, sentence_values in values_by_sentence(base.store, filter_, settings.name, settings.attribute).items():
            values.setdefault(sid, set()).update(sentence_values)
    return unspared_sentences(matched, base.ranks(f"beyond:{seed}"), values, settings.at_most)


def removal_content(condition: Condition) -> dict[str, Any] | None:
    selection = selection_of(condition)
    return None if selection is None or not selection.filters(condition) else selection.content(condition)


def remaining_after_removal(condition: Condition, base: BaseCorpus) -> Indices | None:
    """Return the sentences that remain after a removal by filters, which sampling cannot undo, or None without one."""
    selection = selection_of(condition)
    if selection is None or not selection.filters(condition):
        return None
    return base.others(selection.removed_sentences(condition, base))


def sentences_to_rewrite(condition: Condition, filters: Filters, base: BaseCorpus) -> Indices | None:
    remaining = remaining_after_removal(condition, base)
    return affected_sentences(condition, filters, base, remaining) if has_share(condition) else remaining


def has_share(condition: Condition) -> bool:
    return condition.values["fraction"] is not None or condition.values["beyond"] is not None
