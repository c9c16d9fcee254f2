"""The parts: scores, training against a bare loop, steps of the papers' models, BLiMP, and Stanza."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from runner.machine import label
from runner.model.architectures import build
from runner.model.recipe import ModelSpec
from runner.model.saved import SavedModel
from runner.model.training import PRESETS, Training, TrainSpec
from runner.train.distributed import DistributedContext
from runner.train.loop import Learner, adamw, measured_speed, random_batch
from tests.cuda.report import Row
from tests.support.models import BERT, GPT2, LINES, LSTM, OPT, saved

TOLERANCE = 1e-3  # nats, between devices in float32
BARE = 0.95  # of the speed of a bare loop
LLAMA = ModelSpec(
    "tiny-llama", "llama", positions=32,
    config={"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32,
            "max_position_embeddings": 32},
)  # fmt: skip


def scores(device: str, tiny: bool) -> Iterator[Row]:
    """Scores of minimal pairs agree with the CPU's in float32, and no decision differs outside ties."""
    from runner.score.convention import Convention
    from runner.score.suite_files import Pair, Suite
    from tests.support.scores import score_pairs

    pairs = [Pair("p", "", "", n, good, bad) for n, (good, bad) in enumerate(itertools.pairwise(LINES))]
    suite = Suite("pairs", pairs[:20] if tiny else pairs)
    for spec in (LSTM, GPT2, OPT, LLAMA, BERT):
        convention = Convention(probability="pll" if spec.masked else "causal")
        model = saved(spec, mask=spec.masked)
        tables = [score_pairs(moved(model, name), suite, convention) for name in ("cpu", device)]
        first, second = (np.array([table["score_good"], table["score_bad"]], dtype=np.float64) for table in tables)
        largest = float(np.abs(first - second).max())
        apart = np.abs(first[0] - first[1]) > 2 * TOLERANCE
        changed = int(((first[0] > first[1]) != (second[0] > second[1]))[apart].sum())
        yield Row("scores", spec.name, f"{largest:.1e} nats", f"≤ {TOLERANCE:g}", largest <= TOLERANCE)
        yield Row("scores", f"{spec.name}, decisions that differ", str(changed), "0", changed == 0)


def moved(model: SavedModel, device: str) -> SavedModel:
    """Return a model on a device."""
    return replace(model, model=model.model.to(device))


def training(device: str, tiny: bool) -> Iterator[Row]:
    """Steps of training are as fast as those of a bare loop of torch."""
    for name in ("fict-lstm", "gpt2-small"):
        spec, settings = sized(name, tiny)
        settings = settings.model_copy(
            update={"batch": 4 if tiny else 32, "block": 16 if tiny else min(settings.block, 512)}
        )
        for precision in ("float32", "bfloat16"):
            recipe = settings.model_copy(update={"precision": precision})
            ours, bare = (step_seconds(spec, recipe, device, kind, 2 if tiny else 20) for kind in ("ours", "bare"))
            required = "" if tiny else f"≥ {BARE:g}×"
            yield Row(
                "training",
                f"{name}, {precision}",
                f"{bare / ours:.2f}×",
                required,
                None if tiny else bare / ours >= BARE,
            )


def step_seconds(spec: ModelSpec, settings: TrainSpec, device: str, kind: str, steps: int) -> float:
    """Return the median seconds of a step by our learner, or by a bare loop."""
    model = build(spec, vocabulary(spec), 0).to(device).train()
    batch: Any = random_batch(spec, settings, vocabulary(spec), device)
    ids = torch.from_numpy(batch.ids).to(device)
    learner, optimizer = Learner(model, settings, DistributedContext(device)), adamw(model, settings)

    def bare() -> None:
        with torch.autocast(torch.device(device).type, torch.bfloat16, enabled=settings.precision == "bfloat16"):
            logits = model(input_ids=ids[:, :-1]).logits
            loss = torch.nn.functional.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        loss.item()

    times = []
    for step in range(steps + 2):
        begin = time.perf_counter()
        _ = learner.step(batch, 1e-5, step) if kind == "ours" else bare()
        times.append(time.perf_counter() - begin)
    return float(np.median(times[2:]))


