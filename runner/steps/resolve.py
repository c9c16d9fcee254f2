"""A manifest draft to everything it names: files and their hashes, compiled filters, model and scoring settings.

Every mistake that can be seen without a corpus is gathered and reported at once.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.syntax.parsing.word_lists import ListOverrides
from runner.corpus.files.labels import labels
from runner.errors import InputError
from runner.manifest.condition import TEXTS, Condition
from runner.manifest.corrupt import Corrupt
from runner.manifest.load import Draft
from runner.manifest.model import Manifest, Training
from runner.model.presets import PRESETS, ModelSpec
from runner.model.recipe import TrainSpec
from runner.model.saved_config import described
from runner.score.scoring.convention import CONVENTIONS, convention_of
from runner.score.suites.kind import SuiteKind, kind_of
from runner.steps.condition_filters import KEYS, ByKey, Filters, condition_filters, given_lists
from runner.steps.inserts import InsertFile, insert_files
from runner.steps.paths import Roots, conllu_at, one_at
from runner.steps.raw import entries, strings
from runner.workspace import sha256_file, sha256_path

CONLLU = (".conllu", ".conllu.gz")
TOKENIZERS = ("*tokenizer*", "*vocab*", "*.model", "tekken.json")  # what transformers calls the files of tokenizers


@dataclass(frozen=True)
class Suite:
    """A suite of the manifest; `path` is None for the pairs of the embedded sample.

    Sentences with ratings may be `parsed` (CoNLL-U), so that a condition can have them in words and tags.
    """

    name: str
    path: Path | None
    content: str
    limit: int | None
    paradigms: tuple[str, ...]
    corrupt: Corrupt | None = None
    kind: SuiteKind = "pairs"
    parsed: bool = False


@dataclass(frozen=True)
class Saved:
    """A folder that somebody saved a tokenizer or a model into, and one hash of its files."""

    path: Path
    content: str


@dataclass(frozen=True)
class Trained:
    """One entry of `[[model]]`: the network and how it is trained."""

    model: ModelSpec
    training: TrainSpec
    origin: Path | None = None  # the folder of the model that is trained further

    @property
    def content(self) -> dict[str, Any]:
        """Plain JSON that decides the trained weights, with the seed and the data."""
        return {"model": self.model.content, "training": self.training.content}


Conventions: TypeAlias = dict[bool, dict[str, Any]]  # for masked models or causal ones, as plain JSON


@dataclass(frozen=True)
class Resolved:
    """A manifest with all it names. `sources` are (label, sha256) per text; `filters` are per condition and key."""

    draft: Draft
    manifest: Manifest
    roots: Roots
    files: Mapping[str, tuple[tuple[str, Path], ...]]  # text (train, valid, test, SUITE.parses) to (label, path)
    sources: Mapping[str, tuple[tuple[str, str], ...]]
    lists: ListOverrides
    filters: Mapping[str, ByKey]
    inserts: Mapping[str, tuple[InsertFile, ...]]  # by condition
    models: Mapping[str, Trained]
    suites: tuple[Suite, ...]
    scoring: Mapping[str, Conventions]
    tokenizer: Saved | None  # where it is one that was saved

    def condition(self, name: str) -> Condition | None:
        """The manifest's entry of a condition; None for `full`."""
        return next((c for c in self.manifest.condition if c.name == name), None)

    def trained(self, model: str, condition: str) -> Trained:
        """A model as it is trained on a condition: rows in order where the condition orders its sentences.

        What was read last is then the question, so that the last model is kept, unless the best is asked for.
        """
        entry, trained = self.condition(condition), self.models[model]
        if entry is None or entry.order is None:
            return trained
        own = next(one.training.keep for one in self.manifest.model if one.label == model)
        keep = own or self.manifest.training.keep or "last"
        return replace(trained, training=replace(trained.training, in_order=True, keep=keep))

    @property
    def conventions(self) -> dict[str, dict[str, Any]]:
        """The convention of each suite as plain JSON, that of causal models where there are any."""
        return {suite: kinds[min(kinds)] for suite, kinds in self.scoring.items()}

    @property
    def recorded(self) -> dict[str, dict[str, Any]]:
        """`conventions` with, where there are models of both kinds, that of the others as `masked` in each."""
        return {
            suite: self.conventions[suite] | ({"masked": kinds[True]} if len(kinds) > 1 else {})
            for suite, kinds in self.scoring.items()
        }

    def convention(self, suite: str, model: str) -> dict[str, Any]:
        """The convention that a model is scored by, as plain JSON."""
        return self.scoring[suite][self.models[model].model.masked]

    def filters_of(self, condition: str, *keys: str) -> Filters:
        """The filters that some keys of a condition name; none where it has none."""
        by_key = self.filters.get(condition, {})
        return tuple(item for key in keys for item in by_key.get(key, ()))

    @property
    def matched(self) -> dict[str, CompiledFilter]:
        """The filters whose matches are wanted, by their keys, each once, in order of first use."""
        return {item.key: item for name in self.filters for item in self.filters_of(name, *KEYS)}


