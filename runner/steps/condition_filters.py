"""Load and compile the filters that conditions name, and check them against the features of the training text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from fictdsl.compiler import CompiledFilter, unknown_lists
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.syntax.word_lists import ListOverride, ListOverrides, read_list
from runner.corpus.conllu_reader import features_missing_in, file_contents
from runner.corpus.filter_arguments import Item, lint_command, load_filters, load_rewrites, missing_feature_hint
from runner.errors import InputError
from runner.interventions.context import Filters, FiltersByKey, Rewrites
from runner.interventions.registry import FILTER_LISTS, REWRITE_LISTS, TEXT_FILTER_LISTS
from runner.manifest.load import Draft
from runner.manifest.model import Sample
from runner.sample.corpus import sentences as sample_sentences
from runner.steps.paths import Roots, conllu_paths, existing_paths, single_path
from runner.toml_tables import valid_table
from runner.toml_text import entries, nested, strings


def read_lists(draft: Draft, roots: Roots, problems: list[Diagnostic]) -> dict[str, ListOverride]:
    """Read the word lists of `[lists]`. Append mistakes to `problems`."""
    lists: dict[str, ListOverride] = {}
    table = draft.raw.get("lists")
    for name, text in table.items() if isinstance(table, dict) else ():
        if isinstance(text, str):
            path, errors = single_path(draft, roots, text, "word list", ("lists", name))
            problems += errors
            word_list, errors = (None, []) if path is None else read_list(name, path, text)
            if word_list is None:
                problems += errors
            else:
                lists[name] = word_list
    return lists


def condition_filters(
    draft: Draft, roots: Roots, lists: ListOverrides, problems: list[Diagnostic]
) -> tuple[dict[str, FiltersByKey], dict[str, Rewrites]]:
    """Compile the filters and rewrites of each condition that has any. Append mistakes to `problems`.

    `lists` replace declared word lists. The filters of rewrites are those that find their matches.
    """
    filters_by_condition: dict[str, FiltersByKey] = {}
    rewrites: dict[str, Rewrites] = {}
    problem_count = len(problems)
    for index, entry in entries(draft.raw.get("condition")):
        filters_by_key: dict[str, Filters] = {}
        for key in (*FILTER_LISTS, *TEXT_FILTER_LISTS):
            raw = nested(entry, key)
            path: tuple[str | int, ...] = ("condition", index, *key.split("."))
            if key in REWRITE_LISTS:
                loaded = _load_items(draft, roots, raw, path, partial(load_rewrites, required=True), lists, problems)
                rewrites |= {str(entry.get("name")): loaded} if loaded else {}
                filters_by_key[key] = tuple(rewrite.matching for rewrite in loaded)
            else:
                filters_by_key[key] = _load_items(draft, roots, raw, path, load_filters, lists, problems)
        if filters_by_key := {key: filters for key, filters in filters_by_key.items() if filters}:
            filters_by_condition[str(entry.get("name"))] = filters_by_key
    if len(problems) == problem_count:  # otherwise a list may be used by a filter that failed to load
        filters = [
            compiled for filters_by_key in filters_by_condition.values() for compiled in chain(*filters_by_key.values())
        ]
        problems += _unused_lists(draft, lists, filters)
    problems += _missing_features(draft, roots, filters_by_condition)
    return filters_by_condition, rewrites


def _unused_lists(draft: Draft, lists: ListOverrides, filters: Sequence[CompiledFilter]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each list that no filter's file declares or that no filter uses."""
    unknown = unknown_lists([compiled.module for compiled in filters], lists)
    used = {word_list.name for compiled in filters for word_list in compiled.lists}
    for name in lists:
        if name in unknown:
            yield replace(unknown[name], source=draft.source, span=draft.span("lists", name))
        elif name not in used:
            reason = "no filter of the conditions uses this list"
            yield draft.problem("FICT604", "lists", name, key=f"lists.{name}", reason=reason)


def _load_items(
    draft: Draft,
    roots: Roots,
    raw: Any,
    key_path: tuple[str | int, ...],
    load: Callable[[list[str], ListOverrides], list[Item]],
    lists: ListOverrides,
    problems: list[Diagnostic],
) -> tuple[Item, ...]:
    compiled: list[Item] = []
    for index, reference in strings(raw):
        text, _, name = reference.partition("::")
        paths, errors = existing_paths(draft, roots, text, "filter", (*key_path, index))
        problems += errors
        for path in paths:
            try:
                compiled += load([f"{path}::{name}" if name else str(path)], lists)
            except InputError as error:
                problems += (_located(draft, problem, (*key_path, index)) for problem in error.diagnostics)
    return tuple(compiled)


def _located(draft: Draft, problem: Diagnostic, key_path: tuple[str | int, ...]) -> Diagnostic:
    """Return a diagnostic at a key of the manifest if it is at no place in a filter file."""
    return problem if problem.source is not None else replace(problem, source=draft.source, span=draft.span(*key_path))


def _missing_features(
    draft: Draft, roots: Roots, filters_by_condition: Mapping[str, FiltersByKey]
) -> Iterator[Diagnostic]:
    """Yield FICT610 for each feature that a filter tests and a training text lacks, except with `allow-missing`."""
    tests: list[tuple[tuple[str | int, ...], CompiledFilter]] = [
        (("condition", index, *key.split(".")), compiled)
        for index, condition in entries(draft.raw.get("condition"))
        if condition.get("allow-missing") is not True
        for key in FILTER_LISTS
        for compiled in filters_by_condition.get(str(condition.get("name")), {}).get(key, ())
    ]
    features = {feature for _, compiled in tests for feature in compiled.statement().features}
    for text in _training_texts(draft, roots) if features else ():
        missing = features_missing_in(text.contents, features)
        for key_path, compiled in tests:
            for feature in sorted(missing & set(compiled.statement().features)):
                hint = missing_feature_hint(f"{text.preparation}{lint_command(compiled, text.path)}")
                parameters = {"filter": compiled.name, "feature": feature, "corpus": text.name}
                yield draft.problem("FICT610", *key_path, hint=hint, **parameters)


@dataclass(frozen=True, slots=True)
class _TrainingText:
    """An entry of `train`, or the sample, as CoNLL-U. After the commands of `preparation`, `path` is a file of it."""

    name: str
    contents: Iterator[bytes]
    path: Path
    preparation: str = ""


def _training_texts(draft: Draft, roots: Roots) -> Iterator[_TrainingText]:
    """Yield the training texts of a manifest. Files are read, and sample sentences generated, one by one."""
    corpus = draft.raw.get("corpus")
    for index, entry in strings(corpus.get("train") if isinstance(corpus, dict) else None):
        paths, _ = conllu_paths(draft, roots, entry, "corpus file", ("corpus", "train", index))
        if paths:  # a bad path is reported elsewhere
            yield _TrainingText(entry, file_contents(paths), paths[0])
    sample = valid_table(Sample, nested(draft.raw, "corpus.sample"))
    if sample is not None:
        sentences = sample_sentences("train", sample.sentences, sample.seed, set())
        contents = (sentence.conllu().encode() for sentence in sentences)
        command = f"fictc sample --output sample --sentences {sample.sentences} --seed {sample.seed} && "
        yield _TrainingText("the generated sample", contents, Path("sample/train.conllu"), command)
