"""Resolve `[[evaluate]]` and `[tokenizer]`: files, kinds, conventions, and how text is split."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.errors import InputError
from runner.manifest.model import Corrupt, Evaluate, Tokenizer
from runner.manifest.text import ManifestText
from runner.model.tokenizer import SPLITTING, Split, lowercases
from runner.readers import parse_json
from runner.score.convention import CONVENTIONS, convention_of
from runner.steps.models import ModelEntry, SavedFolder, unknown_name
from runner.steps.paths import ManifestPaths
from runner.toml_tables import valid_table
from runner.toml_text import entries, strings
from runner.workspace import sha256_path


@dataclass(frozen=True)
class Tokenization:
    settings: Tokenizer
    saved: SavedFolder | None

    @property
    def lowercase(self) -> bool:
        return self.settings.lowercase if self.saved is None else _lowercases(self.saved.path, self.saved.digest)

    @property
    def has_words(self) -> bool:
        """Whether tokens are words. A saved tokenizer of an unknown format is assumed to have subwords."""
        return self.settings.kind == "word" if self.saved is None else _has_words(self.saved.path, self.saved.digest)

    @property
    def split(self) -> Split:
        return self.settings.split

    @property
    def splitting(self) -> str:
        return _versioned(self.split)


def convention_content(convention: Mapping[str, Any]) -> dict[str, Any]:
    return {**convention, "tokenise": _versioned(convention["tokenise"])}


def _versioned(split: Split) -> str:
    return split if split == "none" else f"{split} {SPLITTING}"


@cache
def _lowercases(folder: Path, digest: str) -> bool:  # noqa: ARG001 - a key of the cache
    from runner.model.saved import load_tokenizer

    return lowercases(load_tokenizer(folder))


@cache
def _has_words(folder: Path, digest: str) -> bool:  # noqa: ARG001 - a key of the cache
    try:
        is_word_level: bool = parse_json((folder / "tokenizer.json").read_text("utf-8"))["model"]["type"] == "WordLevel"
    except (OSError, ValueError, KeyError, TypeError):
        return False  # training reads the file and reports what is wrong
    return is_word_level


CONLLU = (".conllu", ".conllu.gz")


@dataclass(frozen=True)
class SuiteEntry:
    """A suite of the manifest. `digest` is a hash of the files. For the pairs of the sample, `path` is None."""

    name: str
    path: Path | None
    digest: str
    limit: int | None
    paradigms: tuple[str, ...]
    corrupt: Corrupt | None = None
    kind: str = "pairs"
    parsed: bool = False
    covariates: tuple[str, ...] = ()
    known_words: bool = False  # whether only pairs without unknown words count; this changes no score


Conventions: TypeAlias = dict[bool, dict[str, Any]]  # by whether the models are masked, as plain JSON


def read_suites(
    paths: ManifestPaths, models: Mapping[str, ModelEntry]
) -> tuple[tuple[SuiteEntry, ...], dict[str, Conventions]]:
    """Return the suites whose files can be read, with hashes of the files, and the conventions by name of a suite.

    Errors are appended to `paths.problems`: an entry with an unknown convention has neither, and one whose files cannot
    be read has only its conventions. Errors in the values of a table are reported with the manifest.
    """
    draft, problems, suites = paths.draft, paths.problems, list[SuiteEntry]()
    conventions: dict[str, Conventions] = {}
    masked_values = sorted({entry.model.masked for entry in models.values()})  # empty if the models are invalid
    corpus = draft.raw.get("corpus")
    has_sample = isinstance(corpus, dict) and "sample" in corpus
    for index, entry in entries(draft.raw.get("evaluate")):
        name, path_text, convention = str(entry.get("name")), entry.get("path"), entry.get("convention", "default")
        if isinstance(convention, str) and convention not in CONVENTIONS:
            problems.append(unknown_name(draft, "convention", convention, CONVENTIONS, "evaluate", index, "convention"))
            continue
        conventions[name] = {
            masked: _convention(draft, index, convention, models, masked, problems) for masked in masked_values
        }
        settings = valid_table(Evaluate, entry)
        limit = None if settings is None else settings.limit
        known_words = settings is not None and settings.known_words
        # an invalid table is reported elsewhere, and the kind of the suite does not depend on its values
        corrupt = (valid_table(Corrupt, entry["corrupt"]) or Corrupt()) if "corrupt" in entry else None
        paradigms = tuple(text for _, text in strings(entry.get("paradigms")))
        if path_text == "sample" and has_sample:
            suites.append(SuiteEntry(name, None, "sample", limit, paradigms, known_words=known_words))
        elif isinstance(path_text, str):
            from runner.score.any_suite import BY_NAME, kind_of

            path = paths.single(path_text, "suite", "evaluate", index, "path")
            if path is not None:
                parsed = corrupt is None and path.name.endswith(CONLLU)
                try:
                    kind = "pairs" if corrupt is not None else "sentences" if parsed else kind_of(path).name
                except InputError as error:
                    problems += error.diagnostics
                    continue
                covariates = tuple(text for _, text in strings(entry.get("covariates")))
                declared = BY_NAME.get(str(entry.get("kind")))
                if declared is not None and declared.declared:
                    kind, parsed = declared.name, False
                digest = sha256_path(path)
                suite = SuiteEntry(name, path, digest, limit, paradigms, corrupt, kind, parsed, covariates, known_words)
                suites.append(suite)
                problems += _suite_problems(suite, path)
                has_pairs = kind == "pairs"
                may_have_parses = has_pairs and corrupt is None
                for key, is_set, fits, reason in (
                    ("parses", entry.get("parses"), may_have_parses, "parses require a suite of minimal pairs"),
                    ("known-words", known_words, has_pairs, "it requires a suite of minimal pairs"),
                    ("paradigms", paradigms, not parsed, "rated sentences have no paradigms"),
                ):
                    if is_set and not fits:
                        problems.append(draft.problem("FICT604", "evaluate", index, key, key=key, reason=reason))
    return tuple(suites), conventions


def _suite_problems(suite: SuiteEntry, path: Path) -> tuple[Diagnostic, ...]:
    from runner.score.any_suite import BY_NAME

    try:
        if suite.kind != "pairs" and not suite.parsed:
            kind = BY_NAME[suite.kind]
            limit = None if kind.declared else suite.limit
            opened = kind.open(path, limit=limit, paradigms=suite.paradigms, covariates=suite.covariates)
            kind.check(opened, path)
    except InputError as error:
        return error.diagnostics
    return ()


def _convention(
    draft: ManifestText,
    index: int,
    name: Any,
    models: Mapping[str, ModelEntry],
    masked: bool,
    problems: list[Diagnostic],
) -> dict[str, Any]:
    overrides = {} if draft.manifest is None else draft.manifest.evaluate[index].scoring.overrides
    preset = name if isinstance(name, str) else "default"
    labels = ", ".join(label for label, entry in models.items() if entry.model.masked == masked)
    try:
        return asdict(convention_of(preset, overrides, masked=masked, model_name=labels))
    except InputError as error:
        span = draft.span("evaluate", index, "scoring")
        problems += [replace(problem, source=draft.source, span=span) for problem in error.diagnostics]
        return {}
