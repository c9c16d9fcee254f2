"""Make corpora of any size by replicating treebanks with other words. No two texts are equal.

Replica k of a sentence has the same tree. Each noun, proper noun and numeral is replaced by the word k places further
in a list of words with the same tags, features and letter case and about the same frequency. Word frequencies thus
stay the same. If a text already occurs, one of its words gets a suffix. Duplicate sentences of the treebank, and
sentences in which no word can get a suffix (such as punctuation only), are omitted.
"""

from __future__ import annotations

import argparse
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from operator import itemgetter
from pathlib import Path

REPLACED = frozenset({"NOUN", "PROPN", "NUM"})  # UPOS tags of the words that are replaced
# UPOS tags of the words that may get a suffix, in order of preference
SUFFIXED = ("INTJ", "PROPN", "NOUN", "ADJ", "VERB", "ADV", "X", "PRON", "AUX", "DET", "ADP", "CCONJ", "PART", "SCONJ")
SUFFIXED_LEMMAS = frozenset(SUFFIXED[:7])  # UPOS tags of the words whose lemma gets the suffix too
FIRST_BAND_SIZE = 32  # words
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
DROPPED_COMMENTS = ("# text = ", "# sent_id = ", "# childes_toks = ")

Word = tuple[str, str]  # form, lemma


class NoSentencesError(ValueError):
    """Treebanks without a sentence that can be replicated."""


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence with slots.

    `text` and `body` (the rows) are %-format strings. `text_slots` and `body_slots` pick the entries of a replica that
    fill them.
    """

    words: int
    comments: str
    sent_id: str
    text: str
    text_slots: Callable[[Sequence[str]], Sequence[str]]
    body: str
    body_slots: Callable[[Sequence[str]], Sequence[str]]


@dataclass(slots=True)
class CorpusCounts:
    """Counts of a corpus that is being written."""

    words: int = 0
    sentences: int = 0
    suffixed: int = 0


def read(files: Sequence[Path]) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yield the sentences of CoNLL-U files: comments, and rows of ten columns."""
    for file in files:
        for block in file.read_text(encoding="utf-8").split("\n\n"):
            lines = block.strip("\n").split("\n")
            rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
            if rows:
                yield [line for line in lines if line.startswith("#")], rows


class Vocabulary:
    """The words that are replaced, in groups of interchangeable words that are divided into bands by frequency."""

    def __init__(self) -> None:
        self.counts: defaultdict[tuple[str, ...], Counter[Word]] = defaultdict(Counter)
        self.numbers: dict[tuple[tuple[str, ...], Word], int] = {}
        self.bands: list[list[Word]] = []

    @staticmethod
    def group(row: Sequence[str]) -> tuple[str, ...]:
        """Return the properties that interchangeable words share."""
        form = row[1]
        shape = "lower" if form.islower() else "title" if form.istitle() else "upper" if form.isupper() else "mixed"
        return (row[3], row[4], row[5], shape)

    def add(self, row: Sequence[str]) -> None:
        """Count a word."""
        self.counts[self.group(row)][row[1], row[2]] += 1

    def close(self) -> None:
        """Divide the groups into bands, each twice as long as the previous one, and number the words from 0."""
        for group, counts in self.counts.items():
            ranked = [word for word, _ in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))]
            begin, size = 0, FIRST_BAND_SIZE
            while begin < len(ranked):
                band = ranked[begin : begin + size]
                for word in band:
                    self.numbers[group, word] = len(self.numbers)
                self.bands.append(band)
                begin, size = begin + size, size * 2

    def entries(self, replica: int) -> list[str]:
        """Return the entries that fill the slots of a replica: an empty suffix, then the form and lemma of each word.

        Word n has the entries 1 + 2n and 2 + 2n.
        """
        entries = [""]
        for band in self.bands:
            shift = replica % len(band)
            for form, lemma in band[shift:] + band[:shift]:
                entries += (form, lemma)
        return entries


