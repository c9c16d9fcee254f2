"""A toy parser in place of Stanza: sentences end at full stops, heads are to the left."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from runner.corpus.unit_records import ParsedSentence, Token, WordColumns

_SENTENCE = re.compile(r"[^.]*[^.\s][^.]*\.?|\.")
_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class ToyParser:
    """Words are runs of letters, `cannot` is a multiword token; parsing the word `fail` or `die` ends the work."""

    version: int = 1
    fail: str | None = None
    die: str | None = None
    delay: float = 0.0  # seconds per text

    def __call__(self) -> ToyParser:
        return self

    def describe(self) -> dict[str, object]:
        return {"tool": "toy", "version": self.version}

    def parse(self, texts: Sequence[str], max_words: int) -> list[list[ParsedSentence]]:
        for text in texts:
            time.sleep(self.delay)
            if self.fail is not None and self.fail in text:
                raise RuntimeError(self.fail)
            if self.die is not None and self.die in text:
                os._exit(1)
        return [[s for s in self._sentences(text, max_words) if s.tokens] for text in texts]

    def _sentences(self, text: str, max_words: int) -> list[ParsedSentence]:
        found = []
        for sentence in _SENTENCE.finditer(text):
            tokens: list[Token] = []
            number = 1
            for place in _TOKEN.finditer(text, sentence.start(), sentence.end()):
                forms = ["can", "not"] if place[0] == "cannot" else [place[0]]
                words = tuple(_word(form, number + i) for i, form in enumerate(forms))
                tokens.append(Token(place.start(), place.end(), words))
                number += len(forms)
            found.append(ParsedSentence(tuple(tokens), number - 1 <= max_words))
        return found


def _word(form: str, number: int) -> WordColumns:
    deprel = "root" if number == 1 else "dep"
    return form, form.lower(), "X", "_", "_", str(number - 1), deprel
