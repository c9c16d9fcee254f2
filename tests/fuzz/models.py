"""Fuzz `score` with damaged models: configurations, tokenizers and tables of weights, of fictc and of transformers."""

from __future__ import annotations

import json
import random
import shutil
import struct
import tempfile
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.fuzz import mutate
from tests.fuzz.sandbox import Sandbox, check_unchanged, contents
from tests.fuzz.stores import write

EXPLODING = ("(a+)+$", "(?:a|b)*?(?:a|b)*?[^ab]", "(?=(.*?)(.*?)[^ab])", "(x*)*y", "(")
SUITE = f"good,bad,paradigm\nthe cat sees the dogs .,the cat see the dogs .,p\n{'ab' * 3_000},{'a' * 40}b,p\n"
TABLE = "sentence,rating\nthe cat sees .,2\nthe dogs .,1\na .,3\n"
COMMANDS = (
    *(
        ["score", "model", "pairs.csv"],
        ["score", "model", "pairs.csv", "--format", "json"],
        ["score", "model", "rated.csv"],
    ),
    *(["score", "model", "pairs.csv", "--normalise", "slor"], ["score", "model", "pairs.csv", "--words", "words.csv"]),
    *(["score", "model", "pairs.csv", "--skip-long"], ["score", "model", "pairs.csv", "--convention", "fict"]),
    *(["score", "model", "pairs.csv", "--skip-long", "--words", "words.csv"], ["score", "model", "rated.csv"]),
    *(["score", ".", "pairs.csv"], ["score", "model", "pairs.csv", "--tokenise", "none", "--leading-space", "yes"]),
)


@cache
def saved_models() -> Mapping[str, Mapping[str, object]]:
    """Return the files of tiny models by name: an LSTM and a GPT-2 saved by fictc, others saved by transformers."""
    for module in ("runner.score.sweep", "runner.model.likelihood", "transformers.models.auto.modeling_auto"):
        import_module(module)  # once, for the commands of all cases
    folder = Path(tempfile.mkdtemp(prefix="fictc-fuzz-"))
    try:
        Sandbox(folder / "scratch", memory=1 << 40, seconds=300, main=_save).run(["score"], folder)
        return {path.name: contents(path) for path in sorted((folder / "made").iterdir())}
    finally:
        shutil.rmtree(folder)


def _save() -> None:
    """Write tiny models below the current folder."""
    from dataclasses import replace

    import numpy as np

    from runner.model.saved import save_model
    from tests.support.models import BERT, GPT2, LSTM, NEOX, OPT, saved

    for spec in (LSTM, GPT2):
        model = saved(spec)
        counts = np.arange(len(model.tokenizer))
        save_model(
            replace(model, folder=Path("made") / spec.name, about={"context": 1, "rows": "sentence"}, counts=counts)
        )
    for spec in (BERT, NEOX, OPT):
        model = saved(spec, mask=spec is BERT)
        model.model.save_pretrained(f"made/{spec.name}")
        model.tokenizer.save_pretrained(f"made/{spec.name}")


def make(rng: random.Random, folder: Path) -> None:
    """Write a model with one or two files damaged within their format, damaged as bytes, or replaced."""
    name = rng.choice(sorted(saved_models()))
    write(saved_models()[name], folder / "model")
    paths = sorted(path for path in (folder / "model").iterdir() if path.is_file())
    for path in rng.sample(paths, rng.choice([1, 1, 2])):
        if rng.random() < 0.06:
            mutate.replace_file(rng, path)
        else:
            path.write_bytes(_damaged(rng, path))
    (folder / "pairs.csv").write_text(SUITE)
    (folder / "rated.csv").write_text(TABLE)
    (folder / "commands.json").write_text(json.dumps([rng.choice(COMMANDS)]))


