"""What a parser says of a unit of text into CoNLL-U blocks, with all that is needed to give the unit back exactly."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

from runner.corpus.text.surface import declared_text
from runner.corpus.text.units import Quoting, Unit
from runner.readers import parse_json

WordColumns = tuple[str, str, str, str, str, str, str]  # form, lemma, upos, xpos, feats, head, deprel


@dataclass(frozen=True, slots=True)
class Token:
    """A surface token: its place in the unit's text, and its words, several for a multiword token."""

    start: int
    end: int
    words: tuple[WordColumns, ...]


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """The tokens of a sentence; `parsed` is False where it was too long and has no tree."""

    tokens: tuple[Token, ...]
    parsed: bool


class Parser(Protocol):
    """What turns texts into trees. Texts are never blank; every sentence has a token."""

    def describe(self) -> dict[str, object]:
        """Name, versions, models with their sha256 and the options that change trees: JSON-like values."""
        ...

    def parse(self, texts: Sequence[str], max_tokens: int) -> list[list[ParsedSentence]]:
        """The sentences of each text; those of more than `max_tokens` words are not parsed."""
        ...


@dataclass(frozen=True, slots=True)
class Long:
    """A sentence that was left out: how many words it has, and how it begins."""

    words: int
    text: str


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """A unit as it is kept: CoNLL-U blocks, what was left out, and how to spell the unit from the blocks.

    With `gaps`, the unit is gaps[0] + surface of block 0 + gaps[1] + … ; None stands for nothing around and one
    space between. Where the blocks do not spell it, `text` does.
    """

    line: int
    end: str
    blocks: tuple[str, ...]
    long: tuple[Long, ...]
    gaps: tuple[str, ...] | None
    text: str | None
    document: str | None = None
    before: str = ""
    quoting: Quoting | None = None

    def spell(self) -> str:
        """The unit's text, exactly."""
        if self.text is not None:
            return self.text
        return spell([declared_text(block.split("\n")) or "" for block in self.blocks], self.gaps)

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> UnitRecord:
        """The record of such a line."""
        found = parse_json(line)
        long = tuple(Long(**entry) for entry in found["long"])
        gaps = None if found["gaps"] is None else tuple(found["gaps"])
        return cls(**{**found, "blocks": tuple(found["blocks"]), "long": long, "gaps": gaps})


def spell(surfaces: Sequence[str], gaps: Sequence[str] | None) -> str:
    """Texts with the gaps before, between and after them; None stands for none around and a space between."""
    if gaps is None:
        return " ".join(surfaces)
    return gaps[0] + "".join(surface + gap for surface, gap in zip(surfaces, gaps[1:], strict=True))


def blank_record(unit: Unit) -> UnitRecord:
    """A unit without words."""
    return _record(unit, (), (), None, unit.text)


def record(unit: Unit, sentences: Sequence[ParsedSentence], name: str) -> UnitRecord:
    """A unit and its sentences, whose ids are `name`, the line (with the part of it) and a number."""
    text = unit.text
    place = f"{unit.line}.{unit.part}" if unit.part else str(unit.line)
    about = "".join(f"# {comment}\n" for comment in (f"line = {unit.line}", *unit.about))
    places = [(sentence.tokens[0].start, sentence.tokens[-1].end) for sentence in sentences]
    starts = [start for start, _ in places] + [len(text)]
    gaps = [text[: starts[0]]] + [text[end:start] for (_, end), start in zip(places, starts[1:], strict=True)]
    blocks: list[str] = []
    long: list[Long] = []
    for number, (sentence, span) in enumerate(zip(sentences, places, strict=True), 1):
        surface = one_line(text[slice(*span)])
        if not sentence.parsed:
            long.append(Long(sum(len(token.words) for token in sentence.tokens), surface[:200]))
            continue
        comments = f"# sent_id = {name}-{place}-{number}\n{about}# text = {surface}\n"
        blocks.append(comments + "\n".join(_rows(sentence.tokens, text)))
    if long or any(one_line(text[slice(*span)]) != text[slice(*span)] for span in places):
        return _record(unit, blocks, long, None, text)
    plain = gaps == ["", *[" "] * (len(places) - 1), ""]
    return _record(unit, blocks, (), None if plain else tuple(gaps), None)


def _record(
    unit: Unit, blocks: Sequence[str], long: Sequence[Long], gaps: tuple[str, ...] | None, text: str | None
) -> UnitRecord:
    of_line = (unit.document, unit.before, unit.quoting)
    return UnitRecord(unit.line, unit.end, tuple(blocks), tuple(long), gaps, text, *of_line)


def one_line(text: str) -> str:
    """A text with a space for each line break, as a comment needs it."""
    return text.replace("\n", " ").replace("\r", " ")


def _rows(tokens: Sequence[Token], text: str) -> list[str]:
    rows: list[str] = []
    number = 1
    following = [token.start for token in tokens[1:]]
    for index, token in enumerate(tokens):
        after = following[index] if index < len(following) else None
        glued = token.end == after if after is not None else token.end < len(text) and not text[token.end].isspace()
        misc = "SpaceAfter=No" if glued else "_"
        if len(token.words) > 1:
            form = _cell(text[token.start : token.end])
            rows.append("\t".join([f"{number}-{number + len(token.words) - 1}", form, *["_"] * 7, misc]))
        for form, lemma, upos, xpos, feats, head, deprel in token.words:
            columns = (str(number), _cell(form), _cell(lemma), upos, _cell(xpos), feats, head, deprel, "_")
            rows.append("\t".join([*columns, "_" if len(token.words) > 1 else misc]))
            number += 1
    return rows


def _cell(value: str) -> str:
    """A value as one column can hold it: white space is one space, nothing is `_`."""
    return value if value.isprintable() and value else " ".join(value.split()) or "_"
