"""The graph of steps of a resolved manifest, and its cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from runner.conditions.condition import Condition
from runner.conditions.intervention import arrangements_of, word_edits_of
from runner.conditions.registry import FILTER_LISTS
from runner.steps.models import FULL, BranchPoint
from runner.steps.resolve import Resolved, parses_name
from runner.steps.step import Step, title_of
from runner.steps.suites import Suite, convention_content
from runner.steps.variants import (
    TEXTS,
    condition_content,
    edit_content,
    edit_files,
    row_change_content,
    sets_common_size,
    tokenizer_content,
)

PAIRS_WITH_TOKENS = 8  # pairs per corruption whose scores are saved token by token, for examples in the report


@dataclass(frozen=True)
class Branch:
    """The start of a cell's training on another condition: `state` is that of `source` after `step` training steps."""

    corpus: Condition
    step: int
    source: Step
    state: Step


@dataclass(frozen=True)
class Training:
    """A cell: a model trained on a corpus with a seed, and scored. It has the steps of one process."""

    corpus: Condition
    model: str
    seed: int
    train: Step
    perplexity: Step
    scores: Mapping[str, Step]  # by suite
    branch: Branch | None = None

    @property
    def name(self) -> str:
        """The name in folders and messages, CONDITION/MODEL/SEED, or CONDITION/MODEL/draw-K for a placebo."""
        return self.name_of(self.corpus, self.model, self.seed)

    @staticmethod
    def name_of(corpus: Condition, model: str, seed: int) -> str:
        draw_or_seed = seed if corpus.draw is None else f"draw-{corpus.draw}"
        return f"{corpus.name}/{model}/{draw_or_seed}"

    @property
    def condition(self) -> str:
        return self.corpus.name

    @property
    def steps(self) -> tuple[Step, ...]:
        return (self.train, self.perplexity, *self.scores.values())


