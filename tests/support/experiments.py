"""Manifests prepared without training: their corpora, as a run makes them."""

from __future__ import annotations

from pathlib import Path

from runner.execute.cache import Cache
from runner.execute.prepare import Preparation
from runner.manifest.load import read_draft
from runner.steps.paths import Roots
from runner.steps.plan import Plan, build_plan
from runner.steps.resolve import resolve


def planned(manifest: Path) -> Plan:
    """The plan of a manifest file, as if no library had a release."""
    draft = read_draft(manifest)
    return build_plan(resolve(draft, Roots.of(draft.folder)), {})


def prepared(manifest: Path, cache: Path | None = None) -> Preparation:
    """A manifest's corpora, tokens and suites, made in `cache`, by default beside the manifest."""
    made = Preparation(planned(manifest), Cache(cache or manifest.parent / "cache"), lambda event: None)
    made.run()
    return made
