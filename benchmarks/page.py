"""Write a benchmark's table to the documentation, between two comments that name it."""

from __future__ import annotations

import re
from pathlib import Path


def replace_table(page: Path, name: str, text: str) -> None:
    """Replace the text between `<!-- table NAME -->` and `<!-- end -->`. Raises ValueError if they are missing."""
    old = page.read_text(encoding="utf-8")
    section = re.compile(rf"(<!-- table {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not section.search(old):
        raise ValueError(f"{page} has no markers for the table {name}")
    page.write_text(section.sub(lambda match: f"{match[1]}\n{text.strip()}\n\n{match[2]}", old), encoding="utf-8")
