"""Add conditions to a manifest without changing its comments or the order of its keys."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import takewhile

from runner.readers import parse_toml

_HEADER = re.compile(r"^[^\S\n]*\[", re.MULTILINE)
_CONDITION = re.compile(r"^\s*\[{1,2}\s*condition\s*[.\]]", re.MULTILINE)


def insert_conditions(text: str, new_tables: str) -> str | None:
    """Return the manifest with `[[condition]]` tables inserted after its last condition.

    Both texts are valid TOML. The values of all other keys stay the same. Returns None if the conditions of the
    manifest are not written as `[[condition]]` tables.
    """
    manifest, new_conditions = parse_toml(text), parse_toml(new_tables)["condition"]
    expected = manifest | {"condition": [*manifest.get("condition", ()), *new_conditions]}
    return next((inserted for inserted in _candidates(text, new_tables) if _parsed_or_none(inserted) == expected), None)


def _candidates(text: str, tables: str) -> Iterator[str]:
    """Yield the text with the tables inserted after the last condition, then with the tables at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    inserted_tables = tables.strip().replace("\n", newline)
    for end in (_end_of_conditions(text), len(text)):
        head, tail = text[:end].rstrip(), text[end:].strip("\r\n")
        yield newline.join([head, "", inserted_tables, *(["", tail] if tail.strip() else []), ""]).lstrip()


def _end_of_conditions(text: str) -> int:
    """Return the offset of the header after the last condition, or of the comments above that header.

    Comments directly below the last condition belong to it if a blank line follows them. If no header follows, return
    the length of the text.
    """
    last_condition = max((match.end() for match in _CONDITION.finditer(text)), default=len(text))
    header = _HEADER.search(text, last_condition)
    if header is None:
        return len(text)
    lines = text[: header.start()].split("\n")[:-1]
    reversed_comments = takewhile(lambda line: not line.strip() or line.lstrip().startswith("#"), reversed(lines))
    comments = list(reversed_comments)[::-1]
    closing_comments = list(takewhile(str.strip, comments))
    if len(closing_comments) == len(comments):  # no blank line: the comments belong to the header
        closing_comments = []
    end = len(lines) - len(comments) + len(closing_comments)
    return sum(len(line) + 1 for line in lines[:end])


def _parsed_or_none(text: str) -> object:
    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError:
        return None