@dataclass(frozen=True)
class RunPlan:
    """The steps of a run by their kind. `versions` are those of libraries that affect trained models and scores."""

    resolved: Resolved
    versions: Mapping[str, str]

    def steps(self) -> list[Step]:
        steps = [*([self.sample] if self.sample else []), *self.stores.values(), *self.matches.values()]
        steps += [*self.edits.values(), self.tokenizer, *self.suites.values(), *self.coverage.values()]
        steps += [*self.units.values(), *self.corpora.values(), *self.tokens.values(), *self.unigrams.values()]
        steps += [cell.branch.state for cell in self.cells if cell.branch is not None]
        steps += [step for cell in self.cells for step in cell.steps]
        by_id: dict[str, Step] = {}
        for step in steps:
            by_id.setdefault(step.id, step)
        return list(by_id.values())

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

    @cached_property
    def conditions_by_corpus(self) -> Mapping[str, Condition]:
        """The condition of each training corpus, `full` first; a condition is repeated for each of its corpora."""
        names = [FULL, *(table.name for table in self.resolved.manifest.condition)]
        return {corpus.corpus: corpus for name in names for corpus in self._drawn_conditions(name)}

    def _drawn_conditions(self, name: str) -> list[Condition]:
        manifest, condition, table = self.resolved.manifest, self.resolved.condition(name), self.resolved.table(name)
        seeds, by_seed = manifest.experiment.seeds, manifest.size.redraw == "seed"
        if table is not None and (draws := table.placebo_draws):
            draw_seeds = [seeds[(draw - 1) % len(seeds)] for draw in range(1, draws + 1)]
            return [condition.drawn(seed if by_seed else None, draw, seed) for draw, seed in enumerate(draw_seeds, 1)]
        return [condition.drawn(seed) for seed in seeds] if by_seed else [condition]

    @cached_property
    def sample(self) -> Step | None:
        settings = self.resolved.manifest.corpus.sample
        return Step.of("sample", "", settings.model_dump()) if settings else None

    @cached_property
    def stores(self) -> Mapping[str, Step]:
        steps = {
            name: Step.of("store", name, {"files": [list(source) for source in sources]}, files=files)
            for name, sources in self.resolved.sources.items()
            for files in [[(path, sha) for (_, path), (_, sha) in zip(self.resolved.files[name], sources, strict=True)]]
        }
        if self.sample is not None:
            needs = {"sample": self.sample}
            steps |= {name: Step.of("store", name, {"part": name}, needs) for name in ("train", *TEXTS)}
        return steps

    @property
    def _base(self) -> dict[str, Step]:
        return {"corpus": self.stores["train"]}

    @property
    def _texts(self) -> list[str]:
        return [text for text in TEXTS if text in self.stores]

    @cached_property
    def matches(self) -> Mapping[str, Step]:
        return {key: Step.of("match", key[:12], {"filter": key}, self._base) for key in self.resolved.filters_by_key}

    @cached_property
    def edits(self) -> Mapping[str, Step]:
        steps: dict[str, Step] = {}
        for name, condition in self.conditions_by_corpus.items():
            if inputs := edit_content(condition):
                is_drawn = inputs != edit_content(self.resolved.condition(condition.name))
                step_name = name if is_drawn else condition.name
                steps[name] = Step.of("edit", step_name, inputs, self._base, edit_files(condition))
        for condition in self.resolved.conditions:
            for text in self._texts:
                if inputs := edit_content(condition, text):
                    needs = {"corpus": self.stores[text], "reference": self.stores["train"]}
                    name = f"{condition.name}/{text}"
                    steps[name] = Step.of("edit", name, inputs, needs, edit_files(condition))
        return steps

    @cached_property
    def tokenizer(self) -> Step:
        saved = self.resolved.tokenizer
        files = [] if saved is None else [(saved.path, saved.digest)]
        return Step.of("tokenizer", "", tokenizer_content(self.resolved), self._base, files)

    @cached_property
    def suites(self) -> Mapping[str, Step]:
        steps = {suite.name: self._suite(suite) for suite in self.resolved.suites}
        for condition in self.resolved.conditions:
            if any(intervention.edits_suites for intervention in word_edits_of(condition)):
                for suite in self.resolved.suites:
                    if suite.parsed and suite.path is not None:
                        name = f"{condition.name}/{suite.name}"
                        inputs = {"limit": suite.limit, "content": suite.digest, "name": suite.name}
                        inputs |= edit_content(condition)
                        files = [(suite.path, suite.digest), *edit_files(condition)]
                        steps[name] = Step.of("suite", name, inputs, {"reference": self.stores["train"]}, files)
        return steps

    def _suite(self, suite: Suite) -> Step:
        inputs: dict[str, Any] = {"name": suite.name, "limit": suite.limit, "paradigms": sorted(suite.paradigms)}
        if suite.path is None:
            assert self.sample is not None
            return Step.of("suite", suite.name, inputs, {"sample": self.sample})
        inputs |= {"content": suite.digest, "file": suite.path.name}  # a file's name may be the name of a paradigm
        inputs |= {"kind": suite.kind, "parsed": suite.parsed, "covariates": list(suite.covariates)}
        needs: dict[str, Step] = {}
        if suite.corrupt is not None:
            inputs["corrupt"] = suite.corrupt.model_dump()
            if suite.corrupt.words != "plain":
                tokenization = self.resolved.tokenization
                inputs |= {"lowercase": tokenization.lowercase, "apostrophes_alike": tokenization.split != "none"}
                needs = self._base | {"tokenizer": self.tokenizer}
        return Step.of("suite", suite.name, inputs, needs, [(suite.path, suite.digest)])

    @cached_property
    def coverage(self) -> Mapping[str, Step]:
        targets = {"filters": self.resolved.targets_by_key}
        return {
            suite.name: Step.of("coverage", suite.name, targets, {"suite": self.suites[suite.name], "trees": trees})
            for suite in self.resolved.suites
            if (trees := self.stores.get(parses_name(suite.name))) is not None
        }

    @cached_property
    def units(self) -> Mapping[str, Step]:
        steps: dict[str, Step] = {}
        for name, condition in self.conditions_by_corpus.items():
            contents = (intervention.units_content(condition) for intervention in arrangements_of(condition))
            if inputs := next(filter(None, contents), None):
                needs = self._base | {"tokenizer": self.tokenizer, **self.suites} if "generate" in inputs else {}
                files = [(file.path, file.sha256) for file in condition.files]
                steps[name] = Step.of("units", name, inputs, needs, files)
        return steps

    @cached_property
    def corpora(self) -> Mapping[str, Step]:
        """With `count = "smallest"`, keys cover the selections of all corpora of the seed, not later changes."""
        steps: dict[str, Step] = {}
        conditions, edits = self.conditions_by_corpus, self.edits
        for redraw in dict.fromkeys(condition.redraw for condition in conditions.values()):
            corpora = {name: condition for name, condition in conditions.items() if condition.redraw == redraw}
            inputs = self._inputs_of_draw(corpora)
            for name, condition in corpora.items():
                read = self._read_conditions(condition.name)
                filters = [compiled for other in read for compiled in self.resolved.filters_of(other, *FILTER_LISTS)]
                needs = self._base | {compiled.key: self.matches[compiled.key] for compiled in filters}
                needs |= {
                    f"edit:{other.name}": edits[each]
                    for each, other in corpora.items()
                    if each in edits and other.name in read
                }
                needs |= {"edit": edits[name]} if name in edits else {}
                needs |= {"units": self.units[name]} if name in self.units else {}
                steps[name] = Step.of("corpus", name, inputs[name], needs)
        return {name: steps[name] for name in conditions}

    def _inputs_of_draw(self, corpora: Mapping[str, Condition]) -> dict[str, dict[str, Any]]:
        size = self.resolved.manifest.size
        contents = {name: condition_content(condition) for name, condition in corpora.items()}
        distinct = {repr(content): content for name, content in contents.items() if sets_common_size(corpora[name])}
        common: dict[str, Any] = {
            "size": size.model_dump(exclude={"redraw"}),
            "all": [distinct[text] for text in sorted(distinct)] if size.count == "smallest" else None,
        }
        inputs: dict[str, dict[str, Any]] = {}
        for name, condition in corpora.items():
            inputs[name] = common | {"do": contents[name]}
            for intervention in arrangements_of(condition):
                inputs[name] |= intervention.content(condition)
            inputs[name] |= {} if condition.redraw is None else {"redraw": condition.redraw}
        return inputs

    def _read_conditions(self, name: str) -> list[str]:
        manifest = self.resolved.manifest
        conditions = {condition.name: condition for condition in manifest.condition}
        if manifest.size.count == "smallest":
            return list(conditions)
        read = [name] if name in conditions else []
        for condition in read:  # it grows while it is read
            index = manifest.condition.index(conditions[condition])
            words = set(_words(self.resolved.draft.raw["condition"][index]))
            read += [other for other in conditions if other in words and other not in read]
        return read

    @cached_property
    def tokens(self) -> Mapping[str, Step]:
        tokenizer, steps = {"tokenizer": self.tokenizer}, dict[str, Step]()
        for name, corpus in self.corpora.items():  # the store and the units have the documents of its sentences
            needs = {"corpus": corpus, "store": self.stores["train"], **tokenizer}
            needs |= {"units": self.units[name]} if name in self.units else {}
            steps[name] = Step.of("tokens", name, row_change_content(self.conditions_by_corpus[name]), needs)
        for text in self._texts:
            steps[text] = Step.of("tokens", text, {}, {"text": self.stores[text], **tokenizer})
        for condition in self.resolved.conditions:
            edited = {
                text for intervention in word_edits_of(condition) for text in intervention.edited_texts(condition)
            }
            for text in filter(edited.__contains__, self._texts):
                name = f"{condition.name}/{text}"
                edit = {"edit": self.edits[name]} if name in self.edits else {}
                needs = {"text": self.stores[text], **edit, **tokenizer}
                steps[name] = Step.of("tokens", name, row_change_content(condition), needs)
        return steps

    @cached_property
    def unigrams(self) -> Mapping[tuple[str, str], Step]:
        """The unigram scores by corpus (the first of a condition that is no placebo) and suite of minimal pairs."""
        first_corpora: dict[str, str] = {}
        for name, condition in self.conditions_by_corpus.items():
            if condition.draw is None:
                first_corpora.setdefault(condition.name, name)
        steps: dict[tuple[str, str], Step] = {}
        for corpus in first_corpora.values():
            for suite in (suite.name for suite in self.resolved.suites if suite.kind == "pairs"):
                convention = self.resolved.conventions[suite]
                inputs: dict[str, Any] = {"convention": convention_content(convention)}
                if convention["context"] == "as_trained":
                    inputs["frame"] = self.resolved.unigram_frame
                needs = {"tokens": self.tokens[corpus], "tokenizer": self.tokenizer, "suite": self.suites[suite]}
                steps[corpus, suite] = Step.of("unigram", f"{corpus}/{suite}", inputs, needs)
        return steps

    @cached_property
    def cells(self) -> tuple[Training, ...]:
        return tuple(
            self._cell(condition, model, seed)
            for seed in self.resolved.manifest.experiment.seeds
            for condition in self.conditions_by_corpus.values()
            if condition.is_used_by(seed)
            for model in self.resolved.models
        )

    def _cell(self, corpus: Condition, model: str, seed: int) -> Training:
        name, condition = Training.name_of(corpus, model, seed), corpus.name
        entry, needs = self.resolved.model_for(model, condition), self._train_needs(corpus)
        inputs: dict[str, Any] = {**entry.content, "seed": seed, "versions": dict(self.versions)}
        branch = None
        if entry.branch is not None:
            branch = self._branch(entry.branch, inputs, corpus.redraw, model, seed)
            needs |= {"state": branch.state}
        train = Step.of("train", name, inputs, needs)
        texts = {text: self.tokens[variant_for(self.tokens, condition, text)] for text in self._texts}
        perplexity = Step.of("perplexity", name, {}, {"model": train, **texts})
        scores: dict[str, Step] = {}
        for suite in self.resolved.suites:
            inputs = {"convention": convention_content(self.resolved.convention(suite.name, model))}
            inputs |= {} if suite.corrupt is None else {"tokens": PAIRS_WITH_TOKENS}
            read = {"model": train, "suite": self.suites[variant_for(self.suites, condition, suite.name)]}
            scores[suite.name] = Step.of("score", f"{name}/{suite.name}", inputs, read)
        return Training(corpus, model, seed, train, perplexity, scores, branch)

    def _branch(
        self, point: BranchPoint, inputs: Mapping[str, Any], redraw: int | None, model: str, seed: int
    ) -> Branch:
        start = self.resolved.condition(point.condition).drawn(redraw)
        start_name = Training.name_of(start, model, seed)
        source = Step.of("train", start_name, inputs, self._train_needs(start))
        state = Step.of("state", f"{start_name}@step-{point.step}", {"step": point.step}, {"model": source})
        return Branch(start, point.step, source, state)

    def _train_needs(self, corpus: Condition) -> dict[str, Step]:
        valid = self.tokens[variant_for(self.tokens, corpus.name, "valid")]
        return {"tokens": self.tokens[corpus.corpus], "valid": valid, "tokenizer": self.tokenizer}


def _words(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            yield from (word for item in value.values() for word in _words(item))
        case list():
            yield from (word for item in value for word in _words(item))


def variant_for(steps: Mapping[str, Step], condition: str, name: str) -> str:
    rewritten = f"{condition}/{name}"
    return rewritten if rewritten in steps else name
