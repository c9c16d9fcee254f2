"""Fuzz the numbers of options, manifests, filters, packs, settings and descriptions: huge, negative, NaN, 5,000 digits."""

from __future__ import annotations

import copy
import json
import random
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from runner.cli.options import BoundedFloat, BoundedInt
from runner.cli.query_options import Size
from tests.fuzz import manifests, mutate, stores
from tests.fuzz.sandbox import Sandbox, check_unchanged, contents
from tests.unit.runner.cli.test_numbers import numbers

ROOT = Path(__file__).parents[2]
DIGITS = "9" * 5_000  # more than Python converts by default
TEXTS = (
    *("0", "-1", "1", "2", "-0", "0.5", "-0.5", "1e30", "1e308", "1e309", "1e-320", "nan", "inf", "-inf", "true"),
    *(str(10**30), f"-{10**30}", DIGITS, f"-{DIGITS}", "1" + "0" * 5_000, f"0.{DIGITS}", f"{DIGITS}.5", f"1e{DIGITS}"),
    *(str(2**31 - 1), str(2**31), str(2**32), str(2**53 + 1), str(2**63 - 1), str(2**63), str(2**64), "1_000", "00"),
    *("0.9999999999999999", "1.0000000000000002", "0.5000000000000001", "4.9e-324", "1000000", "1000000000", "0x10"),
)
SLOW_AT_MOST = {"--words", "--sentences", "--pairs", "--every", "-n"}  # options of commands that write text
BASES = {
    "generate": "generate -o out.conllu -n 50",
    "sample": "sample -o out -n 30 --pairs 1",
    "perturb": "perturb -k shuffle-local --window 3 -c store -o out.txt",
    "corrupt": "corrupt store -o out.csv -n 3",
    "apply": "apply f.fict -c store -o out",
    "show": "show f.fict::noun -c store",
    "diff": "diff f.fict::noun f.fict::words -c store",
    "count": "count f.fict -c store",
    "match": "match f.fict::noun -c store",
    "explain": "explain f.fict::noun -c store",
    "lint": "lint f.fict --corpus store",
    "coverage": "coverage f.fict --suite suite.csv --parses store",
    "test": "test f.fict",
    "import": "import c.conllu -o out",
    "stats marked": "stats marked store --by sent_id",
    "stats association": "stats association store --by sent_id --value s1",
    "stats overlap": "stats overlap store suite.csv",
    "stats frequency": "stats frequency store",
    "stats divergence": "stats divergence store --by sent_id",
    "stats cooccurrence": "stats cooccurrence f.fict -c store",
    "store split": "store split store -o out",
    "run": "run m.toml --emit-jobs out",
    "power": "power m.toml",
    "score": "score nothing suite.csv",
}
FILTER = """fict 1
pattern near(A, B) {{ A <<{{1..{}}} B }}
filter f {{ match {{ V:VERB  N:NOUN  V ->>{{1..{}}} N  near(V, N)  V << X
  distance(V, N) > {}  length(subtree(N)) >= length(span(V, N)) + {}  N[id > {}]
  at least {} Y {{ V -> Y }} }} }}
"""
TEXT_COMMANDS = (
    *(
        "lint q.fict",
        "fmt q.fict --diff",
        "explain q.fict",
        "compile q.fict --dialect all",
        "compile q.fict --emit plan",
    ),
    *("match q.fict -c store", "count q.fict -c store", "test q.fict", "lint q.fict --corpus store"),
)
NUMBER = re.compile(rb"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")


def make(rng: random.Random, folder: Path) -> None:
    """Write a store and files, one of them with a wrong number, and the command that reads it."""
    kind = rng.choices([_option, _manifest, _filter, _other], [4, 4, 3, 2])[0]
    command = kind(rng, folder)
    (folder / "commands.json").write_text(json.dumps([command]))


def _text(rng: random.Random) -> str:
    return (
        rng.choice(TEXTS)
        if rng.random() < 0.8
        else str(rng.choice([1, -1]) * (10 ** rng.randint(0, 40) + rng.randint(-1, 1)))
    )


def _files(folder: Path) -> None:
    stores.write(stores.bases()["plain"], folder / "store")
    for name, text in {**stores.FILES, **manifests.FILES}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "f.fict").write_text(manifests.FILES["f.fict"] + stores.FILTERS.removeprefix("fict 1\n"))
    (folder / "m.toml").write_text(_toml(manifests.KITCHEN))


def _toml(content: dict[str, Any]) -> str:
    return "\n".join(f"{name} = {manifests.toml(value)}" for name, value in content.items())


@cache
def _options() -> list[tuple[str, str]]:
    return sorted((" ".join(name), option) for name, option in numbers() if " ".join(name) in BASES)


