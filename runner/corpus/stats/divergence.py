"""Counts of values in sub-corpora to how far these diverge: Jensen-Shannon, layer by layer and on average."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from runner.corpus.stats.frequencies import OTHER, Frequencies


@dataclass(frozen=True, slots=True)
class Layer:
    """Divergences of one layer, by pair of sub-corpora (places, the first lower); in nats.

    `absent` are the sub-corpora in which no word has a value of it: their pairs have no divergence. `values` are those
    that contribute most, with their share of the sum over pairs.
    """

    name: str
    pairs: dict[tuple[int, int], float]
    absent: tuple[int, ...]
    values: tuple[tuple[str, float], ...]

    @property
    def mean(self) -> float | None:
        """The mean over pairs, None if no two sub-corpora have the layer."""
        return math.fsum(self.pairs.values()) / len(self.pairs) if self.pairs else None


@dataclass(frozen=True, slots=True)
class Divergence:
    """Mean divergences by pair, in nats: unweighted over the layers that both sub-corpora have; layers ranked."""

    names: tuple[str, ...]
    pairs: dict[tuple[int, int], float]
    layers: tuple[Layer, ...]

    def share(self, layer: Layer) -> float:
        """What part of the sum over layers and pairs is this layer's."""
        whole = math.fsum(value for one in self.layers for value in one.pairs.values())
        return math.fsum(layer.pairs.values()) / whole if whole else 0.0


def in_base_2(nats: float) -> float:
    """Nats to bits."""
    return nats / math.log(2)


def jensen_shannon(p: Sequence[float], q: Sequence[float]) -> float:
    """½KL(p‖m) + ½KL(q‖m), m = (p + q)/2, in nats: 0 for equal distributions, ln 2 for disjoint ones (Lin 1991).

    The divergence, not its square root, which is the distance that `scipy.spatial.distance.jensenshannon` gives.
    """
    return max(0.0, math.fsum(parts(p, q)))


def parts(p: Sequence[float], q: Sequence[float]) -> list[float]:
    """What each value adds to the divergence."""
    found = []
    for a, b in zip(p, q, strict=True):
        middle = (a + b) / 2
        found.append(sum(x / 2 * math.log(x / middle) for x in (a, b) if x))
    return found


def divergence(found: Frequencies) -> Divergence:
    """The divergence of every two sub-corpora; layers by their mean, the largest first.

    A distribution is over all words of the sub-corpus, those without a value of the layer as `Other`.
    """
    size = len(found.words)
    layers = [_layer(name, counts, found.words) for name, counts in found.counts.items()]
    pairs = {}
    for pair in combinations(range(size), 2):
        values = [layer.pairs[pair] for layer in layers if pair in layer.pairs]
        if values:
            pairs[pair] = math.fsum(values) / len(values)
    ranked = sorted(layers, key=lambda layer: (-(layer.mean if layer.mean is not None else -1.0), layer.name))
    return Divergence(found.groups.names, pairs, tuple(ranked))


def _layer(name: str, counts: Mapping[str, tuple[int, ...]], words: Sequence[int]) -> Layer:
    absent = tuple(i for i in range(len(words)) if not any(each[i] for value, each in counts.items() if value != OTHER))
    shares = {i: [each[i] / words[i] for each in counts.values()] for i in range(len(words)) if i not in absent}
    pairs = {}
    added = [0.0] * len(counts)
    for a, b in combinations(shares, 2):
        pairs[a, b] = jensen_shannon(shares[a], shares[b])
        added = [x + y for x, y in zip(added, parts(shares[a], shares[b]), strict=True)]
    whole = math.fsum(added)
    order = sorted(zip(counts, added, strict=True), key=lambda entry: (-entry[1], entry[0]))
    return Layer(name, pairs, absent, tuple((value, x / whole) for value, x in order if whole and x > 0))
