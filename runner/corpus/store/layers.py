"""Layers of a store: annotations that were added to its words or sentences in files of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from fictdsl.plan.layout import FEATURE

Kind = Literal["feature", "misc", "meta"]
FOLDER = "layers"


@dataclass(frozen=True, slots=True)
class Layer:
    """What a layer adds: features of words, entries of MISC, or comments, called `names`, in files for each chunk.

    `rows` are the words (or entries) that have something; `values` how many words have each value of each feature.
    """

    name: str
    kind: Kind
    names: tuple[str, ...]
    source: str  # the file that it was made from
    sha256: str
    rows: int
    values: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, name: str, content: Mapping[str, Any]) -> Layer:
        """From its entry in `store.json`."""
        return cls(name, **{**content, "names": tuple(content["names"])})

    def file(self, chunk: int) -> str:
        """Its file for a chunk, by its name in the store."""
        return f"{FOLDER}/{self.name}/{chunk:05d}.parquet"

    @property
    def columns(self) -> dict[str, str]:
        """The features that it adds, each with its column in the files."""
        return {name: FEATURE + name for name in self.names} if self.kind == "feature" else {}


def of_kind(layers: Iterable[Layer], kind: Kind) -> list[Layer]:
    """Those layers that add something of a kind."""
    return [layer for layer in layers if layer.kind == kind]
