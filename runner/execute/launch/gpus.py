"""Assign GPUs to the slots of a local pool, by default one GPU or group of GPUs per slot."""

from __future__ import annotations

from collections.abc import Mapping

from runner.counted import counted
from runner.errors import InputError
from runner.machine import available_cores, choose, gpu_ids, kind
from runner.steps.resolve import Resolved

VISIBLE_GPUS = "CUDA_VISIBLE_DEVICES"
MAX_PROCESSES_PER_UNIT = 4  # of a cell, per core or GPU


def environments(resolved: Resolved, jobs: int | None) -> list[Mapping[str, str]]:
    """Return the environment variables of each slot. A slot runs one cell at a time.

    `jobs` is the number of slots. By default, there is one per GPU, one per group of GPUs if cells have several
    processes, or one per core if all models train on the CPU. The default is one slot if a device is `mps` or a
    numbered GPU, or if there are fewer GPUs than processes. If `jobs` exceeds the number of groups, slots share GPUs.
    Raises InputError if a device does not exist (FICT808), or if cells have far more processes than this machine has
    cores and GPUs (FICT604).
    """
    settings = [entry.training for entry in resolved.models.values()]
    devices = {choose(training.device) for training in settings}
    _check_processes(resolved)
    if devices == {"cpu"}:
        return [{}] * (jobs or available_cores())
    groups = _groups(gpu_ids(), max(training.processes for training in settings))
    # in these cases, cells find their devices themselves
    is_unassigned = any(kind(device) == "mps" or ":" in device for device in devices) or not groups
    slots: list[Mapping[str, str]] = [{}] if is_unassigned else [{VISIBLE_GPUS: ",".join(group)} for group in groups]
    return [slots[index % len(slots)] for index in range(jobs or len(slots))]


def _check_processes(resolved: Resolved) -> None:
    for index, entry in enumerate(resolved.models.values()):
        processes, cores = entry.training.processes, available_cores()
        if processes > MAX_PROCESSES_PER_UNIT * cores and processes > MAX_PROCESSES_PER_UNIT * len(gpu_ids()):
            machine = f"this machine has {counted(cores, 'core')} and {counted(len(gpu_ids()), 'GPU')}"
            reason = f"{machine}, with at most {MAX_PROCESSES_PER_UNIT} processes each, found {processes:,}"
            hint = "`--emit-jobs FOLDER` writes jobs for other machines"
            path = ("model", index, "training", "processes")
            raise InputError(resolved.draft.problem("FICT604", *path, key="processes", reason=reason, hint=hint))


def _groups(gpus: list[str], size: int) -> list[list[str]]:
    """Return groups of `size` GPUs. GPUs that do not fill a group stay unused."""
    return [gpus[start : start + size] for start in range(0, len(gpus) - size + 1, size)]


def with_gpus(resolved: Resolved, gpus_per_cell: int) -> Resolved:
    """Return the resolved manifest with the device `cuda` for all models, so that no cell trains on a CPU.

    Raises ValueError if the largest number of processes of a cell is not `gpus_per_cell`.
    """
    processes = max(entry.training.processes for entry in resolved.models.values())
    if processes != gpus_per_cell:
        raise ValueError(
            f"a cell has {counted(processes, 'process', 'processes')}, and each process uses one GPU: "
            f"set `processes` in [training] to {gpus_per_cell}"
        )
    return resolved.with_device("cuda")
