"""The cells of a plan. A cell trains a model on a corpus with a seed, and scores it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runner.conditions.condition import Condition
from runner.steps.models import BranchPoint
from runner.steps.resolve import Resolved
from runner.steps.step import Step
from runner.steps.suites import convention_content
from runner.steps.variants import TEXTS

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
    """A model trained on a corpus with a seed: the steps of one process."""

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
class CellInputs:
    """The inputs of all cells. `versions` are the versions of libraries that affect trained models and scores."""

    resolved: Resolved
    tokenizer: Step
    tokens: Mapping[str, Step]
    suites: Mapping[str, Step]
    versions: Mapping[str, str]


def build_cell(shared: CellInputs, corpus: Condition, model: str, seed: int) -> Training:
    name, condition = Training.name_of(corpus, model, seed), corpus.name
    model_entry = shared.resolved.model_for(model, condition)
    inputs: dict[str, Any] = {**model_entry.content, "seed": seed, "versions": dict(shared.versions)}
    branch = (
        None if model_entry.branch is None else _branch(shared, model_entry.branch, inputs, corpus.redraw, model, seed)
    )
    needs = _train_needs(shared, corpus)
    if branch is not None:
        needs |= {"state": branch.state}
    train = Step.of("train", name, inputs, needs)
    texts = {
        text: shared.tokens[variant_for(shared.tokens, condition, text)] for text in TEXTS if text in shared.tokens
    }
    perplexity = Step.of("perplexity", name, {}, {"model": train, **texts})
    scores = _scores(shared, name, condition, model, train)
    return Training(corpus, model, seed, train, perplexity, scores, branch)


def _branch(
    shared: CellInputs, point: BranchPoint, inputs: Mapping[str, Any], redraw: int | None, model: str, seed: int
) -> Branch:
    start = shared.resolved.condition(point.condition).drawn(redraw)
    start_name = Training.name_of(start, model, seed)
    source = Step.of("train", start_name, inputs, _train_needs(shared, start))
    state = Step.of("state", f"{start_name}@step-{point.step}", {"step": point.step}, {"model": source})
    return Branch(start, point.step, source, state)


def _scores(shared: CellInputs, name: str, condition: str, model: str, train: Step) -> dict[str, Step]:
    return {
        suite.name: Step.of(
            "score",
            f"{name}/{suite.name}",
            {"convention": convention_content(shared.resolved.convention(suite.name, model))}
            | ({} if suite.corrupt is None else {"tokens": PAIRS_WITH_TOKENS}),
            {"model": train, "suite": shared.suites[variant_for(shared.suites, condition, suite.name)]},
        )
        for suite in shared.resolved.suites
    }


def _train_needs(shared: CellInputs, corpus: Condition) -> dict[str, Step]:
    valid = shared.tokens[variant_for(shared.tokens, corpus.name, "valid")]
    return {"tokens": shared.tokens[corpus.corpus], "valid": valid, "tokenizer": shared.tokenizer}


def variant_for(steps: Mapping[str, Step], condition: str, name: str) -> str:
    """Return the name of a text or suite for a condition's models: CONDITION/NAME if the condition rewrites it."""
    rewritten = f"{condition}/{name}"
    return rewritten if rewritten in steps else name
