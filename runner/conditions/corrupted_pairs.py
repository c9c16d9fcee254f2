"""Corrupted copies of sentences as minimal pairs, and their review by people."""

from __future__ import annotations

import csv
import hashlib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np

from fictdsl.schema import Field
from runner.conditions.edits import one_line
from runner.corpus.sentence_arrays import read_sentences, sentence_ranks
from runner.corpus.sentence_texts import conllu_blocks, locate, sentence_texts
from runner.corpus.store import Store
from runner.corpus.surface import REMOVE, Surface, Token, read_surface, rewrite
from runner.errors import InputError
from runner.readers import text_reason
from runner.score.suite_files import Row, csv_rows

JUDGEMENT_COLUMNS = ("judgement_1", "judgement_2")  # 1 if the corrupted sentence is acceptable, else 0


@dataclass(frozen=True, slots=True)
class Reviewed:
    text: str
    selected: int
    total: int


def review(path: Path) -> Reviewed:
    """Select the rows of a suite in which both judgements are 0. Raises InputError (FICT647, 811, 812)."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError.of("FICT811", path=path, reason=text_reason(error)) from error
    header, *rows = csv_rows(path, text, ("good", "bad"))
    judgements = [[_judgement(path, header, row, name) for name in JUDGEMENT_COLUMNS] for row in rows]
    selected = [row for row, values in zip(rows, judgements, strict=True) if set(values) == {"0"}]
    return Reviewed("".join(row.text for row in (header, *selected)), len(selected), len(rows))


def _judgement(path: Path, header: Row, row: Row, column: str) -> str:
    value = dict(zip(header.cells, row.cells, strict=False)).get(column, "")
    if value.strip() not in ("0", "1"):
        shown_value = f"`{value}`" if value else "nothing"
        raise InputError.of("FICT647", path=path, line=row.line, column=column, found=shown_value)
    return value.strip()


Operation: TypeAlias = Literal["delete-root", "swap-neighbours", "insert-word"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
COLUMNS = ("paradigm", "item", "good", "bad", "sentence", *JUDGEMENT_COLUMNS)
MIN_WORDS = 4  # sentences with fewer words are not corrupted


@dataclass(frozen=True, slots=True)
class CorruptedPair:
    operation: Operation
    good: str
    bad: str
    sentence_id: str


@dataclass(frozen=True)
class Rendering:
    surface: Callable[[Surface], Surface] = lambda surface: surface
    word: Callable[[str], str] = str


PLAIN = Rendering()


def corrupted_pairs(
    store: Store,
    operation: Operation,
    count: int,
    seed: int,
    candidates: Sequence[str],
    *,
    only: np.ndarray | None = None,
    rendering: Rendering = PLAIN,
) -> list[CorruptedPair]:
    """Return up to `count` pairs by one operation, in corpus order, from the sentences of lowest rank.

    `only` restricts them to these sentences, and `candidates` are the words to insert. The choice within a sentence
    depends on the seed, the sentence's source and number, and the operation, but not on the rendering.
    """
    corpus_sentences = read_sentences(store)
    ranks = sentence_ranks(f"corrupt:{operation}:{seed}", corpus_sentences.sources, corpus_sentences.numbers)
    sids_by_rank = np.argsort(ranks, kind="stable")
    sids_by_rank = sids_by_rank[corpus_sentences.words[sids_by_rank] >= MIN_WORDS]
    sids_by_rank = sids_by_rank if only is None else sids_by_rank[np.isin(sids_by_rank, only)]
    pairs: dict[int, CorruptedPair] = {}
    for start in range(0, len(sids_by_rank), 2 * count):
        sids = np.sort(sids_by_rank[start : start + 2 * count])
        pairs |= dict(_pairs(store, operation, sids, seed, candidates, rendering))
        if len(pairs) >= count:
            break
    selected = [sid for sid in sids_by_rank.tolist() if sid in pairs][:count]
    return [pairs[sid] for sid in sorted(selected)]


def _pairs(
    store: Store, operation: Operation, sids: np.ndarray, seed: int, candidates: Sequence[str], rendering: Rendering
) -> Iterator[tuple[int, CorruptedPair]]:
    for location, text, block in zip(
        locate(store, sids), sentence_texts(store, sids), conllu_blocks(store, sids), strict=True
    ):
        surface = read_surface(block, text)
        seeded = f"{seed}\x1f{location.source}\x1f{location.number}\x1f{operation}"
        random_number = int.from_bytes(hashlib.md5(seeded.encode(), usedforsecurity=False).digest())
        plain_bad = bad = one_line(corrupt(surface, operation, random_number, candidates))
        if rendering is not PLAIN:
            bad = one_line(corrupt(surface, operation, random_number, candidates, rendering))
        rendered = rendering.surface(surface)
        good = text if rendering is PLAIN else _with_gaps(rendered, [token.form for token in rendered.tokens])
        good = str(one_line(good))
        if bad is not None and plain_bad is not None and plain_bad.strip() != str(one_line(text)).strip():
            sentence_id = location.name
            yield location.sid, CorruptedPair(operation, good, bad, sentence_id)


def corrupt(
    surface: Surface, operation: Operation, random_number: int, candidates: Sequence[str], rendering: Rendering = PLAIN
) -> str | None:
    """Return the sentence after an operation, or None if it does not apply. `random_number` selects the words.

    Words are swapped or inserted only between neighbours that are separated and not punctuation. Swapped words, and an
    inserted word and its neighbours, differ in more than case.
    """
    if operation == "delete-root":
        roots = [int(row[Field.ID]) for row in surface.rows if row[Field.HEAD] == "0"]
        return rewrite(rendering.surface(surface), {word: {REMOVE} for word in roots})
    indices = [index for index in range(len(surface.tokens) - 1) if _applies(surface, index, operation)]
    if not indices:
        return None
    index = indices[random_number % len(indices)]
    forms = [token.form for token in rendering.surface(surface).tokens]
    if operation == "swap-neighbours":
        forms[index], forms[index + 1] = forms[index + 1], forms[index]
        return _with_gaps(surface, forms)
    neighbours = {token.form.lower() for token in surface.tokens[index : index + 2]}
    words = [word for word in candidates if word.lower() not in neighbours]
    if not words:
        return None
    forms[index] += surface.gaps[index + 1] + rendering.word(words[random_number // len(indices) % len(words)])
    return _with_gaps(surface, forms)


def _applies(surface: Surface, index: int, operation: Operation) -> bool:
    left, right = surface.tokens[index], surface.tokens[index + 1]
    is_eligible = surface.gaps[index + 1] != "" and not _is_punctuation(surface, left)
    is_eligible = is_eligible and not _is_punctuation(surface, right)
    return is_eligible and (operation == "insert-word" or left.form.lower() != right.form.lower())


def _is_punctuation(surface: Surface, token: Token) -> bool:
    return all(
        row[Field.UPOS] == "PUNCT"
        or (row[Field.UPOS] == "_" and all(unicodedata.category(char)[0] in "PS" for char in row[Field.FORM]))
        for row in surface.rows[token.first - 1 : token.last]
    )


def _with_gaps(surface: Surface, forms: Sequence[str]) -> str:
    return surface.gaps[0] + "".join(form + gap for form, gap in zip(forms, surface.gaps[1:], strict=True))


def write_pairs(pairs: Sequence[CorruptedPair], path: Path) -> None:
    counts = Counter[Operation]()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for pair in pairs:
            item = counts[pair.operation]
            counts[pair.operation] += 1
            writer.writerow((pair.operation, item, pair.good, pair.bad, pair.sentence_id, "", ""))
