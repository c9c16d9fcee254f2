"""The embedded sample: a generated English treebank with minimal pairs."""

from runner.sample.generate import Summary, generate

__all__ = ["Summary", "generate"]
