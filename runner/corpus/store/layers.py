"""Layers of a store: additional annotations of its words or sentences, in separate files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from fictdsl.schema import FEATURE_PREFIX

Kind = Literal["feature", "misc", "meta"]
FOLDER = "layers"


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of features of words, entries of MISC, or comments, with the given `names` and a file for each chunk.

    `rows` is the number of rows in its files. `values` has the number of words with each value of each feature.
    """

    name: str
    kind: Kind
    names: tuple[str, ...]
    source: str  # name of the file from which it was made
    sha256: str  # of this file
    rows: int
    values: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, name: str, content: Mapping[str, Any]) -> Layer:
        """Create a layer from its entry in `store.json`."""
        return cls(name, **{**content, "names": tuple(content["names"])})

    def file(self, chunk: int) -> str:
        """Return the name of the layer's file for a chunk, relative to the store."""
        return f"{FOLDER}/{self.name}/{chunk:05d}.parquet"

    @property
    def columns(self) -> dict[str, str]:
        """The column of each feature of the layer in the files."""
        return {name: FEATURE_PREFIX + name for name in self.names} if self.kind == "feature" else {}
