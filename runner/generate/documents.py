"""A recipe and a seed into documents: one sentence of a paradigm among plain ones of a genre, at a stated rate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from runner.generate.genres import REGISTERS, genres
from runner.generate.lemmas import Lemmas
from runner.generate.targets import TARGETS, Production
from runner.sample.grammar.phrases import Draft
from runner.sample.words.lexicon import BASIC, Lexicon
from runner.sample.words.rng import Dice, Table
from runner.sample.words.tree import Node, conllu, text, words

EVERY = 330  # words for one target sentence: about 3,000 in a million, as in the paper
SHORTEST = 40  # the least that `every` may be
TRIES = 400  # redraws of a sentence that does not fit
_KINDS = ("thing", "info", "idea")  # nouns that a document's own stand for
_OWN = (6, 3, 3, 1)  # nouns, adjectives, transitive and intransitive verbs of a document


@dataclass(frozen=True, slots=True)
class Recipe:
    """How much is to be made: the paradigm (none: the control of all), words in all, words for one target sentence."""

    paradigm: str | None
    words: int
    every: int = EVERY
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Made:
    """A generated sentence; `target` says whether it is of the paradigm."""

    root: Node
    order: list[Node]
    text: str
    target: bool


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its genre, its sub-genre and the lemmas chosen for it."""

    name: str
    genre: str
    subgenre: str
    lemmas: tuple[str, ...]
    sentences: list[Made]

    def conllu(self, paradigm: str | None) -> str:
        """The document as blocks of CoNLL-U; a target sentence says of which paradigm it is."""
        blocks: list[str] = []
        for number, made in enumerate(self.sentences, 1):
            comments = [f"sent_id = {self.name}-{number}", f"text = {made.text}", f"genre = {self.genre}"]
            if number == 1:
                comments[:0] = [f"newdoc id = {self.name}"]
                comments += [f"subgenre = {self.subgenre}", f"lemmas = {', '.join(self.lemmas)}"]
            if made.target:
                comments.append(f"paradigm = {paradigm}")
            blocks.append(conllu(made.root, made.order, comments))
        return "".join(blocks)


@dataclass(frozen=True, slots=True)
class Known:
    """What sentences are held against: which a scored suite has, and which words a tokenizer knows."""

    in_suite: Callable[[str], bool] = lambda _: False
    word: Callable[[str], bool] = lambda _: True


@dataclass
class Counts:
    """What was made, and the sentences that were drawn again: a suite has them, or a word of theirs is unknown.

    `unknown` are the words of the latter; `left` those that stayed, where no sentence without them was found.
    """

    documents: int = 0
    sentences: int = 0
    words: int = 0
    targets: int = 0
    in_suite: int = 0
    with_unknown: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    genres: Counter[str] = field(default_factory=Counter)

    def add(self, document: Document) -> None:
        """Count a document."""
        self.documents += 1
        self.sentences += len(document.sentences)
        self.words += sum(len(made.order) for made in document.sentences)
        self.targets += sum(made.target for made in document.sentences)
        self.genres[document.genre] += 1


def documents(
    recipe: Recipe, counts: Counts, lemmas: Lemmas | None = None, known: Known | None = None
) -> Iterator[Document]:
    """Documents until they have the words of the recipe; `counts` goes on with each.

    Document n depends on the seed, n, the recipe's `every` and what is known, so that more words add documents, and
    document n of every paradigm and of the control has the same genre, sub-genre, choice of lemmas and length.
    """
    number = 0
    while counts.words < recipe.words:
        number += 1
        made = _document(recipe, number, counts, lemmas or Lemmas(), known or Known())
        counts.add(made)
        yield made


def _document(recipe: Recipe, number: int, counts: Counts, lemmas: Lemmas, known: Known) -> Document:
    plan = Dice(recipe.seed, f"generate/{number}/plan")
    genre = plan.pick(genres())
    subgenre = plan.pick(genre.subgenres)
    own = lemmas.few(plan, _OWN)
    draw = _Drawer(_lexicon(own), known, counts)
    budget = round(recipe.every * (0.7 + 0.6 * plan.roll()))
    place = plan.roll()

    found: list[Made] = []
    if recipe.paradigm is not None:
        target = Table((TARGETS[recipe.paradigm], 1))
        if made := draw(Dice(recipe.seed, f"generate/{number}/{recipe.paradigm}"), target, range(budget)):
            found.append(replace(made, target=True))
    left = budget - sum(len(made.order) for made in found)
    plain = Dice(recipe.seed, f"generate/{number}/plain")
    mixture = REGISTERS[genre.register]
    while left >= 3:
        made = draw(plain, mixture, range(left, left + 1) if left <= 11 else range(left - 2))
        if made is None:
            break
        found.append(made)
        left -= len(made.order)
    if recipe.paradigm is not None:
        found.insert(int(place * len(found)), found.pop(0))
    name = f"{recipe.paradigm or 'plain'}-{number:06d}"
    used = {node.lemma for made in found for node in made.order}
    return Document(name, genre.name, subgenre, tuple(one for one in own.words if one in used), found)


@dataclass(frozen=True, slots=True)
class _Drawer:
    lexicon: Lexicon
    known: Known
    counts: Counts

    def __call__(self, stream: Dice, mixture: Table[Production], sizes: range) -> Made | None:
        """The first sentence with a number of words that is wanted, of known words if there is one, in no suite."""
        found: Made | None = None
        for _ in range(TRIES):
            draft = Draft(stream, self.lexicon)
            root = stream.draw(mixture)(draft)
            order = words(root)
            if len(order) not in sizes:
                continue
            made = Made(root, order, text(order), False)
            if self.known.in_suite(made.text):
                self.counts.in_suite += 1
            elif unknown := self._unknown(made):
                self.counts.with_unknown += 1
                self.counts.unknown.update(unknown)
                found = found or made
            else:
                return made
        if found is not None:
            self.counts.left.update(self._unknown(found))
        return found

    def _unknown(self, made: Made) -> list[str]:
        whole = (node.form for node in made.order if not node.glued)  # the parts of *don't* are no words of their own
        return [form for form in whole if not self.known.word(form)]


def _lexicon(own: Lemmas) -> Lexicon:
    """The sample's words, with those of a document in the place of all things, and as half of all verbs."""
    nouns = {kind: tuple(replace(noun, kind=kind) for noun in own.nouns) for kind in _KINDS} if own.nouns else {}
    adjectives = {"any": own.adjectives} if own.adjectives else {}
    return Lexicon(
        {**BASIC.nouns, **nouns},
        {**BASIC.adjectives, **adjectives},
        BASIC.transitive + own.transitive * (len(BASIC.transitive) // max(len(own.transitive), 1)),
        BASIC.intransitive + own.intransitive * (len(BASIC.intransitive) // max(len(own.intransitive), 1)),
    )
