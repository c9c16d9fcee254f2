"""The embedded sample: a generated English treebank with minimal pairs."""

from runner.sample.corpus import FILES, Summary, generate

__all__ = ["FILES", "Summary", "generate"]
