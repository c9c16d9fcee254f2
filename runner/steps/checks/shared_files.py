"""Find files that two texts of a corpus share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from runner.steps.checks.warning import RunWarning, joined_names

_PAIRS = (("valid", "train"), ("test", "train"), ("test", "valid"))
_NAMES = {"train": "training", "valid": "validation", "test": "test"}


def check_shared_files(sources: Mapping[str, tuple[tuple[str, str], ...]]) -> Iterator[RunWarning]:
    """Yield a warning for each two texts that have files of the same content.

    `sources` has (label, sha256) pairs for each text.
    """
    for text, other in _PAIRS:
        other_hashes = {sha256 for _, sha256 in sources.get(other, ())}
        shared = [label for label, sha256 in sources.get(text, ()) if sha256 in other_hashes]
        if shared:
            message = f"the {_NAMES[text]} text shares files with the {_NAMES[other]} text: {joined_names(shared)}"
            yield RunWarning("shared-file", "[corpus]", message)
