"""Fuzz `plan`, `status`, `report` and `show --condition` with damaged manifests and wrong files at their paths."""

from __future__ import annotations

import copy
import json
import random
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from tests.fuzz import mutate
from tests.fuzz.sandbox import Sandbox, check_unchanged, contents
from tests.unit.runner.corpus.test_conllu_reader import GOOD

ROOT = Path(__file__).parents[2]
KITCHEN: dict[str, Any] = {
    "experiment": {"name": "small", "description": "Every kind of condition.", "seeds": [1, 2]},
    "corpus": {"train": ["train/*.conllu"], "valid": ["valid.conllu"], "test": ["valid.conllu"]},
    "size": {"by": "lines", "count": "smallest", "seed": 3, "redraw": "seed"},
    "condition": [
        {"name": "no-f", "remove": ["f.fict", "${filters}/fict15/agr-pp-mod.fict"], "allow-missing": True},
        {"name": "no-f-control", "remove-random": "no-f"},
        {"name": "placebo", "remove-random": "no-f", "by": "tokens", "draws": 3},
        {"name": "only-f", "keep": ["f.fict::f"]},
        {"name": "masked", "mask": ["f.fict::g"]},
        {"name": "masked-control", "mask-random": "masked"},
        {"name": "tags", "substitute": {"alpha": 0.5, "tags": "upos"}},
        {"name": "staged", "order": {"key": "genre", "stages": ["a", "b"], "rest": "last", "shuffle": True, "seed": 1}},
        {"name": "equal", "balance": {"filters": ["f.fict"], "by": "sentences", "rest": "keep"}},
        {"name": "injected", "inject": {"text": ["more.txt"], "fraction": 0.1, "unit": "sentence"}},
        {"name": "injected-control", "inject": {"text": ["valid.conllu"], "like": "injected"}},
        {"name": "made", "inject": {"generate": {"paradigm": "only_npi_scope", "words": 500}, "fraction": 0.1}},
    ],
    "tokenizer": {"kind": "word", "size": 100, "lowercase": True, "split": "regex"},
    "model": [
        {"preset": "lstm-128", "training": {"epochs": 1, "learning-rate": 0.01}},
        {
            "preset": "transformer-128",
            "name": "t",
            "training": {"epochs": 1, "betas": [0.9, 0.99], "checkpoints": [1, 5]},
        },
    ],
    "training": {"rows": "sentence", "batch": 4, "schedule": "cosine", "warmup": 0.1, "validations": 2, "keep": "best"},
    "evaluate": [
        {"name": "pairs", "path": "pairs.csv", "limit": 5, "convention": "fict", "parses": ["valid.conllu"]},
        {"name": "rated", "path": "rated.csv", "scoring": {"normalise": "mean", "ties": "half"}},
        {"name": "made", "path": "valid.conllu", "corrupt": {"pairs": 3}},
    ],
    "report": {"ties": "half", "confidence": 0.9, "examples": 3},
}
FILES = {
    "train/a.conllu": (GOOD + "\n") * 3,
    "train/b.conllu": "".join(GOOD.replace("= s1", f"= b{number}") + "\n" for number in range(5)),
    "valid.conllu": GOOD + "\n",
    "more.txt": "Dogs bark .\nCats do not .\n",
    "pairs.csv": "good,bad,paradigm\nDogs bark.,Dogs barks.,p\n",
    "rated.csv": "sentence,rating\nDogs bark.,3\n",
    "f.fict": "fict 1\nfilter f { match { N:NOUN } }\nfilter g { match { V:VERB } mask node(V) with upos }\n",
}
STRINGS = (
    *(
        "",
        " ",
        ".",
        "..",
        "../..",
        "/",
        "/etc/passwd",
        "/dev/zero",
        "~",
        "${filters}",
        "${data}/x",
        "${",
        "$",
        "*",
        "**",
        "[",
    ),
    *(
        "\0",
        "\x1b[31m",
        "\u202e",
        "e\u0301",
        "a/b",
        "con",
        "x" * 300,
        "x" * 5_000,
        "f.fict::",
        "f.fict::nothing",
        "::",
        "full",
    ),
    *("unigram", "train/", "sample", "nowhere.csv", "https://example.org/x", "smallest", "\n", '"', "\u2028"),
)
NUMBERS = (
    -1,
    0,
    1,
    2**31,
    2**63,
    2**70,
    10**400,
    mutate.Raw("0x" + "f" * 5000),
    0.9999999999999999,
    0.0,
    -0.5,
    1e-320,
    1e308,
    mutate.Raw("inf"),
    mutate.Raw("nan"),
    mutate.Raw("-inf"),
)
COMMANDS = (
    *(
        ["plan", "m.toml"],
        ["plan", "m.toml"],
        ["plan", "m.toml", "--format", "json"],
        ["plan", "m.toml", "--data", "train"],
    ),
    *(["status", "m.toml"], ["report", "m.toml"], ["show", "m.toml", "--condition", "nothing"]),
)


