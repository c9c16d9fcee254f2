"""`inject = {…}`: lines of other or generated texts, which replace lines of a corpus or are added between them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, model_validator

from fictdsl.diagnostics.suggest import did_you_mean
from runner.conditions.condition import BaseCorpus, Condition
from runner.conditions.intervention import Arrangement, Key, Phase
from runner.errors import InputError
from runner.generate import MAX_WORDS, MAX_WORDS_PER_TARGET, MIN_WORDS_PER_TARGET, WORDS_PER_TARGET
from runner.machine import versions_of
from runner.toml_tables import Range, Seed, TomlTable
from runner.toml_text import nested
from runner.workspace import write_text

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.conditions.corpus import ConditionCorpus
    from runner.conditions.injected_text import Injection, Units
    from runner.corpus.sentence_arrays import Indices
    from runner.corpus.store import Store
    from runner.generate.documents import Constraints
    from runner.model.tokenizer import Split


TEXT, COUNTS = "generated.conllu", "generated.json"


class Generate(TomlTable):
    """`generate = {…}`: documents from templates, with a target sentence of a paradigm per `every` words.

    `lemmas` selects the vocabulary: the lemmas of the embedded sample only (`basic`), or also the most frequent
    lemmas of the training corpus or of wordfreq's list.
    """

    paradigm: str | None = None
    words: Annotated[int, Range(100, MAX_WORDS, "a hundred million words are a whole corpus")]
    every: Annotated[int, Range(MIN_WORDS_PER_TARGET, MAX_WORDS_PER_TARGET, "a document is in memory")] = (
        WORDS_PER_TARGET
    )
    lemmas: Literal["basic", "corpus", "wordfreq"] = "basic"
    seed: Seed = 0

    def content(self) -> dict[str, Any]:
        packages = {"basic": (), "corpus": ("lemminflect",), "wordfreq": ("lemminflect", "wordfreq")}[self.lemmas]
        return self.model_dump() | {"packages": dict.fromkeys(packages) | versions_of(packages)}

    def write(self, store: Callable[[], Store], constraints: Constraints, folder: Path) -> Path:
        from runner.generate.documents import write_documents
        from runner.generate.lemmas import Lemmas, Recipe, lemmas_of_store, lemmas_of_wordfreq

        match self.lemmas:
            case "basic":
                lemmas = Lemmas()
            case "corpus":
                lemmas = lemmas_of_store(store())
            case "wordfreq":
                lemmas = lemmas_of_wordfreq()
        recipe = Recipe(self.paradigm, self.words, self.every, self.seed)
        counts = write_documents(recipe, lemmas, constraints, folder / TEXT)
        write_text(folder / COUNTS, json.dumps(counts, indent=1, ensure_ascii=False) + "\n")
        return folder / TEXT


JUDGED = "judged.json"
UNITS = "units.parquet"


class InjectSettings(TomlTable):
    """`inject = {…}`: lines of other texts that are spread evenly over the corpus and replace or extend its lines.

    A control of `like` inherits its fraction, mode and unit, and generates text without a paradigm if it has no `text`.
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
    def _check_combinations(self) -> InjectSettings:
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


