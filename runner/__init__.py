"""Corpora, experiments, training, scores and reports."""

DISTRIBUTION = "fictc"  # `fictc.installed` looks for this line: another distribution may have a package `runner`
