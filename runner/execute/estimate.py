"""Estimate the CPU time of a plan's missing steps."""

from __future__ import annotations

from pathlib import Path

from runner.execute.state import StepState
from runner.model.recipe import TrainSpec
from runner.steps.plan import Plan
from runner.steps.resolve import Suite

# Words per second on one thread of a server core, with a vocabulary of a few thousand words, in training and about the
# same in scoring. A rough estimate; other models count as slow.
SPEEDS = {"lstm-128": 12_000, "transformer-128": 9_000, "bert-128": 8_000}
SLOW = 300
BYTES_PER_WORD = {".conllu": 65, ".gz": 12}
SAMPLE_WORDS = 8  # per sentence of the embedded sample
SUITE_WORDS = 10  # per scored sentence; a masked model reads it once per word
CORRUPTIONS = 6  # sentences per pair: two for each operation
SAMPLE_PARADIGMS = 26


def estimate(plan: Plan, states: list[StepState]) -> str:
    """Return a sentence with the approximate time of the missing training and scoring on one core."""
    words = _words(plan)
    missing = {state.step.id for state in states if not state.cached}
    suites = {suite.name: _sentences(plan, suite) for suite in plan.resolved.suites}
    seconds = 0.0
    cells = 0
    for cell in plan.cells:
        trained = plan.resolved.model_for(cell.model, cell.condition)
        total = trained.training.tokens or words * (trained.training.epochs or 1)
        train = cell.train.id in missing
        sentences = sum(suites[name] for name, step in cell.scores.items() if step.id in missing)
        models = 1 + _checkpoints(trained.training, total)
        scored = sentences * models * SUITE_WORDS * (SUITE_WORDS if trained.model.masked else 1)
        cells += bool(train or sentences)
        speed = SLOW if trained.origin else SPEEDS.get(trained.model.name, SLOW)  # a saved model may have any size
        seconds += (total * train + scored) / speed
    if not cells:
        return "No training or scoring remains."
    minutes = max(1, round(seconds / 60))
    remaining = f"{cells} cell{'' if cells == 1 else 's'}"
    return f"Remaining training and scoring: {remaining}, roughly {minutes:,} CPU minutes on a server core."


def _checkpoints(training: TrainSpec, tokens: float) -> int:
    """Return the number of checkpoints of a training run."""
    counts, count = set(training.checkpoints), float(training.checkpoints_from)
    while 0 < count <= tokens:
        counts.add(round(count))
        count *= training.checkpoints_factor
    return len(counts)


def _words(plan: Plan) -> float:
    sample = plan.resolved.manifest.corpus.sample
    if sample is not None:
        return sample.sentences * SAMPLE_WORDS
    return sum(_conllu(path) for _, path in plan.resolved.files["train"])


def _conllu(path: Path) -> float:
    return path.stat().st_size / BYTES_PER_WORD.get(path.suffix, 65)


def _sentences(plan: Plan, suite: Suite) -> float:
    """Estimate the number of sentences of a suite: each line of its files is a pair or a sentence."""
    if suite.corrupt is not None:
        return suite.corrupt.pairs * CORRUPTIONS
    if suite.path is None:
        sample = plan.resolved.manifest.corpus.sample
        paradigms = len(suite.paradigms) or SAMPLE_PARADIGMS
        return 2 * paradigms * min(suite.limit or 10**9, sample.pairs if sample else 0)
    if suite.parsed:
        return min(suite.limit or 10**9, _conllu(suite.path) / SUITE_WORDS)
    count = 0
    for file in sorted(suite.path.iterdir()) if suite.path.is_dir() else [suite.path]:
        if file.is_file() and (not suite.paradigms or file.stem in suite.paradigms):
            lines = file.read_bytes().count(b"\n")
            pairs = 2 if suite.kind == "pairs" and file.suffix in (".jsonl", ".csv") else 1
            count += pairs * min(suite.limit or lines, lines)
    return count
