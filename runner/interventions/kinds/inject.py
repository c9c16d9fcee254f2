"""`inject = {…}`: lines of other texts, spread evenly over the corpus."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, model_validator

from fictdsl.diagnostics.suggest import did_you_mean
from runner.errors import InputError
from runner.interventions.context import BaseCorpus, ConditionContext, Entry
from runner.interventions.generated import COUNTS, TEXT, Generate, write_generated
from runner.interventions.intervention import Arrangement, Key, Lines, Phase
from runner.toml_tables import Range, Seed, TomlTable
from runner.toml_text import nested
from runner.workspace import write_text

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.corpus.sentence_arrays import Indices
    from runner.corpus.store import Store
    from runner.generate.documents import Constraints
    from runner.intervene.inject import Injection
    from runner.intervene.inserts import Units
    from runner.model.tokenizer import Split

JUDGED = "judged.json"
UNITS = "units.parquet"


class Settings(TomlTable):
    """`inject = {…}`: lines of other texts that are spread evenly over the corpus and replace or extend its lines.

    `like` names the condition of which this one is a control. The control inherits its fraction, mode and unit. The
    control has a `text` of its own, or one that the same generator makes without a paradigm.
    """

    text: tuple[str, ...] = Field((), strict=False)
    generate: Generate | None = None
    fraction: Annotated[float, Range(0, 0.5, "it is a share of a text", least_open=True)] | None = None
    like: str | None = None
    mode: Literal["replace", "add"] = "replace"
    unit: Literal["sentence", "document"] = "document"
    only: tuple[str, ...] = Field((), strict=False)
    without: tuple[str, ...] = Field((), strict=False)
    seed: Seed = 0

    @model_validator(mode="after")
    def _check_combinations(self) -> Settings:
        if (self.fraction is None) == (self.like is None):
            raise ValueError("exactly one of fraction and like is required")
        if self.text and self.generate is not None:
            raise ValueError("text and generate exclude each other")
        if not (self.text or self.generate is not None or self.like is not None):
            raise ValueError("one of text and generate is required")
        for name in ("mode", "unit", "generate"):
            if self.like is not None and name in self.model_fields_set:
                raise ValueError(f"{name} is inherited from {self.like}, which like names")
        return self


TEXTS = "inject.text"  # the key of its texts


class Inject(Arrangement[Settings]):
    """Insert units of other texts between the lines, or replace lines with them."""

    key = "inject"
    usage = "inject = { text = [FILE, …], fraction = 0.001 }"
    doc = "after sentences of the common size are drawn, with a share of its tokens from other texts"
    value = Key(Settings | None)
    phase = Phase.INJECT
    controls = ("inject",)
    text_lists = (TEXTS,)
    text_filter_lists = ("inject.only", "inject.without")
    results = (TEXT, COUNTS, JUDGED)

    def control_of(self, value: Settings) -> tuple[str, ...] | None:
        """Return the path of `like`, if it is set."""
        return None if value.like is None else (self.key, "like", value.like)

    def check(self, entry: Entry) -> Iterator[Diagnostic]:
        """Yield diagnostics for an unknown paradigm, a missing text, and filters that cannot run on the texts."""
        yield from self._text_problems(entry)
        yield from self._inapplicable_filters(entry)

    def _text_problems(self, entry: Entry) -> Iterator[Diagnostic]:
        """Yield a diagnostic for an unknown paradigm, or a control that has no text and cannot generate one."""
        from runner.generate.targets import TARGETS as PARADIGMS

        name, like = nested(entry.raw, "inject.generate.paradigm"), nested(entry.raw, "inject.like")
        if isinstance(name, str) and name not in PARADIGMS:
            hint = did_you_mean(name, PARADIGMS) or f"paradigms: {', '.join(PARADIGMS)}"
            yield entry.problem("FICT605", "inject", "generate", "paradigm", kind="paradigm", name=name, hint=hint)
            return
        other = next((other for other in entry.conditions if other.get("name") == like), {}) if like else {}
        if like and not nested(entry.raw, "inject.text") and nested(other, "inject.text"):
            yield entry.problem("FICT603", "inject", key="text", where="inject")

    def _inapplicable_filters(self, entry: Entry) -> Iterator[Diagnostic]:
        """Yield diagnostics for filters on a text without trees, or without a feature that they test."""
        from runner.corpus.conllu_reader import missing_features
        from runner.corpus.filter_arguments import lint_command, missing_feature_hint

        files = entry.files_of(TEXTS)
        plain_files = [file for file in files if not file.parsed]
        for key in self.text_filter_lists:
            filters, path = entry.filters.get(key, ()), key.split(".")
            if filters and plain_files:
                yield entry.problem("FICT642", *path, path=plain_files[0].label)
                continue
            features = {feature for filter_ in filters for feature in filter_.statement().features}
            missing = missing_features([file.path for file in files], features) if files else set()
            for filter_ in () if entry.allow_missing else filters:
                for feature in sorted(missing & set(filter_.statement().features)):
                    hint = missing_feature_hint(lint_command(filter_, files[0].path))
                    parameters = {"filter": filter_.name, "feature": feature, "corpus": files[0].label}
                    yield entry.problem("FICT610", *path, hint=hint, **parameters)

    def inherited(self, context: ConditionContext) -> Settings:
        """Return the settings, including those that a control inherits from another condition."""
        settings = self.of(context)
        if settings.like is None:
            return settings
        other = self.of(context.other(settings.like))
        from_other = {name: getattr(other, name) for name in ("fraction", "mode", "unit")}
        if not settings.text and other.generate is not None:
            from_other["generate"] = other.generate.model_copy(update={"paradigm": None})
            if "seed" not in settings.model_fields_set:
                from_other["seed"] = other.seed
        return settings.model_copy(update=from_other)

    def content(self, context: ConditionContext) -> dict[str, Any]:
        """Return the share, the mode and the split that counts tokens."""
        settings = self.inherited(context)
        inject = {"fraction": settings.fraction, "mode": settings.mode, "split": context.tokenizer.splitting}
        return {"inject": inject}

    def units_content(self, context: ConditionContext) -> dict[str, Any]:
        """Return the texts, the filters on them, and the seed of their order."""
        settings = self.inherited(context)
        only, without = (context.filter_keys(key) for key in self.text_filter_lists)
        files = {file.label: file.sha256 for file in context.files_of(TEXTS)}
        content = {"files": files, "unit": settings.unit, "only": only, "without": without, "seed": settings.seed}
        generated = {} if settings.generate is None else {"generate": settings.generate.content()}
        return content | generated | context.redrawn

    def describe(self, context: ConditionContext) -> str:
        """State the share and the texts."""
        settings = self.inherited(context)
        assert settings.fraction is not None
        texts = ", ".join(file.label for file in context.files_of(TEXTS))
        if settings.generate is not None:
            texts = f"generated text with {settings.generate.paradigm or 'no paradigm'}"
        verb = "replaced by" if settings.mode == "replace" else "added from"
        return f"{100 * settings.fraction:.4g} % of the tokens {verb} {texts}"

    def facts(self, context: ConditionContext) -> dict[str, Any]:
        """Return the share, the target paradigms of the text, and whether it is generated without a paradigm."""
        settings, generate = self.inherited(context), self.of(context).generate
        generated = [f"blimp/{generate.paradigm}"] if generate is not None and generate.paradigm else []
        targets = [target for filter_ in context.filters_of("inject.only") for target in filter_.metadata.targets]
        random_text = settings.generate is not None and settings.generate.paradigm is None
        return {"targets": generated + targets, "fraction": settings.fraction, "random_text": random_text}

    def write_units(
        self,
        context: ConditionContext,
        store: Callable[[], Store],
        constraints: Callable[[], Constraints],
        folder: Path,
    ) -> None:
        """Write the units of its texts, in the order in which they are used."""
        from runner.intervene.inserts import read_text_units, shuffle_units, write_units

        settings = self.inherited(context)
        plain_files = [file for file in context.files_of(TEXTS) if not file.parsed]
        units = [unit for file in plain_files for unit in read_text_units(file.path, file.label, settings.unit)]
        parsed_paths = [file.path for file in context.files_of(TEXTS) if file.parsed]
        if settings.generate is not None:
            parsed_paths.append(write_generated(settings.generate, store, constraints(), folder))
        numbers: list[int] | None = None
        if parsed_paths:
            parsed_units, unit_numbers = self._parsed_units(context, parsed_paths, folder)
            units += parsed_units
            # document n of a condition and that of its control begin at different sentences
            numbers = None if settings.generate is None else unit_numbers
        write_units(shuffle_units(units, context.seed(settings.seed), numbers), folder / UNITS)

    def _parsed_units(self, context: ConditionContext, paths: list[Path], folder: Path) -> tuple[Units, list[int]]:
        """Return the units that the filters select and their numbers. Write counts of units and target sentences."""
        from runner.corpus.import_conllu import import_files
        from runner.intervene.inserts import read_store_units

        only, without = (context.filters_of(key) for key in self.text_filter_lists)
        store = import_files(paths, folder / "store")
        units, numbers, left_out = read_store_units(store, self.inherited(context).unit, only, without)
        counts = {"units": len(units), "units_left_out": left_out}
        counts |= {"target_sentences": sum(line.target for unit in units for line in unit)}
        write_text(folder / JUDGED, json.dumps(counts, indent=1) + "\n")
        return units, numbers

    def arrange(self, context: ConditionContext, lines: Lines, base: BaseCorpus, units: Path | None) -> Lines:
        """Return the lines with injected units.

        Raises InputError if the units have too few tokens (FICT643) or the first unit has too many (FICT654).
        """
        import numpy as np

        from runner.intervene.inject import apply_injection
        from runner.intervene.inserts import read_units

        assert units is not None
        texts, first_lines, targets = read_units(units)
        token_offsets = np.concatenate([[0], np.cumsum(_token_counts(texts, context.tokenizer.split))])
        injection = self._plan(context, lines.texts, np.diff(token_offsets[first_lines]))
        order, replaced = apply_injection(np.arange(len(lines.sids)), injection, np.array(first_lines))
        is_base = order >= 0
        base_lines = order[is_base]
        sids, edited = order.copy(), np.ones(len(order), dtype=bool)
        sids[is_base], edited[is_base] = lines.sids[base_lines], lines.edited[base_lines]
        stats = lines.stats | {
            "asked_tokens": round(injection.requested, 1),
            "injected_tokens": injection.injected,
            "injected_units": len(injection.starts),
            "injected_sentences": int((sids < 0).sum()),
            "injected_targets": sum(targets[: first_lines[len(injection.starts)]]),
            "replaced_tokens": injection.replaced,
            "replaced_sentences": len(replaced),
        }
        new_texts = [lines.texts[line] if line >= 0 else texts[~line] for line in order.tolist()]
        stages = _shift_stages(lines.stages, order)
        return Lines(sids, new_texts, lines.words[:0], edited, lines.sids[replaced], stats, stages)

    def _plan(self, context: ConditionContext, texts: list[str], unit_lengths: Indices) -> Injection:
        from runner.intervene.inject import UnitTooLongError, plan_injection
        from runner.intervene.remove_random import TooFewError

        settings = self.inherited(context)
        tokens, replaces = _token_counts(texts, context.tokenizer.split), settings.mode == "replace"
        try:
            return plan_injection(tokens, unit_lengths, settings.fraction or 0.0, replace=replaces)
        except TooFewError as error:
            numbers: dict[str, Any] = {"wanted": error.requested, "found": error.available}
            problem = context.problem("FICT643", self.key, condition=context.name, **numbers)
            raise InputError(problem) from error
        except UnitTooLongError as error:
            numbers = {"wanted": error.requested, "found": error.length, "unit": settings.unit}
            problem = context.problem("FICT654", self.key, condition=context.name, **numbers)
            raise InputError(problem) from error


def _shift_stages(stages: tuple[tuple[str, int], ...], order: Indices) -> tuple[tuple[str, int], ...]:
    """Return the stages with their first lines after injection.

    A stage begins at its first remaining line. `order` has the old index of each line, negative if it was injected.
    """
    import numpy as np

    latest_line = np.maximum.accumulate(np.maximum(order, -1))
    return tuple((name, int(np.searchsorted(latest_line, first))) for name, first in stages)


def _token_counts(lines: list[str], split: Split) -> Indices:
    import numpy as np

    from runner.model.tokenizer import split_words

    return np.array([len(split_words(line, split)) for line in lines], dtype=np.int64)


INTERVENTION = Inject()
