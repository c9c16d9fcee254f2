"""Options of `fictc score` that define the scoring convention."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from runner.score.scoring.convention import ALIASES, CHOICES, CONVENTIONS, convention_of, preset_for

if TYPE_CHECKING:
    from runner.model.saved.saved import SavedModel
    from runner.score.scoring.convention import Convention

_HELP = {
    "probability": "Probability of a token: given the preceding tokens, or by masking it (pll), together with the "
    "later tokens of its word (pll_l2r).",
    "normalise": "Normalisation of the sum of log-probabilities; nce is an alias of mean.",
    "part": "Score the whole sentence, or the critical word after its prefix in suites that mark it.",
    "tokenise": "How text is split before the model's tokenizer.",
    "leading_space": "Whether a space precedes the first word.",
    "context": "Context before the first word.",
    "first_token": "Whether the first token is scored if there is a context.",
    "eos": "Whether the end of the sentence is scored.",
    "ties": "Value of a pair with equal scores: a half, 0 (strict), or 1 (argmax).",
    "dtype": "Precision of the model; sums are always in float32 or better.",
}


@dataclass(frozen=True)
class ConventionOptions:
    """The name of a preset, and the fields set by options."""

    name: str
    fields: Mapping[str, str]

    def convention_for(self, saved: SavedModel) -> Convention:
        """Return the convention for a model. Raises InputError (FICT813) if it does not fit."""
        return convention_of(self.name, self.fields, masked=saved.masked, model_name=saved.folder.name)

    @property
    def values(self) -> dict[str, str]:
        """The fields set by options, with aliases resolved."""
        return {field: ALIASES.get(field, {}).get(value, value) for field, value in self.fields.items()}

    def describe(self, name: str, convention: Convention) -> str:
        """Return the name of the preset, and the fields that options set or that differ from it, as text.

        Saved scores may have values that no option of this command sets.
        """
        preset = preset_for(name, masked=convention.masked)
        fields = [
            field for field in CHOICES if field in self.fields or getattr(convention, field) != getattr(preset, field)
        ]
        return ", ".join([f"convention {name}", *(f"{field} = {getattr(convention, field)}" for field in fields)])


def convention_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add an option for the preset and one per field. The command receives them together as `convention`."""

    @wraps(command)
    def wrapped(convention: str, **arguments: Any) -> Any:
        selected = {name: arguments.pop(name) for name in CHOICES}
        options = ConventionOptions(convention, {name: value for name, value in selected.items() if value is not None})
        return command(convention=options, **arguments)

    for name, values in reversed(list(CHOICES.items())):
        choices = click.Choice([*values, *ALIASES.get(name, ())])
        wrapped = click.option(f"--{name.replace('_', '-')}", name, type=choices, help=_HELP[name])(wrapped)
    preset = click.Choice(list(CONVENTIONS))
    return click.option(
        "--convention", type=preset, default="default", show_default=True, help="Preset for the options below."
    )(wrapped)
