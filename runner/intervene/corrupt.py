"""Sentences of a parsed corpus into minimal pairs: the root is taken out, two words are swapped, or one is added."""

from __future__ import annotations

import csv
import hashlib
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np

from runner.corpus.actions.spelling import REMOVE, rewrite
from runner.corpus.sentences.arrays import read_sentences
from runner.corpus.sentences.common_size import priorities
from runner.corpus.sentences.export import conllu, surfaces
from runner.corpus.sentences.lookup import Place, places
from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import ask
from runner.corpus.text.surface import Surface, Token, spelt
from runner.intervene.edits import one_line
from runner.intervene.review import JUDGEMENTS

Operation: TypeAlias = Literal["delete-root", "swap-neighbours", "insert-word"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
COLUMNS = ("paradigm", "item", "good", "bad", "sentence", *JUDGEMENTS)
SHORTEST, LISTED = 4, 1_000  # words of a sentence; words that may be inserted


@dataclass(frozen=True, slots=True)
class Corrupted:
    """A pair, what was done, and where the sentence stands."""

    operation: Operation
    good: str
    bad: str
    place: str


@dataclass(frozen=True)
class Writing:
    """How sentences and inserted words are written: as they are, or with other forms in the place of some."""

    surface: Callable[[Surface], Surface] = lambda surface: surface
    word: Callable[[str], str] = str


PLAIN = Writing()


def corrupted(
    store: Store,
    operation: Operation,
    count: int,
    seed: int,
    listed: Sequence[str],
    *,
    only: np.ndarray | None = None,
    writing: Writing = PLAIN,
) -> list[Corrupted]:
    """Up to `count` pairs by one operation, in corpus order, from the first sentences by rank that it can be done to.

    What is chosen in a sentence depends on the seed, the sentence's place and the operation alone, however it is
    written. With `only`, these sentences are taken.
    """
    base = read_sentences(store)
    ranks = priorities(f"corrupt:{operation}:{seed}", base.sources, base.numbers)
    order = np.argsort(ranks, kind="stable")
    order = order[base.words[order] >= SHORTEST]
    order = order if only is None else order[np.isin(order, only)]
    found: dict[int, Corrupted] = {}
    for start in range(0, len(order), 2 * count):
        for sid, pair in _pairs(store, operation, np.sort(order[start : start + 2 * count]), seed, listed, writing):
            found[sid] = pair
        if len(found) >= count:
            break
    first = [sid for sid in order.tolist() if sid in found][:count]
    return [found[sid] for sid in sorted(first)]


def _pairs(
    store: Store, operation: Operation, sids: np.ndarray, seed: int, listed: Sequence[str], writing: Writing
) -> Iterator[tuple[int, Corrupted]]:
    for place, text, block in zip(places(store, sids), surfaces(store, sids), conllu(store, sids), strict=True):
        surface = spelt(block, text)
        digits = _digits(place, operation, seed)
        plain = one_line(corrupt(surface, operation, digits, listed))
        bad = plain if writing is PLAIN else one_line(corrupt(surface, operation, digits, listed, writing))
        good = str(one_line(text if writing is PLAIN else _whole(writing.surface(surface))))
        if bad is not None and plain is not None and plain.strip() != str(one_line(text)).strip():
            yield place.sid, Corrupted(operation, good, bad, place.sent_id or f"{place.source}:{place.number}")


def _digits(place: Place, operation: Operation, seed: int) -> int:
    text = f"{seed}\x1f{place.source}\x1f{place.number}\x1f{operation}"
    return int.from_bytes(hashlib.md5(text.encode(), usedforsecurity=False).digest())


def _whole(surface: Surface) -> str:
    return _spelt(surface, [token.form for token in surface.tokens])


def corrupt(
    surface: Surface, operation: Operation, digits: int, listed: Sequence[str], writing: Writing = PLAIN
) -> str | None:
    """The sentence after one operation, chosen by a large number; None where it cannot be done.

    What is done does not depend on how it is written. Only neighbours that are no punctuation and differ but for case
    are swapped, and words go between such.
    """
    if operation == "delete-root":
        roots = [int(row[0]) for row in surface.rows if row[6] == "0"]
        return rewrite(writing.surface(surface), {word: {REMOVE} for word in roots})
    able = [place for place in range(len(surface.tokens) - 1) if _apart(surface, place, operation)]
    if not able:
        return None
    place = able[digits % len(able)]
    forms = [token.form for token in writing.surface(surface).tokens]
    if operation == "swap-neighbours":
        forms[place], forms[place + 1] = forms[place + 1], forms[place]
        return _spelt(surface, forms)
    around = {token.form.lower() for token in surface.tokens[place : place + 2]}
    words = [word for word in listed if word.lower() not in around]
    if not words:
        return None
    forms[place] += surface.gaps[place + 1] + writing.word(words[digits // len(able) % len(words)])
    return _spelt(surface, forms)


def _apart(surface: Surface, place: int, operation: Operation) -> bool:
    one, other = surface.tokens[place], surface.tokens[place + 1]
    words = surface.gaps[place + 1] != "" and not _mark(surface, one) and not _mark(surface, other)
    return words and (operation == "insert-word" or one.form.lower() != other.form.lower())


def _mark(surface: Surface, token: Token) -> bool:
    """Whether it is punctuation: by its tag, and by its characters where it has none."""
    return all(
        row[3] == "PUNCT" or (row[3] == "_" and _signs(row[1])) for row in surface.rows[token.first - 1 : token.last]
    )


def _signs(form: str) -> bool:
    return all(unicodedata.category(char)[0] in "PS" for char in form)


def _spelt(surface: Surface, forms: Sequence[str]) -> str:
    return surface.gaps[0] + "".join(form + gap for form, gap in zip(forms, surface.gaps[1:], strict=True))


def frequent_words(store: Store) -> list[str]:
    """The words that may be inserted: the most frequent forms in lower case, of letters only, no names.

    Of words without UPOS only those count that are written in lower case.
    """
    query = (
        "SELECT form_l, count(*) AS n FROM tokens "
        "WHERE CASE WHEN upos IS NULL THEN form = form_l ELSE upos NOT IN ('PROPN', 'PUNCT', 'SYM', 'X') END "
        "AND regexp_full_match(form_l, '\\p{L}+') GROUP BY form_l ORDER BY n DESC, form_l LIMIT ?"
    )
    rows = ask(store, lambda connection: connection.execute(query, [LISTED]).fetchall(), tables=["tokens"])
    return [word for word, _ in rows]


def write_pairs(pairs: Sequence[Corrupted], path: Path) -> None:
    """Write pairs as a suite with two empty columns for judgements."""
    numbers: dict[str, int] = {}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for pair in pairs:
            numbers[pair.operation] = item = numbers.get(pair.operation, -1) + 1
            writer.writerow((pair.operation, item, pair.good, pair.bad, pair.place, "", ""))
