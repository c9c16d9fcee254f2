"""Compute pseudo-random numbers from hashes. A number does not depend on earlier numbers."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import NamedTuple


class Chance(NamedTuple):
    """The pseudo-random numbers of one action of one rewrite in one sentence."""

    seed: int
    rewrite: str
    action_index: int  # 1-based
    source: str
    sentence_number: int

    def of(self, purpose: str, word: int | None = None) -> int:
        """Return a pseudo-random number below 2**64 for a purpose and, if given, a word."""
        key = [self.seed, purpose, self.rewrite, self.action_index, self.source, self.sentence_number, word]
        digest = blake2b(json.dumps(key, ensure_ascii=True).encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big")
