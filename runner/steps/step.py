"""A step of a run: its key, made of its inputs and of the contents of the results that it reads, and its title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from runner.workspace import key


@dataclass(frozen=True)
class Kind:
    """A kind of step. Increase `version` when the same inputs produce a different result.

    Steps that read a result are named by the contents of its `files`, or of all its files if `files` is empty. If
    `in_cell`, the process of a cell makes the result, and its readers are named by its key, which is known before.
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
    """A node of the graph of a run. `inputs` is plain JSON, and `needs` are the steps whose results it reads.

    Two steps whose inputs and whose needs have the same contents have the same key, and share one result.
    """

    id: str
    kind: str
    inputs: Mapping[str, Any]
    needs: Mapping[str, Step] = field(repr=False)
    files: tuple[tuple[Path, str], ...] = ()  # that it reads, with their hashes

    @classmethod
    def of(
        cls,
        kind: str,
        name: str,
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


_TEXT_NAMES = {"train": "the training text", "valid": "the validation text", "test": "the test text"}
_DRAW = re.compile("(seed|draw)-([0-9]+)")


def title_of(step_id: str) -> str:
    """Return the title of a step, given its id. Titles of matches name the filter by its key."""
    kind, _, name = step_id.partition(":")
    first, _, last = name.rpartition("/")
    match kind:
        case "sample":
            return "generating the sample"
        case "store":
            return f"importing {_text(name)}"
        case "match":
            return f"matching {name}"
        case "edit":
            return f"editing {_corpus_or_text(name)}"
        case "units":
            return f"reading the injected text of {_corpus(name)}"
        case "corpus":
            return f"making the corpus of {_corpus(name)}"
        case "tokenizer":
            return "making the tokenizer"
        case "tokens":
            return f"encoding {_corpus_or_text(name)}"
        case "suite":
            return f"reading {last}" + (f" for {first}" if first else "")
        case "coverage":
            return f"matching the parses of {name}"
        case "unigram":
            return f"scoring {_corpus(first)} · unigram on {last}"
        case "state":
            cell, _, step = name.partition("@step-")
            return f"training {cell_title(cell)} up to step {step}"
        case "train":
            return f"training {cell_title(name)}"
        case "perplexity":
            return f"measuring the perplexity of {cell_title(name)}"
        case "score":
            return f"scoring {cell_title(first)} on {last}"
    return step_id


def activity_of(step_id: str) -> str:
    """Return what the process of a cell does in a step, without the name of the cell."""
    kind, _, name = step_id.partition(":")
    match kind:
        case "train":
            return "training"
        case "perplexity":
            return "measuring the perplexity"
        case "score":
            return f"scoring {name.rpartition('/')[2]}"
    return title_of(step_id)


def cell_title(name: str) -> str:
    """Return the name of a cell for readers, such as `npi-only · lstm-128 · seed 1`."""
    *parts, draw = name.split("/")
    return " · ".join([*parts, _DRAW.sub(r"\1 \2", draw) if _DRAW.fullmatch(draw) else f"seed {draw}"])


def _corpus(name: str) -> str:
    return " · ".join(_DRAW.sub(r"\1 \2", part) if _DRAW.fullmatch(part) else part for part in name.split("/"))


def _text(name: str) -> str:
    return _TEXT_NAMES.get(name) or f"the parses of {name.removesuffix('.parses')}"


def _corpus_or_text(name: str) -> str:
    condition, _, last = name.rpartition("/")
    if last in ("valid", "test"):
        return _TEXT_NAMES[last] + (f" of {condition}" if condition else "")
    return f"the corpus of {_corpus(name)}"
