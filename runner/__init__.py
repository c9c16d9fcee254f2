"""Corpora, experiments, training, scores and reports. Importing the package adds its diagnostics to the catalogue."""

from __future__ import annotations

from fictdsl.diagnostics import families as _families

_families.add_package("runner.diagnostics")

DISTRIBUTION = "fictc"  # `fictc.installed` looks for this line: another distribution may have a package `runner`
