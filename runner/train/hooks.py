"""Observe and stop a training run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

Event: TypeAlias = Mapping[str, Any]
Listener: TypeAlias = Callable[[Event], None]


@dataclass(frozen=True)
class RunHooks:
    """Callbacks and run-time settings of a training run. They are not part of its specification.

    `on_event` receives every logged event, and about every second in between, a `train` event. When `stop` returns
    true, the state is saved and KeyboardInterrupt is raised. `after_step` maps a step to a function, which is called
    with the folder of the run once the state after that step is saved there. `threads` is the number of CPU threads,
    and `checkpoint_seconds` the time after which the state is saved again.
    """

    on_event: Listener = lambda _: None
    threads: int = 1
    checkpoint_seconds: float = 30.0
    stop: Callable[[], bool] = lambda: False
    after_step: Mapping[int, Callable[[Path], None]] = field(default_factory=dict)
