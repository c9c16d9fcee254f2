"""Convert a parser's output to CoNLL-U blocks, and record how to restore the exact text of each unit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

from runner.corpus.raw_text import Quoting, Unit, join_with_gaps
from runner.corpus.surface import declared_text
from runner.readers import parse_json

WordColumns = tuple[str, str, str, str, str, str, str]  # form, lemma, upos, xpos, feats, head, deprel


@dataclass(frozen=True, slots=True)
class Token:
    """A surface token: its offsets in the unit's text, and its words. A multiword token has several words."""

    start: int
    end: int
    words: tuple[WordColumns, ...]


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """The tokens of a sentence. `parsed` is False if the sentence was too long to parse."""

    tokens: tuple[Token, ...]
    parsed: bool


class Parser(Protocol):
    """The interface of a parser of raw text. There is at least one text, no text is blank, and no sentence is empty."""

    def describe(self) -> dict[str, object]:
        """Return name, versions, models with their SHA-256, and the options that affect trees, as a JSON object."""
        ...

    def parse(self, texts: Sequence[str], max_words: int) -> list[list[ParsedSentence]]:
        """Return the sentences of each text. A sentence of more than `max_words` words is not parsed."""
        ...


@dataclass(frozen=True, slots=True)
class LongSentence:
    """A sentence that was too long to parse: its number of words, and its beginning."""

    words: int
    text: str


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """A unit with its CoNLL-U blocks, the sentences that were not parsed, and the white space that restores its text.

    The text of the unit is `text`, unless that is None. Otherwise it is gaps[0] + text of block 0 + gaps[1] + …, or the
    texts of the blocks joined by spaces if `gaps` is None. `before` and `end` are `prefix` and `end` of `Unit`.
    """

    line: int
    end: str
    blocks: tuple[str, ...]
    long: tuple[LongSentence, ...]
    gaps: tuple[str, ...] | None
    text: str | None
    document: str | None = None
    before: str = ""
    quoting: Quoting | None = None

    def exact_text(self) -> str:
        """Return the exact text of the unit."""
        if self.text is not None:
            return self.text
        return join_with_gaps([declared_text(block.split("\n")) or "" for block in self.blocks], self.gaps)

    def to_json(self) -> str:
        """Return the record as one line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> UnitRecord:
        """Parse a line written by `to_json`."""
        fields = parse_json(line)
        long = tuple(LongSentence(**entry) for entry in fields["long"])
        gaps = None if fields["gaps"] is None else tuple(fields["gaps"])
        return cls(**{**fields, "blocks": tuple(fields["blocks"]), "long": long, "gaps": gaps})


def blank_record(unit: Unit) -> UnitRecord:
    """Return the record of a blank unit, which has no words."""
    return _record(unit, (), (), None, unit.text)


def record(unit: Unit, sentences: Sequence[ParsedSentence], source_name: str) -> UnitRecord:
    """Return the record of a unit, with sentence ids of the form `SOURCE-LINE-NUMBER` or `SOURCE-LINE.PART-NUMBER`."""
    text = unit.text
    line_id = f"{unit.line}.{unit.part}" if unit.part else str(unit.line)
    comments = "".join(f"# {comment}\n" for comment in (f"line = {unit.line}", *unit.comments))
    spans = [(sentence.tokens[0].start, sentence.tokens[-1].end) for sentence in sentences]
    starts = [start for start, _ in spans] + [len(text)]
    gaps = [text[: starts[0]]] + [text[end:start] for (_, end), start in zip(spans, starts[1:], strict=True)]
    blocks: list[str] = []
    long_sentences: list[LongSentence] = []
    for number, (sentence, span) in enumerate(zip(sentences, spans, strict=True), 1):
        sentence_text = one_line(text[slice(*span)])
        if not sentence.parsed:
            long_sentences.append(LongSentence(sum(len(token.words) for token in sentence.tokens), sentence_text[:200]))
            continue
        header = f"# sent_id = {source_name}-{line_id}-{number}\n{comments}# text = {sentence_text}\n"
        blocks.append(header + "\n".join(_rows(sentence.tokens, text)))
    if long_sentences or any(one_line(text[slice(*span)]) != text[slice(*span)] for span in spans):
        return _record(unit, blocks, long_sentences, None, text)
    default_gaps = gaps == ["", *[" "] * (len(spans) - 1), ""]
    return _record(unit, blocks, (), None if default_gaps else tuple(gaps), None)


def _record(
    unit: Unit,
    blocks: Sequence[str],
    long_sentences: Sequence[LongSentence],
    gaps: tuple[str, ...] | None,
    text: str | None,
) -> UnitRecord:
    json_fields = (unit.document, unit.prefix, unit.quoting)
    return UnitRecord(unit.line, unit.end, tuple(blocks), tuple(long_sentences), gaps, text, *json_fields)


def one_line(text: str) -> str:
    """Replace each line break with a space, as comments require."""
    return text.replace("\n", " ").replace("\r", " ")


def _rows(tokens: Sequence[Token], text: str) -> list[str]:
    rows: list[str] = []
    number = 1
    for token, next_token in zip(tokens, (*tokens[1:], None), strict=True):
        if next_token is None:
            no_space_after = token.end < len(text) and not text[token.end].isspace()
        else:
            no_space_after = token.end == next_token.start
        misc = "SpaceAfter=No" if no_space_after else "_"
        if len(token.words) > 1:
            form = _cell(text[token.start : token.end])
            rows.append("\t".join([f"{number}-{number + len(token.words) - 1}", form, *["_"] * 7, misc]))
        for form, lemma, upos, xpos, feats, head, deprel in token.words:
            columns = (str(number), _cell(form), _cell(lemma), upos, _cell(xpos), feats, head, deprel, "_")
            rows.append("\t".join([*columns, "_" if len(token.words) > 1 else misc]))
            number += 1
    return rows


def _cell(value: str) -> str:
    """Return `value` as a cell of CoNLL-U: `_` if empty. If it is not printable, runs of white space become spaces."""
    return value if value.isprintable() and value else " ".join(value.split()) or "_"
