"""Write pairs of a sentence in the order of an impossible language and the same words in an order by chance.

python experiments/impossible/orders.py OUT TREEBANK…

OUT/LANGUAGE.jsonl has the pairs of one rewrite of filters/impossible, or of the order as it is (natural), as a suite of
minimal pairs. Sentences of 5 to 25 words are chosen, in the order of the treebanks.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from fictdsl.shipped import shipped

LANGUAGES = shipped("filters") / "impossible"
WORDS = range(5, 26)
PAIRS = 400  # of each language


def main(out: Path, treebanks: list[str]) -> None:
    """Write a suite of pairs for each language."""
    with tempfile.TemporaryDirectory() as folder:
        store = f"{folder}/store"
        _fictc("import", *treebanks, "--output", store)
        natural, shuffled = _lines("export", store), _permuted("shuffle", store, seed=1)
        out.mkdir(parents=True, exist_ok=True)
        for path in sorted(LANGUAGES.glob("*.fict")):
            _write(out, path.stem, _permuted(path.stem, store, seed=0), shuffled)
        _write(out, "natural", natural, shuffled)


def _write(out: Path, language: str, good: list[str], bad: list[str]) -> None:
    pairs = [pair for pair in zip(good, bad, strict=True) if pair[0] != pair[1] and len(pair[0].split()) in WORDS]
    records = [
        {"sentence_good": pair[0], "sentence_bad": pair[1], "UID": language, "pairID": str(number)}
        for number, pair in enumerate(pairs[:PAIRS])
    ]
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    (out / f"{language}.jsonl").write_text("".join(lines), encoding="utf-8")


def _permuted(language: str, store: str, *, seed: int) -> list[str]:
    return _lines("apply", str(LANGUAGES / f"{language}.fict"), "--corpus", store, "--seed", str(seed))


def _lines(*arguments: str) -> list[str]:
    return _fictc(*arguments).splitlines()


def _fictc(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "fictc", *arguments], check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
