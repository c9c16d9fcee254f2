"""What the documentation says a filter finds in UD English EWT is what it finds.

A block ```fict with the line `EWT: 1,234 sentences, 1,300 matches.` below it is counted, on every page;
`FICTC_ACCEPT=1 FICTC_DATA=… pytest -m shared tests/filters` writes the lines anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fictdsl.compiler import compile_text

if TYPE_CHECKING:
    import pyarrow as pa

PAGES = sorted((Path(__file__).parents[2] / "docs").rglob("*.md"))
COUNTED = re.compile(r"(?P<block>^```fict\n(?P<text>(?:(?!```).*\n)+)```\n\n)EWT: .+$", re.MULTILINE)


@pytest.mark.shared
def test_what_they_find_in_ewt(data: Path, tmp_path: Path) -> None:
    from runner.corpus.import_conllu import import_files
    from runner.corpus.matches import match

    store = import_files(sorted((data / "ud-ewt").glob("*.conllu")), tmp_path / "store")
    if store.info.sentences != 16_622:
        pytest.skip("the numbers are those of the release of EWT with 16,622 sentences")

    def counted(found: re.Match[str]) -> str:
        (compiled,) = compile_text(found["text"]).filters
        return found["block"] + _count(match(store, compiled))

    written = {page: page.read_text("utf-8") for page in PAGES}
    recounted = {page: COUNTED.sub(counted, text) for page, text in written.items()}
    if os.environ.get("FICTC_ACCEPT") == "1":
        for page, text in recounted.items():
            page.write_text(text, "utf-8")
    assert written == recounted


def _count(matches: pa.Table) -> str:
    sentences, number = len(set(matches.column("sid").to_pylist())), len(matches)
    of = f"{sentences:,} sentence{'' if sentences == 1 else 's'}"
    return f"EWT: {of}, {number:,} match{'' if number == 1 else 'es'}."
