"""The tree that is drawn: words and heads of a CoNLL-U sentence, and the names that a match binds to words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from fictdsl.schema import Field


@dataclass(frozen=True, slots=True)
class Token:
    """A multiword token whose form is not the concatenation of its words, such as *im* for *in* and *dem*."""

    form: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Word:
    """A syntactic word of CoNLL-U. `space` is True if a space follows it in the text."""

    id: int
    form: str
    upos: str
    head: int
    deprel: str
    space: bool
    token: Token | None = None


@dataclass(frozen=True)
class Tree:
    """The words of a sentence, with ids 1..n in order. `labels` maps the id of a word to the names bound to it."""

    words: Sequence[Word]
    labels: Mapping[int, str] = field(default_factory=dict)

    @property
    def bound_indices(self) -> list[int]:
        return [word_id - 1 for word_id in sorted(self.labels) if 0 < word_id <= len(self.words)]

    def heads(self) -> list[int]:
        """Return the head of each word, 0 for a root. Invalid heads, and one head of each cycle, become 0."""
        count = len(self.words)
        heads = [word.head if 0 < word.head <= count else 0 for word in self.words]
        visited = [False] * (count + 1)
        for start in range(1, count + 1):
            path: dict[int, None] = {}
            word_id = start
            while word_id and not visited[word_id] and word_id not in path:
                path[word_id] = None
                word_id = heads[word_id - 1]
            if word_id in path:
                heads[word_id - 1] = 0
            for member in path:
                visited[member] = True
        return heads

    def text(self) -> str:
        return "".join(self.surface_form(index) + " " * word.space for index, word in enumerate(self.words)).strip()

    def has_bound_word(self, word: Word) -> bool:
        return word.token is not None and any(
            id_ in self.labels for id_ in range(word.token.first, word.token.last + 1)
        )

    def surface_form(self, index: int) -> str:
        """Return the form of a word in the text. The first word of a `Token` has its form, and the others have ""."""
        word = self.words[index]
        if word.token is None:
            return word.form
        return word.token.form if word.id == word.token.first else ""

    def shown_form(self, index: int) -> str:
        """Return a form as in the text, or the form of the word if its multiword token has a bound word."""
        word = self.words[index]
        return word.form if self.has_bound_word(word) else self.surface_form(index)


def labels(match: Mapping[str, int]) -> dict[int, str]:
    names: dict[int, str] = {}
    for name, word_id in match.items():
        names[word_id] = f"{names[word_id]},{name}" if word_id in names else name
    return names


def words(block: str) -> list[Word]:
    """Parse the syntactic words of a CoNLL-U sentence. There is no space inside a multiword token."""
    parsed: list[Word] = []
    tokens: list[Token] = []
    token_end, token_space = 0, True  # last word of the current multiword token, and whether a space follows it
    for line in block.split("\n"):
        columns = line.rstrip("\r").split("\t")
        if line.startswith("#") or len(columns) != len(Field):
            continue
        space = "SpaceAfter=No" not in columns[Field.MISC].split("|")
        if "-" in columns[Field.ID]:
            first, _, last = columns[Field.ID].partition("-")
            token_end, token_space = int(last), space
            tokens.append(Token(columns[Field.FORM], int(first), token_end))
        elif "." not in columns[Field.ID]:
            word_id = int(columns[Field.ID])
            if word_id <= token_end:
                space = token_space and word_id == token_end
            head = int(columns[Field.HEAD]) if columns[Field.HEAD].isdecimal() else 0
            parsed.append(Word(word_id, columns[Field.FORM], columns[Field.UPOS], head, columns[Field.DEPREL], space))
    for token in tokens:
        span = slice(token.first - 1, token.last)
        if token.form != "".join(word.form for word in parsed[span]):
            parsed[span] = [replace(word, token=token) for word in parsed[span]]
    return parsed


class Lanes:
    """The occupied lanes of `size` cells. Lanes count from 0. A set of lanes is a bit mask."""

    def __init__(self, size: int) -> None:
        """Create a segment tree over the cells, with all lanes free."""
        self._size = size
        self._in_all_cells = [0] * (2 * size)  # lanes allocated at a node, for all its cells
        self._in_some_cell = [0] * (2 * size)  # lanes allocated at a node or below it

    def allocate(self, start: int, stop: int, minimum: int = 0) -> int:
        """Occupy the lowest lane from `minimum` on that is free in all cells of `start:stop`, and return it."""
        free = ~(self.occupied(start, stop) >> minimum)
        lane = minimum + (free & -free).bit_length() - 1
        bit = 1 << lane
        for node in self._nodes(start, stop):
            self._in_all_cells[node] |= bit
            self._in_some_cell[node] |= bit
        for node in self._ancestors(start, stop):
            self._in_some_cell[node] |= bit
        return lane

    def occupied(self, start: int, stop: int) -> int:
        """Return the lanes that are occupied in some cell of `start:stop`, as bits."""
        lanes = 0
        for node in self._nodes(start, stop):
            lanes |= self._in_some_cell[node]
        for node in self._ancestors(start, stop):
            lanes |= self._in_all_cells[node]
        return lanes

    def _nodes(self, start: int, stop: int) -> list[int]:
        nodes = []
        low, high = start + self._size, stop + self._size
        while low < high:
            if low & 1:
                nodes.append(low)
                low += 1
            if high & 1:
                high -= 1
                nodes.append(high)
            low, high = low >> 1, high >> 1
        return nodes

    def _ancestors(self, start: int, stop: int) -> set[int]:
        ends = (start + self._size, stop + self._size - 1)
        return {node >> step for node in ends for step in range(1, node.bit_length())}
