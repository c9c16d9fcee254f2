"""The trees of BLiMP's sentences as CoNLL-U, by the templates of each field in `blimp/`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from pathlib import Path
from typing import IO

from runner.score.suite_files import Pair
from runner.trees.matcher import Matcher
from runner.trees.templates import Templates, read_templates
from runner.trees.vocabulary import Lexicon, Token, Vocabulary, tokens

FOLDER = Path(__file__).with_name("blimp")
COMMON = "common.txt"


@dataclass(slots=True)
class Coverage:
    """How many sentences of a paradigm have one derivation, none, and several."""

    paradigm: str
    field: str
    trees: int = 0
    none: int = 0
    several: int = 0

    @property
    def sentences(self) -> int:
        return self.trees + self.none + self.several


@dataclass(frozen=True, slots=True)
class Tree:
    """Of each word LEMMA to FEATS, separated by tabs, its head (from 1, 0 for the root) and its relation."""

    columns: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]

    def lines(self, sentence: Sequence[Token]) -> Iterator[str]:
        """Yield the tree as lines of CoNLL-U."""
        number = 0
        for token in sentence:
            misc = "_" if token.space_after else "SpaceAfter=No"
            if len(token.words) > 1:
                yield f"{number + 1}-{number + len(token.words)}\t{token.text}\t_\t_\t_\t_\t_\t_\t_\t{misc}"
                misc = "_"
            for form in token.words:
                head, relation = self.heads[number], self.relations[number]
                yield f"{number + 1}\t{form}\t{self.columns[number]}\t{head}\t{relation}\t_\t{misc}"
                number += 1


class Reader:
    """Reads sentences by templates."""

    def __init__(self, templates: Templates, vocabulary: Vocabulary) -> None:
        self._matcher = Matcher(templates)
        self._lexicon = Lexicon(templates, vocabulary)

    def trees(self, symbol: str, sentence: Sequence[Token]) -> list[Tree]:
        """Return the trees of the cheapest derivations of a sentence: one, none, or several."""
        words = [word for token in sentence for word in token.words]
        slots = [self._lexicon.slots(word, first=not number) for number, word in enumerate(words)]
        found = []
        for derivation in self._matcher.read(symbol, slots):
            columns = map(self._lexicon.columns, words, derivation.slots)
            found += [Tree(chosen, derivation.heads, derivation.relations) for chosen in product(*columns)]
        return found if len(found) < 2 else list(dict.fromkeys(found))


def fields() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.txt") if path.name != COMMON)


def write_trees(pairs: Iterable[Pair], vocabulary: Vocabulary, output: IO[str]) -> list[Coverage]:
    """Write the trees of the sentences that have one derivation. Paradigms without a template have no trees."""
    reader, field, remaining = None, "", iter(fields())
    readers: dict[str, tuple[str, Reader]] = {}
    coverages = []
    for paradigm, group in groupby(pairs, key=lambda pair: pair.paradigm):
        while paradigm not in readers and (field := next(remaining, "")):
            templates = read_templates(FOLDER / COMMON, FOLDER / f"{field}.txt")
            reader = Reader(templates, vocabulary)
            readers |= dict.fromkeys(templates.rules, (field, reader))
        field, reader = readers.get(paradigm, ("", None))
        coverage = Coverage(paradigm, field)
        for pair in group:
            for side, text in (("good", pair.good), ("bad", pair.bad)):
                sentence = tokens(text)
                found = [] if reader is None else reader.trees(paradigm, sentence)
                if len(found) == 1:
                    lines = "\n".join(found[0].lines(sentence))
                    comments = f"# blimp::uid = {paradigm}\n# blimp::field = {field}\n# blimp::side = {side}"
                    output.write(f"# sent_id = {paradigm}-{pair.item}-{side}\n{comments}\n# text = {text}\n{lines}\n\n")
                coverage.trees += len(found) == 1
                coverage.none += not found
                coverage.several += len(found) > 1
        coverages.append(coverage)
    return coverages
