"""`python -m tests.support.toy_annotate FILES… --output STORE`: `fictc annotate` with a parser without models.

Loading and each shard take some time, so that the command can be killed at any stage.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from runner.corpus.unit_records import ParsedSentence
from tests.support.parsers import ToyParser

LOADING, PARSING = 0.4, 0.2  # seconds


@dataclass(frozen=True)
class SlowParser(ToyParser):
    """The toy parser, slowed down."""

    def __call__(self) -> SlowParser:
        time.sleep(LOADING)
        return self

    def parse(self, texts: Sequence[str], max_words: int) -> list[list[ParsedSentence]]:
        time.sleep(PARSING)
        return super().parse(texts, max_words)


if __name__ == "__main__":
    from runner.cli import main
    from runner.corpus import stanza_parser

    stanza_parser.StanzaFactory = lambda options, threads: SlowParser()  # type: ignore[assignment,misc]
    stanza_parser.check_models = lambda options: None  # type: ignore[assignment]
    sys.argv = ["fictc", "annotate", *sys.argv[1:], "--models", "none"]
    main()
