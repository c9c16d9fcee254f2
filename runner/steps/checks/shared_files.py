"""Find files that two texts of a corpus share, or that one text has twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from runner.steps.checks.warning import RunWarning, joined_names

_PAIRS = (("valid", "train"), ("test", "train"), ("test", "valid"))
_NAMES = {"train": "training", "valid": "validation", "test": "test"}


def check_shared_files(sources: Mapping[str, tuple[tuple[str, str], ...]]) -> Iterator[RunWarning]:
    """Yield a warning for each two texts that have files of the same content, and for each text that has such files.

    `sources` has (label, sha256) pairs for each text.
    """
    for text, name in _NAMES.items():
        labels_by_hash: dict[str, list[str]] = {}
        for label, sha256 in sources.get(text, ()):
            labels_by_hash.setdefault(sha256, []).append(label)
        for labels in labels_by_hash.values():
            if len(labels) > 1:
                message = f"the {name} text has the same content more than once: {joined_names(labels)}"
                yield RunWarning("shared-file", "[corpus]", message)
    for text, other in _PAIRS:
        other_hashes = {sha256 for _, sha256 in sources.get(other, ())}
        shared = [label for label, sha256 in sources.get(text, ()) if sha256 in other_hashes]
        if shared:
            message = f"the {_NAMES[text]} text shares files with the {_NAMES[other]} text: {joined_names(shared)}"
            yield RunWarning("shared-file", "[corpus]", message)
