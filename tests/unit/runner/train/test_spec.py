"""Seeds: one seed of a cell gives three that share nothing, and one for every step."""

import torch

from runner.train.spec import Seeds


def test_seeds_differ_by_use_cell_and_step_and_are_the_same_again():
    cells = [Seeds.of(seed) for seed in range(50)]
    everything = [value for cell in cells for value in (cell.init, cell.data, cell.dropout)]
    everything += [cells[0].step(step) for step in range(50)]
    assert len(set(everything)) == len(everything)
    assert Seeds.of(7) == cells[7]
    for value in everything:
        torch.Generator().manual_seed(value)


def test_derived_seeds_never_change():
    assert Seeds.of(1) == Seeds(init=2619622930853168722, data=1448842679494202994, dropout=4415727338745863154)
