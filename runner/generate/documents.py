"""Generate documents of a genre with one target sentence of a paradigm each, and write them as CoNLL-U."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import normalize

from runner.errors import InputError
from runner.generate.lemmas import Lemmas, Recipe
from runner.generate.targets import REGISTERS, TARGETS, Production, genres
from runner.model.saved import load_tokenizer
from runner.model.tokenizer import tokenized
from runner.sample.lexicon import BASIC, Lexicon, Rng, Weighted
from runner.sample.phrases import Draft
from runner.sample.words import Node, capitalized, conllu, text, words

MAX_TRIES = 400  # draws of a sentence
_MIN_LENGTH = 3  # words of the shortest plain sentence
_MAX_LAST_LENGTH = 11  # words of the last sentence, whose length is prescribed
_REPLACED_NOUN_KINDS = ("thing", "info", "idea")  # the chosen nouns of a document replace nouns of these kinds
_LEMMA_COUNTS = (6, 3, 3, 1)  # nouns, adjectives, transitive and intransitive verbs of a document


@dataclass(frozen=True, slots=True)
class GeneratedSentence:
    root: Node
    words: list[Node]
    text: str
    is_target: bool


@dataclass(frozen=True, slots=True)
class Document:
    name: str
    genre: str
    subgenre: str
    lemmas: tuple[str, ...]
    sentences: list[GeneratedSentence]

    def conllu(self, paradigm: str | None) -> str:
        blocks: list[str] = []
        for number, sentence in enumerate(self.sentences, 1):
            comments = [f"sent_id = {self.name}-{number}", f"text = {sentence.text}", f"genre = {self.genre}"]
            if number == 1:
                comments[:0] = [f"newdoc id = {self.name}"]
                comments += [f"subgenre = {self.subgenre}", f"lemmas = {', '.join(self.lemmas)}"]
            if sentence.is_target:
                comments.append(f"paradigm = {paradigm}")
            blocks.append(conllu(sentence.root, sentence.words, comments))
        return "".join(blocks)


@dataclass(frozen=True, slots=True)
class Constraints:
    in_suite: Callable[[str], bool] = lambda _: False
    is_known: Callable[[str], bool] = lambda _: True


@dataclass
class Counts:
    """`unknown` has the unknown words of redrawn sentences, and `remaining_unknown` those that stay in documents."""

    documents: int = 0
    sentences: int = 0
    words: int = 0
    targets: int = 0
    in_suite: int = 0
    with_unknown: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    remaining_unknown: Counter[str] = field(default_factory=Counter)
    genres: Counter[str] = field(default_factory=Counter)

    def add(self, document: Document) -> None:
        self.documents += 1
        self.sentences += len(document.sentences)
        self.words += sum(len(sentence.words) for sentence in document.sentences)
        self.targets += sum(sentence.is_target for sentence in document.sentences)
        self.genres[document.genre] += 1


def documents(
    recipe: Recipe, counts: Counts, lemmas: Lemmas | None = None, constraints: Constraints | None = None
) -> Iterator[Document]:
    """Yield documents until they have the number of words in the recipe, and update `counts`.

    Document n depends only on the seed, n, the paradigm, `words_per_target`, the lemmas and the constraints. Document n
    of each paradigm and of the control has the same genre, sub-genre, choice of lemmas and intended length. A document
    is a few words shorter if no last sentence of the missing length is found.

    Raises InputError (FICT657) if all sentences drawn for a document are in a suite or too long.
    """
    number = 0
    while counts.words < recipe.words:
        number += 1
        document = _document(recipe, number, counts, lemmas or Lemmas(), constraints or Constraints())
        counts.add(document)
        yield document


def _document(recipe: Recipe, number: int, counts: Counts, lemmas: Lemmas, constraints: Constraints) -> Document:
    plan_rng = Rng(recipe.seed, f"generate/{number}/plan")
    genre = plan_rng.choice(genres())
    subgenre = plan_rng.choice(genre.subgenres)
    document_lemmas = lemmas.sample(plan_rng, _LEMMA_COUNTS)
    draw_sentence = _SentenceGenerator(_lexicon(document_lemmas), constraints, counts)
    word_budget = round(recipe.words_per_target * (0.7 + 0.6 * plan_rng.random()))
    position = plan_rng.random()

    sentences: list[GeneratedSentence] = []
    if recipe.paradigm is not None:
        target_rng = Rng(recipe.seed, f"generate/{number}/{recipe.paradigm}")
        target = draw_sentence(target_rng, Weighted((TARGETS[recipe.paradigm], 1)), range(word_budget))
        if target is None:
            raise _no_sentence(number, recipe.paradigm)
        sentences.append(replace(target, is_target=True))
    remaining_words = word_budget - sum(len(sentence.words) for sentence in sentences)
    plain_rng = Rng(recipe.seed, f"generate/{number}/plain")
    mixture = REGISTERS[genre.register]
    while remaining_words >= _MIN_LENGTH:
        is_last = remaining_words <= _MAX_LAST_LENGTH
        lengths = range(remaining_words, remaining_words + 1) if is_last else range(remaining_words - _MIN_LENGTH + 1)
        sentence = draw_sentence(plain_rng, mixture, lengths)
        if sentence is None:
            break
        sentences.append(sentence)
        remaining_words -= len(sentence.words)
    if not sentences:
        raise _no_sentence(number, "plain")
    if recipe.paradigm is not None:
        sentences.insert(int(position * len(sentences)), sentences.pop(0))
    name = f"{recipe.paradigm or 'plain'}-{number:06d}"
    used_lemmas = {node.lemma for sentence in sentences for node in sentence.words}
    return Document(
        name, genre.name, subgenre, tuple(word for word in document_lemmas.words if word in used_lemmas), sentences
    )


def _no_sentence(number: int, kind: str) -> InputError:
    return InputError.of("FICT657", number=number, kind=kind, attempts=MAX_TRIES)


@dataclass(frozen=True, slots=True)
class _SentenceGenerator:
    lexicon: Lexicon
    constraints: Constraints
    counts: Counts

    def __call__(self, rng: Rng, mixture: Weighted[Production], lengths: range) -> GeneratedSentence | None:
        """Return a sentence of an allowed length that no suite contains, without unknown words if possible, or None."""
        fallback: GeneratedSentence | None = None
        for _ in range(MAX_TRIES):
            draft = Draft(rng, self.lexicon)
            root = rng.weighted_choice(mixture)(draft)
            nodes = words(root)
            if len(nodes) not in lengths:
                continue
            sentence = GeneratedSentence(root, nodes, text(nodes), False)
            if self.constraints.in_suite(sentence.text):
                self.counts.in_suite += 1
            elif unknown := self._unknown(sentence):
                self.counts.with_unknown += 1
                self.counts.unknown.update(unknown)
                fallback = fallback or sentence
            else:
                return sentence
        if fallback is not None:
            self.counts.remaining_unknown.update(self._unknown(fallback))
        return fallback

    def _unknown(self, sentence: GeneratedSentence) -> list[str]:
        return [token for token in _tokens(sentence.words) if not self.constraints.is_known(token)]


def _tokens(nodes: Sequence[Node]) -> list[str]:
    tokens: list[str] = []
    for node in nodes:
        if node.glued and tokens:
            tokens[-1] += node.form
        else:
            tokens.append(node.form)
    return [capitalized(tokens[0]), *tokens[1:]] if tokens else []


def _lexicon(lemmas: Lemmas) -> Lexicon:
    """Put the lemmas in place of some nouns and adjectives, and make them about half of all verbs."""
    nouns = (
        {kind: tuple(replace(noun, kind=kind) for noun in lemmas.nouns) for kind in _REPLACED_NOUN_KINDS}
        if lemmas.nouns
        else {}
    )
    adjectives = {"any": lemmas.adjectives} if lemmas.adjectives else {}
    return Lexicon(
        {**BASIC.nouns, **nouns},
        {**BASIC.adjectives, **adjectives},
        BASIC.transitive + lemmas.transitive * (len(BASIC.transitive) // max(len(lemmas.transitive), 1)),
        BASIC.intransitive + lemmas.intransitive * (len(BASIC.intransitive) // max(len(lemmas.intransitive), 1)),
    )


_OUTER_MARKS = " .?!\"'‘“”„«»()"  # final punctuation, and quotes around a sentence


def suite_constraints(sentences: Iterable[str], tokenizer: Path | None) -> Constraints:
    excluded = {normalized(text) for text in sentences}

    def in_suite(text: str) -> bool:
        return normalized(text) in excluded

    return Constraints(in_suite) if tokenizer is None else Constraints(in_suite, _known_word_predicate(tokenizer))


def normalized(text: str) -> str:
    """Return a sentence in NFC and lower case, with ' for ’ and single spaces, without outer quotes and punctuation."""
    spaced = " ".join(normalize("NFC", text).replace("’", "'").split())
    return spaced.strip(_OUTER_MARKS).casefold()


