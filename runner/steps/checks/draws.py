"""Find random draws that seeds or controls share, of which intervals say nothing."""

from __future__ import annotations

from collections.abc import Iterator

from runner.interventions.controls import RandomControl
from runner.interventions.intervention import Phase, Selection
from runner.manifest.condition import Condition
from runner.manifest.model import Manifest
from runner.steps.checks.warning import RunWarning, joined_names


def check_draws(manifest: Manifest) -> Iterator[RunWarning]:
    """Yield a warning if all seeds share one draw, and one for the controls that are drawn with the same seed."""
    drawn = [condition.name for condition in manifest.condition if _is_drawn(condition)]
    if manifest.size.redraw == "none" and len(manifest.experiment.seeds) > 1 and drawn:
        text = (
            "all seeds share one sample and one control draw, so that intervals say nothing about other draws, however "
            'many seeds there are; `redraw = "seed"` draws them anew for each seed'
        )
        yield RunWarning("draws", "[size]", text)
    for names in _controls_of_one_draw(manifest):
        text = (
            "these controls are drawn with the same seed, so that they lack mostly the same sentences and share their "
            "luck; a different `seed` in each makes them independent"
        )
        yield RunWarning("draws", joined_names(names), text)


def _is_drawn(condition: Condition) -> bool:
    """Return whether the corpus depends on a random choice: a sample, a control, a part or an injection."""
    return (
        any(
            isinstance(intervention, Selection | RandomControl) or intervention.phase is Phase.INJECT
            for intervention in condition.interventions
        )
        or condition.values["fraction"] is not None
        or condition.values["beyond"] is not None
    )


def _controls_of_one_draw(manifest: Manifest) -> Iterator[list[str]]:
    """Yield the names of the controls of different conditions that one key draws with one seed, without placebos."""
    controls: dict[tuple[str, int], dict[str, str]] = {}  # by key and seed, the controlled condition by name
    for condition in manifest.condition:
        for intervention in condition.interventions:
            if isinstance(intervention, RandomControl) and condition.placebo_draws is None:
                group = controls.setdefault((intervention.key, condition.values["seed"]), {})
                group[condition.name] = str(condition.control_of)
    for group in controls.values():
        if len(set(group.values())) > 1:
            yield list(group)
