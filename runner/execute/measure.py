"""Measure the speed of training with a few steps of each model of a plan, on the device that the model would use."""

from __future__ import annotations

from runner.machine import choose, label
from runner.steps.plan import Plan
from runner.steps.sizes import vocabulary_size


def measure(plan: Plan) -> tuple[dict[str, float], str]:
    """Return the tokens per second of each model, and the name of a device.

    The device is the first one that is not the CPU, if there is one. Saved models are omitted, and all models if the
    size of the vocabulary is unknown.

    Raises InputError (FICT808) if a device does not exist.
    """
    from runner.train.learn import measured_speed

    vocabulary = vocabulary_size(plan.resolved)
    speeds: dict[str, float] = {}
    devices = {name: choose(entry.training.device) for name, entry in plan.resolved.models.items()}
    for name, entry in plan.resolved.models.items():
        if vocabulary is not None and entry.origin is None:
            speeds[name] = measured_speed(entry.model, entry.training, vocabulary, devices[name])
    return speeds, label(next((device for device in devices.values() if device != "cpu"), "cpu"))