def paper(device: str, tiny: bool) -> Iterator[Row]:
    """Steps of the papers' models at their sizes: words per second, and the peak of memory."""
    yield Row("paper", "device", label(device))
    for name in ("fict-lstm", "fict-transformer", "gpt2-small"):
        spec, settings = sized(name, tiny)
        if device != "cpu":
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
        speed = measured_speed(spec, settings, vocabulary(spec), device)
        peak = "" if device == "cpu" else f", {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB"
        yield Row("paper", f"{name}, batch {settings.batch}", f"{speed:,.0f} words/s{peak}", "> 0", speed > 0)


def sized(name: str, tiny: bool) -> tuple[ModelSpec, TrainSpec]:
    """Return a preset, or one of its architecture with a few thousand parameters."""
    preset = PRESETS[name]
    if not tiny:
        return preset.model, preset.training
    small = {"layers": 1, "hidden": 16, "heads": min(2, preset.model.heads), "feedforward": 16}
    return replace(preset.model, **small), TrainSpec.of(preset.training, [Training(batch=2, block=16)])


def vocabulary(spec: ModelSpec) -> int:
    """Return the size of the vocabulary: of the papers, or of a tiny model."""
    return 100 if spec.hidden <= 16 else 50_257


def blimp(device: str, tiny: bool) -> Iterator[Row]:
    """Score BLiMP, or the sample's pairs without it, with `gpt2-small` and random weights: tokens per second."""
    from runner.model.tokenizer import train_bpe_tokenizer
    from runner.score.any_suite import open_suite
    from runner.score.convention import Convention
    from tests.support.scores import score_pairs

    with tempfile.TemporaryDirectory() as folder:
        path = blimp_folder(Path(folder))
        suite = open_suite(path, "blimp", limit=5 if tiny else None, paradigms=())
        texts = [text for pair in suite.items for text in (pair.good, pair.bad)]
        words = train_bpe_tokenizer(texts, size=2_000)
        model = build(sized("gpt2-small", tiny)[0], len(words), 0).eval().to(device)
        found = SavedModel(model, words, Path("gpt2-small"))
        begin = time.perf_counter()
        table = score_pairs(found, suite, Convention())
        seconds = time.perf_counter() - begin
    tokens = sum(table[side].to_numpy().sum() for side in ("tokens_good", "tokens_bad"))
    finite = bool(np.isfinite(np.array([table["score_good"], table["score_bad"]], dtype=np.float64)).all())
    yield Row(
        "blimp", f"{path.name}, {len(suite.items):,} pairs", f"{tokens / seconds:,.0f} tokens/s", "finite", finite
    )


def blimp_folder(folder: Path) -> Path:
    """Return BLiMP in FICTC_DATA, or the pairs of the sample."""
    real = Path(os.environ.get("FICTC_DATA", "")) / "blimp"
    if os.environ.get("FICTC_DATA") and real.is_dir():
        return real
    from runner.sample.corpus import generate

    generate(folder / "sample", sentences=200, pairs=200, seed=1)
    return folder / "sample" / "pairs"


def trained_models(cache: Path) -> Path:
    """Train tiny Stanza models in a process of its own, since Stanza's training hides GPUs from its process."""
    import stanza as library  # noqa: F401 - fails here, by its name, if it is not installed

    script = (
        "import sys; from pathlib import Path; from tests.support.tiny_stanza import models; models(Path(sys.argv[1]))"
    )
    subprocess.run([sys.executable, "-c", script, str(cache)], check=True, capture_output=True)
    return next(cache.glob("models-*"))


def stanza(device: str, tiny: bool) -> Iterator[Row]:
    """Trees of a tiny Stanza model are those of the CPU."""
    from runner.corpus.stanza_parser import StanzaFactory, StanzaOptions

    texts = ["Dogs bark.", "The cat sees a dog."] * (2 if tiny else 50)
    with tempfile.TemporaryDirectory() as folder:
        models = trained_models(Path(folder))
        parsed = [
            StanzaFactory(StanzaOptions(models, "en", "tiny", "lines", device=name), 1)().parse(texts, 200)
            for name in ("cpu", device)
        ]
    same = sum(first == second for first, second in zip(*parsed, strict=True))
    yield Row("stanza", f"{len(texts)} texts", f"{same} equal", f"{len(texts)}", same == len(texts))
