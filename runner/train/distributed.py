"""Data-parallel training: the rank and device of this process, and collective operations."""

from __future__ import annotations

import gc
import os
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

import torch
from torch import distributed, nn

from runner.errors import InputError
from runner.machine import AUTO, choose, kind

if TYPE_CHECKING:
    from accelerate import Accelerator

TIMEOUT = timedelta(days=1)  # other processes wait while the main process looks for the results of another run


def launched_processes() -> int:
    return int(os.environ.get("WORLD_SIZE", "1"))


def destroy_process_group() -> None:
    """Close the connection to other processes: threads of gloo abort a process that exits while they hold a tensor."""
    if distributed.is_available() and distributed.is_initialized():
        gc.collect()  # a wrapped model holds the connection too
        distributed.destroy_process_group()


class DistributedContext:
    """The `world_size` processes that train one model. This one has the number `rank`; rank 0 writes all files."""

    def __init__(self, device: str = AUTO, world_size: int = 1) -> None:
        """Raise InputError if the device is not available (FICT808) or the number of processes is wrong (FICT809)."""
        chosen = choose(device)
        if world_size != launched_processes():
            raise InputError.of("FICT809", expected=world_size, found=launched_processes())
        self.world_size = world_size
        self._accelerator = _accelerator(kind(chosen)) if world_size > 1 else None
        self.rank = 0 if self._accelerator is None else self._accelerator.process_index
        self.device = torch.device(chosen) if self._accelerator is None else self._accelerator.device

    @property
    def is_main(self) -> bool:
        return self.rank == 0

    def wrap(self, module: nn.Module) -> nn.Module:
        wrapped: nn.Module = module if self._accelerator is None else self._accelerator.prepare(module)
        return wrapped

    def no_sync(self, module: nn.Module) -> AbstractContextManager[Any]:
        """Accumulate gradients locally. The next `backward` after the context averages them over processes."""
        context: AbstractContextManager[Any] = (
            nullcontext() if self._accelerator is None else self._accelerator.no_sync(module)
        )
        return context

    def all_reduce_sum(self, value: float) -> float:
        if self._accelerator is None:
            return value
        summed: Any = self._accelerator.reduce(torch.tensor(value, dtype=torch.float64, device=self.device), "sum")
        return float(summed)

    def broadcast(self, value: bool) -> bool:
        return self.all_reduce_sum(float(value and self.is_main)) > 0


@cache
def _accelerator(device: str) -> Accelerator:
    from accelerate import Accelerator, InitProcessGroupKwargs

    return Accelerator(cpu=device == "cpu", kwargs_handlers=[InitProcessGroupKwargs(timeout=TIMEOUT)])
