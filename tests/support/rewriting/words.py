"""Sentences as linked words, read from CoNLL-U."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise


class Unchangeable(Exception):  # noqa: N818 - the language calls the match invalid
    """The actions of a match cannot be carried out."""


@dataclass(eq=False)
class Word:
    """A word. `number` is its id in the file, or one after those for an inserted word.

    `space_before` is the white space before it: None for the first word of a sentence.
    """

    number: int
    columns: list[str]
    head: Word | None = None
    inserted: bool = False
    deleted: bool = False
    label_given: bool = False
    token: Multi | None = None
    space_before: str | None = None
    previous: Word | None = None
    following: Word | None = None
    form_in_file: str = ""

    @property
    def form(self) -> str:
        return self.columns[1]

    @property
    def is_punct(self) -> bool:
        return self.columns[3] == "PUNCT"


@dataclass(eq=False)
class Multi:
    """A multiword token, with its words."""

    form: str
    words: list[Word] = field(default_factory=list)


@dataclass(eq=False)
class Tree:
    """A sentence: its words in their current order, and all words in the order of the file, then inserted ones."""

    order: list[Word]
    all: list[Word]
    tokens: list[Multi]
    before: str
    after: str
    source: str = ""
    place: int = 0
    gone: bool = False
    not_inflected: int = 0

    def word(self, number: int) -> Word:
        return self.all[number - 1]

    def below(self, top: Word) -> list[Word]:
        """Return a word and all words below it in the file's tree, and inserted ones."""
        return [word for word in self.all if top in _upwards(word)]


def _upwards(word: Word) -> list[Word]:
    chain, above = [], word
    while above is not None:
        chain.append(above)
        above = above.head  # type: ignore[assignment]
    return chain


def read_tree(block: str, source: str = "", place: int = 0) -> Tree:
    """Read the lines of one sentence, whose `# text` has exactly its tokens."""
    words: list[Word] = []
    tokens: list[Multi] = []
    spans: list[tuple[Multi, int, int]] = []
    text = ""
    for line in block.split("\n"):
        if line.startswith("# text = "):
            text = line.removeprefix("# text = ")
        columns = line.split("\t")
        if "-" in columns[0] and not line.startswith("#"):
            first, last = columns[0].split("-")
            spans.append((Multi(columns[1]), int(first), int(last)))
        elif columns[0].isdecimal():
            words.append(Word(int(columns[0]), columns, form_in_file=columns[1]))
    for multi, first, last in spans:
        multi.words = words[first - 1 : last]
        tokens.append(multi)
        for word in multi.words:
            word.token = multi
    for word in words:
        number = int(word.columns[6])
        word.head = words[number - 1] if number else None
    for left, right in pairwise(words):
        left.following, right.previous = right, left
    before, after = _spaces(words, text)
    return Tree(list(words), list(words), tokens, before, after, source, place)


def _spaces(words: list[Word], text: str) -> tuple[str, str]:
    """Give every word the space before it; return the space before the first and after the last."""
    rest, before = text, ""
    for word in words:
        if word.token is not None and word is not word.token.words[0]:
            spelt = "".join(part.form for part in word.token.words) == word.token.form
            word.space_before = "" if spelt else " "
            continue
        form = word.form if word.token is None else word.token.form
        space = rest[: len(rest) - len(rest.lstrip())]
        if word.previous is None:
            before = space
        else:
            word.space_before = space
        rest = rest[len(space) :]
        assert rest.startswith(form), (rest, form)
        rest = rest[len(form) :]
    return before, rest
