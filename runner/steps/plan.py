"""A checked manifest to the graph of its steps, every key known before anything runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from runner.manifest.model import Manifest
from runner.steps.interventions import (
    content,
    edit_content,
    schedule_content,
    tokenizer_content,
    units_content,
    whole_tokens,
)
from runner.steps.resolve import Resolved, Suite, parses
from runner.steps.step import Step
from runner.workspace import key

FULL = "full"
TEXTS = ("valid", "test")
TOKENS = 8  # pairs of each corruption of which every token is kept, for the report to show one


@dataclass(frozen=True)
class Cell:
    """One model trained on one condition with one seed, and what is to be done in its process."""

    condition: str
    model: str
    seed: int
    train: Step
    perplexity: Step
    scores: Mapping[str, Step]  # by suite

    @property
    def name(self) -> str:
        """`condition/model/seed`, as folders and messages write it."""
        return f"{self.condition}/{self.model}/{self.seed}"

    @property
    def steps(self) -> tuple[Step, ...]:
        """Everything the cell's process computes, in order."""
        return (self.train, self.perplexity, *self.scores.values())

    @property
    def key(self) -> str:
        """What names its results together."""
        return key(*(step.key for step in self.steps))


@dataclass(frozen=True)
class Plan:
    """The steps of a run by what they make. `steps()` lists all, each after those it needs."""

    resolved: Resolved
    sample: Step | None
    stores: Mapping[str, Step]  # train, valid, test, and SUITE.parses where there are trees of a suite
    matches: Mapping[str, Step]  # by filter key
    edits: Mapping[str, Step]  # by condition, of those in which words are edited, and CONDITION/TEXT where that is too
    units: Mapping[str, Step]  # by condition, of those that inject
    corpora: Mapping[str, Step]  # by condition
    tokenizer: Step
    tokens: Mapping[str, Step]  # by condition, and valid, test, and CONDITION/TEXT where that is edited
    suites: Mapping[str, Step]  # by name, and CONDITION/SUITE where that is edited
    coverage: Mapping[str, Step]  # by suite, of those with trees
    unigrams: Mapping[tuple[str, str], Step]  # by condition and suite, of minimal pairs
    cells: tuple[Cell, ...] = field(repr=False)

    def steps(self) -> list[Step]:
        """All steps, each once, upstream first."""
        ordered: dict[str, Step] = {}
        groups: list[Step] = [*([self.sample] if self.sample else []), *self.stores.values(), *self.matches.values()]
        groups += [
            *self.edits.values(),
            self.tokenizer,
            *self.suites.values(),
            *self.coverage.values(),
            *self.units.values(),
            *self.corpora.values(),
            *self.tokens.values(),
        ]
        groups += self.unigrams.values()
        groups += [step for cell in self.cells for step in cell.steps]
        for step in groups:
            ordered.setdefault(step.id, step)
        return list(ordered.values())

    @property
    def conditions(self) -> tuple[str, ...]:
        """Names of all conditions, `full` first."""
        return tuple(self.corpora)


