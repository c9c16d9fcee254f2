"""A plan to a guess of what is left to pay, in CPU minutes, before anything runs."""

from __future__ import annotations

from runner.execute.state import State
from runner.steps.plan import Plan

# Words a CPU second in training on one thread of a server core, at a vocabulary of some thousand words: a guess for
# people, not a promise. Models that are not listed count as slow.
SPEEDS = {"lstm-128": 12_000, "transformer-128": 9_000}
SLOW = 300
BYTES_A_WORD = {".conllu": 65, ".gz": 12}
SAMPLE_WORDS = 8  # a sentence of the embedded sample


def estimate(plan: Plan, states: list[State]) -> str:
    """One sentence for people: how long the missing training takes on one core, roughly."""
    words = _words(plan)
    missing = {state.step.id for state in states if not state.cached}
    seconds = 0.0
    cells = 0
    for cell in plan.cells:
        if cell.train.id not in missing:
            continue
        cells += 1
        trained = plan.resolved.models[cell.model]
        total = trained.training.tokens or words * (trained.training.epochs or 1)
        seconds += total / SPEEDS.get(trained.model.name, SLOW)
    if not cells:
        return "No training is left to do."
    return f"Training left: {cells} cells, roughly {max(1, round(seconds / 60))} CPU minutes on a machine like ours."


def _words(plan: Plan) -> float:
    sample = plan.resolved.manifest.corpus.sample
    if sample is not None:
        return sample.sentences * SAMPLE_WORDS
    return sum(path.stat().st_size / BYTES_A_WORD.get(path.suffix, 65) for _, path in plan.resolved.files["train"])
