"""Texts of an endpoint into lines of JSON that `annotate` reads, without sentences that a scored suite holds."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from runner.generate.documents import Known
from runner.generate.prompts import Prompt

_BETWEEN = re.compile(r"(?<=[.?!])(?=\s)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def write(
    paradigm: str | None, asked: Sequence[Prompt], texts: Mapping[int, str], against: Known, path: Path
) -> dict[str, Any]:
    """Write a line for each text, in the order of the prompts; what came of it, as plain JSON."""
    removed, unknown, words = 0, Counter[str](), 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for prompt in asked:
            text, dropped = without_suite(texts[prompt.number], against)
            removed += dropped
            found = _WORD.findall(text)
            words += len(found)
            unknown.update(word for word in found if not against.word(word))
            record = {"id": f"{paradigm or 'plain'}-{prompt.number:06d}", "genre": prompt.genre}
            record |= {"subgenre": prompt.subgenre, "lemmas": ", ".join(prompt.lemmas)}
            record |= {"paradigm": paradigm} if paradigm else {}
            file.write(json.dumps(record | {"text": text}, ensure_ascii=False) + "\n")
    told = {"documents": len(asked), "words": words, "removed_in_suite": removed}
    return told | {"unknown_words": dict(unknown.most_common())}


def without_suite(text: str, against: Known) -> tuple[str, int]:
    """A text without the sentences that a suite has, and how many these were; line breaks stay."""
    pieces = [piece for line in text.strip().splitlines(keepends=True) for piece in _BETWEEN.split(line)]
    kept = [piece for piece in pieces if not piece.strip() or not against.in_suite(piece)]
    return "".join(kept).strip(), len(pieces) - len(kept)
