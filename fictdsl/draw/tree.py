"""One sentence of CoNLL-U into what is drawn of it: words, heads, and the names that a match gives to words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Word:
    """A syntactic word as CoNLL-U has it; `space` if one follows it in the text."""

    id: int
    form: str
    upos: str
    head: int
    deprel: str
    space: bool


@dataclass(frozen=True)
class Tree:
    """The words of a sentence, ids 1..n in order; `labels` are the names bound to a word, by its id."""

    words: Sequence[Word]
    labels: Mapping[int, str] = field(default_factory=dict)

    def heads(self) -> list[int]:
        """The head of each word, 0 for a root; a word whose heads lead in a circle or nowhere counts as a root."""
        count = len(self.words)
        heads = [word.head if 0 < word.head <= count else 0 for word in self.words]
        known = [False] * (count + 1)
        for start in range(1, count + 1):
            path: dict[int, None] = {}
            word = start
            while word and not known[word] and word not in path:
                path[word] = None
                word = heads[word - 1]
            if word in path:
                heads[word - 1] = 0
            for seen in path:
                known[seen] = True
        return heads

    def text(self) -> str:
        """The words as a line of text."""
        return "".join(word.form + " " * word.space for word in self.words).strip()


def labels(match: Mapping[str, int]) -> dict[int, str]:
    """The names bound to each word, joined where there are several."""
    found: dict[int, str] = {}
    for name, word in match.items():
        found[word] = f"{found[word]},{name}" if word in found else name
    return found


def words(block: str) -> list[Word]:
    """The syntactic words of one sentence of CoNLL-U; the words of a multiword token stand together."""
    found: list[Word] = []
    last, after = 0, True  # of the multiword token that is open
    for line in block.split("\n"):
        columns = line.rstrip("\r").split("\t")
        if line.startswith("#") or len(columns) != 10:
            continue
        space = "SpaceAfter=No" not in columns[9].split("|")
        if "-" in columns[0]:
            last, after = int(columns[0].partition("-")[2]), space
        elif "." not in columns[0]:
            number = int(columns[0])
            space = (after if number == last else False) if number <= last else space
            head = int(columns[6]) if columns[6].isdecimal() else 0
            found.append(Word(number, columns[1], columns[3], head, columns[7], space))
    return found
