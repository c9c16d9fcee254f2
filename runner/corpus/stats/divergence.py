"""Jensen-Shannon divergence of sub-corpora, by layer and on average."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from runner.corpus.stats.frequencies import OTHER, Frequencies


@dataclass(frozen=True, slots=True)
class Layer:
    """Divergences of one layer in nats, by pair of sub-corpora (indices, the lower first).

    `absent` are the sub-corpora in which no word has a value of the layer; `pairs` does not contain them. `values` has
    the values that contribute to the divergences, with their shares of the sum over pairs, in descending order.
    """

    name: str
    pairs: dict[tuple[int, int], float]
    absent: tuple[int, ...]
    values: tuple[tuple[str, float], ...]

    @property
    def mean(self) -> float | None:
        """The mean over pairs, or None if no pair of sub-corpora has the layer."""
        return math.fsum(self.pairs.values()) / len(self.pairs) if self.pairs else None


@dataclass(frozen=True, slots=True)
class Divergence:
    """Divergences by pair, in nats, and the layers, the most divergent first.

    The divergence of a pair is the unweighted mean over the layers that both sub-corpora have.
    """

    names: tuple[str, ...]
    pairs: dict[tuple[int, int], float]
    layers: tuple[Layer, ...]

    def share(self, layer: Layer) -> float:
        """Return the layer's share of the sum over layers and pairs."""
        total = math.fsum(value for each_layer in self.layers for value in each_layer.pairs.values())
        return math.fsum(layer.pairs.values()) / total if total else 0.0


def nats_to_bits(nats: float) -> float:
    """Convert nats to bits."""
    return nats / math.log(2)


def jensen_shannon(p: Sequence[float], q: Sequence[float]) -> float:
    """Return ½KL(p‖m) + ½KL(q‖m), m = (p + q)/2, in nats: 0 for equal distributions, ln 2 for disjoint ones (Lin 1991).

    `scipy.spatial.distance.jensenshannon` returns the distance, which is the square root of this divergence.
    """
    return max(0.0, math.fsum(contributions(p, q)))


def contributions(p: Sequence[float], q: Sequence[float]) -> list[float]:
    """Return the contribution of each value to the divergence."""
    terms = []
    for a, b in zip(p, q, strict=True):
        mean = (a + b) / 2
        terms.append(sum(x / 2 * math.log(x / mean) for x in (a, b) if x))
    return terms


def divergence(frequencies: Frequencies) -> Divergence:
    """Return the divergence of every pair of sub-corpora, and the layers by their mean divergence, the largest first.

    A distribution covers all words of the sub-corpus; words without a value of the layer count as `Other`.
    """
    group_count = len(frequencies.words)
    layers = [_layer_divergence(name, counts, frequencies.words) for name, counts in frequencies.counts.items()]
    pairs = {}
    for pair in combinations(range(group_count), 2):
        values = [layer.pairs[pair] for layer in layers if pair in layer.pairs]
        if values:
            pairs[pair] = math.fsum(values) / len(values)
    ranked = sorted(layers, key=lambda layer: (-(layer.mean if layer.mean is not None else -1.0), layer.name))
    return Divergence(frequencies.groups.names, pairs, tuple(ranked))


def _layer_divergence(name: str, counts: Mapping[str, tuple[int, ...]], words: Sequence[int]) -> Layer:
    absent = tuple(
        i for i in range(len(words)) if not any(by_group[i] for value, by_group in counts.items() if value != OTHER)
    )
    shares = {i: [by_group[i] / words[i] for by_group in counts.values()] for i in range(len(words)) if i not in absent}
    pairs = {}
    value_contributions = [0.0] * len(counts)
    for a, b in combinations(shares, 2):
        pairs[a, b] = jensen_shannon(shares[a], shares[b])
        value_contributions = [
            x + y for x, y in zip(value_contributions, contributions(shares[a], shares[b]), strict=True)
        ]
    total = math.fsum(value_contributions)
    ranked_values = sorted(zip(counts, value_contributions, strict=True), key=lambda entry: (-entry[1], entry[0]))
    return Layer(name, pairs, absent, tuple((value, x / total) for value, x in ranked_values if total and x > 0))
