"""Prepare manifests without training: their corpora as a run builds them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from runner.execute.builder import Builder
from runner.execute.cache import Cache
from runner.manifest.text import read_draft
from runner.steps.paths import Roots
from runner.steps.plan import RunPlan
from runner.steps.resolve import resolve
from tests.support import stub_cell


def planned(manifest: Path) -> RunPlan:
    """Return the plan of a manifest, with no library releases in its keys."""
    draft = read_draft(manifest)
    return RunPlan(resolve(draft, Roots.of(draft.folder)), {})


def prepared(manifest: Path, cache: Path | None = None) -> Builder:
    """Prepare a manifest's corpora, tokens and suites in `cache`, by default next to the manifest."""
    preparation = Builder(planned(manifest), Cache(cache or manifest.parent / "cache"), lambda event: None)
    preparation.run()
    return preparation


def stub_worker(cache: Cache, folder: Path, suite: str, seeds: Iterable[int]) -> list[str]:
    """Return the command of cells that train nothing, with made-up scores for a suite that was prepared before.

    `folder/mishaps.json` lists the cells that fail.
    """
    unigram = pq.read_table(next(cache.root.glob("unigram/*/scores.parquet")))
    for seed in seeds:
        made_up = pa.array([-10.0 - (row * seed) % 7 for row in range(len(unigram))])
        table = unigram.set_column(unigram.column_names.index("score_good"), "score_good", made_up)
        pq.write_table(table, folder / f"{suite}-{seed}.parquet")
    (folder / "mishaps.json").write_text("{}")
    return [sys.executable, "-S", stub_cell.__file__, str(folder), str(folder / "mishaps.json")]