@cache
def manifests() -> list[str]:
    """Return the manifests of the repository's experiments."""
    return [path.read_text() for path in sorted((ROOT / "experiments").rglob("*.toml"))]


def toml(value: Any) -> str:
    """Return a value as TOML, with inline tables."""
    if isinstance(value, mutate.Raw):
        return value.text
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(name))} = {toml(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if value is None:
        return '""'
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value) if not isinstance(value, float) else repr(value)


def make(rng: random.Random, folder: Path) -> None:
    """Write a manifest with wrong values or damaged text, and files, one of which may be damaged or replaced."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    roll = rng.random()
    if roll < 0.2:
        text = mutate.data(rng, rng.choice(manifests()).encode(), [each.encode() for each in manifests()])
    else:
        content = small(rng) if rng.random() < 0.7 else copy.deepcopy(KITCHEN)
        if roll < 0.85:
            content = _wrong(rng, content)
        text = "\n".join(f"{name} = {toml(value)}" for name, value in content.items()).encode("utf-8", "surrogatepass")
        if roll > 0.95:
            text = mutate.data(rng, text)
    (folder / "m.toml").write_bytes(text)
    if rng.random() < 0.3:
        path = folder / rng.choice([*FILES, "m.toml", "train"])
        if rng.random() < 0.5:
            mutate.replace_file(rng, path)
        elif path.is_file():
            path.write_bytes(mutate.data(rng, path.read_bytes()))
    (folder / "commands.json").write_text(json.dumps(rng.sample(COMMANDS, 2)))


def small(rng: random.Random) -> dict[str, Any]:
    """Return the manifest with every key, reduced to some conditions (with their controls), a model and a suite."""
    content = copy.deepcopy(KITCHEN)
    chosen = {_controlled(each) for each in rng.sample(content["condition"], 2)}
    content["condition"] = [each for each in content["condition"] if _controlled(each) in chosen]
    for name in ("model", "evaluate"):
        content[name] = rng.sample(content[name], 1)
    return content


def _controlled(condition: dict[str, Any]) -> str:
    name: str = condition["name"]
    return name.removesuffix("-control")


def _wrong(rng: random.Random, content: dict[str, Any]) -> dict[str, Any]:
    """Replace some strings and numbers, more often by values of the same type than of any type."""
    for _ in range(rng.choice([1, 1, 2])):
        if rng.random() < 0.4:
            changed = mutate.value(rng, content)
            content = changed if isinstance(changed, dict) else content
            continue
        holder, key = rng.choice(list(mutate.parts_of(content)))
        if isinstance(holder[key], str):
            holder[key] = rng.choice(STRINGS)
        elif isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
            holder[key] = rng.choice(NUMBERS)
    return content


def check(folder: Path, sandbox: Sandbox) -> None:
    """Check that planning writes nothing, whatever the manifest contains."""
    for command in json.loads((folder / "commands.json").read_text()):
        before = contents(folder)
        sandbox.run(command, folder)
        check_unchanged(before, folder)
    shutil.rmtree(sandbox.scratch / "cache", ignore_errors=True)
