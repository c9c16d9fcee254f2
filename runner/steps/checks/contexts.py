"""Compare what stands before a sentence in training and in scoring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runner.steps.checks.warning import RunWarning, enumerated
from runner.steps.models import ModelEntry


def check_contexts(
    models: Mapping[str, ModelEntry], conventions: Mapping[str, Mapping[bool, Mapping[str, Any]]]
) -> Iterator[RunWarning]:
    """Yield a warning for each suite that is scored in another context than causal models are trained in.

    `conventions` has the convention of each suite for causal (False) and masked (True) models. Models that are not
    trained are left out: their context is not known.
    """
    trained = {name: entry for name, entry in models.items() if not entry.model.masked and entry.training.epochs != 0}
    for suite, by_kind in conventions.items():
        context = by_kind.get(False, {}).get("context")
        for frame, text in _TEXTS.items():
            names = [name for name, entry in trained.items() if entry.training.frame == frame]
            if names and context in _OTHER_CONTEXTS[frame]:
                yield RunWarning("context", suite, text.format(models=enumerated(names), context=context))


_OTHER_CONTEXTS = {"eos": ("none",), "none": ("bos", "eos")}
_TEXTS = {
    "eos": (
        "{models}: training has <eos> before each sentence and scoring has nothing; both agree with "
        '`frame = "none"` in [training], or with `scoring = {{ context = "as_trained" }}`'
    ),
    "none": (
        "{models}: training has no token before a sentence and scoring has {context}; both agree with "
        '`scoring = {{ context = "as_trained" }}`, or with `frame = "eos"` in [training]'
    ),
}
