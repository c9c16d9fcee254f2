"""Read valid CoNLL-U for the reference interpreter: in memory, without checks or recovery."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from fictdsl.reference.sentence import Sentence, Word


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
    """Parse `key=value` entries into the values of each key, in order; "" for an entry without `=`."""
    values: dict[str, tuple[str, ...]] = {}
    for entry in entries:
        key, _, value = entry.partition("=")
        values[key.strip()] = (*values.get(key.strip(), ()), value.strip())
    return values


def _surface(rows: list[list[str]]) -> str:
    """Return the text of the tokens; the form of a multiword token replaces those of its words."""
    text, token_end = "", 0
    for id_, form, *_, misc in rows:
        first, _, last = id_.partition("-")
        if "." in id_ or (not last and int(first) <= token_end):
            continue
        token_end = int(last) if last else token_end
        text += form if "SpaceAfter=No" in misc.split("|") else f"{form} "
    return text.strip()