def _damaged(rng: random.Random, path: Path) -> bytes:
    content = path.read_bytes()
    if rng.random() < 0.25:
        return mutate.data(rng, content)
    if path.name == "tokenizer.json" and rng.random() < 0.4:
        return mutate.dump(_slow_tokenizer(rng, json.loads(content)))
    if path.name == "config.json" and rng.random() < 0.2:
        config = json.loads(content)
        layers = [key for key in ("n_layer", "num_hidden_layers") if key in config]
        return mutate.dump(config | {key: rng.choice([0, 1, 3, -1, 10**30]) for key in layers})
    if path.suffix == ".json":
        return mutate.dump(mutate.value(rng, json.loads(content)))
    if path.suffix == ".safetensors":
        return _weights(rng, content)
    if path.suffix == ".npy":
        return rng.choice(
            [
                content[: len(content) // 2],
                content[:-8],
                content.replace(b"<i8", b"<f8"),
                content.replace(b"<i8", b"|O "),
            ]
        )
    return mutate.data(rng, content)


def _slow_tokenizer(rng: random.Random, content: dict[str, Any]) -> dict[str, Any]:
    """Let a regular expression explode, or add many tokens, or a token before each text."""
    roll, pattern = rng.random(), {"Regex": rng.choice(EXPLODING)}
    if roll < 0.3:
        return content | {
            "pre_tokenizer": {"type": "Split", "pattern": pattern, "behavior": "Removed", "invert": False}
        }
    if roll < 0.5:
        return content | {"normalizer": {"type": "Replace", "pattern": pattern, "content": "x"}}
    if roll < 0.7:
        single = [{"SpecialToken": {"id": "<eos>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
        specials = {"<eos>": {"id": "<eos>", "ids": [1], "tokens": ["<eos>"]}}
        template = {"type": "TemplateProcessing", "single": single, "pair": single, "special_tokens": specials}
        return content | {"post_processor": template}
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    count = rng.choice([10, 5_000, 100_000])
    added = [{"id": 1_000 + index, "content": f"token{index}", **flags} for index in range(count)]
    return content | {"added_tokens": [*content["added_tokens"], *added]}


def _weights(rng: random.Random, content: bytes) -> bytes:
    """Change shapes, types, offsets, names or the length of the header of safetensors, or some numbers."""
    (size,) = struct.unpack("<Q", content[:8])
    header, rest = json.loads(content[8 : 8 + size]), content[8 + size :]
    roll = rng.random()
    if roll < 0.2:
        return struct.pack("<Q", rng.choice([0, 1, size - 1, size + 1, 2**31, 2**63, 2**64 - 1])) + content[8:]
    if roll < 0.35:
        offset = rng.randrange(0, max(1, len(rest) - 4), 4)
        number = rng.choice([float("nan"), float("inf"), 1e38, -1e38, 1e-40])
        return content[: 8 + size] + rest[:offset] + struct.pack("<f", number) + rest[offset + 4 :]
    name = rng.choice([each for each in header if each != "__metadata__"])
    if roll < 0.5:
        header[name]["shape"] = rng.choice(
            [[], [0], [-1], [1, 1], header[name]["shape"][::-1], [2**40, 2**40], [10**9]]
        )
    elif roll < 0.6:
        header[name]["dtype"] = rng.choice(["F16", "F64", "I8", "BOOL", "F8_E4M3", "nothing", None])
    elif roll < 0.7:
        header[name]["data_offsets"] = rng.choice([[0, 0], [0, len(rest)], [len(rest), 0], [-1, 4], [0, 2**60]])
    elif roll < 0.8:
        header[rng.choice(["extra", "", "transformer.wte.weight", "\u202e"])] = header.pop(name)
    else:
        header = mutate.value(rng, header)
    text = mutate.dump(header)
    return struct.pack("<Q", len(text)) + text + rest


def check(folder: Path, sandbox: Sandbox) -> None:
    """Check that an unusable model is refused without writing a score file."""
    for command in json.loads((folder / "commands.json").read_text()):
        before = contents(folder)
        ended = sandbox.run(command, folder)
        check_unchanged(before, folder, ["words.csv"] if ended.code == 0 and "--words" in command else [])
