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
from tests.fuzz.sandbox import Failure, Sandbox, check_unchanged, contents
from tests.fuzz.stores import write
from tests.support import winobias
from tests.unit.runner.score.test_syntaxgym import SUITE as GYM

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
LONG = "the cat sees the dogs near the house " * 30
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
    *(["--skip-long"], ["--skip-long", "--words", "words.csv", "--output", "scores.parquet"]),
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
    """Return sound suites by the path to score, each with its files."""
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
        "semicolons.csv": {"semicolons.csv": rows.getvalue().replace(",", ";").encode()},
        "tabs.tsv": {
            "tabs.tsv": rows.getvalue().replace(",", "\t").replace("good\tbad", "sentence_good\tUID").encode()
        },
        "alternants": {
            "alternants/a.csv": b"first;second;n\nthe cat sees .;the cats see .;1\nthe dogs .;a dog .;2\n",
            "alternants/below/b.tsv": b"first\tsecond\tn\nthe cat .\ta cat .\t3\n",
        },
        "nested": {
            "nested/a.csv": rows.getvalue().encode(),
            "nested/below/agreement.jsonl": lines.encode(),
            "nested/below/about.json": b"{}",
        },
        "mixed": {"mixed/a.csv": prose.encode(), "mixed/below/gym.json": json.dumps(GYM).encode()},
        "long.csv": {"long.csv": f"good,bad\n{LONG},the cat .\nthe cat sees .,the cat see .\n".encode()},
        "winobias": {
            f"winobias/{name}": "".join(f"{number} {line}\n" for number, line in enumerate(texts, 1)).encode()
            for name, texts in sides.items()
        },
    }


def make(rng: random.Random, folder: Path) -> None:
    """Write a sound model, and a suite with one or two damages."""
    model = rng.choice(sorted(saved_models()))
    write(saved_models()[model], folder / "model")
    suite = rng.choice(sorted(samples()))
    files = dict(samples()[suite])
    for _ in range(rng.choice([1, 1, 2])):
        name = rng.choice(sorted(files))
        files[name] = _damaged(rng, name, files[name])
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    if rng.random() < 0.05:
        mutate.replace_file(rng, folder / rng.choice(sorted(files)))
    (folder / "commands.json").write_text(json.dumps([["score", "model", suite, *rng.choice(OPTIONS)]]))


def _damaged(rng: random.Random, name: str, content: bytes) -> bytes:
    """Damage bytes, or values inside JSON; change the encoding or the delimiter, or repeat a key or a column."""
    roll = rng.random()
    if rng.random() < 0.15:
        text = content.decode(errors="replace")
        old, new = rng.choice([(",", ";"), (";", "\t"), ('"UID"', '"good"'), ("good", "bad"), ("sentence_", "wrong_")])
        return rng.choice([text.encode(rng.choice(["utf-16", "utf-16-le"])), text.replace(old, new).encode()])
    if name.endswith((".json", ".jsonl")) and roll < 0.6:
        lines = content.splitlines() if name.endswith(".jsonl") else [content]
        line = rng.randrange(len(lines)) if lines else 0
        try:
            item = json.loads(lines[line])
        except (ValueError, IndexError, RecursionError):
            return mutate.data(rng, content)
        if isinstance(item, dict) and isinstance(item.get("predictions"), list) and roll < 0.1:
            item["predictions"] = [{"type": "formula", "formula": rng.choice(FORMULAS)}]
        else:
            item = mutate.value(rng, item)
        lines[line] = mutate.dump(item)
        return b"\n".join(lines) + b"\n"
    return mutate.data(rng, content)


def check(folder: Path, sandbox: Sandbox) -> None:
    """Check that scores are written completely or not at all, and can be read again."""
    for command in json.loads((folder / "commands.json").read_text()):
        before = contents(folder)
        ended = sandbox.run(command, folder)
        outputs = [option for option in command[3:] if option.endswith((".parquet", ".csv"))] if ended.code == 0 else []
        check_unchanged(before, folder, outputs)
        if missing := [name for name in outputs if not (folder / name).is_file()]:
            raise Failure("score does not write its output", missing[0])
        if "scores.parquet" in outputs:
            again = sandbox.run(["score", "scores.parquet"], folder)
            if again.code != 0:
                raise Failure("score refuses its own output", again.err.decode(errors="replace"))
