"""Fuzz `score` with damaged models: configurations, tokenizers and tables of weights, of fictc and of transformers."""

from __future__ import annotations

import json
import random
import shutil
import struct
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tests.fuzz import mutate
from tests.fuzz.sandbox import Sandbox, check_kept, contents
from tests.fuzz.stores import write

SUITE = "good,bad,paradigm\nthe cat sees the dogs .,the cat see the dogs .,p\n"
TABLE = "sentence,rating\nthe cat sees .,2\nthe dogs .,1\na .,3\n"
COMMANDS = (
    *(
        ["score", "model", "pairs.csv"],
        ["score", "model", "pairs.csv", "--format", "json"],
        ["score", "model", "rated.csv"],
    ),
    *(["score", "model", "pairs.csv", "--normalise", "slor"], ["score", "model", "pairs.csv", "--words", "words.csv"]),
    *(["score", ".", "pairs.csv"], ["score", "model", "pairs.csv", "--tokenise", "none", "--leading-space", "yes"]),
)


@cache
def saved_models() -> Mapping[str, Mapping[str, object]]:
    """The files of tiny models by name: an LSTM and a GPT-2 as fictc saves them, and others as transformers does."""
    folder = Path(tempfile.mkdtemp(prefix="fictc-fuzz-"))
    try:
        Sandbox(folder / "scratch", memory=1 << 40, seconds=300, main=_save).run(["score"], folder)
        return {path.name: contents(path) for path in sorted((folder / "made").iterdir())}
    finally:
        shutil.rmtree(folder)


def _save() -> None:
    """Write tiny models below the folder that is open."""
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


def make(dice: random.Random, folder: Path) -> None:
    """A model of which one or two files are damaged, inside their format or as bytes, or are something else."""
    name = dice.choice(sorted(saved_models()))
    write(saved_models()[name], folder / "model")
    paths = sorted(path for path in (folder / "model").iterdir() if path.is_file())
    for path in dice.sample(paths, dice.choice([1, 1, 2])):
        if dice.random() < 0.06:
            mutate.place(dice, path)
        else:
            path.write_bytes(_damaged(dice, path))
    (folder / "pairs.csv").write_text(SUITE)
    (folder / "rated.csv").write_text(TABLE)
    (folder / "commands.json").write_text(json.dumps([dice.choice(COMMANDS)]))


def _damaged(dice: random.Random, path: Path) -> bytes:
    content = path.read_bytes()
    if dice.random() < 0.25:
        return mutate.data(dice, content)
    if path.suffix == ".json":
        return mutate.dump(mutate.value(dice, json.loads(content)))
    if path.suffix == ".safetensors":
        return _weights(dice, content)
    if path.suffix == ".npy":
        return dice.choice(
            [
                content[: len(content) // 2],
                content[:-8],
                content.replace(b"<i8", b"<f8"),
                content.replace(b"<i8", b"|O "),
            ]
        )
    return mutate.data(dice, content)


def _weights(dice: random.Random, content: bytes) -> bytes:
    """Other shapes, types, offsets or names in the header of safetensors, another length of it, or other numbers."""
    (size,) = struct.unpack("<Q", content[:8])
    header, rest = json.loads(content[8 : 8 + size]), content[8 + size :]
    act = dice.random()
    if act < 0.2:
        return struct.pack("<Q", dice.choice([0, 1, size - 1, size + 1, 2**31, 2**63, 2**64 - 1])) + content[8:]
    if act < 0.35:
        at = dice.randrange(0, max(1, len(rest) - 4), 4)
        number = dice.choice([float("nan"), float("inf"), 1e38, -1e38, 1e-40])
        return content[: 8 + size] + rest[:at] + struct.pack("<f", number) + rest[at + 4 :]
    name = dice.choice([each for each in header if each != "__metadata__"])
    if act < 0.5:
        header[name]["shape"] = dice.choice(
            [[], [0], [-1], [1, 1], header[name]["shape"][::-1], [2**40, 2**40], [10**9]]
        )
    elif act < 0.6:
        header[name]["dtype"] = dice.choice(["F16", "F64", "I8", "BOOL", "F8_E4M3", "nothing", None])
    elif act < 0.7:
        header[name]["data_offsets"] = dice.choice([[0, 0], [0, len(rest)], [len(rest), 0], [-1, 4], [0, 2**60]])
    elif act < 0.8:
        header[dice.choice(["extra", "", "transformer.wte.weight", "\u202e"])] = header.pop(name)
    else:
        header = mutate.value(dice, header)
    text = mutate.dump(header)
    return struct.pack("<Q", len(text)) + text + rest


def check(folder: Path, sandbox: Sandbox) -> None:
    """A model that cannot be used is refused, and no score file is written for it."""
    for command in json.loads((folder / "commands.json").read_text()):
        before = contents(folder)
        ended = sandbox.run(command, folder)
        check_kept(before, folder, ["words.csv"] if ended.code == 0 and "--words" in command else [])
