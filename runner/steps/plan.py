"""Build the graph of steps of a resolved manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from runner.interventions.context import ConditionContext
from runner.manifest.model import Manifest
from runner.steps.cells import Cell, CellInputs, build_cell
from runner.steps.corpus_steps import TEXTS, corpus_steps, edit_steps, unit_steps
from runner.steps.interventions import edit_content, edited_texts, edits_suites, row_change_content, tokenizer_content
from runner.steps.resolve import Resolved, parses_name
from runner.steps.step import Step
from runner.steps.suites import Suite
from runner.steps.tokenization import convention_content
from runner.steps.variants import Variant, variants


@dataclass(frozen=True)
class Plan:
    """The steps of a run by their kind."""

    resolved: Resolved
    sample: Step | None
    stores: Mapping[str, Step]  # train, valid, test, and SUITE.parses for a suite with parses
    matches: Mapping[str, Step]  # by filter key
    edits: Mapping[str, Step]  # by corpus with edited words, and CONDITION/TEXT for rewritten texts
    units: Mapping[str, Step]  # by corpus with injected text
    corpora: Mapping[str, Step]  # by the name of a variant
    tokenizer: Step
    tokens: Mapping[str, Step]  # by corpus, valid, test, and CONDITION/TEXT for rewritten texts
    suites: Mapping[str, Step]  # by name, and CONDITION/SUITE for rewritten suites
    coverage: Mapping[str, Step]  # by suite with parses
    unigrams: Mapping[tuple[str, str], Step]  # by corpus (the first of a condition) and suite of minimal pairs
    cells: tuple[Cell, ...] = field(repr=False)
    variants: Mapping[str, Variant] = field(repr=False)  # by name

    def steps(self) -> list[Step]:
        """Return all steps in topological order."""
        steps_by_id: dict[str, Step] = {}
        all_steps: list[Step] = [*([self.sample] if self.sample else []), *self.stores.values(), *self.matches.values()]
        all_steps += [
            *self.edits.values(),
            self.tokenizer,
            *self.suites.values(),
            *self.coverage.values(),
            *self.units.values(),
            *self.corpora.values(),
            *self.tokens.values(),
        ]
        all_steps += self.unigrams.values()
        all_steps += [cell.branch.state for cell in self.cells if cell.branch is not None]
        all_steps += [step for cell in self.cells for step in cell.steps]
        for step in all_steps:
            steps_by_id.setdefault(step.id, step)
        return list(steps_by_id.values())

    @property
    def conditions(self) -> tuple[str, ...]:
        """The names of all conditions, `full` first."""
        return tuple(dict.fromkeys(variant.condition for variant in self.variants.values()))

    @property
    def placebos(self) -> tuple[str, ...]:
        """The names of the placebos, which are conditions with draws."""
        return tuple(dict.fromkeys(variant.condition for variant in self.variants.values() if variant.draw is not None))

    def corpora_of(self, condition: str) -> list[Variant]:
        """Return the training corpora of a condition."""
        return [variant for variant in self.variants.values() if variant.condition == condition]

    def context(self, corpus: str) -> ConditionContext | None:
        """Return the condition of a corpus as its interventions see it, or None for `full`."""
        return self.variants[corpus].context(self.resolved)


def build_plan(resolved: Resolved, versions: Mapping[str, str]) -> Plan:
    """Create every step. `versions` are the versions of libraries that affect trained models and scores."""
    manifest = resolved.manifest
    sample = _sample(manifest)
    stores = _stores(resolved, sample)
    matches = {
        key: Step.of("match", key[:12], {"filter": key}, {"corpus": stores["train"]}) for key in resolved.filters_by_key
    }
    corpus_variants = {variant.name: variant for variant in variants(resolved)}
    edits = edit_steps(resolved, corpus_variants, stores)
    tokenizer = Step.of("tokenizer", "", tokenizer_content(resolved), {"corpus": stores["train"]})
    vocabulary = {"corpus": stores["train"], "tokenizer": tokenizer}
    suites = {suite.name: _suite(suite, sample, vocabulary, resolved) for suite in resolved.suites}
    suites |= _edited_suites(resolved, stores["train"])
    targets = {"filters": resolved.targets_by_key}
    coverage = {
        name: Step.of("coverage", name, targets, {"suite": suites[name], "trees": stores[trees]})
        for name, trees in ((suite.name, parses_name(suite.name)) for suite in resolved.suites)
        if trees in stores
    }
    units = unit_steps(resolved, corpus_variants, {"corpus": stores["train"], "tokenizer": tokenizer, **suites})
    corpora = corpus_steps(resolved, corpus_variants, stores["train"], matches, edits, units)
    texts = {name: stores[name] for name in TEXTS if name in stores}
    tokens = {
        name: _corpus_tokens(step, corpus_variants[name].context(resolved), stores["train"], units.get(name), tokenizer)
        for name, step in corpora.items()
    }
    tokens |= {
        text: Step.of("tokens", text, {}, {"text": step, "tokenizer": tokenizer}) for text, step in texts.items()
    }
    tokens |= _edited_tokens(resolved, stores, edits, tokenizer)
    unigrams = {
        (corpus, suite): Step.of(
            "unigram",
            f"{corpus}/{suite}",
            {"convention": convention_content(resolved.conventions[suite]), **_unigram_frame(resolved, suite)},
            {"tokens": tokens[corpus], "tokenizer": tokenizer, "suite": suites[suite]},
        )
        for corpus in _first_corpora(corpus_variants)
        for suite in [suite.name for suite in resolved.suites if suite.kind == "pairs"]
    }
    shared = CellInputs(resolved, tokenizer, tokens, suites, versions)
    cells = tuple(
        build_cell(shared, variant, model, seed)
        for seed in manifest.experiment.seeds
        for variant in corpus_variants.values()
        if variant.is_used_by(seed)
        for model in resolved.models
    )
    return Plan(
        resolved,
        sample,
        stores,
        matches,
        edits,
        units,
        corpora,
        tokenizer,
        tokens,
        suites,
        coverage,
        unigrams,
        cells,
        corpus_variants,
    )


def _corpus_tokens(
    corpus: Step, context: ConditionContext | None, store: Step, units: Step | None, tokenizer: Step
) -> Step:
    """Return the step that encodes a corpus. The store and the units have the documents of its sentences."""
    needs = {"corpus": corpus, "store": store, "tokenizer": tokenizer} | ({} if units is None else {"units": units})
    return Step.of("tokens", corpus.id.partition(":")[2], row_change_content(context), needs)


def _edited_tokens(
    resolved: Resolved, stores: Mapping[str, Step], edits: Mapping[str, Step], tokenizer: Step
) -> dict[str, Step]:
    """Return a step for each text that a condition edits, either before or after encoding."""
    steps: dict[str, Step] = {}
    for context in resolved.contexts:
        for text in (text for text in TEXTS if text in stores and text in edited_texts(context)):
            name = f"{context.name}/{text}"
            edit = {"edit": edits[name]} if name in edits else {}
            needs = {"text": stores[text], **edit, "tokenizer": tokenizer}
            steps[name] = Step.of("tokens", name, row_change_content(context), needs)
    return steps


def _unigram_frame(resolved: Resolved, suite: str) -> dict[str, str]:
    """Return the frame of the unigram baseline, or an empty dict if it does not affect its scores."""
    reads_frame = resolved.conventions[suite]["context"] == "as_trained"
    return {"frame": resolved.unigram_frame} if reads_frame else {}


def _first_corpora(corpora: Mapping[str, Variant]) -> list[str]:
    """Return the name of the first corpus of each condition that is not a placebo."""
    first_corpora: dict[str, str] = {}
    for name, variant in corpora.items():
        if variant.draw is None:
            first_corpora.setdefault(variant.condition, name)
    return list(first_corpora.values())


def _sample(manifest: Manifest) -> Step | None:
    settings = manifest.corpus.sample
    return Step.of("sample", "", settings.model_dump()) if settings else None


def _stores(resolved: Resolved, sample: Step | None) -> dict[str, Step]:
    steps = {
        name: Step.of("store", name, {"files": [list(source) for source in sources]})
        for name, sources in resolved.sources.items()
    }
    if sample is not None:
        steps |= {name: Step.of("store", name, {"part": name}, {"sample": sample}) for name in ("train", *TEXTS)}
    return steps


def _suite(suite: Suite, sample: Step | None, vocabulary: Mapping[str, Step], resolved: Resolved) -> Step:
    """Return the step of a suite. A suite whose rare words are replaced also depends on the steps in `vocabulary`."""
    inputs: dict[str, Any] = {"name": suite.name, "limit": suite.limit, "paradigms": sorted(suite.paradigms)}
    if suite.path is None:
        assert sample is not None
        return Step.of("suite", suite.name, inputs, {"sample": sample})
    inputs |= {"content": suite.digest, "file": suite.path.name}  # a file's name may be the name of a paradigm
    inputs |= {"kind": suite.kind, "parsed": suite.parsed, "covariates": list(suite.covariates)}
    if suite.corrupt is None:
        return Step.of("suite", suite.name, inputs)
    inputs["corrupt"] = suite.corrupt.model_dump()
    if suite.corrupt.words == "plain":
        return Step.of("suite", suite.name, inputs)
    inputs["lowercase"] = resolved.tokenization.lowercase
    inputs["apostrophes_alike"] = resolved.tokenization.split != "none"
    return Step.of("suite", suite.name, inputs, vocabulary)


def _edited_suites(resolved: Resolved, base: Step) -> dict[str, Step]:
    """Return a step for each parsed suite that a condition rewrites."""
    steps: dict[str, Step] = {}
    for context in resolved.contexts:
        for suite in resolved.suites:
            if suite.parsed and edits_suites(context):
                name = f"{context.name}/{suite.name}"
                inputs = {"limit": suite.limit, "content": suite.digest, "name": suite.name}
                inputs |= edit_content(context)
                steps[name] = Step.of("suite", name, inputs, {"reference": base})
    return steps
