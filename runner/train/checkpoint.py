"""Save and load the complete state of a training run in one file."""

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
    """The progress of a training run after `step` steps."""

    step: int = 0
    tokens: int = 0
    loss: float = 0.0  # summed since the last training event in the log
    loss_tokens: int = 0
    last_loss: float = 0.0  # mean in the last training event in the log
    best_perplexity: float | None = None
    best_step: int = 0
    best_tokens: int = 0
    stale: int = 0  # number of validations since the best one
    last_perplexity: float | None = None
    valid_tokens: int = 0  # tokens that a validation predicts
    seconds: float = 0.0  # of all processes that trained up to here
    rows: list[int] = field(default_factory=list)  # read since the last training event in the log, if in order
    events: int = 0  # number of lines in the log

    def forget_validations(self) -> None:
        """Forget the best model and the validations so far, as they are of another text."""
        self.best_perplexity, self.best_step, self.best_tokens, self.stale = None, 0, 0, 0
        self.last_perplexity = None


def save_checkpoint(
    path: Path,
    progress: Progress,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    identity: Mapping[str, str],
    device: str = "cpu",
) -> None:
    """Write the weights, the optimizer's state and the progress, with the run's identity and kind of device."""
    from safetensors.torch import save_file

    tensors = {f"model.{name}": tensor for name, tensor in weights(model).items()}
    for index, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{index}.{name}": value for name, value in state.items()}
    metadata = {"progress": json.dumps(asdict(progress)), "identity": json.dumps(dict(identity)), "device": device}
    with atomic_write(path) as temp:
        save_file(tensors, temp, metadata)


def remove_partial_files(folder: Path) -> None:
    """Remove the temporary files that safetensors leaves if the process is killed while it writes."""
    for path in folder.glob(".tmp??????"):
        path.unlink(missing_ok=True)


def load_checkpoint(
    path: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    identity: Mapping[str, str],
    device: str | None = None,
) -> Progress:
    """Restore the model and the optimizer from a checkpoint, and return the progress.

    Raises InputError if the file belongs to another training run (FICT805), or if the run was on another kind of device
    than `device` (FICT824). If `device` is None, the device is not checked.
    """
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        metadata = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a mapping
    saved = parse_json(metadata["identity"])
    _check_identity(path.parent, saved, identity, metadata.get("device", "cpu"), device)
    set_weights(model, {name.removeprefix("model."): t for name, t in tensors.items() if name.startswith("model.")})
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            _, index, key = name.split(".")
            state.setdefault(int(index), {})[key] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
    return Progress(**parse_json(metadata["progress"]))


def saved_identity(path: Path) -> dict[str, str]:
    """Return the identity of the run that wrote a checkpoint."""
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        identity: dict[str, str] = parse_json(file.metadata()["identity"])
    return identity


def _check_identity(
    folder: Path, saved: Mapping[str, str], identity: Mapping[str, str], saved_device: str, device: str | None
) -> None:
    """Raise InputError if a checkpoint is from another run (FICT805) or from another kind of device (FICT824).

    If `device` is None, the device is not checked.
    """
    for component, value in identity.items():
        if saved.get(component) != value:
            raise InputError(diagnostic("FICT805", path=folder, what=component))
    if device not in (None, saved_device):
        raise InputError(diagnostic("FICT824", path=folder, before=saved_device, now=device))


def weights(model: nn.Module) -> dict[str, Tensor]:
    """Return all parameters by name. Tied parameters appear once."""
    return {name: parameter.detach().contiguous() for name, parameter in model.named_parameters()}


def set_weights(model: nn.Module, values: Mapping[str, Tensor]) -> None:
    """Copy values into the parameters of the same names. Raises KeyError if one is missing."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(values[name])


def save_weights(path: Path, model: nn.Module) -> None:
    """Write the weights without the state of training."""
    from safetensors.torch import save_file

    with atomic_write(path) as temp:
        save_file(weights(model), temp)


def load_weights(path: Path, model: nn.Module) -> None:
    """Load weights that `save_weights` wrote."""
    from safetensors.torch import load_file

    set_weights(model, load_file(path))
