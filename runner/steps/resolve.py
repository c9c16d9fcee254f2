"""Resolve what a manifest names: files and their hashes, compiled filters, and settings of models and scoring.

All mistakes that can be found without reading a corpus are reported at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.syntax.files import ListOverrides
from runner.conditions.condition import Condition, FiltersByKey, Rewrites, TextFile
from runner.conditions.registry import FILTER_LISTS
from runner.errors import InputError
from runner.manifest.model import TEXTS, ConditionTable, Manifest
from runner.manifest.text import ManifestText
from runner.model.recipe import Frame
from runner.steps.audits import read_audits
from runner.steps.checks import RunWarning, check_contexts, check_draws, check_shared_files, check_targets
from runner.steps.filters import condition_filters, condition_problems, lint_filters, read_lists, text_files
from runner.steps.models import FULL, ModelEntry, SavedFolder, read_models, saved_folder
from runner.steps.names import parses_name
from runner.steps.paths import ManifestPaths, Roots
from runner.steps.suites import Conventions, SuiteEntry, Tokenization, read_suites
from runner.toml_text import entries, nested
from runner.workspace import sha256_file

if TYPE_CHECKING:
    from runner.audit.estimates import Audit


TOKENIZER_GLOBS = ("*tokenizer*", "*vocab*", "*.model", "tekken.json")  # file names that transformers uses


@dataclass(frozen=True)
class Resolved:
    """A manifest with everything that it names. `sources` has (label, sha256) pairs for each text."""

    draft: ManifestText
    manifest: Manifest
    roots: Roots
    files: Mapping[str, tuple[tuple[str, Path], ...]]  # (label, path) by text: train, valid, test, SUITE.parses
    sources: Mapping[str, tuple[tuple[str, str], ...]]
    lists: ListOverrides
    filters: Mapping[str, FiltersByKey]  # by condition
    texts: Mapping[str, tuple[TextFile, ...]]  # by condition
    models: Mapping[str, ModelEntry]  # by label
    suites: tuple[SuiteEntry, ...]
    scoring: Mapping[str, Conventions]  # by suite
    tokenizer: SavedFolder | None  # None if it is trained
    rewrites: Mapping[str, Rewrites]  # by condition
    audits: Mapping[str, tuple[Audit, ...]]  # by condition
    warnings: tuple[RunWarning, ...] = ()

    def table(self, condition: str) -> ConditionTable | None:
        """Return the table of a condition, or None for the full corpus. Raises KeyError for an unknown name."""
        return None if condition == FULL else {table.name: table for table in self.manifest.condition}[condition]

    def with_device(self, device: str | None) -> Resolved:
        if device is None:
            return self
        models = {
            label: replace(entry, training=entry.training.model_copy(update={"device": device}))
            for label, entry in self.models.items()
        }
        return replace(self, models=models)

    def model_for(self, model: str, condition: str) -> ModelEntry:
        """Return a model with its settings for a condition. `order` is read in order and keeps the last model."""
        condition_entry, model_entry = self.table(condition), self.models[model]
        if condition_entry is None or condition_entry.reads_once is None:
            return model_entry
        model_table = next(table.training for table in self.manifest.model if table.label == model)
        set_keeps = (table.keep for table in (model_table, self.manifest.training) if "keep" in table.model_fields_set)
        changes = {"in_order": True, "keep": next(set_keeps, "last")}
        return replace(model_entry, training=model_entry.training.model_copy(update=changes))

    @property
    def conventions(self) -> dict[str, dict[str, Any]]:
        """The convention of each suite as plain JSON. With causal and masked models, it is that of causal models."""
        return {suite: by_masked[min(by_masked)] for suite, by_masked in self.scoring.items()}

    @property
    def recorded_conventions(self) -> dict[str, dict[str, Any]]:
        """As `conventions`; with causal and masked models, `masked` holds the convention of masked models."""
        return {
            suite: self.conventions[suite] | ({"masked": by_masked[True]} if len(by_masked) > 1 else {})
            for suite, by_masked in self.scoring.items()
        }

    @property
    def unigram_frame(self) -> Frame:
        """The frame of the first causal model, with which the unigram baseline is scored. By default, it is `eos`."""
        causal = (entry for entry in self.models.values() if not entry.model.masked)
        return next((entry.training.frame for entry in causal), "eos")

    def convention(self, suite: str, model: str) -> dict[str, Any]:
        return self.scoring[suite][self.models[model].model.masked]

    @cached_property
    def conditions(self) -> Mapping[str, Condition]:
        """The conditions by name, `full` first."""
        tables = enumerate(self.manifest.condition)
        return {FULL: self._condition(0, None)} | {table.name: self._condition(index, table) for index, table in tables}

    def _condition(self, index: int, table: ConditionTable | None) -> Condition:
        name = FULL if table is None else table.name

        def problem(code: str, *keys: str | int, hint: str | None = None, **parameters: Any) -> Diagnostic:
            return self.draft.problem(code, "condition", index, *keys, hint=hint, **parameters)

        return Condition(
            name,
            {} if table is None else table.values,
            () if table is None else table.interventions,
            self.filters.get(name, {}),
            self.texts.get(name, ()),
            self.tokenization,
            self.manifest.size.by,
            lambda other: self.conditions[other],
            problem,
            rewrites=self.rewrites.get(name, ()),
        )

    @property
    def tokenization(self) -> Tokenization:
        return Tokenization(self.manifest.tokenizer, self.tokenizer)

    @property
    def filters_by_key(self) -> dict[str, CompiledFilter]:
        conditions = self.conditions.values()
        return {compiled.key: compiled for each in conditions for compiled in each.filters_of(*FILTER_LISTS)}

    @property
    def targets_by_key(self) -> dict[str, list[str]]:
        targets: dict[str, dict[str, None]] = {}
        for condition in self.conditions.values():
            for compiled in condition.filters_of(*FILTER_LISTS):
                targets.setdefault(compiled.key, {}).update(dict.fromkeys(compiled.metadata.targets))
        return {key: list(names) for key, names in targets.items()}


def resolve(draft: ManifestText, roots: Roots) -> Resolved:
    """Look up everything that a manifest names. Raises InputError with all mistakes, including those of the draft."""
    problems: list[Diagnostic] = list(draft.problems)
    paths, kind = ManifestPaths(draft, roots, problems), "corpus file"
    files = {text: paths.labelled(nested(draft.raw, f"corpus.{text}"), kind, "corpus", text) for text in TEXTS}
    for index, entry in entries(draft.raw.get("evaluate")):
        name = parses_name(str(entry.get("name")))
        files[name] = paths.labelled(entry.get("parses"), kind, "evaluate", index, "parses")
    lists = read_lists(paths)
    filters, rewrites = condition_filters(paths, lists)
    warnings = lint_filters(filters, [path for _, path in files["train"]], problems)
    audits = read_audits(paths, filters)
    texts = text_files(paths)
    problems += condition_problems(draft, filters, rewrites, texts)
    models = read_models(paths)
    suites, conventions = read_suites(paths, models)
    warnings += check_targets(draft, filters, suites, problems)
    warnings += check_contexts(models, conventions)
    tokenizer = _tokenizer(paths)
    if problems or draft.manifest is None:
        first = next((problem for problem in problems if problem.code == "FICT609"), None)  # report it once
        raise InputError([problem for problem in problems if problem.code != "FICT609" or problem is first])
    sources = {
        text: tuple((label, sha256_file(path)) for label, path in labelled)
        for text, labelled in files.items()
        if labelled
    }
    warnings += check_shared_files(sources)
    warnings += check_draws(draft.manifest)
    return Resolved(
        draft,
        draft.manifest,
        roots,
        {text: labelled for text, labelled in files.items() if labelled},
        sources,
        lists,
        filters,
        texts,
        models,
        suites,
        conventions,
        tokenizer,
        rewrites,
        audits,
        tuple(warnings),
    )


def _tokenizer(paths: ManifestPaths) -> SavedFolder | None:
    draft, key_path = paths.draft, ("tokenizer", "path")
    saved = saved_folder(paths, nested(draft.raw, "tokenizer.path"), "tokenizer", *key_path)
    if saved is not None and not any(file.match(glob) for file in saved.path.glob("*") for glob in TOKENIZER_GLOBS):
        reason = "it has no tokenizer, such as tokenizer.json" if saved.path.is_dir() else "it is not a folder"
        paths.problems.append(draft.problem("FICT801", *key_path, path=saved.path, reason=reason))
    return saved
