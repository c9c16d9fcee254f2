"""The processes that train one model together: which of them this is, on what device, and what they sum."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import torch
from torch import distributed, nn

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

if TYPE_CHECKING:
    from accelerate import Accelerator

Device = Literal["cpu", "cuda"]
PATIENCE = timedelta(days=1)  # the others wait while the first looks for results of another run


def started() -> int:
    """How many processes were started together with this one, itself among them, as torchrun tells."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def part() -> None:
    """Let go of the processes that this one has trained with, if there were any, once all is done.

    Their connection lives on in gloo's threads, which abort a process that ends while they hold a tensor.
    """
    if distributed.is_available() and distributed.is_initialized():
        gc.collect()  # a model that was wrapped holds the connection too
        distributed.destroy_process_group()


class World:
    """`size` processes on a kind of device, of which this is number `rank`; the first writes files and speaks."""

    def __init__(self, device: Device = "cpu", size: int = 1) -> None:
        """InputError: a device that is not there (FICT808), another number of processes than asked for (FICT809)."""
        if device == "cuda" and not torch.cuda.is_available():
            raise InputError(diagnostic("FICT808", device=device))
        if size != started():
            raise InputError(diagnostic("FICT809", expected=size, found=started()))
        self.size = size
        self._accelerator = _accelerator(device) if size > 1 else None
        self.rank = 0 if self._accelerator is None else self._accelerator.process_index
        self.device = torch.device(device) if self._accelerator is None else self._accelerator.device

    @property
    def first(self) -> bool:
        """Whether this process writes and speaks for all."""
        return self.rank == 0

    def together(self, module: nn.Module) -> nn.Module:
        """The module such that its gradients are the means over all processes once `backward` has run."""
        wrapped: nn.Module = module if self._accelerator is None else self._accelerator.prepare(module)
        return wrapped

    @contextmanager
    def alone(self, module: nn.Module) -> Iterator[None]:
        """Gradients that are made inside stay in this process; the next ones outside take them along."""
        with nullcontext() if self._accelerator is None else self._accelerator.no_sync(module):
            yield

    def total(self, value: float) -> float:
        """The sum of a number over all processes."""
        if self._accelerator is None:
            return value
        summed: Any = self._accelerator.reduce(torch.tensor(value, dtype=torch.float64, device=self.device), "sum")
        return float(summed)

    def told(self, value: bool) -> bool:
        """What the first process says, in all of them."""
        return self.total(float(value and self.first)) > 0


@cache
def _accelerator(device: Device) -> Accelerator:
    from accelerate import Accelerator, InitProcessGroupKwargs

    return Accelerator(cpu=device == "cpu", kwargs_handlers=[InitProcessGroupKwargs(timeout=PATIENCE)])