def multiword_ranges(rows: Sequence[Sequence[str]]) -> dict[int, tuple[int, int, str]]:
    """Return (first word, last word, MISC) of each multiword token, by its first word."""
    ranges = {}
    for row in rows:
        if "-" in row[0]:
            first, last = map(int, row[0].split("-"))
            ranges[first] = (first, last, row[9])
    return ranges


def template(comments: Sequence[str], rows: list[list[str]], vocabulary: Vocabulary) -> Template | None:
    """Return a sentence with slots for replaced words and for the suffix; None if no word can have a suffix."""
    forms = {int(row[0]): row[1] for row in rows if row[0].isdigit()}
    ranges = multiword_ranges(rows)
    surface = {first: next(row[1] for row in rows if row[0] == f"{first}-{last}") for first, last, _ in ranges.values()}
    fixed = {
        number
        for first, last, _ in ranges.values()
        for number in range(first, last + 1)
        if surface[first] != "".join(forms[n] for n in range(first, last + 1))
    }
    free_rows = [row for row in rows if row[0].isdigit() and int(row[0]) not in fixed]
    suffix_candidates = [(SUFFIXED.index(row[3]), index) for index, row in enumerate(free_rows) if row[3] in SUFFIXED]
    if not suffix_candidates:
        return None
    suffixed_row = free_rows[min(suffix_candidates)[1]]
    form_of: dict[int, tuple[str, list[int]]] = {n: (form.replace("%", "%%"), []) for n, form in forms.items()}
    lemma_of: dict[int, tuple[str, list[int]]] = {}
    for row in free_rows:
        number, lemma = int(row[0]), (row[2].replace("%", "%%"), list[int]())
        if row[3] in REPLACED:
            position = vocabulary.numbers[vocabulary.group(row), (row[1], row[2])]
            form_of[number], lemma = ("%s", [1 + 2 * position]), ("%s", [2 + 2 * position])
        if row is suffixed_row:
            form_of[number] = (form_of[number][0] + "%s", [*form_of[number][1], 0])
            if row[3] in SUFFIXED_LEMMAS and row[2] != "_":
                lemma = (lemma[0] + "%s", [*lemma[1], 0])
        lemma_of[number] = lemma
    body, body_slots = [], list[int]()
    text, text_slots, range_end = [], list[int](), 0
    for row in rows:
        columns = [column.replace("%", "%%") for column in row]
        pieces: list[tuple[str, list[int]]] = []
        number = int(row[0]) if row[0].isdigit() else None
        if number is not None:
            pieces = [form_of[number]]
            columns[1] = form_of[number][0]
            body_slots += form_of[number][1]
            if number in lemma_of:
                columns[2] = lemma_of[number][0]
                body_slots += lemma_of[number][1]
        elif "-" in row[0]:
            first, last = map(int, row[0].split("-"))
            pieces = [(columns[1], [])] if first in fixed else [form_of[n] for n in range(first, last + 1)]
            columns[1] = "".join(piece for piece, _ in pieces)
            body_slots += [slot for _, slots in pieces for slot in slots]
        body.append("\t".join(columns) + "\n")
        if pieces and (number is None or number > range_end):
            text.append("".join(piece for piece, _ in pieces))
            text_slots += [slot for _, slots in pieces for slot in slots]
            text.append("" if "SpaceAfter=No" in row[9].split("|") else " ")
            range_end = int(row[0].split("-")[1]) if number is None else range_end
    kept_comments = "".join(line + "\n" for line in comments if not line.startswith(DROPPED_COMMENTS))
    return Template(
        len(forms),
        kept_comments,
        next((line[len("# sent_id = ") :] for line in comments if line.startswith("# sent_id = ")), "s"),
        "".join(text).rstrip(" "),
        picker(text_slots),
        "".join(body),
        picker(body_slots),
    )


