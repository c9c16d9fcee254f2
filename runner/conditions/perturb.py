"""`perturb = {…}`: every sentence permuted, or with markers that hop away from the verb."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, model_validator

from runner.conditions.condition import Condition
from runner.conditions.intervention import Key, SentenceEdit
from runner.conditions.perturbation import HOP_DISTANCE, UNSEEDED, Perturbation, PerturbationKind
from runner.toml_tables import Range, Seed, TomlTable

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.conditions.edits import Edit
    from runner.conditions.perturbation import RowChange
    from runner.conditions.rewriting import Trees
    from runner.corpus.store import Store


_UNITS = Range(0, 10**8, "no sentence has more units")


class Settings(TomlTable):
    """`perturb = {…}`: a perturbation of every sentence, in words before encoding or in tokens after it.

    `control` names a condition with which this one is compared, in addition to the full corpus. Several conditions may
    have the same control.
    """

    kind: PerturbationKind
    unit: Literal["word", "token"] = "word"
    seed: Seed = 0
    window: Annotated[int, replace(_UNITS, least=2)] | None = None
    distance: Annotated[int, _UNITS] | None = None
    incomplete: Literal["drop", "end"] | None = None
    lengths: tuple[Annotated[int, _UNITS], Annotated[int, _UNITS]] | None = Field(None, strict=False)
    also: tuple[Literal["valid", "test"], ...] = Field((), strict=False)
    control: str | None = None

    @model_validator(mode="after")
    def _check_combinations(self) -> Settings:
        if (self.kind == "shuffle-local") != (self.window is not None):
            raise ValueError('kind = "shuffle-local" and window require each other')
        for name in ("distance", "incomplete"):
            if self.kind != "hop" and getattr(self, name) is not None:
                raise ValueError(f'{name} requires kind = "hop"')
        if self.kind in UNSEEDED and "seed" in self.model_fields_set:
            raise ValueError(f'seed has no effect with kind = "{self.kind}", which is not random')
        if self.lengths is not None and self.lengths[0] > self.lengths[1]:
            raise ValueError("lengths are the smallest and the largest number of units")
        return self

    @property
    def perturbation(self) -> Perturbation:
        """The perturbation, with defaults."""
        distance = HOP_DISTANCE if self.distance is None else self.distance
        incomplete = self.incomplete or "drop"
        return Perturbation(self.kind, self.unit, self.seed, self.window, distance, incomplete, self.lengths)

    @property
    def edits_text(self) -> bool:
        """Whether the text changes before it is encoded."""
        return self.unit == "word" or self.kind == "hop"


class Perturb(SentenceEdit[Settings]):
    """Perturb every sentence of a training corpus, and of other texts that the condition names."""

    key = "perturb"
    usage = 'perturb = { kind = "shuffle" }'
    doc = "with every sentence shuffled, reversed or marked with hopping number markers: an impossible language"
    value = Key(Settings | None)
    controls = ("perturb",)

    def control(self, value: Settings) -> tuple[str, ...] | None:
        """Return the path of `control`, if it is set."""
        return None if value.control is None else (self.key, "control", value.control)

    def facts(self, condition: Condition) -> dict[str, Any]:
        control = self.of(condition).control
        return {} if control is None else {"control": control}

    def check(self, condition: Condition) -> Iterator[Diagnostic]:
        """Yield FICT604 if words of injected text would have to be perturbed, because that text has no trees."""
        raw = condition.values[self.key]
        if (
            "inject" in condition.values
            and isinstance(raw, dict)
            and (raw.get("unit") != "token" or raw.get("kind") == "hop")
        ):
            reason = 'injected text has no trees; perturb it with unit = "token" and a kind other than "hop"'
            yield condition.problem("FICT604", self.key, key=f"condition.{self.key}", reason=reason)

    def content(self, condition: Condition) -> dict[str, Any]:
        """Return the settings of the changes before encoding, or an empty dict if there are none."""
        settings = self.of(condition)
        if not settings.edits_text:
            return {}
        content = _content(settings)
        if settings.unit == "token":  # the distance applies after encoding
            content = {name: content[name] for name in ("kind", "unit", "incomplete")}
        return {"perturb": content}

    def row_change_content(self, condition: Condition) -> dict[str, Any]:
        """Return the settings of the changes to encoded rows, or an empty dict if there are none."""
        settings = self.of(condition)
        return {"perturb": _content(settings)} if settings.unit == "token" else {}

    def row_change(self, condition: Condition, tokenizer: PreTrainedTokenizerBase) -> RowChange | None:
        settings = self.of(condition)
        return settings.perturbation.row_change(tokenizer) if settings.unit == "token" else None

    def edited_texts(self, condition: Condition) -> tuple[str, ...]:
        """Return those of the texts `valid` and `test` that are perturbed too."""
        return self.of(condition).also

    def describe(self, condition: Condition) -> str:
        settings = self.of(condition)
        window = f", window {settings.window}" if settings.window else ""
        distance = f", distance {settings.perturbation.distance}" if settings.kind == "hop" else ""
        return f"every sentence perturbed ({settings.kind}, unit {settings.unit}{window}{distance})"

    def added_tokens(self, condition: Condition) -> Mapping[str, Set[str]]:
        """Return the markers."""
        return {"masks": set(self.of(condition).perturbation.markers)}

    def edits_of_trees(self, condition: Condition, store: Store, trees: Trees, with_originals: bool) -> Iterator[Edit]:
        """Yield every sentence with its perturbed text."""
        from runner.conditions.perturbation import perturbed_texts

        return perturbed_texts(store, self.of(condition).perturbation, trees, with_originals)


def _content(settings: Settings) -> dict[str, Any]:
    """Return the settings that determine the result, with defaults filled in."""
    content = settings.model_dump(mode="json", exclude={"also", "control"}, exclude_none=True)
    if settings.kind == "hop":
        content |= {"distance": settings.perturbation.distance, "incomplete": settings.perturbation.incomplete}
    return content


INTERVENTION = Perturb()