def _option(rng: random.Random, folder: Path) -> list[str]:
    """Give one or two options of a command a value, often at a bound."""
    _files(folder)
    command, _ = rng.choice(_options())
    words = BASES[command].split()
    for option in rng.sample(chosen := [option for name, option in _options() if name == command], min(len(chosen), 2)):
        kind, count = numbers()[tuple(command.split()), option]
        value = _text(rng)
        if isinstance(kind, BoundedInt | BoundedFloat):
            bounds = [kind.min, kind.min - 1, kind.max + 1]  # type: ignore[operator]
            slow = command in ("generate", "sample") and option in SLOW_AT_MOST
            value = str(rng.choice(bounds if slow else [*bounds, kind.max])) if rng.random() < 0.5 else value
            if slow and 1_000 < _whole(value) <= (kind.max or 0):
                continue  # valid, and as long as it says
        elif isinstance(kind, Size):
            value += rng.choice(["", "B", "MB", "GB", "%", "TiB"])
        words += [option, *[value] * count]
    return words


def _whole(value: str) -> int:
    return int(value) if re.fullmatch(r"\d{1,40}", value) else 0


def _manifest(rng: random.Random, folder: Path) -> list[str]:
    """Replace one or two numbers of a manifest."""
    _files(folder)
    content = copy.deepcopy(manifests.KITCHEN) if rng.random() < 0.5 else manifests.small(rng)
    parts = [(at, key) for at, key in mutate.parts_of(content) if _is_number(at[key])]
    for holder, key in rng.sample(parts, rng.choice([1, 1, 2])):
        holder[key] = mutate.Raw(_text(rng))
    if rng.random() < 0.5:
        table, keys = rng.choice(EXTRA)
        holder = content.setdefault(table, {})
        holder = rng.choice(holder) if isinstance(holder, list) else holder
        holder[rng.choice(keys)] = mutate.Raw(_text(rng))
    (folder / "m.toml").write_text(_toml(content))
    return rng.choice(
        ["plan m.toml", "plan m.toml --format json", "status m.toml", "run m.toml --emit-jobs out"]
    ).split()


EXTRA: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("report", ("confidence", "equivalence", "examples")),
    (
        "training",
        (
            *("epochs", "tokens", "batch", "block", "learning-rate", "warmup", "weight-decay", "clip", "validations"),
            *("epsilon", "final-fraction", "accumulate", "patience", "checkpoints-from", "checkpoints-factor"),
            *("processes", "mask-rate"),
        ),
    ),
    ("model", ("layers", "hidden", "heads", "feedforward", "positions", "dropout", "attention-dropout")),
    ("tokenizer", ("size",)),
    ("size", ("count", "seed")),
    ("evaluate", ("limit",)),
)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _filter(rng: random.Random, folder: Path) -> list[str]:
    """Write numbers into every place of a filter that takes one, or into a query."""
    _files(folder)
    plain = ["3", "4", "2", "1", "5", "2"]
    for place in rng.sample(range(6), rng.choice([1, 1, 2])):
        plain[place] = _text(rng)
    text = FILTER.format(*plain)
    if rng.random() < 0.3:
        body = text[text.rindex("match {") + len("match {") : text.rindex("} }")].replace("near(V, N)", "")
        return [rng.choice(["show", "match", "count"]), " ".join(body.split()), "-c", "store"]
    (folder / "q.fict").write_text(text)
    return rng.choice(TEXT_COMMANDS).split()


def _other(rng: random.Random, folder: Path) -> list[str]:
    """Replace a number in a description of a store, a pack, a recipe, a treebank or a suite."""
    _files(folder)
    shutil.copytree(ROOT / "experiments" / "injection" / "pack", folder / "pack")
    name, command = rng.choice(OTHER)
    path = folder / name
    content = path.read_bytes()
    if places := list(NUMBER.finditer(content)):
        start, end = rng.choice(places).span()
        content = content[:start] + _text(rng).encode() + content[end:]
    path.write_bytes(content)
    return command.split()


OTHER = (
    *(("store/store.json", f"{command} store") for command in ("store info", "store verify", "index", "export")),
    ("store/store.json", "count f.fict -c store"),
    ("pack/pack.toml", "report pack"),
    ("c.conllu", "import c.conllu -o out"),
    ("rated.csv", "score nothing rated.csv"),
    ("m.toml", "plan m.toml"),
)


def check(folder: Path, sandbox: Sandbox) -> None:
    """Check that a refused command changes nothing but the cache of a run."""
    for command in json.loads((folder / "commands.json").read_text()):
        before = contents(folder)
        ended = sandbox.run(command, folder)
        check_unchanged(before, folder, ["runs"] if ended.code == 2 else WRITTEN)  # finished steps are kept
    shutil.rmtree(sandbox.scratch / "cache", ignore_errors=True)


WRITTEN = ("pack", "out", "out.conllu", "out.csv", "out.txt", "store", "runs")
