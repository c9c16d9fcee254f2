"""Count the parameters of a model from its sizes, without loading torch or transformers."""

from __future__ import annotations

from runner.model.recipe import ModelSpec


def parameter_count(spec: ModelSpec, vocabulary: int) -> int | None:
    """Return the number of trainable parameters, or None if only transformers knows the sizes.

    Tied parameters count once. Each transformer layer has four projections of attention, two of the feed-forward
    network, and two normalisations.
    """
    hidden, feedforward, positions = spec.hidden, spec.feedforward, spec.positions
    layer = 4 * _linear(hidden, hidden) + _linear(hidden, feedforward) + _linear(feedforward, hidden) + 4 * hidden
    norm, embedding = 2 * hidden, vocabulary * hidden
    if spec.config is not None:
        return None
    match spec.architecture:
        case "lstm":  # four gates, with biases of the input and of the state; the output layer has a bias
            return embedding + spec.layers * 8 * (hidden * hidden + hidden) + vocabulary
        case "gpt2":
            return embedding + positions * hidden + spec.layers * layer + norm
        case "opt":  # its positions begin at 2
            return embedding + (positions + 2) * hidden + spec.layers * layer + norm
        case "gpt-neox":  # rotary positions; the output layer is not tied
            return 2 * embedding + spec.layers * layer + norm
        case "bert":  # two token types; a linear layer and a normalisation before the output layer, which has a bias
            embeddings = embedding + (positions + 2) * hidden + norm
            return embeddings + spec.layers * layer + _linear(hidden, hidden) + norm + vocabulary
        case _:
            return None


def _linear(inputs: int, outputs: int) -> int:
    """Return the number of weights and biases of a linear layer."""
    return inputs * outputs + outputs
