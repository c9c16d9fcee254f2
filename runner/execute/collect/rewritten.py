"""Describe how rewrites changed a training corpus, for the report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from heapq import nsmallest
from pathlib import Path
from typing import Any

from runner.execute.prepare.prepare import Preparation
from runner.interventions.kinds.rewrite import COUNTS, REWRITTEN
from runner.readers import parse_json


def rewriting_facts(preparation: Preparation, corpus: str) -> dict[str, Any]:
    """Return the counts of a corpus's rewrites and examples of changed sentences, or {} without rewrites."""
    step = preparation.plan.edits.get(corpus)
    folder = None if step is None else preparation.cache.folder(step)
    if folder is None or not (folder / COUNTS).exists():
        return {}
    counts = parse_json((folder / COUNTS).read_text(encoding="utf-8"))
    example_count = preparation.plan.resolved.manifest.report.examples
    examples = nsmallest(example_count, _sentences(folder / REWRITTEN), key=_sampling_key)
    return {"rewrites": counts["rewrites"], "rewritten": examples}


def _sentences(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _sampling_key(sentence: dict[str, Any]) -> str:
    text = f"{sentence['source']}\x1f{sentence['number']}"
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