def build_plan(resolved: Resolved, versions: Mapping[str, str]) -> Plan:
    """Lay out every step. `versions` are those of libraries that change trained models and scores."""
    manifest = resolved.manifest
    sample = _sample(manifest)
    stores = _stores(resolved, sample)
    matches = {
        key: Step.of("match", key[:12], {"filter": key}, {"corpus": stores["train"]}) for key in resolved.matched
    }
    edits = _edits(resolved, stores)
    tokenizer = Step.of("tokenizer", "", tokenizer_content(resolved), {"corpus": stores["train"]})
    rare = {"corpus": stores["train"], "tokenizer": tokenizer}
    suites = {suite.name: _suite(suite, sample, rare, manifest.tokenizer.lowercase) for suite in resolved.suites}
    suites |= _edited_suites(resolved, stores["train"])
    targets = {key: list(item.metadata.targets) for key, item in resolved.matched.items()}
    coverage = {
        name: Step.of("coverage", name, {"filters": targets}, {"suite": suites[name], "trees": stores[trees]})
        for name, trees in ((suite.name, parses(suite.name)) for suite in resolved.suites)
        if trees in stores
    }
    units = _units(resolved, {"corpus": stores["train"], "tokenizer": tokenizer, **suites})
    corpora = _corpora(resolved, stores["train"], matches, edits, units)
    texts = {name: stores[name] for name in TEXTS if name in stores}
    tokens = {
        name: Step.of("tokens", name, {}, {"corpus": step, "tokenizer": tokenizer})
        for name, step in {**corpora, **texts}.items()
    }
    for name, text in [(name, name.rpartition("/")[2]) for name in edits if name not in corpora]:
        needs = {"corpus": stores[text], "edit": edits[name], "tokenizer": tokenizer}
        tokens[name] = Step.of("tokens", name, {}, needs)
    unigrams = {
        (condition, suite): Step.of(
            "unigram",
            f"{condition}/{suite}",
            {"convention": resolved.conventions[suite]},
            {"tokens": tokens[condition], "tokenizer": tokenizer, "suite": suites[suite]},
        )
        for condition in corpora
        for suite in [one.name for one in resolved.suites if one.kind == "pairs"]
    }
    cells = tuple(
        _cell(resolved, condition, model, seed, tokenizer, tokens, suites, versions)
        for seed in manifest.experiment.seeds
        for condition in corpora
        for model in resolved.models
    )
    return Plan(
        resolved, sample, stores, matches, edits, units, corpora, tokenizer, tokens, suites, coverage, unigrams, cells
    )


def _sample(manifest: Manifest) -> Step | None:
    wanted = manifest.corpus.sample
    return Step.of("sample", "", wanted.model_dump()) if wanted else None


def _stores(resolved: Resolved, sample: Step | None) -> dict[str, Step]:
    found = {
        name: Step.of("store", name, {"files": [list(source) for source in sources]})
        for name, sources in resolved.sources.items()
    }
    if sample is not None:
        found |= {name: Step.of("store", name, {"part": name}, {"sample": sample}) for name in ("train", *TEXTS)}
    return found


def _edits(resolved: Resolved, stores: Mapping[str, Step]) -> dict[str, Step]:
    """One step per condition in which words are edited: the texts that this leaves.

    Where words become tags, they do so in the texts too that its models are evaluated on.
    """
    found: dict[str, Step] = {}
    for condition in resolved.manifest.condition:
        inputs, train = edit_content(condition, resolved), stores["train"]
        if inputs:
            found[condition.name] = Step.of("edit", condition.name, inputs, {"corpus": train})
        for text in (text for text in TEXTS if text in stores and condition.substitute is not None):
            name = f"{condition.name}/{text}"
            found[name] = Step.of("edit", name, inputs, {"corpus": stores[text], "reference": train})
    return found


def _units(resolved: Resolved, reads: Mapping[str, Step]) -> dict[str, Step]:
    """One step per condition that injects: the units of its texts. What generates them has `reads` to read too."""
    found = {condition.name: units_content(condition, resolved) for condition in resolved.manifest.condition}
    return {
        name: Step.of("units", name, inputs, reads if "generate" in inputs else None)
        for name, inputs in found.items()
        if inputs
    }


def _corpora(
    resolved: Resolved,
    store: Step,
    matches: Mapping[str, Step],
    edits: Mapping[str, Step],
    units: Mapping[str, Step],
) -> dict[str, Step]:
    """One step per condition. The common size depends on all conditions, so what they choose is in every key.

    What a condition does after that is in its own key alone.
    """
    manifest = resolved.manifest
    done: dict[str, dict[str, Any]] = {FULL: {"do": "nothing"}}
    done |= {condition.name: content(condition, resolved) for condition in manifest.condition}
    size = manifest.size.model_dump()
    distinct = {repr(do): do for do in done.values()}
    everyone = [distinct[text] for text in sorted(distinct)] if manifest.size.count == "smallest" else None
    needs = {"corpus": store, **matches, **{f"edit:{name}": step for name, step in edits.items() if name in done}}
    found: dict[str, Step] = {}
    for name, do in done.items():
        condition = resolved.condition(name)
        after = {} if condition is None else schedule_content(condition, resolved)
        own = {"units": units[name]} if name in units else {}
        found[name] = Step.of("corpus", name, {"do": do, "size": size, "all": everyone, **after}, {**needs, **own})
    return found


