"""The graph of steps of a resolved manifest, and its cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from runner.conditions.condition import Condition
from runner.conditions.intervention import arrangements_of, word_edits_of
from runner.conditions.registry import FILTER_LISTS
from runner.steps.models import BranchPoint
from runner.steps.names import TextName, cell_name, parses_name, suite_name, title_of
from runner.steps.resolve import Resolved
from runner.steps.step import Step
from runner.steps.suites import SuiteEntry, convention_content
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
    """The start of a cell's training on another corpus: `state` is that of `source` after `step` training steps."""

    corpus: TextName
    step: int
    source: Step
    state: Step


@dataclass(frozen=True)
class Training:
    """A cell: a model trained on a corpus with a seed, and scored. It has the steps of one process."""

    corpus: TextName
    model: str
    seed: int
    train: Step
    perplexity: Step
    scores: Mapping[str, Step]  # by suite
    branch: Branch | None = None

    @property
    def name(self) -> str:
        return cell_name(self.corpus, self.model, self.seed)

    @property
    def condition(self) -> str:
        return self.corpus.condition

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
        steps += [*self.edits.values(), self.tokenizer, *self.suites.values(), *self.edited_suites.values()]
        steps += [*self.coverage.values(), *self.units.values(), *self.corpora.values()]
        steps += [*self.tokens.values(), *self.unigrams.values()]
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
        return tuple(self.resolved.conditions)

    @property
    def placebos(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(corpus.condition for corpus in self.conditions_by_corpus if corpus.draw is not None))

    def corpora_of(self, condition: str) -> list[TextName]:
        return [corpus for corpus in self.conditions_by_corpus if corpus.condition == condition]

    @cached_property
    def conditions_by_corpus(self) -> Mapping[TextName, Condition]:
        """The condition of each training corpus, `full` first; a condition is repeated for each of its corpora."""
        conditions = self.resolved.conditions.values()
        return {_corpus_of(drawn): drawn for condition in conditions for drawn in self._drawn_conditions(condition)}

    def _drawn_conditions(self, condition: Condition) -> list[Condition]:
        manifest, table = self.resolved.manifest, self.resolved.table(condition.name)
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
    def texts(self) -> list[str]:
        return [text for text in TEXTS if text in self.stores]

    @cached_property
    def matches(self) -> Mapping[str, Step]:
        return {key: Step.of("match", key[:12], {"filter": key}, self._base) for key in self.resolved.filters_by_key}

    @cached_property
    def edits(self) -> Mapping[TextName, Step]:
        steps: dict[TextName, Step] = {}
        for name, condition in self.conditions_by_corpus.items():
            if inputs := edit_content(condition):
                is_drawn = inputs != edit_content(self.resolved.conditions[condition.name])
                step_name = name if is_drawn else TextName(condition.name)
                steps[name] = Step.of("edit", step_name, inputs, self._base, edit_files(condition))
        for condition in self.resolved.conditions.values():
            for text in self.texts:
                if inputs := edit_content(condition, text):
                    needs = {"corpus": self.stores[text], "reference": self.stores["train"]}
                    name = TextName(condition.name, text)
                    steps[name] = Step.of("edit", name, inputs, needs, edit_files(condition))
        return steps

    @cached_property
    def tokenizer(self) -> Step:
        saved = self.resolved.tokenizer
        files = [] if saved is None else [(saved.path, saved.digest)]
        return Step.of("tokenizer", "", tokenizer_content(self.resolved), self._base, files)

    @cached_property
    def suites(self) -> Mapping[str, Step]:
        return {suite.name: self._suite(suite) for suite in self.resolved.suites}

    @cached_property
    def edited_suites(self) -> Mapping[tuple[str, str], Step]:
        """The suites with the edits of a condition, by suite and condition."""
        steps: dict[tuple[str, str], Step] = {}
        for condition in self.resolved.conditions.values():
            if any(intervention.edits_suites for intervention in word_edits_of(condition)):
                for suite in self.resolved.suites:
                    if suite.parsed and suite.path is not None:
                        name = suite_name(condition.name, suite.name)
                        inputs = {"limit": suite.limit, "content": suite.digest, "name": suite.name}
                        inputs |= edit_content(condition)
                        files = [(suite.path, suite.digest), *edit_files(condition)]
                        needs = {"reference": self.stores["train"]}
                        steps[suite.name, condition.name] = Step.of("suite", name, inputs, needs, files)
        return steps

    def _suite(self, suite: SuiteEntry) -> Step:
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
    def units(self) -> Mapping[TextName, Step]:
        steps: dict[TextName, Step] = {}
        suites = {step.name: step for step in (*self.suites.values(), *self.edited_suites.values())}
        for name, condition in self.conditions_by_corpus.items():
            contents = (intervention.units_content(condition) for intervention in arrangements_of(condition))
            if inputs := next(filter(None, contents), None):
                needs = self._base | {"tokenizer": self.tokenizer, **suites} if "generate" in inputs else {}
                files = [(file.path, file.sha256) for file in condition.files]
                steps[name] = Step.of("units", name, inputs, needs, files)
        return steps

    @cached_property
    def corpora(self) -> Mapping[TextName, Step]:
        """With `count = "smallest"`, keys cover the selections of all corpora of the seed, not later changes."""
        steps: dict[TextName, Step] = {}
        conditions, edits = self.conditions_by_corpus, self.edits
        for redraw in dict.fromkeys(condition.redraw for condition in conditions.values()):
            corpora = {name: condition for name, condition in conditions.items() if condition.redraw == redraw}
            inputs = self._inputs_of_draw(corpora)
            for name, condition in corpora.items():
                read = {other.name: other.filters_of(*FILTER_LISTS) for other in self._read_conditions(condition)}
                filters = chain.from_iterable(read.values())
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

    def _inputs_of_draw(self, corpora: Mapping[TextName, Condition]) -> dict[TextName, dict[str, Any]]:
        size = self.resolved.manifest.size
        contents = {name: condition_content(condition) for name, condition in corpora.items()}
        distinct = {repr(content): content for name, content in contents.items() if sets_common_size(corpora[name])}
        common: dict[str, Any] = {
            "size": size.model_dump(exclude={"redraw"}),
            "all": [distinct[text] for text in sorted(distinct)] if size.count == "smallest" else None,
        }
        inputs: dict[TextName, dict[str, Any]] = {}
        for name, condition in corpora.items():
            inputs[name] = common | {"do": contents[name]}
            for intervention in arrangements_of(condition):
                inputs[name] |= intervention.content(condition)
            inputs[name] |= {} if condition.redraw is None else {"redraw": condition.redraw}
        return inputs

    def _read_conditions(self, condition: Condition) -> list[Condition]:
        conditions = self.resolved.conditions
        if self.resolved.manifest.size.count == "smallest":
            return list(conditions.values())
        read = [condition.name]
        for name in read:  # it grows while it is read
            table = self.resolved.table(name)
            named = set() if table is None else {path[-1] for path, _ in table.references}
            read += [other for other in conditions if other in named and other not in read]
        return [conditions[name] for name in read]

    @cached_property
    def tokens(self) -> Mapping[TextName, Step]:
        tokenizer, steps = {"tokenizer": self.tokenizer}, dict[TextName, Step]()
        for name, corpus in self.corpora.items():  # the store and the units have the documents of its sentences
            needs = {"corpus": corpus, "store": self.stores["train"], **tokenizer}
            needs |= {"units": self.units[name]} if name in self.units else {}
            steps[name] = Step.of("tokens", name, row_change_content(self.conditions_by_corpus[name]), needs)
        for text in self.texts:
            name = TextName(split=text)
            steps[name] = Step.of("tokens", name, {}, {"text": self.stores[text], **tokenizer})
        for condition in self.resolved.conditions.values():
            edited = {
                text for intervention in word_edits_of(condition) for text in intervention.edited_texts(condition)
            }
            for text in filter(edited.__contains__, self.texts):
                name = TextName(condition.name, text)
                edit = {"edit": self.edits[name]} if name in self.edits else {}
                needs = {"text": self.stores[text], **edit, **tokenizer}
                steps[name] = Step.of("tokens", name, row_change_content(condition), needs)
        return steps

    @cached_property
    def unigrams(self) -> Mapping[tuple[TextName, str], Step]:
        """The unigram scores by corpus (the first of a condition that is no placebo) and suite of minimal pairs."""
        steps: dict[tuple[TextName, str], Step] = {}
        for corpus in (self.corpora_of(name)[0] for name in self.conditions if name not in self.placebos):
            for suite in (suite.name for suite in self.resolved.suites if suite.kind == "pairs"):
                convention = self.resolved.conventions[suite]
                inputs: dict[str, Any] = {"convention": convention_content(convention)}
                if convention["context"] == "as_trained":
                    inputs["frame"] = self.resolved.unigram_frame
                needs = {"tokens": self.tokens[corpus], "tokenizer": self.tokenizer, "suite": self.suites[suite]}
                steps[corpus, suite] = Step.of("unigram", suite_name(corpus, suite), inputs, needs)
        return steps

    @cached_property
    def cells(self) -> tuple[Training, ...]:
        return tuple(
            self._cell(corpus, model, seed)
            for seed in self.resolved.manifest.experiment.seeds
            for corpus, condition in self.conditions_by_corpus.items()
            if condition.is_used_by(seed)
            for model in self.resolved.models
        )

    def _cell(self, corpus: TextName, model: str, seed: int) -> Training:
        name, condition = cell_name(corpus, model, seed), corpus.condition
        entry, needs = self.resolved.model_for(model, condition), self._train_needs(corpus)
        inputs: dict[str, Any] = {**entry.content, "seed": seed, "versions": dict(self.versions)}
        branch = None
        if entry.branch is not None:
            branch = self._branch(entry.branch, inputs, self.conditions_by_corpus[corpus].redraw, model, seed)
            needs |= {"state": branch.state}
        train = Step.of("train", name, inputs, needs)
        texts = {text: self.tokens[text_for(self.tokens, condition, text)] for text in self.texts}
        perplexity = Step.of("perplexity", name, {}, {"model": train, **texts})
        scores: dict[str, Step] = {}
        for suite in self.resolved.suites:
            inputs = {"convention": convention_content(self.resolved.convention(suite.name, model))}
            inputs |= {} if suite.corrupt is None else {"tokens": PAIRS_WITH_TOKENS}
            read = {"model": train, "suite": self.suite_for(suite.name, condition)}
            scores[suite.name] = Step.of("score", suite_name(name, suite.name), inputs, read)
        return Training(corpus, model, seed, train, perplexity, scores, branch)

    def _branch(
        self, point: BranchPoint, inputs: Mapping[str, Any], redraw: int | None, model: str, seed: int
    ) -> Branch:
        start = _corpus_of(self.resolved.conditions[point.condition].drawn(redraw))
        start_name = cell_name(start, model, seed)
        source = Step.of("train", start_name, inputs, self._train_needs(start))
        state = Step.of("state", f"{start_name}@step-{point.step}", {"step": point.step}, {"model": source})
        return Branch(start, point.step, source, state)

    def _train_needs(self, corpus: TextName) -> dict[str, Step]:
        valid = self.tokens[text_for(self.tokens, corpus.condition, "valid")]
        return {"tokens": self.tokens[corpus], "valid": valid, "tokenizer": self.tokenizer}

    def suite_for(self, suite: str, condition: str) -> Step:
        return self.edited_suites.get((suite, condition), self.suites[suite])


def _corpus_of(condition: Condition) -> TextName:
    return TextName(condition.name, seed=condition.redraw if condition.draw is None else None, draw=condition.draw)


def text_for(steps: Mapping[TextName, Step], condition: str, split: str) -> TextName:
    """Return the name of a validation or test text as a condition changes it, or else of the text of the manifest."""
    changed = TextName(condition, split)
    return changed if changed in steps else TextName(split=split)
