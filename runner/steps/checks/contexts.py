"""Compare the token before a sentence in training and in scoring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runner.steps.checks.warning import RunWarning, joined_names
from runner.steps.models import ModelEntry


def check_contexts(
    models: Mapping[str, ModelEntry], conventions: Mapping[str, Mapping[bool, Mapping[str, Any]]]
) -> Iterator[RunWarning]:
    """Yield a warning for each suite whose context in scoring differs from that of causal models in training.

    `conventions` has the convention of each suite for causal (False) and masked (True) models. Models that are not
    trained are omitted, because their context is not known.
    """
    trained = {name: entry for name, entry in models.items() if not entry.model.masked and entry.training.epochs != 0}
    for suite, by_masked in conventions.items():
        context = by_masked.get(False, {}).get("context")
        for frame, message in _MESSAGES.items():
            names = [name for name, entry in trained.items() if entry.training.frame == frame]
            if names and context in _OTHER_CONTEXTS[frame]:
                yield RunWarning("context", suite, message.format(models=joined_names(names), context=context))


_OTHER_CONTEXTS = {"eos": ("none",), "none": ("bos", "eos")}
_MESSAGES = {
    "eos": (
        "{models}: training has <eos> before each sentence, but scoring has no token; they agree with "
        '`frame = "none"` in [training], or with `scoring = {{ context = "as_trained" }}`'
    ),
    "none": (
        "{models}: training has no token before a sentence, but scoring has {context}; they agree with "
        '`scoring = {{ context = "as_trained" }}`, or with `frame = "eos"` in [training]'
    ),
}
