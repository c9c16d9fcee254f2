"""The cores of this machine, and the device on which models train, score and parse: its precision and random state."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from runner.errors import InputError

if TYPE_CHECKING:
    import torch


QUERY_THREAD = "query"  # the name of threads that run queries; a process that exits does not wait for them


PACKAGES_THAT_AFFECT_RESULTS = ("torch", "transformers", "tokenizers")  # trained weights and scores depend on them


def versions_of(packages: tuple[str, ...]) -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    versions: dict[str, str] = {}
    for package in packages:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    return versions


def available_cores() -> int:
    """Return the number of cores that this process may use. On macOS and Windows, this is all cores."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def made_by() -> dict[str, str]:
    """Return what computes results in this process: the versions of fictc and Python, fictc's commit, the processor."""
    release = versions_of(("fictc",)).get("fictc", "unknown")
    facts = {"fictc": release, "commit": _commit(), "python": platform.python_version(), "cpu": _processor()}
    return {name: value for name, value in facts.items() if value}


def _commit() -> str:
    """Return the commit of fictc that is installed from Git or runs from a checkout, with + if files differ from it."""
    import json
    import subprocess
    from importlib.metadata import PackageNotFoundError, distribution

    folder = Path(__file__).resolve().parent.parent
    try:
        if (folder / ".git").exists():
            git = ["git", "-C", str(folder), "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty=+"]
            return subprocess.run(git, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
        source = json.loads(distribution("fictc").read_text("direct_url.json") or "{}")
        return str(source.get("vcs_info", {}).get("commit_id", ""))
    except (OSError, ValueError, subprocess.SubprocessError, PackageNotFoundError):
        return ""


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


AUTO = "auto"
PATTERN = r"^(auto|cpu|mps|cuda(:[0-9]{1,3})?)$"
_DEVICE_FILES = ("/dev/nvidiactl", "/dev/nvidia0", "/dev/kfd", "/dev/dxg")  # of NVIDIA, AMD and WSL
T = TypeVar("T")


def available() -> list[str]:
    import torch

    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    gpus = ["cuda", *(f"cuda:{index}" for index in range(count))] if count else []
    return [*gpus, *(["mps"] if torch.backends.mps.is_available() else []), "cpu"]


def choose(name: str = AUTO, code: str = "FICT808") -> str:
    """Return the torch device for a name (`auto`: the best). Raises InputError (`code`) if there is no such device."""
    if name == "cpu" or (name == AUTO and not may_have_gpu()):
        return "cpu"
    devices = available()
    if name == AUTO:
        return devices[0]
    if name not in devices:
        raise InputError.of(code, device=name, hint=f"available devices: {', '.join(devices)}")
    return name


def may_have_gpu() -> bool:
    """Return False if this machine has no GPU, without loading torch. If True, the driver may still not work."""
    if platform.system() == "Linux":
        return any(Path(file).exists() for file in _DEVICE_FILES)
    return True


def kind(device: object) -> str:
    """Return the kind of a device: cuda, mps or cpu. Rounding depends on the kind of a device, not on its index."""
    return str(device).partition(":")[0]


def label(device: str) -> str:
    """Return the name of a device for reports. A CUDA device has the name of its GPU, as in `cuda (NVIDIA H100)`."""
    if kind(device) != "cuda":
        return device
    import torch

    return f"{kind(device)} ({torch.cuda.get_device_name(device)})"


def gpu_ids() -> list[str]:
    if not may_have_gpu():
        return []
    import torch

    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    visible = [name for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if name]
    return (visible or [str(index) for index in range(count)])[:count]


def by_kind(device: object, *, cpu: T, gpu: T) -> T:
    return cpu if kind(device) in ("cpu", "meta") else gpu


def widest_dtype(device: object) -> torch.dtype:
    import torch

    return torch.float32 if kind(device) == "mps" else torch.float64


def seed_random(seed: int, device: torch.device) -> None:
    """Seed the CPU and all devices of the kind of `device`.

    `torch.manual_seed` seeds all kinds, and keeps a stack trace for each that is not in use: half a millisecond a step.
    """
    import torch

    torch.default_generator.manual_seed(seed)
    if device.type != "cpu":
        module = torch.get_device_module(device)
        getattr(module, "manual_seed_all", module.manual_seed)(seed)


@contextmanager
def forked_random(device: torch.device) -> Iterator[None]:
    import torch

    if device.type == "cpu":
        with torch.random.fork_rng(devices=[]):
            yield
    else:
        with torch.random.fork_rng(devices=[device.index or 0], device_type=device.type):
            yield
