"""A step of a run: its key, made of its inputs and of the contents of the results that it reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from runner.steps.names import TextName
from runner.workspace import key


@dataclass(frozen=True)
class Kind:
    """A kind of step. Increase `version` when the same inputs produce a different result.

    Its results are known by the contents of `files`, or of all files. If `in_cell`, the process of a cell makes
    them, and their readers are named by their key, which is known before.
    """

    version: int
    files: tuple[str, ...] = ()
    in_cell: bool = False


KINDS: Mapping[str, Kind] = {
    "sample": Kind(1),
    "store": Kind(3),
    "match": Kind(1),
    "edit": Kind(5),
    "units": Kind(5),
    "corpus": Kind(2, files=("text.txt", "sids.npy")),
    "tokenizer": Kind(3),
    "tokens": Kind(3),
    "suite": Kind(4),
    "coverage": Kind(3),
    "unigram": Kind(3),
    "words": Kind(2),
    "state": Kind(2, in_cell=True),
    "train": Kind(3, in_cell=True),
    "perplexity": Kind(4, in_cell=True),
    "score": Kind(4, in_cell=True),
}


@dataclass(frozen=True)
class Step:
    """A node of the graph of a run: plain JSON, and the steps whose results it reads. Equal contents share a result."""

    id: str
    kind: str
    inputs: Mapping[str, Any]
    needs: Mapping[str, Step] = field(repr=False)
    files: tuple[tuple[Path, str], ...] = ()  # that it reads, with their hashes

    @classmethod
    def of(
        cls,
        kind: str,
        name: str | TextName,
        inputs: Mapping[str, Any],
        needs: Mapping[str, Step] | None = None,
        files: Iterable[tuple[Path, str]] = (),
    ) -> Step:
        return cls(f"{kind}:{name}" if name else kind, kind, dict(inputs), dict(needs or {}), tuple(files))

    @property
    def name(self) -> str:
        return self.id.partition(":")[2]

    def content(self, contents: Mapping[str, str | None]) -> dict[str, Any]:
        """Return plain JSON that determines the result, given the hash of each result that the step reads."""
        return {"kind": self.kind, "version": KINDS[self.kind].version, "inputs": self.inputs, "needs": contents}

    @cached_property
    def recipe(self) -> str:
        """A hash of the inputs of this step and of all steps before it. Steps of one recipe have one result."""
        return key(self.content({label: need.recipe for label, need in self.needs.items()}))