def resolve(draft: Draft, roots: Roots) -> Resolved:
    """Look up everything a manifest names. Raises InputError with all mistakes, those of the draft included."""
    problems: list[Diagnostic] = list(draft.problems)
    files = {text: _text_files(draft, roots, problems, "corpus", text) for text in TEXTS}
    for index, entry in entries(draft.raw.get("evaluate")):
        files[parses(str(entry.get("name")))] = _text_files(draft, roots, problems, "evaluate", index, "parses")
    lists = given_lists(draft, roots, problems)
    filters = condition_filters(draft, roots, lists, problems)
    inserts = insert_files(draft, roots, filters, problems)
    models = _models(draft, roots, problems)
    suites, conventions = _suites(draft, roots, models, problems)
    tokenizer = _tokenizer(draft, roots, problems)
    if problems or draft.manifest is None:
        raise InputError(problems)
    sources = {
        text: tuple((label, sha256_file(path)) for label, path in entries) for text, entries in files.items() if entries
    }
    return Resolved(
        draft,
        draft.manifest,
        roots,
        {text: entries for text, entries in files.items() if entries},
        sources,
        lists,
        filters,
        inserts,
        models,
        suites,
        conventions,
        tokenizer,
    )


def _saved(draft: Draft, roots: Roots, kind: str, problems: list[Diagnostic], *where: str | int) -> Saved | None:
    """The folder that a key of the manifest names, where it does."""
    text: Any = draft.raw
    for key in where:
        match text, key:
            case dict(), _:
                text = text.get(key)
            case list(), int():
                text = text[key]
            case _:  # a list where a table should be, which is another problem of the manifest
                return None
    if not isinstance(text, str):
        return None
    found, wrong = one_at(draft, roots, text, kind, where)
    problems += wrong
    return Saved(found, sha256_path(found)) if found is not None else None


def _tokenizer(draft: Draft, roots: Roots, problems: list[Diagnostic]) -> Saved | None:
    """The saved tokenizer that a manifest names, where it does; whether it can be read is not known yet."""
    where = "tokenizer", "path"
    saved = _saved(draft, roots, "tokenizer", problems, *where)
    if saved is not None and not any(file.match(name) for file in saved.path.glob("*") for name in TOKENIZERS):
        reason = "it has no tokenizer, such as tokenizer.json" if saved.path.is_dir() else "it is no folder"
        problems.append(draft.problem("FICT801", *where, path=saved.path, reason=reason))
    return saved


def parses(suite: str) -> str:
    """The name among a manifest's texts of the trees of a suite."""
    return f"{suite}.parses"


def _text_files(
    draft: Draft, roots: Roots, problems: list[Diagnostic], *where: str | int
) -> tuple[tuple[str, Path], ...]:
    """The labelled files of CoNLL-U that a list of the manifest names."""
    table: Any = draft.raw
    for key in where[:-1]:
        table = table[key] if isinstance(key, int) else table.get(key)
    listed = table.get(where[-1]) if isinstance(table, dict) else None
    found: list[Path] = []
    for index, entry in strings(listed):
        paths, wrong = conllu_at(draft, roots, entry, "corpus file", (*where, index))
        found += paths
        problems += wrong
    found = list(dict.fromkeys(found))
    return tuple(zip(labels(found), found, strict=True))


def _unknown(draft: Draft, kind: str, name: str, known: Iterable[str], *where: str | int) -> Diagnostic:
    names = sorted(known)
    near = difflib.get_close_matches(name, names, 1, 0.5)
    hint = f"the nearest is `{near[0]}`" if near else f"known: {', '.join(names)}"
    return draft.problem("FICT605", *where, kind=kind, name=name, hint=hint)


def _models(draft: Draft, roots: Roots, problems: list[Diagnostic]) -> dict[str, Trained]:
    """The models whose entries are sound, of a manifest that is; the mistakes of the others are told."""
    models: dict[str, Trained] = {}
    for index, entry in entries(draft.raw.get("model")):
        name = str(entry.get("preset"))
        if isinstance(entry.get("preset"), str) and name not in PRESETS:
            problems.append(_unknown(draft, "preset", name, PRESETS, "model", index, "preset"))
        origin = _saved(draft, roots, "model", problems, "model", index, "from")
        sizes = None if origin is None else _sizes(draft, index, name, origin, problems)
        if draft.manifest is None or name not in PRESETS:
            continue
        model, preset = draft.manifest.model[index], PRESETS[name]
        training = _override(preset.training, [draft.manifest.training, model.training])
        problems += _read_again(draft, model.label, training)
        if model.origin is None:
            models[model.label] = Trained(preset.model, training)
        elif origin is not None and sizes is not None:
            models[model.label] = Trained(sizes, training, origin.path)
    return models


