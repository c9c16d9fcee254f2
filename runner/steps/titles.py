"""What a step does, as progress lines and plans say it: `scoring npi-only · lstm-128 · seed 1 on blimp`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runner.steps.plan import RunPlan

_TEXT_NAMES = {"train": "the training text", "valid": "the validation text", "test": "the test text"}
_DRAW = re.compile("(seed|draw)-([0-9]+)")


def step_titles(plan: RunPlan) -> dict[str, str]:
    titles = {step.id: title_of(step.id) for step in plan.steps()}
    names = {key: compiled.name for key, compiled in plan.resolved.filters_by_key.items()}
    return titles | {step.id: f"matching {names[key]}" for key, step in plan.matches.items()}


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
