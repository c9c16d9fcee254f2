"""Find and hash the texts that conditions inject, and check them against the filters that run on them."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from runner.corpus.conllu.features import missing_features
from runner.corpus.files.labels import source_labels
from runner.corpus.text.units import read_lines
from runner.errors import InputError
from runner.generate.targets import TARGETS as PARADIGMS
from runner.manifest.load import Draft
from runner.steps.condition_filters import INJECTION_KEYS, FiltersByKey
from runner.steps.paths import Roots, conllu_paths
from runner.steps.raw import entries, nested, strings
from runner.workspace import sha256_file


@dataclass(frozen=True)
class InsertFile:
    """A file of an injected text: CoNLL-U, or plain text with one sentence per line."""

    label: str
    path: Path
    sha256: str

    @property
    def parsed(self) -> bool:
        """Whether the file is CoNLL-U, so that filters can run on it."""
        return ".conllu" in self.path.name


def insert_files(
    draft: Draft, roots: Roots, filters: Mapping[str, FiltersByKey], problems: list[Diagnostic]
) -> dict[str, tuple[InsertFile, ...]]:
    """Return the files of each condition that injects text; append mistakes to `problems`."""
    by_condition: dict[str, tuple[InsertFile, ...]] = {}
    for index, entry in entries(draft.raw.get("condition")):
        problems += _unknown_paradigm(draft, index, entry)
        paths: list[Path] = []
        for number, text in strings(nested(entry, "inject.text")):
            new_paths, errors = conllu_paths(draft, roots, text, "text", ("condition", index, "inject", "text", number))
            paths += new_paths
            problems += errors
        paths = list(dict.fromkeys(paths))
        if paths:
            name = str(entry.get("name"))
            labelled = zip(source_labels(paths), paths, strict=True)
            files = tuple(InsertFile(label, path, sha256_file(path)) for label, path in labelled)
            by_condition[name] = files
            problems += [problem for file in files if not file.parsed for problem in _unreadable(file.path)]
            allow_missing = entry.get("allow-missing") is True
            problems += _inapplicable_filters(draft, index, files, filters.get(name, {}), allow_missing)
    return by_condition


def _unreadable(path: Path) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a text that cannot be read, such as one that is not UTF-8."""
    try:
        deque(read_lines(path), maxlen=0)
    except InputError as error:
        return error.diagnostics
    return ()


def _unknown_paradigm(draft: Draft, index: int, entry: Any) -> list[Diagnostic]:
    """Return diagnostics for a paradigm without a template and for a control without a text that it could generate."""
    name, like = nested(entry, "inject.generate.paradigm"), nested(entry, "inject.like")
    if isinstance(name, str) and name not in PARADIGMS:
        hint = did_you_mean(name, PARADIGMS) or f"paradigms: {', '.join(PARADIGMS)}"
        key_path = ("condition", index, "inject", "generate", "paradigm")
        return [draft.problem("FICT605", *key_path, kind="paradigm", name=name, hint=hint)]
    other = next((e for _, e in entries(draft.raw.get("condition")) if e.get("name") == like), {}) if like else {}
    if like and not nested(entry, "inject.text") and nested(other, "inject.text"):
        return [draft.problem("FICT603", "condition", index, "inject", key="text", where="inject")]
    return []


def _inapplicable_filters(
    draft: Draft, index: int, files: tuple[InsertFile, ...], by_key: FiltersByKey, allow_missing: bool
) -> list[Diagnostic]:
    """Return diagnostics for filters on a text without trees, or without a feature that they test."""
    problems: list[Diagnostic] = []
    plain = [file for file in files if not file.parsed]
    for key in INJECTION_KEYS:
        key_path: tuple[str | int, ...] = ("condition", index, *key.split("."))
        items = by_key.get(key, ())
        if items and plain:
            problems.append(draft.problem("FICT642", *key_path, path=plain[0].label))
            continue
        missing = missing_features([file.path for file in files], {f for i in items for f in i.statement().features})
        for item in () if allow_missing else items:
            for feature in sorted(missing & set(item.statement().features)):
                hint = "`allow-missing = true` on the condition allows this"
                parameters = {"filter": item.name, "feature": feature, "corpus": files[0].label}
                problems.append(draft.problem("FICT610", *key_path, hint=hint, **parameters))
    return problems