def _known_word_predicate(folder: Path) -> Callable[[str], bool]:
    tokenizer = load_tokenizer(folder)
    unknown_id = tokenizer.unk_token_id

    @cache
    def is_known(word: str) -> bool:
        if unknown_id is None:
            return True
        (ids,) = tokenized(tokenizer, [word], add_special_tokens=False)["input_ids"]
        return unknown_id not in ids

    return is_known


def write_documents(recipe: Recipe, lemmas: Lemmas, constraints: Constraints, path: Path) -> dict[str, Any]:
    """Return the counts as a JSON object. Lemmas with a form unknown to the tokenizer are omitted."""
    known_lemmas, dropped_count = lemmas.known(constraints.is_known)
    counts = Counts()
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for document in documents(recipe, counts, known_lemmas, constraints):
            file.write(document.conllu(recipe.paradigm))
    content: dict[str, Any] = {name: getattr(counts, name) for name in ("documents", "sentences", "words", "targets")}
    content |= {"lemmas": len(known_lemmas), "removed_lemmas": dropped_count}
    content |= {"removed_in_suite": counts.in_suite, "removed_with_unknown_words": counts.with_unknown}
    content |= {"unknown_words_removed": dict(counts.unknown.most_common())}
    content |= {"unknown_words": dict(counts.remaining_unknown)}
    return content | {"genres": dict(counts.genres.most_common())}
