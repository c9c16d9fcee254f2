"""Read the pages of a gallery that begin with trees, as described in `tests/cases/test_language.py`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.support.reading import conllu

_BLOCK = re.compile(r"^```(\w+(?: [^\n]+)?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class TreeCase:
    """One heading of a page, with the trees of the page."""

    path: Path
    title: str
    texts: dict[str, str]  # the CoNLL-U of each sentence
    blocks: dict[str, str]


C = TypeVar("C", bound=TreeCase)


def tree_cases(gallery: Path, kind: type[C]) -> list[C]:
    """Return the cases of all pages of a folder, in order."""
    found = []
    for path in sorted(gallery.glob("*.md")):
        head, *sections = re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        texts = _texts(dict(_BLOCK.findall(head))["trees"])
        for section in sections:
            title, _, body = section.partition("\n")
            found.append(kind(path, title.strip(), texts, dict(_BLOCK.findall(body))))
    return found


def _texts(text: str) -> dict[str, str]:
    found = {}
    for block in text.strip().split("\n\n"):
        name, *lines = block.splitlines()
        comments = [line.removeprefix("# ") for line in lines if line.startswith("#")]
        rows = "\n".join(line for line in lines if not line.startswith("#"))
        found[name.removeprefix("# ")] = conllu(rows, *comments)
    return found
