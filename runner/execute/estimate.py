"""Estimate the time of a plan's missing steps, or measure it, and count parameters."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.words import counted
from runner.corpus.limits import available_memory
from runner.execute.state import StepState
from runner.machine import choose, kind
from runner.machine import label as device_label
from runner.model.recipe import parameter_count
from runner.readers import parse_json
from runner.steps.models import ModelEntry
from runner.steps.plan import RunPlan, Training
from runner.steps.resolve import Resolved
from runner.steps.suites import SuiteEntry
from runner.steps.variants import needs_mask_token
from runner.train.spec import all_checkpoint_tokens

MAX_HEADER_BYTES = 100_000_000  # the limit of safetensors


def vocabulary_size(resolved: Resolved) -> int | None:
    """Return the vocabulary size, at most, without the tokens that conditions insert, or None if it is unknown."""
    if resolved.tokenizer is not None:
        return _saved_vocabulary(resolved.tokenizer.path)
    settings = resolved.manifest.tokenizer
    special_count = (2 if settings.kind == "word" else 1) + needs_mask_token(resolved)
    return settings.size + special_count


def parameter_counts(resolved: Resolved) -> dict[str, int | None]:
    vocabulary = vocabulary_size(resolved)
    return {label: _parameter_count(entry, vocabulary) for label, entry in resolved.models.items()}


def _parameter_count(entry: ModelEntry, vocabulary: int | None) -> int | None:
    if entry.origin is not None:
        return saved_parameter_count(entry.origin)
    if vocabulary is None:
        return None
    count = parameter_count(entry.model, vocabulary)
    if count is not None:
        return count
    from runner.model.architectures import count_parameters

    return count_parameters(entry.model, vocabulary)


def saved_parameter_count(folder: Path) -> int | None:
    try:
        headers: list[dict[str, Any]] = []
        for path in sorted(folder.glob("*.safetensors")):
            with path.open("rb") as file:  # a header has its length in 8 bytes, then JSON
                (length,) = struct.unpack("<Q", file.read(8))
                headers.append(parse_json(file.read(min(length, MAX_HEADER_BYTES))))
        shapes = [tensor["shape"] for header in headers for name, tensor in header.items() if name != "__metadata__"]
        return sum(math.prod(shape) for shape in shapes) or None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error):
        return None  # training reads the files and reports what is wrong


def _saved_vocabulary(folder: Path) -> int | None:
    try:
        content = parse_json((folder / "tokenizer.json").read_text("utf-8"))
        ids: set[int] = {
            *content["model"]["vocab"].values(),
            *(token["id"] for token in content.get("added_tokens", ())),
        }
        return max(ids) + 1  # an embedding has rows for ids without a token too
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def measure(plan: RunPlan) -> tuple[dict[str, float], str]:
    """Return tokens per second by model, without saved models, and the name of the device that is not a CPU, if any."""
    from runner.train.loop import measured_speed

    vocabulary = vocabulary_size(plan.resolved)
    speeds: dict[str, float] = {}
    devices = {name: choose(entry.training.device) for name, entry in plan.resolved.models.items()}
    for name, entry in plan.resolved.models.items():
        if vocabulary is not None and entry.origin is None:
            speeds[name] = measured_speed(entry.model, entry.training, vocabulary, devices[name])
    return speeds, device_label(next((device for device in devices.values() if device != "cpu"), "cpu"))


# Floating-point operations per second that training reaches: measured on one thread of a server core with bfloat16 for
# `cpu` (12,000 tokens a second of lstm-128), assumed for GPUs of data centres and of laptops.
OPERATIONS_PER_SECOND = {"cpu": 9.5e10, "mps": 2e12, "cuda": 6e13}
MAX_TOKENS_PER_SECOND = {"cpu": 20_000.0, "mps": 50_000.0, "cuda": 300_000.0}  # of the smallest models
OPERATIONS_PER_PARAMETER = 6  # operations per token and parameter, forward and backward (Kaplan et al. 2020)
TRAINING_BYTES_PER_PARAMETER = 4 * 4  # weights, gradients and two moments of AdamW, in float32 at every precision
UNKNOWN_PARAMETERS = 100_000_000  # parameters of a saved model, if its files do not state them
IMPORTED_WORDS_PER_SECOND = 400_000  # words of CoNLL-U per CPU second
BYTES_PER_WORD = {".conllu": 65, ".gz": 12, ".zip": 12, ".xz": 9}
# English has 1.9 byte-pair subwords per word with 1,000 of them, 1.2 with 8,000 and 1.0 with 50,000, trained on EWT.
SUBWORDS_PER_WORD = 1.3
SAMPLE_WORDS = 8  # per sentence of the embedded sample
CORPUS_WORDS = 16  # per sentence of other corpora; EWT has 16.3
SUITE_WORDS = 10  # per scored sentence; a masked model reads it once per token
CORRUPT_SENTENCES_PER_PAIR = 6  # `corrupt` has pairs for each of three operations, and a pair has two sentences
SAMPLE_PARADIGMS = 26
SLOW_RUN_HOURS = 100  # minimum number of hours on a CPU for a warning
MAX_HOURS = 1_000_000  # of estimates, more than a century
HOUR = 3600.0


@dataclass
class Estimate:
    """The number of remaining cells, their seconds by device, and the CPU seconds of importing texts."""

    cells: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    import_seconds: float = 0.0
    measured: bool = False
    at_most: bool = False

    def __str__(self) -> str:
        import_seconds = self.import_seconds
        import_text = f" Reading the corpora: {_duration(import_seconds, 'CPU')}." if import_seconds >= 60 else ""
        if not self.cells:
            return f"No training or scoring remains.{import_text}"
        basis = "from measured steps" if self.measured else "from the sizes of the models, not measured"
        return f"Remaining training and scoring: {self.cells_and_time}, {basis}.{import_text}"

    @property
    def cells_and_time(self) -> str:
        remaining = f"{'at most ' * self.at_most}{counted(self.cells, 'cell')}"
        units = {_DEVICE_NAMES["cpu"]: "CPU"}
        times = [f"{_duration(sec, units.get(device, 'GPU'))} ({device})" for device, sec in self.seconds.items()]
        return f"{remaining}, {' and '.join(times)}" if times else remaining


def estimate(
    plan: RunPlan,
    states: list[StepState],
    measured: Mapping[str, float] | None = None,
    hardware: str | None = None,
    cells: Sequence[Training] | None = None,
) -> Estimate:
    missing = {state.step.id for state in states if not state.cached}
    awaiting = {state.step.id for state in states if state.awaits}
    unread = [
        path
        for name, step in plan.stores.items()
        if step.id in missing
        for _, path in plan.resolved.files.get(name, ())
    ]
    import_seconds = sum(map(_conllu_words, unread)) / IMPORTED_WORDS_PER_SECOND
    total = Estimate(measured=bool(measured), import_seconds=import_seconds)
    speeds = {**tokens_per_second(plan), **(measured or {})}
    corpus_tokens = _training_words(plan) * _tokens_per_word(plan)
    sentence_counts = {suite.name: _sentence_count(plan, suite) for suite in plan.resolved.suites}
    for cell in plan.cells if cells is None else cells:
        remaining_tokens = _remaining_tokens(plan, cell, missing, corpus_tokens, sentence_counts)
        if remaining_tokens:
            device = _device(plan, cell.model)
            device_name = hardware if hardware is not None and device != "cpu" else _DEVICE_NAMES[device]
            total.cells += 1
            total.at_most |= any(step.id in awaiting for step in cell.steps)
            total.seconds[device_name] = total.seconds.get(device_name, 0.0) + remaining_tokens / speeds[cell.model]
    return total


_DEVICE_NAMES = {"cpu": "a server core", "cuda": "a GPU of a data centre", "mps": "a GPU of a laptop"}


def slow_run(plan: RunPlan, states: list[StepState]) -> list[Diagnostic]:
    hours = estimate(plan, states).seconds.get(_DEVICE_NAMES["cpu"], 0.0) / HOUR
    return [diagnostic("FICT825", hours=_hours(hours * HOUR))] if hours >= SLOW_RUN_HOURS else []


def memory_warnings(plan: RunPlan) -> Iterator[str]:
    available = available_memory()
    for label, count in parameter_counts(plan.resolved).items():
        needed = (count or 0) * TRAINING_BYTES_PER_PARAMETER
        if needed > available:
            yield (
                f"warning: training {label} needs at least {needed / 1e9:,.1f} GB for weights, gradients and both "
                f"moments of AdamW, all in float32; this machine has {available / 1e9:,.1f} GB."
            )


def tokens_per_second(plan: RunPlan) -> dict[str, float]:
    counts = parameter_counts(plan.resolved)
    return {
        label: min(
            MAX_TOKENS_PER_SECOND[device],
            OPERATIONS_PER_SECOND[device]
            / (OPERATIONS_PER_PARAMETER * (counts[label] or UNKNOWN_PARAMETERS))
            * entry.training.processes,
        )
        for label, entry in plan.resolved.models.items()
        for device in [_device(plan, label)]
    }


def _device(plan: RunPlan, model: str) -> str:
    name = plan.resolved.models[model].training.device
    return kind(choose(name) if name == "auto" else name)


def _tokens_per_word(plan: RunPlan) -> float:
    return 1.0 if plan.resolved.tokenization.has_words else SUBWORDS_PER_WORD


def _remaining_tokens(
    plan: RunPlan, cell: Training, missing: set[str], corpus_tokens: float, sentence_counts: Mapping[str, float]
) -> float:
    model_entry = plan.resolved.model_for(cell.model, cell.condition)
    epochs = model_entry.training.epochs
    training_tokens = corpus_tokens * epochs if epochs is not None else model_entry.training.tokens or 0
    sentences = sum(sentence_counts[name] for name, step in cell.scores.items() if step.id in missing)
    model_count = 1 + len(all_checkpoint_tokens(model_entry.training, training_tokens))
    sentence_tokens = SUITE_WORDS * _tokens_per_word(plan)
    scored_tokens = sentences * model_count * sentence_tokens * (sentence_tokens if model_entry.model.masked else 1)
    return training_tokens * (cell.train.id in missing) + scored_tokens


def _duration(seconds: float, unit: str) -> str:
    if seconds < 2 * HOUR:
        minutes = max(1, round(seconds / 60))
        return f"roughly {counted(minutes, f'{unit} minute')}"
    return f"{_hours(seconds)} {unit} hours"


def _hours(seconds: float) -> str:
    hours = round(seconds / HOUR)
    return f"roughly {hours:,}" if hours <= MAX_HOURS else f"more than {MAX_HOURS:,}"


def _training_words(plan: RunPlan) -> float:
    sample, size = plan.resolved.manifest.corpus.sample, plan.resolved.manifest.size
    sentence_words = CORPUS_WORDS if sample is None else SAMPLE_WORDS
    if sample is not None:
        words: float = sample.sentences * sentence_words
    else:
        words = sum(_conllu_words(path) for _, path in plan.resolved.files["train"])
    return words if size.count == "smallest" else min(words, size.count * (sentence_words if size.by == "lines" else 1))


def _conllu_words(path: Path) -> float:
    return path.stat().st_size / BYTES_PER_WORD.get(path.suffix, 65)


def _sentence_count(plan: RunPlan, suite: SuiteEntry) -> float:
    if suite.corrupt is not None:
        return suite.corrupt.pairs * CORRUPT_SENTENCES_PER_PAIR
    if suite.path is None:
        sample = plan.resolved.manifest.corpus.sample
        paradigms = len(suite.paradigms) or SAMPLE_PARADIGMS
        return 2 * paradigms * min(suite.limit or 10**9, sample.pairs if sample else 0)
    if suite.parsed:
        return min(suite.limit or 10**9, _conllu_words(suite.path) / SUITE_WORDS)
    from runner.score.any_suite import BY_NAME

    files = [file for file in suite.path.rglob("*") if file.is_file()] if suite.path.is_dir() else [suite.path]
    selected = [file for file in files if file.stem in suite.paradigms] or files
    return sum(BY_NAME[suite.kind].sentence_estimate(file, suite.limit) for file in selected)