def picker(slots: Sequence[int]) -> Callable[[Sequence[str]], Sequence[str]]:
    """Return a function that picks these entries of a list, as a tuple."""
    if len(slots) == 1:
        return lambda entries: (entries[slots[0]],)
    return itemgetter(*slots)


def templates(files: Sequence[Path]) -> tuple[list[Template], Vocabulary]:
    """Return the distinct sentences of treebanks as templates, and the vocabulary of the replaced words."""
    sentences, vocabulary, seen_texts = [], Vocabulary(), set()
    for comments, rows in read(files):
        text = next((line for line in comments if line.startswith("# text = ")), " ".join(row[1] for row in rows))
        if text not in seen_texts:
            seen_texts.add(text)
            sentences.append((comments, rows))
            for row in rows:
                if row[3] in REPLACED and row[0].isdigit():
                    vocabulary.add(row)
    vocabulary.close()
    candidates = (template(comments, rows, vocabulary) for comments, rows in sentences)
    return [sentence for sentence in candidates if sentence is not None], vocabulary


def syllables(number: int) -> str:
    """Return a pronounceable suffix, a different one for each number from 1."""
    suffix = ""
    while number:
        number, digit = divmod(number - 1, len(SYLLABLES))
        suffix += SYLLABLES[digit]
    return suffix


def replicate(files: Sequence[Path], words: int, counts: CorpusCounts) -> Iterator[str]:
    """Yield CoNLL-U sentences until they have at least `words` words, and count them in `counts`.

    Raises NoSentencesError if no sentence can be replicated.
    """
    sentences, vocabulary = templates(files)
    if not sentences:
        names = ", ".join(map(str, files))
        raise NoSentencesError(
            f"no sentence of {names} can be replicated"
            if files
            else "--treebanks must name files to make a corpus from"
        )
    id_counts: Counter[str] = Counter()
    unique_ids = []
    for sentence in sentences:
        sent_id = sentence.sent_id
        id_counts[sent_id] += 1
        unique_ids.append(sent_id if id_counts[sent_id] == 1 else f"{sent_id}.{id_counts[sent_id]}")
    seen_hashes = set()
    for replica in count():
        entries, id_suffix = vocabulary.entries(replica), f"-r{replica}"
        for sentence, unique_id in zip(sentences, unique_ids, strict=True):
            if counts.words >= words:
                return
            entries[0] = ""
            text = sentence.text % sentence.text_slots(entries)
            if hash(text) in seen_hashes:
                counts.suffixed += 1
                for suffix_number in count(replica):
                    entries[0] = syllables(suffix_number + 1)
                    text = sentence.text % sentence.text_slots(entries)
                    if hash(text) not in seen_hashes:
                        break
            seen_hashes.add(hash(text))
            counts.words += sentence.words
            counts.sentences += 1
            comments = re.sub(r"(?m)^(# new(?:doc|par) id = .*)$", rf"\1{id_suffix}", sentence.comments)
            body = sentence.body % sentence.body_slots(entries)
            yield f"{comments}# sent_id = {unique_id}{id_suffix}\n# text = {text}\n{body}\n"


def write(files: Sequence[Path], words: int, target: Path) -> CorpusCounts:
    """Write a corpus under a temporary name, then rename it. Return its counts."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    counts = CorpusCounts()
    try:
        with temporary.open("w", encoding="utf-8", buffering=1 << 22) as stream:
            stream.writelines(replicate(files, words, counts))
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return counts


def main() -> None:
    """Write one corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("treebanks", nargs="+", type=Path)
    parser.add_argument("--words", type=int, required=True)
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()
    try:
        counts = write(options.treebanks, options.words, options.to)
    except NoSentencesError as error:
        parser.error(str(error))
    print(
        f"{counts.words:,} words, {counts.sentences:,} sentences, all texts different; "
        f"{counts.suffixed / counts.sentences:.1%} by a suffix on a word"
    )


if __name__ == "__main__":
    main()
