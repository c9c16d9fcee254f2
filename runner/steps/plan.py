"""Build the graph of steps of a resolved manifest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from runner.conditions.condition import Condition
from runner.conditions.registry import FILTER_LISTS
from runner.manifest.model import Manifest
from runner.steps.resolve import Resolved, parses_name
from runner.steps.step import Step, title_of
from runner.steps.suites import Suite, convention_content
from runner.steps.trainings import CellInputs, Training, build_cell
from runner.steps.variants import (
    TEXTS,
    arrangement_content,
    condition_content,
    corpora_of_all,
    edit_content,
    edit_files,
    edited_texts,
    edits_suites,
    row_change_content,
    sets_common_size,
    tokenizer_content,
    units_content,
)


def edit_steps(resolved: Resolved, corpora: Mapping[str, Condition], stores: Mapping[str, Step]) -> dict[str, Step]:
    """Return the steps that produce the edited sentences of corpora with edited words.

    A condition that rewrites texts also has a step for every text that its models are evaluated on.
    """
    steps: dict[str, Step] = {}
    train = stores["train"]
    for name, condition in corpora.items():
        if inputs := edit_content(condition):
            is_drawn = inputs != edit_content(resolved.condition(condition.name))
            step_name = name if is_drawn else condition.name
            steps[name] = Step.of("edit", step_name, inputs, {"corpus": train}, edit_files(condition))
    for condition in resolved.conditions:
        for text in (text for text in TEXTS if text in stores and edit_content(condition, text)):
            name, inputs = f"{condition.name}/{text}", edit_content(condition, text)
            needs = {"corpus": stores[text], "reference": train}
            steps[name] = Step.of("edit", name, inputs, needs, edit_files(condition))
    return steps


def unit_steps(corpora: Mapping[str, Condition], generator_needs: Mapping[str, Step]) -> dict[str, Step]:
    """Return the steps of corpora with injected text. Steps that generate the text also depend on `generator_needs`."""
    inputs_of = {name: units_content(condition) for name, condition in corpora.items()}
    return {
        name: Step.of("units", name, inputs, generator_needs if "generate" in inputs else None, files)
        for name, inputs in inputs_of.items()
        if inputs
        for files in [[(file.path, file.sha256) for file in corpora[name].files]]
    }


def corpus_steps(
    resolved: Resolved,
    corpora: Mapping[str, Condition],
    store: Step,
    matches: Mapping[str, Step],
    edits: Mapping[str, Step],
    units: Mapping[str, Step],
) -> dict[str, Step]:
    """Return one step per corpus.

    With `count = "smallest"`, every key covers the selections of all corpora that set the common size. Changes after
    sampling to the common size affect only the key of their own condition. Corpora that are drawn anew for a seed
    depend only on the corpora of the same seed.
    """
    steps: dict[str, Step] = {}
    for redraw in dict.fromkeys(condition.redraw for condition in corpora.values()):
        draw_corpora = {name: condition for name, condition in corpora.items() if condition.redraw == redraw}
        inputs = _inputs_of_draw(resolved, draw_corpora)
        for name, condition in draw_corpora.items():
            read = _read_conditions(resolved, condition.name)
            filters = [compiled for other in read for compiled in resolved.filters_of(other, *FILTER_LISTS)]
            read_edits = {
                f"edit:{other.name}": edits[each]
                for each, other in draw_corpora.items()
                if each in edits and other.name in read
            }
            needs = {"corpus": store, **{compiled.key: matches[compiled.key] for compiled in filters}, **read_edits}
            needs |= ({"edit": edits[name]} if name in edits else {}) | (
                {"units": units[name]} if name in units else {}
            )
            steps[name] = Step.of("corpus", name, inputs[name], needs)
    return {name: steps[name] for name in corpora}


def _inputs_of_draw(resolved: Resolved, corpora: Mapping[str, Condition]) -> dict[str, dict[str, Any]]:
    size = resolved.manifest.size
    contents = {name: condition_content(condition) for name, condition in corpora.items()}
    distinct_contents = {
        repr(content): content for name, content in contents.items() if sets_common_size(corpora[name])
    }
    common: dict[str, Any] = {
        "size": size.model_dump(exclude={"redraw"}),
        "all": [distinct_contents[text] for text in sorted(distinct_contents)] if size.count == "smallest" else None,
    }
    return {
        name: {**common, "do": contents[name]}
        | arrangement_content(condition)
        | ({} if condition.redraw is None else {"redraw": condition.redraw})
        for name, condition in corpora.items()
    }


def _read_conditions(resolved: Resolved, name: str) -> list[str]:
    """Return the conditions whose filters determine a corpus: all, or those that the condition names, and itself."""
    conditions = {condition.name: condition for condition in resolved.manifest.condition}
    if resolved.manifest.size.count == "smallest":
        return list(conditions)
    read = [name] if name in conditions else []
    for condition in read:  # it grows while it is read
        index = resolved.manifest.condition.index(conditions[condition])
        words = set(_words(resolved.draft.raw["condition"][index]))
        read += [other for other in conditions if other in words and other not in read]
    return read


def _words(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            yield from (word for item in value.values() for word in _words(item))
        case list():
            yield from (word for item in value for word in _words(item))


@dataclass(frozen=True)
class RunPlan:
    resolved: Resolved
    sample: Step | None
    stores: Mapping[str, Step]  # train, valid, test, and SUITE.parses for a suite with parses
    matches: Mapping[str, Step]  # by filter key
    edits: Mapping[str, Step]  # by corpus with edited words, and CONDITION/TEXT for rewritten texts
    units: Mapping[str, Step]  # by corpus with injected text
    corpora: Mapping[str, Step]  # by the name of the corpus
    tokenizer: Step
    tokens: Mapping[str, Step]  # by corpus, valid, test, and CONDITION/TEXT for rewritten texts
    suites: Mapping[str, Step]  # by name, and CONDITION/SUITE for rewritten suites
    coverage: Mapping[str, Step]  # by suite with parses
    unigrams: Mapping[tuple[str, str], Step]  # by corpus (the first of a condition) and suite of minimal pairs
    cells: tuple[Training, ...] = field(repr=False)
    conditions_by_corpus: Mapping[str, Condition] = field(repr=False)

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
    def titles(self) -> dict[str, str]:
        titles = {step.id: title_of(step.id) for step in self.steps()}
        names = {key: compiled.name for key, compiled in self.resolved.filters_by_key.items()}
        return titles | {step.id: f"matching {names[key]}" for key, step in self.matches.items()}

    @property
    def conditions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(condition.name for condition in self.conditions_by_corpus.values()))

    @property
    def placebos(self) -> tuple[str, ...]:
        drawn = (condition.name for condition in self.conditions_by_corpus.values() if condition.draw is not None)
        return tuple(dict.fromkeys(drawn))

    def corpora_of(self, name: str) -> list[Condition]:
        return [condition for condition in self.conditions_by_corpus.values() if condition.name == name]


def build_plan(resolved: Resolved, versions: Mapping[str, str]) -> RunPlan:
    """Create every step. `versions` are the versions of libraries that affect trained models and scores."""
    manifest = resolved.manifest
    sample = _sample(manifest)
    stores = _stores(resolved, sample)
    matches = {
        key: Step.of("match", key[:12], {"filter": key}, {"corpus": stores["train"]}) for key in resolved.filters_by_key
    }
    conditions = {condition.corpus: condition for condition in corpora_of_all(resolved)}
    edits = edit_steps(resolved, conditions, stores)
    saved = [] if resolved.tokenizer is None else [(resolved.tokenizer.path, resolved.tokenizer.digest)]
    tokenizer = Step.of("tokenizer", "", tokenizer_content(resolved), {"corpus": stores["train"]}, saved)
    vocabulary = {"corpus": stores["train"], "tokenizer": tokenizer}
    suites = {suite.name: _suite(suite, sample, vocabulary, resolved) for suite in resolved.suites}
    suites |= _edited_suites(resolved, stores["train"])
    targets = {"filters": resolved.targets_by_key}
    coverage = {
        name: Step.of("coverage", name, targets, {"suite": suites[name], "trees": stores[trees]})
        for name, trees in ((suite.name, parses_name(suite.name)) for suite in resolved.suites)
        if trees in stores
    }
    units = unit_steps(conditions, {"corpus": stores["train"], "tokenizer": tokenizer, **suites})
    corpora = corpus_steps(resolved, conditions, stores["train"], matches, edits, units)
    texts = {name: stores[name] for name in TEXTS if name in stores}
    tokens = {
        name: _corpus_tokens(step, conditions[name], stores["train"], units.get(name), tokenizer)
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
        for corpus in _first_corpora(conditions)
        for suite in [suite.name for suite in resolved.suites if suite.kind == "pairs"]
    }
    shared = CellInputs(resolved, tokenizer, tokens, suites, versions)
    cells = tuple(
        build_cell(shared, condition, model, seed)
        for seed in manifest.experiment.seeds
        for condition in conditions.values()
        if condition.is_used_by(seed)
        for model in resolved.models
    )
    return RunPlan(
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
        conditions,
    )


def _corpus_tokens(corpus: Step, condition: Condition, store: Step, units: Step | None, tokenizer: Step) -> Step:
    needs = {"corpus": corpus, "store": store, "tokenizer": tokenizer} | ({} if units is None else {"units": units})
    return Step.of("tokens", corpus.id.partition(":")[2], row_change_content(condition), needs)


def _edited_tokens(
    resolved: Resolved, stores: Mapping[str, Step], edits: Mapping[str, Step], tokenizer: Step
) -> dict[str, Step]:
    steps: dict[str, Step] = {}
    for condition in resolved.conditions:
        for text in (text for text in TEXTS if text in stores and text in edited_texts(condition)):
            name = f"{condition.name}/{text}"
            edit = {"edit": edits[name]} if name in edits else {}
            needs = {"text": stores[text], **edit, "tokenizer": tokenizer}
            steps[name] = Step.of("tokens", name, row_change_content(condition), needs)
    return steps


def _unigram_frame(resolved: Resolved, suite: str) -> dict[str, str]:
    reads_frame = resolved.conventions[suite]["context"] == "as_trained"
    return {"frame": resolved.unigram_frame} if reads_frame else {}


def _first_corpora(corpora: Mapping[str, Condition]) -> list[str]:
    first_corpora: dict[str, str] = {}
    for name, condition in corpora.items():
        if condition.draw is None:
            first_corpora.setdefault(condition.name, name)
    return list(first_corpora.values())


def _sample(manifest: Manifest) -> Step | None:
    settings = manifest.corpus.sample
    return Step.of("sample", "", settings.model_dump()) if settings else None


def _stores(resolved: Resolved, sample: Step | None) -> dict[str, Step]:
    steps = {
        name: Step.of("store", name, {"files": [list(source) for source in sources]}, files=files)
        for name, sources in resolved.sources.items()
        for files in [[(path, sha) for (_, path), (_, sha) in zip(resolved.files[name], sources, strict=True)]]
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
    files = [(suite.path, suite.digest)]
    if suite.corrupt is None:
        return Step.of("suite", suite.name, inputs, files=files)
    inputs["corrupt"] = suite.corrupt.model_dump()
    if suite.corrupt.words == "plain":
        return Step.of("suite", suite.name, inputs, files=files)
    inputs["lowercase"] = resolved.tokenization.lowercase
    inputs["apostrophes_alike"] = resolved.tokenization.split != "none"
    return Step.of("suite", suite.name, inputs, vocabulary, files)


def _edited_suites(resolved: Resolved, base: Step) -> dict[str, Step]:
    steps: dict[str, Step] = {}
    for condition in resolved.conditions:
        for suite in resolved.suites:
            if suite.parsed and suite.path is not None and edits_suites(condition):
                name = f"{condition.name}/{suite.name}"
                inputs = {"limit": suite.limit, "content": suite.digest, "name": suite.name}
                inputs |= edit_content(condition)
                files = [(suite.path, suite.digest), *edit_files(condition)]
                steps[name] = Step.of("suite", name, inputs, {"reference": base}, files)
    return steps
