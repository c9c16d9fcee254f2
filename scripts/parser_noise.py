"""Write the table of `docs/parser-noise.md`: what each filter of the library loses to a small parser.

    python scripts/parser_noise.py

The numbers are those of `runner/audit/parser_noise.csv`; the page has the command that makes them. A filter whose
meaning has changed since has another key, and no row. A test compares the page with the output of this script.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from fictdsl.installation import filter_library
from runner.audit.parser import LIBRARY_LOSSES, MIN_SENTENCES, loses_much
from runner.corpus.filter_arguments import load_matching

PAGE = Path(__file__).parent.parent / "docs" / "parser-noise.md"
MARK = "<!-- written by scripts/parser_noise.py -->\n"  # before and after the table


def page() -> str:
    """Return the page with a new table."""
    before, _, after = PAGE.read_text(encoding="utf-8").split(MARK)
    return MARK.join([before, "".join(f"{line}\n" for line in lines()), after])


def lines() -> Iterator[str]:
    keys = {compiled.key for compiled in load_matching(map(str, filter_library()))}
    rows = [
        row for row in csv.DictReader(LIBRARY_LOSSES.read_text(encoding="utf-8").splitlines()) if row["key"] in keys
    ]
    shown = [row for row in rows if int(row["gold"]) >= MIN_SENTENCES]
    yield f"More than a fifth is lost by {sum(map(loses_much, shown))} of {len(shown)} filters, in bold."
    yield ""
    yield "| set | filter | gold | parsed | both | lost | added | lost, % |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    for row in shown:
        counts = " | ".join(f"{int(row[name]):,}" for name in ("gold", "parsed", "both", "lost", "added"))
        name, share = row["filter"], f"{100 * int(row['lost']) / int(row['gold']):.1f}"
        if loses_much(row):
            name, share = f"**{name}**", f"**{share}**"
        yield f"| {row['set']} | {name} | {counts} | {share} |"
    if few := len(rows) - len(shown):
        yield ""
        yield f"{few} others match fewer than {MIN_SENTENCES} sentences in gold trees."


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
