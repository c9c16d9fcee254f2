"""A step of a run: its inputs, and the content key that names its result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# The version is part of a step's key. Increase it when the same inputs produce a different result.
VERSIONS: Mapping[str, int] = {
    "sample": 1,
    "store": 2,
    "match": 1,
    "edit": 4,
    "units": 4,
    "corpus": 1,
    "tokenizer": 3,
    "tokens": 2,
    "suite": 3,
    "coverage": 2,
    "unigram": 2,
    "words": 1,
    "state": 1,
    "train": 2,
    "perplexity": 3,
    "score": 3,
}


@dataclass(frozen=True)
class Step:
    """A node of the graph of a run. `content` is plain JSON and determines `key`; `needs` are ids of upstream steps.

    Steps with equal inputs have equal keys, even if their experiments, conditions or models have different names.
    """

    id: str
    kind: str
    content: Mapping[str, Any]
    needs: tuple[str, ...]
    key: str

    @classmethod
    def of(cls, kind: str, name: str, inputs: Mapping[str, Any], needs: Mapping[str, Step] | None = None) -> Step:
        """Create a step `kind:name` whose key covers `inputs`, the keys of `needs` and the version of `kind`."""
        upstream = {label: step.key for label, step in (needs or {}).items()}
        content = {"kind": kind, "version": VERSIONS[kind], "inputs": dict(inputs), "needs": upstream}
        text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        key = hashlib.sha256(text.encode("utf-8")).hexdigest()
        step_id = f"{kind}:{name}" if name else kind
        return cls(step_id, kind, content, tuple(step.id for step in (needs or {}).values()), key)
