"""A table into its place on the page of figures, between two comments that name it."""

from __future__ import annotations

import re
from pathlib import Path


def put(page: Path, name: str, text: str) -> None:
    """Replace what stands between `<!-- table NAME -->` and `<!-- end -->`; ValueError if there is no such place."""
    old = page.read_text(encoding="utf-8")
    place = re.compile(rf"(<!-- table {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not place.search(old):
        raise ValueError(f"{page} has no place for the table {name}")
    page.write_text(place.sub(lambda found: f"{found[1]}\n{text.strip()}\n\n{found[2]}", old), encoding="utf-8")
