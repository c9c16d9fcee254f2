"""Assign GPUs to the cells of a local pool, one cell per GPU."""

from __future__ import annotations

from collections.abc import Mapping

from runner.device import choose, gpu_ids, kind
from runner.machine import available_cores
from runner.steps.resolve import Resolved

VISIBLE = "CUDA_VISIBLE_DEVICES"


def environments(resolved: Resolved, jobs: int | None) -> list[Mapping[str, str]]:
    """Return the environment variables of each slot, in which one cell at a time runs.

    `jobs` is the number of slots. By default, there is one per GPU, or one per core if all models train on the CPU. A
    cell with several processes has a GPU for each. Raises InputError (FICT808) if a device does not exist.
    """
    settings = [entry.training for entry in resolved.models.values()]
    devices = {choose(training.device) for training in settings}
    if devices == {"cpu"}:
        return [{}] * (jobs or available_cores())
    groups = _groups(gpu_ids(), max(training.processes for training in settings))
    shares_gpu = any(kind(device) == "mps" or ":" in device for device in devices) or not groups  # all cells share one
    slots: list[Mapping[str, str]] = [{}] if shares_gpu else [{VISIBLE: ",".join(group)} for group in groups]
    return [slots[index % len(slots)] for index in range(jobs or len(slots))]


def _groups(gpus: list[str], size: int) -> list[list[str]]:
    """Return groups of `size` GPUs; GPUs that fill no group stay unused."""
    return [gpus[start : start + size] for start in range(0, len(gpus) - size + 1, size)]


def with_gpus(resolved: Resolved, gpus: int) -> Resolved:
    """Return the resolved manifest with the device `cuda` for all models, so that no cell trains on a CPU.

    Raises ValueError if the number of processes of a cell is not `gpus`.
    """
    processes = max(entry.training.processes for entry in resolved.models.values())
    if processes != gpus:
        plural = "process" if processes == 1 else "processes"
        raise ValueError(
            f"a cell has {processes} {plural}, and each process uses one GPU: set `processes` in [training] to {gpus}"
        )
    return resolved.with_device("cuda")