def _sizes(draft: Draft, index: int, name: str, saved: Saved, problems: list[Diagnostic]) -> ModelSpec | None:
    """A saved model, as far as training has to know; None if it is none."""
    try:
        kind, positions = described(saved.path)
    except InputError as error:
        problems += [
            replace(one, source=draft.source, span=draft.span("model", index, "from")) for one in error.diagnostics
        ]
        return None
    return ModelSpec(name, "saved", 0, 0, positions=positions, saved=saved.content, masked=kind == "masked")


def _read_again(draft: Draft, label: str, training: TrainSpec) -> Iterator[Diagnostic]:
    """Conditions with an order that a model would read more than once, or who knows how often."""
    assert draft.manifest is not None
    if training.epochs is not None and training.epochs <= 1:
        return
    length = f"{training.tokens} tokens" if training.epochs is None else f"{training.epochs:g} epochs"
    for index, condition in enumerate(draft.manifest.condition):
        if condition.order is not None:
            told = {"condition": condition.name, "model": label, "length": length}
            yield draft.problem("FICT645", "condition", index, "order", hint="`epochs = 1` reads it once", **told)


def _override(preset: TrainSpec, layers: Sequence[Training]) -> TrainSpec:
    """Preset settings, replaced by what the manifest sets; an `epochs` there undoes a preset's `tokens`."""
    settings = asdict(preset)
    for layer in layers:
        given = {name: value for name, value in layer.model_dump().items() if value is not None}
        if "epochs" in given:
            settings["tokens"] = None
        if "tokens" in given:
            settings["epochs"] = None
        settings |= given
    return TrainSpec(**settings)


def _suites(
    draft: Draft, roots: Roots, models: Mapping[str, Trained], problems: list[Diagnostic]
) -> tuple[tuple[Suite, ...], dict[str, Conventions]]:
    suites: list[Suite] = []
    conventions: dict[str, Conventions] = {}
    kinds = sorted({trained.model.masked for trained in models.values()})  # none where the models are what is wrong
    corpus = draft.raw.get("corpus")
    has_sample = isinstance(corpus, dict) and "sample" in corpus
    for index, entry in entries(draft.raw.get("evaluate")):
        name, text, convention = str(entry.get("name")), entry.get("path"), entry.get("convention", "default")
        if isinstance(convention, str) and convention not in CONVENTIONS:
            problems.append(_unknown(draft, "convention", convention, CONVENTIONS, "evaluate", index, "convention"))
            continue
        conventions[name] = {kind: _convention(draft, index, convention, models, kind, problems) for kind in kinds}
        limit, paradigms = entry.get("limit"), tuple(item for _, item in strings(entry.get("paradigms")))
        if text == "sample" and has_sample:
            suites.append(Suite(name, None, "sample", limit, paradigms))
        elif isinstance(text, str):
            found, wrong = one_at(draft, roots, text, "suite", ("evaluate", index, "path"))
            problems += wrong
            if found is not None:
                corrupt = None if draft.manifest is None else draft.manifest.evaluate[index].corrupt
                parsed = corrupt is None and found.name.endswith(CONLLU)
                kind = "pairs" if corrupt is not None else "sentences" if parsed else kind_of(found)
                suites.append(Suite(name, found, sha256_path(found), limit, paradigms, corrupt, kind, parsed))
                if entry.get("parses") and (kind != "pairs" or corrupt is not None):
                    told = {"key": "parses", "reason": "trees are of use beside minimal pairs only"}
                    problems.append(draft.problem("FICT604", "evaluate", index, "parses", **told))
    return tuple(suites), conventions


def _convention(
    draft: Draft, index: int, name: Any, models: Mapping[str, Trained], masked: bool, problems: list[Diagnostic]
) -> dict[str, Any]:
    """The preset of an evaluation with what it sets beside it, for the models of one kind."""
    given = {} if draft.manifest is None else draft.manifest.evaluate[index].scoring.given
    preset = name if isinstance(name, str) else "default"
    labelled = ", ".join(label for label, trained in models.items() if trained.model.masked == masked)
    try:
        return asdict(convention_of(preset, given, masked=masked, model=labelled))
    except InputError as error:
        where = draft.span("evaluate", index, "scoring")
        problems += [replace(one, source=draft.source, span=where) for one in error.diagnostics]
        return {}