class Inject(Arrangement[InjectSettings]):
    """`write_units` shuffles the units of the texts into a file; `arrange` injects the first of these into a corpus.

    `write_units` needs no sampled corpus; `arrange` runs after sampling. After `check`, settings are read from
    `inherited`, because a control has the fraction, mode and unit of the condition in `like`. In a corpus, line k of
    the injected texts has the sid −k − 1.
    """

    key = "inject"
    usage = "inject = { text = [FILE, …], fraction = 0.001 }"
    doc = "after sentences of the common size are drawn, with a share of its tokens from other texts"
    value = Key(InjectSettings | None)
    phase = Phase.INJECT
    controls = ("inject",)
    text_lists = (TEXTS,)
    text_filter_lists = ("inject.only", "inject.without")
    results = (TEXT, COUNTS, JUDGED)

    def control_of(self, value: InjectSettings) -> tuple[str, ...] | None:
        return None if value.like is None else (self.key, "like", value.like)

    def check(self, condition: Condition) -> Iterator[Diagnostic]:
        yield from self._text_problems(condition)
        yield from self._inapplicable_filters(condition)

    def _text_problems(self, condition: Condition) -> Iterator[Diagnostic]:
        from runner.generate.targets import TARGETS as PARADIGMS

        name, like = nested(condition.values, "inject.generate.paradigm"), nested(condition.values, "inject.like")
        if isinstance(name, str) and name not in PARADIGMS:
            hint = did_you_mean(name, PARADIGMS) or f"paradigms: {', '.join(PARADIGMS)}"
            yield condition.problem("FICT605", "inject", "generate", "paradigm", kind="paradigm", name=name, hint=hint)
            return
        other = condition.other(like).values if isinstance(like, str) else {}
        if like and not nested(condition.values, "inject.text") and nested(other, "inject.text"):
            yield condition.problem("FICT603", "inject", key="text", where="inject")

    def _inapplicable_filters(self, condition: Condition) -> Iterator[Diagnostic]:
        from runner.corpus.conllu_reader import features_missing_in, file_contents
        from runner.corpus.filter_arguments import lint_command, missing_feature_hint

        files = condition.files_of(TEXTS)
        plain_files = [file for file in files if not file.parsed]
        for key in self.text_filter_lists:
            filters, path = condition.filters.get(key, ()), key.split(".")
            if filters and plain_files:
                yield condition.problem("FICT642", *path, path=plain_files[0].label)
                continue
            features = {feature for filter_ in filters for feature in filter_.features}
            missing = features_missing_in(file_contents(file.path for file in files), features) if files else set()
            for filter_ in () if condition.values.get("allow-missing") is True else filters:
                for feature in sorted(missing & set(filter_.features)):
                    hint = missing_feature_hint(lint_command(filter_, files[0].path))
                    parameters = {"filter": filter_.name, "feature": feature, "corpus": files[0].label}
                    yield condition.problem("FICT610", *path, hint=hint, **parameters)

    def inherited(self, condition: Condition) -> InjectSettings:
        settings = self.of(condition)
        if settings.like is None:
            return settings
        other = self.of(condition.other(settings.like))
        from_other = {name: getattr(other, name) for name in ("fraction", "mode", "unit")}
        if not settings.text and other.generate is not None:
            from_other["generate"] = other.generate.model_copy(update={"paradigm": None})
            if "seed" not in settings.model_fields_set:
                from_other["seed"] = other.seed
        return settings.model_copy(update=from_other)

    def content(self, condition: Condition) -> dict[str, Any]:
        settings = self.inherited(condition)
        inject = {"fraction": settings.fraction, "mode": settings.mode, "split": condition.tokenizer.splitting}
        return {"inject": inject}

    def units_content(self, condition: Condition) -> dict[str, Any]:
        settings = self.inherited(condition)
        only, without = (condition.filter_keys(key) for key in self.text_filter_lists)
        files = {file.label: file.sha256 for file in condition.files_of(TEXTS)}
        content = {"files": files, "unit": settings.unit, "only": only, "without": without, "seed": settings.seed}
        generated = {} if settings.generate is None else {"generate": settings.generate.content()}
        return content | generated | condition.redrawn

    def describe(self, condition: Condition) -> str:
        settings = self.inherited(condition)
        assert settings.fraction is not None
        texts = ", ".join(file.label for file in condition.files_of(TEXTS))
        if settings.generate is not None:
            texts = f"generated text with {settings.generate.paradigm or 'no paradigm'}"
        verb = "replaced by" if settings.mode == "replace" else "added from"
        return f"{100 * settings.fraction:.4g} % of the tokens {verb} {texts}"

    def facts(self, condition: Condition) -> dict[str, Any]:
        settings, generate = self.inherited(condition), self.of(condition).generate
        generated = [f"blimp/{generate.paradigm}"] if generate is not None and generate.paradigm else []
        targets = [target for filter_ in condition.filters_of("inject.only") for target in filter_.metadata.targets]
        random_text = settings.generate is not None and settings.generate.paradigm is None
        return {"targets": generated + targets, "fraction": settings.fraction, "random_text": random_text}

    def write_units(
        self,
        condition: Condition,
        store: Callable[[], Store],
        constraints: Callable[[], Constraints],
        folder: Path,
    ) -> None:
        from runner.conditions.injected_text import read_text_units, shuffle_units, write_units

        settings = self.inherited(condition)
        plain_files = [file for file in condition.files_of(TEXTS) if not file.parsed]
        units = [unit for file in plain_files for unit in read_text_units(file.path, file.label, settings.unit)]
        parsed_paths = [file.path for file in condition.files_of(TEXTS) if file.parsed]
        if settings.generate is not None:
            parsed_paths.append(settings.generate.write(store, constraints(), folder))
        numbers: list[int] | None = None
        if parsed_paths:
            parsed_units, unit_numbers = self._parsed_units(condition, parsed_paths, folder)
            units += parsed_units
            # document n of a condition and that of its control begin at different sentences
            numbers = None if settings.generate is None else unit_numbers
        write_units(shuffle_units(units, condition.seed(settings.seed), numbers), folder / UNITS)

    def _parsed_units(self, condition: Condition, paths: list[Path], folder: Path) -> tuple[Units, list[int]]:
        from runner.conditions.injected_text import read_store_units
        from runner.corpus.import_conllu import import_files

        only, without = (condition.filters_of(key) for key in self.text_filter_lists)
        store = import_files(paths, folder / "store")
        units, numbers, left_out = read_store_units(store, self.inherited(condition).unit, only, without)
        counts = {"units": len(units), "units_left_out": left_out}
        counts |= {"target_sentences": sum(line.target for unit in units for line in unit)}
        write_text(folder / JUDGED, json.dumps(counts, indent=1) + "\n")
        return units, numbers

    def arrange(
        self, condition: Condition, corpus: ConditionCorpus, base: BaseCorpus, units: Path | None
    ) -> ConditionCorpus:
        """Return the corpus with injected units. Raises InputError (FICT643, 654) if they do not fit."""
        import numpy as np

        from runner.conditions.injected_text import apply_injection, read_units

        assert units is not None
        texts, first_lines, targets = read_units(units)
        token_offsets = np.concatenate([[0], np.cumsum(_token_counts(texts, condition.tokenizer.split))])
        injection = self._plan(condition, corpus.texts, np.diff(token_offsets[first_lines]))
        order, replaced = apply_injection(np.arange(len(corpus.sids)), injection, np.array(first_lines))
        is_base = order >= 0
        sids, edited = order.copy(), np.ones(len(order), dtype=bool)
        sids[is_base], edited[is_base] = corpus.sids[order[is_base]], corpus.edited[order[is_base]]
        counts = {
            "asked_tokens": round(injection.requested, 1),
            "injected_tokens": injection.injected,
            "injected_units": len(injection.runs),
            "injected_sentences": int((sids < 0).sum()),
            "injected_targets": sum(targets[: first_lines[len(injection.runs)]]),
            "replaced_tokens": injection.replaced,
            "replaced_sentences": len(replaced),
        }
        return replace(
            corpus,
            sids=sids,
            edited=edited,
            texts=[corpus.texts[line] if line >= 0 else texts[~line] for line in order.tolist()],
            replaced=corpus.sids[replaced],
            injection=counts,
            stages=_shift_stages(corpus.stages, order),
        )

    def _plan(self, condition: Condition, texts: list[str], unit_lengths: Indices) -> Injection:
        from runner.conditions.injected_text import UnitTooLongError, plan_injection
        from runner.conditions.samples import TooFewError

        settings = self.inherited(condition)
        tokens, replaces = _token_counts(texts, condition.tokenizer.split), settings.mode == "replace"
        try:
            return plan_injection(tokens, unit_lengths, settings.fraction or 0.0, replace=replaces)
        except TooFewError as error:
            values: dict[str, Any] = {"wanted": error.requested, "found": error.available}
            problem = condition.problem("FICT643", self.key, condition=condition.name, **values)
        except UnitTooLongError as error:
            values = {"wanted": error.requested, "found": error.length, "unit": settings.unit}
            problem = condition.problem("FICT654", self.key, condition=condition.name, **values)
        raise InputError(problem)


def _shift_stages(stages: tuple[tuple[str, int], ...], order: Indices) -> tuple[tuple[str, int], ...]:
    import numpy as np

    latest_line = np.maximum.accumulate(np.maximum(order, -1))
    return tuple((name, int(np.searchsorted(latest_line, first))) for name, first in stages)


def _token_counts(lines: list[str], split: Split) -> Indices:
    import numpy as np

    from runner.model.tokenizer import split_words

    return np.array([len(split_words(line, split)) for line in lines], dtype=np.int64)


INTERVENTION = Inject()
