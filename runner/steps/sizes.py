"""Count the parameters of a manifest's models before anything is trained."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import Any

from runner.model.recipe import parameter_count
from runner.readers import parse_json
from runner.steps.interventions import needs_mask_token
from runner.steps.models import ModelEntry
from runner.steps.resolve import Resolved

MAX_HEADER_BYTES = 100_000_000  # the limit of safetensors


def vocabulary_size(resolved: Resolved) -> int | None:
    """Return the vocabulary size without the tokens that conditions insert.

    It is a maximum if the tokenizer is trained, and None if a saved tokenizer has an unknown format.
    """
    if resolved.tokenizer is not None:
        return _saved_vocabulary(resolved.tokenizer.path)
    settings = resolved.manifest.tokenizer
    special_count = (2 if settings.kind == "word" else 1) + needs_mask_token(resolved)
    return settings.size + special_count


def parameter_counts(resolved: Resolved) -> dict[str, int | None]:
    """Return the number of parameters of each model, or None if it is not known.

    PyTorch is imported only for models with a configuration of transformers.
    """
    vocabulary = vocabulary_size(resolved)
    return {label: _parameter_count(entry, vocabulary) for label, entry in resolved.models.items()}


def _parameter_count(entry: ModelEntry, vocabulary: int | None) -> int | None:
    if entry.origin is not None:
        return saved_parameter_count(entry.origin)
    if vocabulary is None:
        return None
    count = parameter_count(entry.model, vocabulary)
    if count is not None:
        return count
    from runner.model.architectures import count_parameters

    return count_parameters(entry.model, vocabulary)


def saved_parameter_count(folder: Path) -> int | None:
    """Count the parameters in the safetensors headers of a folder. Return None if there are none or one is invalid."""
    try:
        headers = [_read_header(path) for path in sorted(folder.glob("*.safetensors"))]
        shapes = [tensor["shape"] for header in headers for name, tensor in header.items() if name != "__metadata__"]
        return sum(math.prod(shape) for shape in shapes) or None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error):
        return None  # training reads the files and reports what is wrong


def _read_header(path: Path) -> dict[str, Any]:
    """Read the header of a safetensors file: its length in 8 bytes, then JSON."""
    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header: dict[str, Any] = parse_json(file.read(min(length, MAX_HEADER_BYTES)))
    return header


def _saved_vocabulary(folder: Path) -> int | None:
    try:
        content = parse_json((folder / "tokenizer.json").read_text("utf-8"))
        ids: set[int] = {
            *content["model"]["vocab"].values(),
            *(token["id"] for token in content.get("added_tokens", ())),
        }
        return max(ids) + 1  # an embedding has rows for ids without a token too
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
