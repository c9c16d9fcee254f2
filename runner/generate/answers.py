"""Write the texts from an endpoint as JSON lines for `fictc annotate`, without sentences that a suite contains."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from runner.generate.documents import Constraints
from runner.generate.prompts import Prompt

_SENTENCE_END = re.compile(r"(?<=[.?!])(?=\s)|(?<=[.?!][\"'’”»)])(?=\s)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def write_answers(
    paradigm: str | None, prompts: Sequence[Prompt], texts: Mapping[int, str], constraints: Constraints, path: Path
) -> dict[str, Any]:
    """Write one line per text, in the order of the prompts. Return the counts as a JSON object."""
    removed_count, unknown_words, words = 0, Counter[str](), 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for prompt in prompts:
            text, removed = without_suite_sentences(texts[prompt.number], constraints)
            removed_count += removed
            text_words = _WORD.findall(text)
            words += len(text_words)
            unknown_words.update(word for word in text_words if not constraints.is_known(word))
            record = {"id": f"{paradigm or 'plain'}-{prompt.number:06d}", "genre": prompt.genre}
            record |= {"subgenre": prompt.subgenre, "lemmas": ", ".join(prompt.lemmas)}
            record |= {"paradigm": paradigm} if paradigm else {}
            file.write(json.dumps(record | {"text": text}, ensure_ascii=False) + "\n")
    counts = {"documents": len(prompts), "words": words, "removed_in_suite": removed_count}
    return counts | {"unknown_words": dict(unknown_words.most_common())}


def without_suite_sentences(text: str, constraints: Constraints) -> tuple[str, int]:
    """Return a text without the sentences that a suite contains, and the number of these sentences."""
    pieces = [piece for line in text.strip().splitlines(keepends=True) for piece in _SENTENCE_END.split(line)]
    remaining = [piece for piece in pieces if not piece.strip() or not constraints.in_suite(piece)]
    return "".join(remaining).strip(), len(pieces) - len(remaining)
