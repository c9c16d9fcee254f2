"""The cycles among heads are those that Stanza finds, in the same order."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec, module_from_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.corpus.stanza_parser import find_cycles, install

pytestmark = pytest.mark.stanza

HEADS = st.integers(1, 25).flatmap(lambda size: st.lists(st.integers(0, size - 1), min_size=size, max_size=size))


@cache
def own() -> Any:
    """Stanza's module, read anew: what this process uses may be changed already."""
    spec = find_spec("stanza.models.common.chuliu_edmonds")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@given(HEADS)
def test_they_are_those_of_stanza(heads: list[int]) -> None:
    array = np.array(heads)
    found, expected = find_cycles(array), own().tarjan(array)
    assert [mask.tolist() for mask in found] == [mask.tolist() for mask in expected]


def test_a_cycle_that_words_hang_off() -> None:
    masks = find_cycles(np.array([0, 4, 3, 2, 5, 4, 1]))
    assert [np.flatnonzero(mask).tolist() for mask in masks] == [[2, 3], [4, 5]]


def test_stanza_uses_them() -> None:
    from stanza.models.common import chuliu_edmonds

    install()
    assert chuliu_edmonds.chuliu_edmonds.__globals__["tarjan"] is find_cycles
