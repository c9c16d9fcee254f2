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


_TEXTS = {"train": "the training text", "valid": "the validation text", "test": "the test text"}
_DRAW = re.compile("(seed|draw)-([0-9]+)")
# by kind of a step; `corpus` may be of a text, `cell` is a name, and `first` and `last` are the parts of `name`
_TITLES = {
    "sample": "generating the sample",
    "store": "importing {text}",
    "match": "matching {name}",
    "edit": "editing {corpus}",
    "units": "reading the injected text of {condition}",
    "corpus": "making the corpus of {condition}",
    "tokenizer": "making the tokenizer",
    "tokens": "encoding {corpus}",
    "suite": "reading {last}{for_first}",
    "coverage": "matching the parses of {name}",
    "unigram": "scoring {first} · unigram on {last}",
    "state": "training {cell} up to step {step}",
    "train": "training {cell}",
    "perplexity": "measuring the perplexity of {cell}",
    "score": "scoring {first_cell} on {last}",
}


def title_of(step_id: str) -> str:
    kind, _, name = step_id.partition(":")
    if kind not in _TITLES:
        return step_id
    first, _, last = name.rpartition("/")
    cell, _, step = name.partition("@step-")
    corpus = f"the corpus of {_corpus(name)}"
    if last in ("valid", "test"):
        corpus = _TEXTS[last] + (f" of {first}" if first else "")
    return _TITLES[kind].format(
        name=name,
        text=_TEXTS.get(name) or f"the parses of {name.removesuffix('.parses')}",
        condition=_corpus(name),
        corpus=corpus,
        first=_corpus(first),
        for_first=first and f" for {first}",
        last=last,
        cell=cell_title(cell),
        first_cell=cell_title(first),
        step=step,
    )


def activity_of(step_id: str) -> str:
    kind, _, name = step_id.partition(":")
    activities = {"train": "training", "perplexity": "measuring the perplexity"}
    return f"scoring {name.rpartition('/')[2]}" if kind == "score" else activities.get(kind) or title_of(step_id)


def cell_title(name: str) -> str:
    *parts, draw = name.split("/")
    return " · ".join([*parts, _DRAW.sub(r"\1 \2", draw) if _DRAW.fullmatch(draw) else f"seed {draw}"])


def _corpus(name: str) -> str:
    return " · ".join(_DRAW.sub(r"\1 \2", part) if _DRAW.fullmatch(part) else part for part in name.split("/"))
