"""Write pairs of alternants for the datives of treebanks.

A pair is a sentence with exactly one dative, and the same sentence with the other construction.

python experiments/dative/pairs.py OUT TREEBANK…

OUT/alternants.csv has the double object as `first`, the prepositional dative as `second`, which of them is `attested`,
the `verb`, and `length_difference`, the words of the recipient less those of the theme.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import fictc
from fictdsl.installation import shipped

DATIVES = shipped("filters") / "dative"
COLUMNS = ("first", "second", "attested", "verb", "length_difference")


@dataclass(frozen=True)
class Alternants:
    """A sentence with a double object and the same with a prepositional dative.

    `first` is the double object. The attributes have the names of the columns of the file, the format of alternants.
    """

    first: str
    second: str
    attested: str  # first or second
    verb: str
    length_difference: int


def alternants(treebank: Path) -> Iterator[Alternants]:
    """Yield the pairs of a treebank, in its order. Sentences with several datives have none.

    The filter binds V (verb), R (recipient), T (theme) and, in a prepositional dative, P.
    """
    sentences = fictc.read_conllu(treebank)
    matches = list(fictc.match(DATIVES / "all.fict", sentences))
    index_of = {id(sentence): index for index, sentence in enumerate(sentences)}
    swapped = _swapped(treebank)
    match_counts = Counter(index_of[id(match.sentence)] for match in matches)
    for match in matches:
        index = index_of[id(match.sentence)]
        if match_counts[index] == 1:
            double = "P" not in match.ids
            texts = (match.sentence.text or "", swapped[index])
            lengths = [_length(match, name) for name in ("R", "T")]
            preposition_words = 0 if double else 1  # the subtree of the recipient includes its preposition
            yield Alternants(
                *(texts if double else texts[::-1]),
                "first" if double else "second",
                match["V"].lemma or "",
                lengths[0] - preposition_words - lengths[1],
            )


def _length(match: fictc.Match, name: str) -> int:
    """Return the number of words with a letter or digit below the word that `name` binds, itself included."""
    words = match.sentence.words
    inside = {match.ids[name]}
    while more := {word.id for word in words if word.head in inside} - inside:
        inside |= more
    return sum(any(map(str.isalnum, word.form)) for word in words if word.id in inside)


def _swapped(treebank: Path) -> list[str]:
    """Return the text of every sentence after `swap.fict`."""
    with tempfile.TemporaryDirectory() as folder:
        store, out = f"{folder}/store", f"{folder}/swapped.conllu"
        _fictc("import", str(treebank), "--output", store)
        _fictc("apply", str(DATIVES / "swap.fict"), "--corpus", store, "--format", "conllu", "--output", out)
        return re.findall(r"^# text = (.*)$", Path(out).read_text("utf-8"), re.MULTILINE)


def _fictc(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "fictc", *arguments], check=True, stderr=subprocess.DEVNULL)


def main(out: Path, treebanks: list[Path]) -> None:
    """Write the table."""
    pairs = [pair for treebank in treebanks for pair in alternants(treebank)]
    out.mkdir(parents=True, exist_ok=True)
    with (out / "alternants.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *(tuple(getattr(pair, name) for name in COLUMNS) for pair in pairs)])
    sys.stderr.write(f"{len(pairs)} pairs\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(argument) for argument in sys.argv[2:]])
