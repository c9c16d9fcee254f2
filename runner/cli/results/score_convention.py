"""Options of `fictc score` that say what a score is, to one convention."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from runner.score.scoring.convention import ALIASES, CHOICES, CONVENTIONS, convention_of

if TYPE_CHECKING:
    from runner.model.saved import SavedModel
    from runner.score.scoring.convention import Convention

_HELP = {
    "probability": "Of each token after those before it, or as a masked model fills it in (pll), with the later pieces "
    "of its word masked too (pll_l2r).",
    "normalise": "What the sum of log-probabilities becomes; nce is another name of mean.",
    "part": "The whole sentence, or the critical word after its prefix, in suites that mark it.",
    "tokenise": "How text is split before the model's tokenizer reads it.",
    "leading_space": "Whether a space stands before the first word.",
    "context": "What stands before the first word.",
    "first_token": "Whether the first token counts, where something stands before it.",
    "eos": "Whether the end of the sentence counts.",
    "ties": "What equal scores are worth: a half, nothing (strict), or all (argmax).",
    "dtype": "In which precision the model computes; sums are in float32 or better always.",
}


@dataclass(frozen=True)
class Asked:
    """A preset's name and the fields that were given beside it."""

    name: str
    given: Mapping[str, str]

    def of(self, saved: SavedModel) -> Convention:
        """The convention for a model. InputError (FICT813) if it does not fit."""
        return convention_of(self.name, self.given, masked=saved.masked, model=saved.folder.name)

    @property
    def values(self) -> dict[str, str]:
        """What was given, under the names that are recorded."""
        return {field: ALIASES.get(field, {}).get(value, value) for field, value in self.given.items()}

    def described(self, name: str, convention: Convention) -> str:
        """The preset's name and what was set beside it."""
        return ", ".join([f"convention {name}", *(f"{field} = {getattr(convention, field)}" for field in self.given)])


def convention_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """An option for the preset and one for each field; they arrive as `convention`, an `Asked`."""

    @wraps(command)
    def wrapped(convention: str, **others: Any) -> Any:
        given = {name: others.pop(name) for name in CHOICES}
        asked = Asked(convention, {name: value for name, value in given.items() if value is not None})
        return command(convention=asked, **others)

    for name, values in reversed(list(CHOICES.items())):
        known = click.Choice([*values, *ALIASES.get(name, ())])
        wrapped = click.option(f"--{name.replace('_', '-')}", name, type=known, help=_HELP[name])(wrapped)
    preset = click.Choice(list(CONVENTIONS))
    return click.option(
        "--convention", type=preset, default="default", show_default=True, help="A preset of those below."
    )(wrapped)
