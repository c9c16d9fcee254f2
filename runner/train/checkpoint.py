"""The whole state of a training to one file, written at once, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from torch import Tensor, nn

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import parse_json
from runner.workspace import atomic_write


@dataclass
class Progress:
    """Where a training stands after `step` steps."""

    step: int = 0
    tokens: int = 0
    loss: float = 0.0  # summed since the last logged event
    loss_tokens: int = 0
    last_loss: float = 0.0  # mean of the last logged event
    best_perplexity: float | None = None
    best_step: int = 0
    best_tokens: int = 0
    stale: int = 0  # validations since the best
    last_perplexity: float | None = None
    valid_tokens: int = 0  # predicted when it was measured
    rows: list[int] = field(default_factory=list)  # read since the last logged event, where rows are in order
    events: int = 0  # lines in the log


def save_checkpoint(
    path: Path, progress: Progress, model: nn.Module, optimizer: torch.optim.Optimizer, identity: Mapping[str, str]
) -> None:
    """Write weights, both moments of every weight, progress and what the training is made from."""
    from safetensors.torch import save_file

    tensors = {f"model.{name}": tensor for name, tensor in weights(model).items()}
    for index, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{index}.{name}": value for name, value in state.items()}
    about = {"progress": json.dumps(asdict(progress)), "identity": json.dumps(dict(identity))}
    with atomic_write(path) as temp:
        save_file(tensors, temp, about)


def drop_unwritten(folder: Path) -> None:
    """Remove what a process was writing when it was killed: safetensors writes beside a file, and renames."""
    for path in folder.glob(".tmp??????"):
        path.unlink(missing_ok=True)


def load_checkpoint(
    path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, identity: Mapping[str, str]
) -> Progress:
    """Put model and optimizer where they were. InputError (FICT805) if the file belongs to another training."""
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        about = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a mapping
    found = parse_json(about["identity"])
    for what, value in identity.items():
        if found.get(what) != value:
            raise InputError(diagnostic("FICT805", path=path.parent, what=what))
    set_weights(model, {name.removeprefix("model."): t for name, t in tensors.items() if name.startswith("model.")})
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            _, index, field = name.split(".")
            state.setdefault(int(index), {})[field] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
    return Progress(**parse_json(about["progress"]))


def weights(model: nn.Module) -> dict[str, Tensor]:
    """Every parameter by name, tied ones once."""
    return {name: parameter.detach().contiguous() for name, parameter in model.named_parameters()}


def set_weights(model: nn.Module, values: Mapping[str, Tensor]) -> None:
    """Copy values into the parameters of the same names; all must be there."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(values[name])


def save_weights(path: Path, model: nn.Module) -> None:
    """Write the weights alone."""
    from safetensors.torch import save_file

    with atomic_write(path) as temp:
        save_file(weights(model), temp)


def load_weights(path: Path, model: nn.Module) -> None:
    """Read what `save_weights` wrote."""
    from safetensors.torch import load_file

    set_weights(model, load_file(path))
