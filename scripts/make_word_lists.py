"""Extract the word lists of the filter library from BLiMP's sentences.

    python scripts/make_word_lists.py BLIMP_FOLDER

The lists have sorted lower-case word forms, one per line. BLiMP is CC BY 4.0 (Warstadt et al. 2020).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

AGREEMENT = ("regular_plural_subject_verb_agreement", "irregular_plural_subject_verb_agreement")
DETERMINERS = ("determiner_noun_agreement", "determiner_noun_agreement_irregular")
# first differences of pairs that share their verb, such as *talked about / talked at*
PREPOSITIONS = {"about", "at", "by", "for", "to", "with"}

Item = dict[str, str]


def items(folder: Path, paradigms: Iterable[str]) -> Iterator[Item]:
    """Yield the minimal pairs of paradigms, in file order."""
    for paradigm in paradigms:
        with (folder / f"{paradigm}.jsonl").open(encoding="utf-8") as lines:
            yield from (json.loads(line) for line in lines)


def last_word(text: str) -> str:
    """Return the last word, which is the head of an English compound or of a short subject."""
    return text.rstrip(".").split()[-1].lower()


def first_difference(good: str, bad: str) -> tuple[str, str]:
    """Return the first pair of words in which two sentences differ."""
    pairs = zip(good.rstrip(".").split(), bad.rstrip(".").split(), strict=False)
    return next((a.lower(), b.lower()) for a, b in pairs if a != b)


def subject_nouns(folder: Path) -> set[str]:
    """Return the heads of subjects in agreement pairs: the word before the verb in `_1`, the differing word in `_2`."""
    nouns = {last_word(item["one_prefix_prefix"]) for item in items(folder, [f"{name}_1" for name in AGREEMENT])}
    for item in items(folder, [f"{name}_2" for name in AGREEMENT]):
        nouns.update(first_difference(item["two_prefix_prefix_good"], item["two_prefix_prefix_bad"]))
    return nouns


def determined_nouns(folder: Path) -> set[str]:
    """Return nouns after a demonstrative: both forms in `_1`, the shared noun in `_2`."""
    nouns: set[str] = set()
    for item in items(folder, [f"{name}_1" for name in DETERMINERS]):
        nouns |= {last_word(item["one_prefix_word_good"]), last_word(item["one_prefix_word_bad"])}
    nouns |= {last_word(item["two_prefix_word"]) for item in items(folder, [f"{name}_2" for name in DETERMINERS])}
    return nouns


def passive_verbs(folder: Path) -> set[str]:
    """Return the participles of the acceptable passives, in which the two sentences of a pair differ first."""
    pairs = items(folder, ("passive_1", "passive_2"))
    words = {
        first_difference(item["sentence_good"], item["sentence_bad"])[0]
        for item in pairs
        if item["sentence_good"] != item["sentence_bad"]
    }
    return words - PREPOSITIONS


def main() -> None:
    """Write the three lists."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("blimp", type=Path, help="folder with BLiMP's *.jsonl files")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent.parent / "filters" / "words")
    arguments = parser.parse_args()
    for name, title, words in (
        ("sv_nouns", "Subjects of BLiMP's plain subject-verb agreement sentences", subject_nouns(arguments.blimp)),
        ("det_nouns", "Nouns of BLiMP's determiner-noun agreement sentences", determined_nouns(arguments.blimp)),
        ("passive_verbs", "Participles of BLiMP's acceptable passive sentences", passive_verbs(arguments.blimp)),
    ):
        lines = [f"# {title} (CC BY 4.0), by scripts/make_word_lists.py.", *sorted(words)]
        (arguments.output / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{name}: {len(words)} words")


if __name__ == "__main__":
    main()
