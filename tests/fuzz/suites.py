"""Fuzz `score` with damaged suites of every kind: pairs, sentences with ratings, WinoBias and SyntaxGym."""

from __future__ import annotations

import csv
import io
import json
import random
from functools import cache
from pathlib import Path

from tests.fuzz import mutate
from tests.fuzz.models import saved_models
from tests.fuzz.sandbox import Failure, Sandbox, check_kept, contents
from tests.fuzz.stores import write
from tests.support import winobias
from tests.unit.runner.score.evaluate.test_syntaxgym import SUITE as GYM

PAIRS = [("the cat sees the dogs .", "the cat see the dogs ."), ("every child likes a cat .", "a zebra ."), ("x", "x")]
BLIMP = {
    "sentence_good": PAIRS[0][0],
    "sentence_bad": PAIRS[0][1],
    "field": "morphology",
    "linguistics_term": "agreement",
    "UID": "agreement",
    "simple_LM_method": True,
    "one_prefix_method": True,
    "two_prefix_method": False,
    "pairID": "0",
    "one_prefix_prefix": "the cat",
    "one_prefix_word_good": "sees",
    "one_prefix_word_bad": "see",
    "lexically_identical": False,
}
OPTIONS = (
    *(
        [],
        [],
        ["--format", "json"],
        ["--format", "csv"],
        ["--limit", "1"],
        ["--convention", "fict"],
        ["--paradigm", "p"],
    ),
    *(["--output", "scores.parquet"], ["--words", "words.csv"], ["--normalise", "slor"], ["--part", "one_prefix"]),
    *(["--context", "none"], ["--words", "words.parquet", "--output", "scores.parquet"], ["--tokenise", "ptb"]),
)
FORMULAS = (
    "(3;%a%) < (3;%b%)",
    "(*;%match%) > 0",
    "((((1;%match%))))",
    "(1;%match%) < ",
    "(9;%match%) < (1;%x%)",
    "(" * 3_000,
    "1",
    "",
)


@cache
def samples() -> dict[str, dict[str, bytes]]:
    """Sound suites by the path that is scored, each with its files."""
    rows = io.StringIO()
    csv.writer(rows).writerows([("good", "bad", "paradigm"), *((*pair, "p") for pair in PAIRS)])
    lines = "".join(json.dumps(BLIMP | {"pairID": str(number)}) + "\n" for number in range(4))
    prose = "sentence,rating\nthe cat sees .,2.5\nthe dogs .,\na cat likes a dog .,1\n"
    sides = {
        f"{side}_stereotyped_type{kind}.txt.{split}": texts
        for side, texts in (("pro", winobias.PRO), ("anti", winobias.ANTI))
        for kind in "12"
        for split in ("dev", "test")
    }
    return {
        "pairs.csv": {"pairs.csv": rows.getvalue().encode()},
        "agreement.jsonl": {"agreement.jsonl": lines.encode()},
        "blimp": {
            "blimp/agreement.jsonl": lines.encode(),
            "blimp/other.jsonl": lines.replace("agreement", "other").encode(),
        },
        "rated.csv": {"rated.csv": prose.encode()},
        "plain.txt": {"plain.txt": b"the cat sees .\nthe dogs .\n"},
        "gym.json": {"gym.json": json.dumps(GYM).encode()},
        "gym": {
            "gym/a.json": json.dumps(GYM).encode(),
            "gym/b.json": json.dumps(GYM | {"meta": {"name": "b"}}).encode(),
        },
        "winobias": {
            f"winobias/{name}": "".join(f"{number} {line}\n" for number, line in enumerate(texts, 1)).encode()
            for name, texts in sides.items()
        },
    }


def make(dice: random.Random, folder: Path) -> None:
    """A sound model, and a suite with one or two damages."""
    model = dice.choice(sorted(saved_models()))
    write(saved_models()[model], folder / "model")
    suite = dice.choice(sorted(samples()))
    files = dict(samples()[suite])
    for _ in range(dice.choice([1, 1, 2])):
        name = dice.choice(sorted(files))
        files[name] = _damaged(dice, name, files[name])
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    if dice.random() < 0.05:
        mutate.place(dice, folder / dice.choice(sorted(files)))
    (folder / "commands.json").write_text(json.dumps([["score", "model", suite, *dice.choice(OPTIONS)]]))


def _damaged(dice: random.Random, name: str, content: bytes) -> bytes:
    """Damage bytes, or values inside JSON, or cells of CSV."""
    act = dice.random()
    if name.endswith((".json", ".jsonl")) and act < 0.6:
        lines = content.splitlines() if name.endswith(".jsonl") else [content]
        at = dice.randrange(len(lines)) if lines else 0
        try:
            told = json.loads(lines[at])
        except (ValueError, IndexError, RecursionError):
            return mutate.data(dice, content)
        if isinstance(told, dict) and isinstance(told.get("predictions"), list) and act < 0.1:
            told["predictions"] = [{"type": "formula", "formula": dice.choice(FORMULAS)}]
        else:
            told = mutate.value(dice, told)
        lines[at] = mutate.dump(told)
        return b"\n".join(lines) + b"\n"
    return mutate.data(dice, content)


def check(folder: Path, sandbox: Sandbox) -> None:
    """Scores are written whole or not at all; what was written can be counted again."""
    for command in json.loads((folder / "commands.json").read_text()):
        before = contents(folder)
        ended = sandbox.run(command, folder)
        made = [option for option in command[3:] if option.endswith((".parquet", ".csv"))] if ended.code == 0 else []
        check_kept(before, folder, made)
        if missing := [name for name in made if not (folder / name).is_file()]:
            raise Failure("score does not write what it was asked for", missing[0])
        if "scores.parquet" in made:
            again = sandbox.run(["score", "scores.parquet"], folder)
            if again.code != 0:
                raise Failure("score refuses the scores that it wrote", again.err.decode(errors="replace"))
