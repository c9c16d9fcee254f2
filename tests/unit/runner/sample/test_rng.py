"""Streams of choices: the same everywhere, and by weight."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

from runner.sample.lexicon import Rng, Weighted


def test_a_stream_is_the_same_in_every_process() -> None:
    program = "from runner.sample.lexicon import Rng; d = Rng(7, 'x'); print([d.choice(range(1000)) for _ in range(5)])"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "random")
    }
    assert outputs == {"[124, 368, 254, 795, 420]\n"}


def test_seeds_and_names_give_other_streams() -> None:
    def first(seed: int, name: str) -> list[int]:
        rng = Rng(seed, name)
        return [rng.choice(range(10**6)) for _ in range(3)]

    assert first(1, "a") == first(1, "a")
    assert len({tuple(first(seed, name)) for seed in (1, 2, 11) for name in ("a", "b", "1/a")}) == 9


def test_draw_follows_the_weights() -> None:
    rng, table = Rng(1, "weights"), Weighted(("often", 3), ("never", 0), ("seldom", 1))
    counts = Counter(rng.weighted_choice(table) for _ in range(10_000))
    assert set(counts) == {"often", "seldom"}
    assert 7_300 < counts["often"] < 7_700


def test_shuffle_keeps_everything() -> None:
    things = list(range(100))
    Rng(1, "order").shuffle(things)
    assert sorted(things) == list(range(100))
    assert things != list(range(100))
