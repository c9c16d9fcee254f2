"""The filters that conditions name: found, compiled, and held against the features of the base corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, TypeAlias

from fictdsl.compiler import CompiledFilter, unknown_lists
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.syntax.parsing.word_lists import ListOverride, ListOverrides, read_list
from runner.corpus.conllu.features import missing_features
from runner.corpus.query.filters import load_filters
from runner.errors import InputError
from runner.manifest.load import Draft
from runner.steps.paths import Roots, conllu_at, files_at, one_at
from runner.steps.raw import entries, nested, strings

Filters: TypeAlias = tuple[CompiledFilter, ...]
ByKey: TypeAlias = Mapping[str, Filters]  # the filters of a condition, by the manifest's key that names them

EDITS = {"mask": "mask", "drop": "remove"}  # keys whose filters act on words, and what their actions must be
STAGES = ("order.filters", "balance.filters")
KEYS = ("remove", "keep", *EDITS, *STAGES)  # keys whose filters are asked about the base corpus
INJECTED = ("inject.only", "inject.without")  # and those whose filters are asked about an injected text


def given_lists(draft: Draft, roots: Roots, problems: list[Diagnostic]) -> dict[str, ListOverride]:
    """The word lists of `[lists]`, read; what is wrong with them goes to `problems`."""
    found: dict[str, ListOverride] = {}
    listed = draft.raw.get("lists")
    for name, text in listed.items() if isinstance(listed, dict) else ():
        if isinstance(text, str):
            path, wrong = one_at(draft, roots, text, "word list", ("lists", name))
            problems += wrong
            read, wrong = (None, []) if path is None else read_list(name, path, text)
            if read is None:
                problems += wrong
            else:
                found[name] = read
    return found


def condition_filters(draft: Draft, roots: Roots, given: ListOverrides, problems: list[Diagnostic]) -> dict[str, ByKey]:
    """The filters of each condition that has any, with the lists `given`; what is wrong goes to `problems`."""
    found: dict[str, ByKey] = {}
    before = len(problems)
    for index, entry in entries(draft.raw.get("condition")):
        by_key = {
            key: _compiled(draft, roots, nested(entry, key), ("condition", index, *key.split(".")), given, problems)
            for key in (*KEYS, *INJECTED)
        }
        if by_key := {key: filters for key, filters in by_key.items() if filters}:
            found[str(entry.get("name"))] = by_key
            problems += _wrong_actions(draft, index, by_key)
            problems += _unknown_stages(draft, index, entry, by_key)
    if len(problems) == before:  # else a list may be that of a filter that is not here
        problems += _useless_lists(
            draft, given, [item for by_key in found.values() for item in chain(*by_key.values())]
        )
    problems += _missing_features(draft, roots, found)
    return found


def _useless_lists(draft: Draft, given: ListOverrides, filters: Sequence[CompiledFilter]) -> Iterator[Diagnostic]:
    """Lists that no file of a filter declares, and those that no filter names."""
    unknown = unknown_lists([one.module for one in filters], given)
    named = {chosen.name for one in filters for chosen in one.lists}
    for name in given:
        if name in unknown:
            yield replace(unknown[name], source=draft.source, span=draft.span("lists", name))
        elif name not in named:
            reason = "no filter of the conditions names this list"
            yield draft.problem("FICT604", "lists", name, key=f"lists.{name}", reason=reason)


def _compiled(
    draft: Draft,
    roots: Roots,
    raw: Any,
    where: tuple[str | int, ...],
    given: ListOverrides,
    problems: list[Diagnostic],
) -> Filters:
    compiled: list[CompiledFilter] = []
    for number, reference in strings(raw):
        path, _, name = reference.partition("::")
        paths, wrong = files_at(draft, roots, path, "filter", (*where, number))
        problems += wrong
        for found in paths:
            try:
                compiled += load_filters([f"{found}::{name}" if name else str(found)], given)
            except InputError as error:
                problems += error.diagnostics
    return tuple(compiled)


def _wrong_actions(draft: Draft, index: int, by_key: ByKey) -> Iterator[Diagnostic]:
    """Filters under `mask` or `drop` that do something else, or nothing."""
    for key, verb in EDITS.items():
        for item in by_key.get(key, ()):
            acts = [
                (action, text)
                for action, text in zip(item.ir.actions, item.actions, strict=True)
                if action.verb != "count"
            ]
            wrong = [text for action, text in acts if action.verb != verb or action.target == "sentence"]
            if wrong or not acts:
                hint = f"a filter for {key} says `{verb} node(X)`, `{verb} subtree(X)` or `{verb} span(X, Y)`"
                said = (wrong or list(item.actions))[0]
                yield draft.problem(
                    "FICT641", "condition", index, key, filter=item.name, action=said, key=key, hint=hint
                )


def _unknown_stages(draft: Draft, index: int, entry: Any, by_key: ByKey) -> Iterator[Diagnostic]:
    """Stages that name a filter which is not among those of the order, or there twice."""
    for key in STAGES:
        names = [item.name for item in by_key.get(key, ())]
        intervention = key.partition(".")[0]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield draft.problem("FICT606", "condition", index, *key.split("."), kind="filter", name=name)
        for number, stage in strings(nested(entry, f"{intervention}.stages")) if names else []:
            for name in stage_names(stage):
                if name not in names:
                    where: tuple[str | int, ...] = ("condition", index, intervention, "stages", number)
                    hint = did_you_mean(name, names) or f"filters of {intervention}: {', '.join(names)}"
                    yield draft.problem("FICT605", *where, kind="filter", name=name, hint=hint)


def stage_names(stage: str) -> list[str]:
    """The filters of a stage: `fem+occ` is fem and occ."""
    return [name.strip() for name in stage.split("+")]


def _missing_features(draft: Draft, roots: Roots, found: Mapping[str, ByKey]) -> Iterator[Diagnostic]:
    """Filters that ask for a feature which an entry of `train` never has: they would silently find nothing there."""
    corpus = draft.raw.get("corpus")
    train = strings(corpus.get("train") if isinstance(corpus, dict) else None)
    conditions = [(i, c) for i, c in entries(draft.raw.get("condition")) if c.get("allow-missing") is not True]
    every = [item for by_key in found.values() for key in KEYS for item in by_key.get(key, ())]
    wanted = {feature for item in every for feature in item.statement().features}
    for number, entry in train if wanted else []:
        paths, _ = conllu_at(draft, roots, entry, "corpus file", ("corpus", "train", number))
        missing = missing_features(paths, wanted) if paths else set()  # else that is what is wrong
        for index, condition in conditions:
            for key in KEYS:
                for item in found.get(str(condition.get("name")), {}).get(key, ()):
                    for feature in sorted(missing & set(item.statement().features)):
                        hint = "`allow-missing = true` on the condition lets it through"
                        where: tuple[str | int, ...] = ("condition", index, *key.split("."))
                        parameters = {"filter": item.name, "feature": feature, "corpus": entry}
                        yield draft.problem("FICT610", *where, hint=hint, **parameters)
