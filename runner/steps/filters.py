"""Load, compile and lint the filters and texts of conditions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from fictdsl.compiler import CompiledFilter, unknown_lists
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.engine import lint_module
from fictdsl.schema import Field
from fictdsl.semantics.resolve import reachable
from fictdsl.syntax.files import ListOverride, ListOverrides, read_list
from fictdsl.words import counted
from runner.conditions.condition import Condition, Filters, FiltersByKey, Rewrites, TextFile
from runner.conditions.registry import FILTER_LISTS, INTERVENTIONS, REWRITE_LISTS, TEXT_FILTER_LISTS, TEXT_LISTS
from runner.corpus.filter_arguments import Item, lint_command, load_filters, load_rewrites, missing_feature_hint
from runner.errors import InputError
from runner.manifest.model import Sample, Tokenizer
from runner.manifest.text import ManifestText
from runner.sample import COMMON_FEATURES, MIN_SENTENCES
from runner.steps.checks import RunWarning
from runner.steps.paths import ManifestPaths
from runner.steps.suites import Tokenization
from runner.toml_tables import valid_table
from runner.toml_text import entries, nested, strings
from runner.workspace import sha256_file


def read_lists(paths: ManifestPaths) -> dict[str, ListOverride]:
    lists: dict[str, ListOverride] = {}
    table = paths.draft.raw.get("lists")
    for name, text in table.items() if isinstance(table, dict) else ():
        if isinstance(text, str):
            path = paths.single(text, "word list", "lists", name)
            word_list, errors = (None, []) if path is None else read_list(name, path, text)
            if word_list is None:
                paths.problems.extend(errors)
            else:
                lists[name] = word_list
    return lists


def condition_filters(
    paths: ManifestPaths, lists: ListOverrides
) -> tuple[dict[str, FiltersByKey], dict[str, Rewrites]]:
    draft, problems = paths.draft, paths.problems
    filters_by_condition: dict[str, FiltersByKey] = {}
    rewrites: dict[str, Rewrites] = {}
    problem_count = len(problems)
    for index, entry in entries(draft.raw.get("condition")):
        filters_by_key: dict[str, Filters] = {}
        for key in (*FILTER_LISTS, *TEXT_FILTER_LISTS):
            raw = nested(entry, key)
            path: tuple[str | int, ...] = ("condition", index, *key.split("."))
            if key in REWRITE_LISTS:
                loaded = _load_items(paths, raw, path, partial(load_rewrites, required=True), lists)
                rewrites |= {str(entry.get("name")): loaded} if loaded else {}
                filters_by_key[key] = tuple(rewrite.matching for rewrite in loaded)
            else:
                filters_by_key[key] = _load_items(paths, raw, path, load_filters, lists)
        if filters_by_key := {key: filters for key, filters in filters_by_key.items() if filters}:
            filters_by_condition[str(entry.get("name"))] = filters_by_key
    if len(problems) == problem_count:  # otherwise a list may be used by a filter that failed to load
        filters = [
            compiled for filters_by_key in filters_by_condition.values() for compiled in chain(*filters_by_key.values())
        ]
        problems += _unused_lists(draft, lists, filters)
    problems += _missing_features(paths, filters_by_condition)
    return filters_by_condition, rewrites


def _unused_lists(draft: ManifestText, lists: ListOverrides, filters: Sequence[CompiledFilter]) -> Iterator[Diagnostic]:
    unknown = unknown_lists([compiled.module for compiled in filters], lists)
    used = {word_list.name for compiled in filters for word_list in compiled.lists}
    for name in lists:
        if name in unknown:
            yield replace(unknown[name], source=draft.source, span=draft.span("lists", name))
        elif name not in used:
            reason = "no filter of the conditions uses this list"
            yield draft.problem("FICT604", "lists", name, key=f"lists.{name}", reason=reason)


def _load_items(
    paths: ManifestPaths,
    raw: Any,
    key_path: tuple[str | int, ...],
    load: Callable[[list[str], ListOverrides], list[Item]],
    lists: ListOverrides,
) -> tuple[Item, ...]:
    draft, compiled = paths.draft, list[Item]()
    for index, reference in strings(raw):
        text, _, name = reference.partition("::")
        for path in paths.existing(text, "filter", *key_path, index):
            try:
                compiled += load([f"{path}::{name}" if name else str(path)], lists)
            except InputError as error:
                for problem in error.diagnostics:  # at the key of the manifest, unless it is at a place in a file
                    span = draft.span(*key_path, index)
                    located = problem if problem.source else replace(problem, source=draft.source, span=span)
                    paths.problems.append(located)
    return tuple(compiled)


def _missing_features(paths: ManifestPaths, filters_by_condition: Mapping[str, FiltersByKey]) -> Iterator[Diagnostic]:
    draft = paths.draft
    tests: list[tuple[tuple[str | int, ...], CompiledFilter]] = [
        (("condition", index, *key.split(".")), compiled)
        for index, condition in entries(draft.raw.get("condition"))
        if condition.get("allow-missing") is not True
        for key in FILTER_LISTS
        for compiled in filters_by_condition.get(str(condition.get("name")), {}).get(key, ())
    ]
    features = {feature for _, compiled in tests for feature in compiled.features}
    for text in _training_texts(replace(paths, problems=[]), features) if features else ():
        missing = text.missing(features)
        for key_path, compiled in tests:
            for feature in sorted(missing & set(compiled.features)):
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

    def missing(self, features: Set[str]) -> Set[str]:
        from runner.corpus.conllu_reader import features_missing_in

        return features_missing_in(self.contents, features)


def _training_texts(paths: ManifestPaths, features: Set[str]) -> Iterator[_TrainingText]:
    for index, entry in strings(nested(paths.draft.raw, "corpus.train")):
        if files := paths.conllu(entry, "corpus file", "corpus", "train", index):  # a bad path is reported elsewhere
            from runner.corpus.conllu_reader import file_contents

            yield _TrainingText(entry, file_contents(files), files[0])
    sample = valid_table(Sample, nested(paths.draft.raw, "corpus.sample"))
    if sample is not None and not (sample.sentences >= MIN_SENTENCES and features <= COMMON_FEATURES):
        from runner.sample.corpus import split_sentences

        sentences = split_sentences("train", sample.sentences, sample.seed, set())
        contents = (sentence.conllu().encode() for sentence in sentences)
        command = f"fictc sample --output sample --sentences {sample.sentences} --seed {sample.seed} && "
        yield _TrainingText("the generated sample", contents, Path("sample/train.conllu"), command)


def text_files(paths: ManifestPaths) -> dict[str, tuple[TextFile, ...]]:
    files_by_condition: dict[str, tuple[TextFile, ...]] = {}
    for index, table in entries(paths.draft.raw.get("condition")):
        files: list[TextFile] = []
        for key in TEXT_LISTS:
            labelled = paths.labelled(nested(table, key), "text", "condition", index, *key.split("."))
            files += [TextFile(label, path, sha256_file(path), key) for label, path in labelled]
        if files:
            files_by_condition[str(table.get("name"))] = tuple(files)
            paths.problems.extend(error for file in files if not file.parsed for error in _read_problems(file.path))
    return files_by_condition


def _read_problems(path: Path) -> tuple[Diagnostic, ...]:
    from runner.corpus.raw_text import read_lines

    try:
        deque(read_lines(path), maxlen=0)
    except InputError as error:
        return error.diagnostics
    return ()


def condition_problems(
    draft: ManifestText,
    filters: Mapping[str, FiltersByKey],
    rewrites: Mapping[str, Rewrites],
    files: Mapping[str, tuple[TextFile, ...]],
) -> Iterator[Diagnostic]:
    tables = entries(draft.raw.get("condition"))
    index_by_name = {str(table.get("name")): index for index, table in reversed(tables)}

    def condition(index: int | None, name: str) -> Condition:
        def problem(code: str, *keys: str | int, hint: str | None = None, **values: Any) -> Diagnostic:
            return draft.problem(code, "condition", index or 0, *keys, hint=hint, **values)

        values = next((table for number, table in tables if number == index), {})
        return Condition(
            name,
            values,
            (),
            filters.get(name, {}),
            files.get(name, ()),
            Tokenization(Tokenizer(), None),
            "lines",
            lambda other: condition(index_by_name.get(other), other),
            problem,
            rewrites=rewrites.get(name, ()),
        )

    for index, table in tables:
        for intervention in INTERVENTIONS:
            if intervention.key in table:
                yield from intervention.check(condition(index, str(table.get("name"))))


# lint rules about unknown labels, which may still occur in the corpus
_FIELDS = {
    "FICT501": Field.UPOS,
    "FICT502": Field.DEPREL,
}


def lint_filters(
    filters: Mapping[str, FiltersByKey], train: Iterable[Path], problems: list[Diagnostic]
) -> list[RunWarning]:
    files = tuple(train)
    warnings = []
    compiled_filters = chain.from_iterable(chain(*by_key.values()) for by_key in filters.values())
    modules = (module for compiled in compiled_filters for module in reachable(compiled.module))
    for module in {str(module.path or id(module)): module for module in modules}.values():
        findings = lint_module(module)
        errors = [finding for finding in findings if finding.severity is Severity.ERROR]
        problems += [error for error in errors if not _label_exists(error, files)]
        count = sum(finding.severity is Severity.WARNING for finding in findings)
        if count:
            text = f"{counted(count, 'warning')}; `fictc lint {module.source.name}` shows them"
            warnings.append(RunWarning("lint", module.source.name, text))
    return warnings


def _label_exists(error: Diagnostic, files: tuple[Path, ...]) -> bool:
    from runner.corpus.conllu_reader import label_occurs

    field = _FIELDS.get(error.code)
    if field is None:
        return False
    label = error.message.split("`")[1]  # the source at the span may be the parameter of a family
    return label_occurs(files, label, field)
