"""The embedded sample: a small English with gold trees and minimal pairs."""

from runner.sample.generate import Summary, generate

__all__ = ["Summary", "generate"]