def _suite(suite: Suite, sample: Step | None, rare: Mapping[str, Step], lowercase: bool) -> Step:
    """One step per suite; where its rare words are written otherwise, `rare` are the steps that say which and how."""
    inputs: dict[str, Any] = {"name": suite.name, "limit": suite.limit, "paradigms": sorted(suite.paradigms)}
    if suite.path is None:
        assert sample is not None
        return Step.of("suite", suite.name, inputs, {"sample": sample})
    inputs |= {"content": suite.content, "file": suite.path.name}  # a paradigm may be called as the file is
    if suite.kind != "pairs":
        inputs |= {"kind": suite.kind, "parsed": suite.parsed}
    if suite.corrupt is None:
        return Step.of("suite", suite.name, inputs)
    inputs["corrupt"] = suite.corrupt.model_dump()
    if suite.corrupt.words == "plain":
        return Step.of("suite", suite.name, inputs)
    return Step.of("suite", suite.name, {**inputs, "lowercase": lowercase}, rare)


def _edited_suites(resolved: Resolved, base: Step) -> dict[str, Step]:
    """Parsed sentences once more for each condition in which words become tags: its models read them so."""
    found: dict[str, Step] = {}
    for condition in resolved.manifest.condition:
        for suite in resolved.suites:
            if suite.parsed and condition.substitute is not None:
                name = f"{condition.name}/{suite.name}"
                about = {"limit": suite.limit, "content": suite.content, "name": suite.name}
                inputs = {**about, **edit_content(condition, resolved)}
                found[name] = Step.of("suite", name, inputs, {"reference": base})
    return found


def _cell(
    resolved: Resolved,
    condition: str,
    model: str,
    seed: int,
    tokenizer: Step,
    tokens: Mapping[str, Step],
    suites: Mapping[str, Step],
    versions: Mapping[str, str],
) -> Cell:
    name = f"{condition}/{model}/{seed}"
    trained = resolved.trained(model, condition)
    training, grows = trained.training, trained.origin is not None and whole_tokens(resolved)
    checkpoints = bool(training.checkpoints or training.checkpoints_from)
    train = Step.of(
        "train",
        name,
        {**trained.content, "seed": seed, "versions": dict(versions)}
        | ({"new_tokens": "in spare rows too"} if grows else {})  # where a saved model has some
        | ({"ends": "once so many tokens are read"} if training.tokens is not None else {})
        | ({"checkpoints": "one a step"} if checkpoints else {}),
        {"tokens": tokens[condition], "valid": tokens[own(tokens, condition, "valid")], "tokenizer": tokenizer},
    )
    texts = {text: tokens[own(tokens, condition, text)] for text in TEXTS if text in tokens}
    perplexity = Step.of("perplexity", name, {}, {"model": train, **texts})
    scores = {
        suite.name: Step.of(
            "score",
            f"{name}/{suite.name}",
            {"convention": resolved.convention(suite.name, model)}
            | ({"checkpoints": True} if checkpoints else {})
            | ({} if suite.corrupt is None else {"tokens": TOKENS}),
            {"model": train, "suite": suites[own(suites, condition, suite.name)]},
        )
        for suite in resolved.suites
    }
    return Cell(condition, model, seed, train, perplexity, scores)


def own(steps: Mapping[str, Step], condition: str, name: str) -> str:
    """The name of a text or suite as the models of a condition read it: CONDITION/NAME where that is another."""
    edited = f"{condition}/{name}"
    return edited if edited in steps else name


def folder_of(cache: Path, step: Step) -> Path:
    """Where the result of a step lies in a cache."""
    return cache / step.kind / step.key[:32]
