"""Sentences of a treebank as plain values for the reference interpreter, and their attributes.

An attribute evaluates to a tuple of strings: empty if it is absent, several for a multi-valued feature or a repeated
key. Numeric attributes are evaluated separately, since they are compared as numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from fictdsl.syntax.nodes import Attribute


@dataclass(frozen=True)
class Word:
    """One syntactic word. Absent columns are None, or empty for FEATS, DEPS and MISC. All strings are NFC.

    `feats` and `misc` map a key to its values, in order; a key without `=` has the value "". `head` is 0 for the root.
    `deps` are the enhanced edges, as pairs of the head's id as written and the label. `token` is the form of the
    multiword token that the word is part of, or None.
    """

    id: int
    form: str
    lemma: str | None = None
    upos: str | None = None
    xpos: str | None = None
    feats: dict[str, tuple[str, ...]] = field(default_factory=dict)
    head: int = 0
    deprel: str | None = None
    deps: tuple[tuple[str, str], ...] = ()
    misc: dict[str, tuple[str, ...]] = field(default_factory=dict)
    token: str | None = None


@dataclass(frozen=True)
class Sentence:
    """The words of one tree, with ids 1..n in order, and its comments.

    `meta` maps the key of a comment to its values; a comment without `=` has the value "".
    """

    words: tuple[Word, ...]
    meta: dict[str, tuple[str, ...]] = field(default_factory=dict)
    sent_id: str | None = None
    doc: str | None = None
    text: str | None = None


def read(text: str, source: str = "", first: int = 1) -> list[Sentence]:
    """Parse sentences of the file `source`. The first sentence has the number `first`.

    Values are NFC. Multiword tokens and empty nodes are not words. `text` is the comment of that name; without one, it
    is built from forms and `SpaceAfter`. `doc` is the last `newdoc id` at or before the sentence; None before the first
    document. A document without an id is called SOURCE-NUMBER, where NUMBER is the number of its first sentence.
    """
    sentences: list[Sentence] = []
    doc: str | None = None
    for block in _blocks(unicodedata.normalize("NFC", text).removeprefix("\ufeff")):
        comments = [line[1:] for line in block if line.startswith("#")]
        rows = [line.split("\t") for line in block if not line.startswith("#")]
        meta = _values_by_key(comments)
        begins_document = any(key.split()[:1] == ["newdoc"] for key in meta)
        doc = meta.get("newdoc id", ("" if begins_document else doc,))[-1]
        doc = f"{source}-{first + len(sentences)}" if doc == "" else doc
        words = tuple(_words(rows))
        sentences.append(
            Sentence(
                words,
                meta,
                sent_id=meta.get("sent_id", (None,))[0],
                doc=doc,
                text=next(filter(None, meta.get("text", ())), None) or _surface(rows),
            )
        )
    return sentences


def _blocks(text: str) -> Iterator[list[str]]:
    block: list[str] = []
    for line in [*text.split("\n"), ""]:
        if line.strip():
            block.append(line.removesuffix("\r"))
        elif block:
            yield block
            block = []


def _words(rows: list[list[str]]) -> Iterator[Word]:
    token, end = None, 0  # the last multiword token, and its last word
    for row in rows:
        first, dash, last = row[0].partition("-")
        if dash:
            token, end = row[1], int(last)
        elif first.isdecimal():
            yield _word(row, token if int(first) <= end else None)


def _word(row: list[str], token: str | None) -> Word:
    id_, form, lemma, upos, xpos, feats, head, deprel, deps, misc = row
    return Word(
        id=int(id_),
        form=form,
        lemma=lemma if form == "_" else _value_or_none(lemma),
        upos=_value_or_none(upos),
        xpos=_value_or_none(xpos),
        feats={key: tuple(values[0].split(",")) for key, values in _values_by_key(_parts(feats)).items()},
        head=0 if head == "_" else int(head),
        deprel=_value_or_none(deprel),
        deps=tuple(_edge(part) for part in _parts(deps)),
        misc=_values_by_key(_parts(misc)),
        token=token,
    )


def _value_or_none(value: str) -> str | None:
    return None if value == "_" else value


def _parts(column: str) -> list[str]:
    return [] if column == "_" else column.split("|")


def _edge(part: str) -> tuple[str, str]:
    head, _, label = part.partition(":")
    return head, label


def _values_by_key(entries: Iterable[str]) -> dict[str, tuple[str, ...]]:
    values: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        key, _, value = entry.partition("=")
        values[key.strip()] = (*values.get(key.strip(), ()), value.strip())
    return values


def _surface(rows: list[list[str]]) -> str:
    text, token_end = "", 0
    for id_, form, *_, misc in rows:
        first, _, last = id_.partition("-")
        if "." in id_ or (not last and int(first) <= token_end):
            continue
        token_end = int(last) if last else token_end
        text += form if "SpaceAfter=No" in misc.split("|") else f"{form} "
    return text.strip()


Values = Callable[[Sentence, Word | None], tuple[str, ...]]
Number = Callable[[Sentence, Word | None], int | None]

_DECIMAL = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


@lru_cache(maxsize=100_000)
def lower(text: str) -> str:
    """Return the lower case of a text as the language defines it: `str.lower`, then NFC."""
    return unicodedata.normalize("NFC", text.lower())


def decimal(text: str) -> Fraction | None:
    """Return the exact value of a decimal number; None if the text is not one."""
    return Fraction(Decimal(text)) if _DECIMAL.fullmatch(text) else None  # Fraction(text) fails beyond 4,300 digits


def number_of(attribute: Attribute) -> Number | None:
    """Return the function of a number (`id`, `form.length`, `sentence[length]`); None for other attributes."""
    return _NUMBERS.get(attribute.full_name)


def values_of(attribute: Attribute) -> Values:
    """Return a function that evaluates the attribute of a word or of the sentence, with `lower(…)` applied."""
    values = _unlowered(attribute)
    if not attribute.lower:
        return values
    return lambda sentence, word: tuple(lower(value) for value in values(sentence, word))


def _unlowered(attribute: Attribute) -> Values:
    key = attribute.key or ""
    match attribute.name:
        case "form" | "lemma" | "upos" | "xpos" | "deprel" as column:
            return lambda _, word: _as_tuple(getattr(word, column))
        case "token":
            return lambda _, word: _as_tuple(_required(word).token)
        case "feats":
            return lambda _, word: _as_tuple(_feats(_required(word)))
        case "misc":
            return lambda _, word: _required(word).misc.get(key, ())
        case "text" | "sent_id" | "doc" as field:
            return lambda sentence, _: _as_tuple(getattr(sentence, field))
        case "meta":
            return lambda sentence, _: sentence.meta.get(key, ())
        case feature:
            name = feature if attribute.key is None else f"{feature}[{attribute.key}]"
            return lambda _, word: _required(word).feats.get(name, ())


def _feats(word: Word) -> str | None:
    """Return the FEATS column with the features sorted by name, as UD does, without regard to case."""
    names = sorted(word.feats, key=lambda name: (name.lower(), name))
    return "|".join(f"{name}={','.join(word.feats[name])}" for name in names) or None


def runs(sentence: Sentence, word: Word, max_length: int, lowered: bool) -> Iterator[str]:
    """Yield the runs of words that start at `word`, joined by a space, up to about `max_length` characters."""
    run = ""
    for next_word in sentence.words[word.id - 1 : word.id - 1 + (max_length + 1) // 2]:
        run = f"{run} {next_word.form}" if run else next_word.form
        yield lower(run) if lowered else run


_NUMBERS: dict[str, Number] = {
    "id": lambda _, word: _required(word).id,
    "form.length": lambda _, word: len(_required(word).form),
    "lemma.length": lambda _, word: None if (lemma := _required(word).lemma) is None else len(lemma),
    "length": lambda sentence, _: len(sentence.words),
}


def _as_tuple(value: str | None) -> tuple[str, ...]:
    return () if value is None else (value,)


def _required(word: Word | None) -> Word:
    assert word is not None, "tests of words occur in nodes only"
    return word
