"""The names of texts and cells in ids of steps, folders and messages, and the titles of steps in the words of users."""

from __future__ import annotations

import re
from dataclasses import dataclass

SPLIT_TITLES = {"train": "the training text", "valid": "the validation text", "test": "the test text"}
_DRAW = re.compile(r"\A(seed|draw)-([0-9]+)\Z")
_PARSES = ".parses"


@dataclass(frozen=True)
class TextName:
    """The name of a text of the manifest, or of one of a condition, which may have several training corpora.

    It is written SPLIT, CONDITION/SPLIT or, for a training corpus, CONDITION, CONDITION/seed-N or CONDITION/draw-K.
    """

    condition: str = ""  # empty for a text of the manifest
    split: str = "train"
    seed: int | None = None
    draw: int | None = None

    @classmethod
    def parse(cls, text: str) -> TextName:
        first, _, last = text.rpartition("/")
        if first and (drawn := _DRAW.match(last)):
            number = int(drawn[2])
            return cls(first, seed=number) if drawn[1] == "seed" else cls(first, draw=number)
        return cls(first, last) if last in SPLIT_TITLES else cls(text)

    def __str__(self) -> str:
        drawn = "" if self.seed is None else f"seed-{self.seed}"
        drawn = drawn if self.draw is None else f"draw-{self.draw}"
        split = "" if self.condition and self.split == "train" else self.split
        return "/".join(filter(None, (self.condition, drawn, split)))

    @property
    def title(self) -> str:
        if self.condition and self.split == "train":
            return f"the corpus of {_spaced(str(self))}"
        return SPLIT_TITLES[self.split] + (f" of {self.condition}" if self.condition else "")


def cell_name(corpus: TextName, model: str, seed: int) -> str:
    """Return the name of a cell: CONDITION/MODEL/SEED, or CONDITION/MODEL/draw-K for a placebo."""
    return f"{corpus.condition}/{model}/{seed if corpus.draw is None else f'draw-{corpus.draw}'}"


def cell_title(name: str) -> str:
    first, _, last = name.rpartition("/")
    return _spaced(f"{first}/{last if _DRAW.match(last) else f'seed-{last}'}")


def parses_name(suite: str) -> str:
    return suite + _PARSES


def suite_name(first: str | TextName, suite: str) -> str:
    return f"{first}/{suite}"


def split_suite(name: str) -> tuple[str, str]:
    """Return what is before the suite in the name of a step, if anything, and the suite."""
    first, _, suite = name.rpartition("/")
    return first, suite


# by kind of a step; `text` and `cell` are titles of what `name` names, `first` and `suite` the parts of `name`
_TITLES = {
    "sample": "generating the sample",
    "store": "importing {store}",
    "match": "matching {name}",
    "edit": "editing {text}",
    "units": "reading the injected text of {spaced}",
    "corpus": "making the corpus of {spaced}",
    "tokenizer": "making the tokenizer",
    "tokens": "encoding {text}",
    "suite": "reading {suite}{for_first}",
    "coverage": "matching the parses of {name}",
    "unigram": "scoring {first} · unigram on {suite}",
    "state": "training {cell} up to step {step}",
    "train": "training {cell}",
    "perplexity": "measuring the perplexity of {cell}",
    "score": "scoring {first_cell} on {suite}",
}


def title_of(step_id: str) -> str:
    kind, _, name = step_id.partition(":")
    if kind not in _TITLES:
        return step_id
    first, suite = split_suite(name)
    cell, _, step = name.partition("@step-")
    return _TITLES[kind].format(
        name=name,
        store=SPLIT_TITLES.get(name) or f"the parses of {name.removesuffix(_PARSES)}",
        text=TextName.parse(name).title,
        spaced=_spaced(name),
        first=_spaced(first),
        for_first=first and f" for {first}",
        suite=suite,
        cell=cell_title(cell),
        first_cell=cell_title(first),
        step=step,
    )


def activity_of(step_id: str) -> str:
    kind, _, name = step_id.partition(":")
    activities = {"train": "training", "perplexity": "measuring the perplexity"}
    return f"scoring {split_suite(name)[1]}" if kind == "score" else activities.get(kind) or title_of(step_id)


def _spaced(name: str) -> str:
    return " · ".join(_DRAW.sub(r"\1 \2", part) for part in name.split("/"))
