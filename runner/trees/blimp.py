"""The trees of BLiMP's sentences as CoNLL-U, by the templates of each field in `blimp/`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import IO

from runner.score.suite_files import Pair
from runner.trees.matcher import Derivation, Matcher
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


class Reader:
    """Reads sentences of one field."""

    def __init__(self, templates: Templates, vocabulary: Vocabulary) -> None:
        self.paradigms = templates.rules.keys()
        self._matcher = Matcher(templates)
        self._lexicon = Lexicon(templates, vocabulary)
        self._analyses = [(tag.upos, tag.xpos, tag.feats) for tag in templates.tags]

    def derivations(self, paradigm: str, sentence: Sequence[Token]) -> list[Derivation]:
        words = [word for token in sentence for word in token.words]
        return self._matcher.read(paradigm, [self._lexicon.tags(word, first=not n) for n, word in enumerate(words)])

    def lines(self, sentence: Sequence[Token], derivation: Derivation) -> Iterator[str]:
        number = 0
        for token in sentence:
            misc = "_" if token.space_after else "SpaceAfter=No"
            if len(token.words) > 1:
                yield f"{number + 1}-{number + len(token.words)}\t{token.text}\t_\t_\t_\t_\t_\t_\t_\t{misc}"
                misc = "_"
            for form in token.words:
                columns = self._columns(form, derivation.tags[number])
                head, relation = derivation.heads[number], derivation.relations[number]
                number += 1
                yield f"{number}\t{columns}\t{head}\t{relation}\t_\t{misc}"

    @cache  # noqa: B019 - there is one reader for a field
    def _columns(self, form: str, tag: int) -> str:
        upos, xpos, feats = self._analyses[tag]
        return f"{form}\t{self._lexicon.lemma(form, tag)}\t{upos}\t{xpos}\t{feats}"


def fields() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.txt") if path.name != COMMON)


def write_trees(pairs: Iterable[Pair], vocabulary: Vocabulary, output: IO[str]) -> list[Coverage]:
    """Write the trees of the sentences that have one derivation. Paradigms without a template have no trees."""
    reader, field, remaining = None, "", iter(fields())
    readers: dict[str, tuple[str, Reader]] = {}
    coverages = []
    for paradigm, group in groupby(pairs, key=lambda pair: pair.paradigm):
        while paradigm not in readers and (field := next(remaining, "")):
            reader = Reader(read_templates(FOLDER / COMMON, FOLDER / f"{field}.txt"), vocabulary)
            readers |= dict.fromkeys(reader.paradigms, (field, reader))
        field, reader = readers.get(paradigm, ("", None))
        coverage = Coverage(paradigm, field)
        for pair in group:
            for side, text in (("good", pair.good), ("bad", pair.bad)):
                sentence = tokens(text)
                found = [] if reader is None else reader.derivations(paradigm, sentence)
                if reader is not None and len(found) == 1:
                    lines = "\n".join(reader.lines(sentence, found[0]))
                    comments = f"# blimp::uid = {paradigm}\n# blimp::field = {field}\n# blimp::side = {side}"
                    output.write(f"# sent_id = {paradigm}-{pair.item}-{side}\n{comments}\n# text = {text}\n{lines}\n\n")
                coverage.trees += len(found) == 1
                coverage.none += not found
                coverage.several += len(found) > 1
        coverages.append(coverage)
    return coverages
