"""Warnings and errors about targets, paradigms, draws and files, found before any corpus is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean, nearest
from fictdsl.lint.vocabulary import PARADIGMS as KNOWN_SUITES
from fictdsl.lint.vocabulary import TARGETS, misspelled_suite
from fictdsl.words import inflected
from runner.conditions.condition import FiltersByKey
from runner.conditions.intervention import Phase, Selection
from runner.conditions.random_controls import RandomControl
from runner.errors import InputError
from runner.manifest.model import ConditionTable, Manifest
from runner.manifest.text import ManifestText
from runner.sample import paradigm_rows
from runner.steps.models import ModelEntry
from runner.steps.names import SPLIT_TITLES
from runner.steps.suites import SuiteEntry
from runner.toml_text import entries, nested, strings

WarningKind: TypeAlias = Literal[
    "lint",
    "target",
    "no-targets",
    "empty-filter",
    "unchanged",
    "pairs",
    "context",
    "shared-file",
    "draws",
    "amount",
    "coverage",
    "parser",
    "withheld",
]
_MAX_NAMES = 3


@dataclass(frozen=True, slots=True)
class RunWarning:
    """A warning about a run. `subject` is a file, condition or suite, or empty for the whole manifest."""

    kind: WarningKind
    subject: str
    text: str

    @property
    def message(self) -> str:
        return f"{self.subject}: {self.text}" if self.subject else self.text

    def __str__(self) -> str:
        return f"warning: {self.message}"


def joined_names(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    shown = names if len(names) <= _MAX_NAMES else [*names[: _MAX_NAMES - 1], f"{len(names) - _MAX_NAMES + 1} more"]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def check_contexts(
    models: Mapping[str, ModelEntry], conventions: Mapping[str, Mapping[bool, Mapping[str, Any]]]
) -> Iterator[RunWarning]:
    trained = {name: entry for name, entry in models.items() if not entry.model.masked and entry.training.epochs != 0}
    for suite, by_masked in conventions.items():
        context = by_masked.get(False, {}).get("context")
        for frame, message in _MESSAGES.items():
            names = [name for name, entry in trained.items() if entry.training.frame == frame]
            if names and context in _OTHER_CONTEXTS[frame]:
                yield RunWarning("context", suite, message.format(models=joined_names(names), context=context))


_OTHER_CONTEXTS = {"eos": ("none",), "none": ("bos", "eos")}
_MESSAGES = {
    "eos": (
        "{models}: training has <eos> before each sentence, but scoring has no token; they agree with "
        '`frame = "none"` in [training], or with `scoring = {{ context = "as_trained" }}`'
    ),
    "none": (
        "{models}: training has no token before a sentence, but scoring has {context}; they agree with "
        '`scoring = {{ context = "as_trained" }}`, or with `frame = "eos"` in [training]'
    ),
}


def check_draws(manifest: Manifest) -> Iterator[RunWarning]:
    is_drawn = any(map(_is_drawn, manifest.condition))
    if manifest.size.redraw == "none" and len(manifest.experiment.seeds) > 1 and is_drawn:
        text = (
            "all seeds share one sample and one control draw, so that intervals say nothing about other draws, however "
            'many seeds there are; `redraw = "seed"` draws them anew for each seed'
        )
        yield RunWarning("draws", "[size]", text)
    controls: dict[tuple[str, int], dict[str, str]] = {}  # by key and seed, the controlled condition by name
    for condition in manifest.condition:
        for intervention in condition.interventions:
            if isinstance(intervention, RandomControl) and condition.placebo_draws is None:
                group = controls.setdefault((intervention.key, condition.values["seed"]), {})
                group[condition.name] = str(condition.control_of)
    for group in controls.values():
        if len(set(group.values())) > 1:
            text = (
                "these controls are drawn with the same seed, so that they lack mostly the same sentences and share "
                "their luck; a different `seed` in each makes them independent"
            )
            yield RunWarning("draws", joined_names(list(group)), text)


def _is_drawn(condition: ConditionTable) -> bool:
    return (
        condition.values["fraction"] is not None
        or any(
            isinstance(intervention, Selection | RandomControl) or intervention.phase is Phase.INJECT
            for intervention in condition.interventions
        )
        or condition.values["beyond"] is not None
    )


def check_shared_files(sources: Mapping[str, tuple[tuple[str, str], ...]]) -> Iterator[RunWarning]:
    for text, name in SPLIT_TITLES.items():
        labels_by_hash: dict[str, list[str]] = {}
        for label, sha256 in sources.get(text, ()):
            labels_by_hash.setdefault(sha256, []).append(label)
        for labels in labels_by_hash.values():
            if len(labels) > 1:
                message = f"{name} has the same content more than once: {joined_names(labels)}"
                yield RunWarning("shared-file", "[corpus]", message)
    for text, other in (("valid", "train"), ("test", "train"), ("test", "valid")):
        other_hashes = {sha256 for _, sha256 in sources.get(other, ())}
        if shared := [label for label, sha256 in sources.get(text, ()) if sha256 in other_hashes]:
            message = f"{SPLIT_TITLES[text]} shares files with {SPLIT_TITLES[other]}: {joined_names(shared)}"
            yield RunWarning("shared-file", "[corpus]", message)


@dataclass(frozen=True, slots=True)
class PairSuite:
    selected: tuple[str, ...]
    first: frozenset[str]  # the paradigms of the first pairs of files
    paradigms: frozenset[str]
    phenomena: frozenset[str]

    @classmethod
    def read(cls, suite: SuiteEntry, targets: Iterable[str]) -> PairSuite:
        """A BLiMP folder has a file for each paradigm, so other lines are read only if a name is in no first line."""
        if suite.path is None:  # the embedded sample
            paradigms, phenomena = _names((row["uid"], row["term"]) for row in paradigm_rows())
            return cls(suite.paradigms, paradigms, paradigms, phenomena)
        from runner.score.pair_formats import first_pairs, read_pairs

        first, phenomena = _names((pair.paradigm, pair.phenomenon) for pair in first_pairs(suite.path))
        if {*suite.paradigms, *targets} <= first | phenomena:
            return cls(suite.paradigms, first, first, phenomena)
        paradigms, phenomena = _names((pair.paradigm, pair.phenomenon) for pair in read_pairs(suite.path))
        return cls(suite.paradigms, first, paradigms, phenomena)

    @property
    def names(self) -> frozenset[str]:
        return self.paradigms | self.phenomena

    def evaluates(self, name: str) -> bool:
        return name in self.names and (not self.selected or name in self.selected or name not in self.first)


def _names(pairs: Iterable[tuple[str, str]]) -> tuple[frozenset[str], frozenset[str]]:
    distinct = set(pairs)
    phenomena = ("".join(phenomenon.split()) for _, phenomenon in distinct)
    return frozenset(paradigm for paradigm, _ in distinct), frozenset(filter(None, phenomena))


PairSuites: TypeAlias = Mapping[str, PairSuite]  # by name

GENERATED_PARADIGM = "inject.generate.paradigm"  # key of a paradigm that is a target of its condition
TARGET_HINT = (
    "name the paradigms in the filter (`targets blimp/passive_1`) or in its condition"
    ' (`targets = ["blimp/passive_1"]`); the report compares them first'
)


@dataclass(frozen=True, slots=True)
class Target:
    text: str
    owner: str
    condition: str
    key_path: tuple[str | int, ...]


def check_targets(
    draft: ManifestText, filters: Mapping[str, FiltersByKey], suites: Iterable[SuiteEntry], problems: list[Diagnostic]
) -> list[RunWarning]:
    """Append FICT615 for each target that no known suite has. Return warnings about targets that are not scored.

    A target in an unknown suite is accepted if no suite has a similar name, because another manifest may use it. The
    names in suites other than minimal pairs are known only after the run.
    """
    unscored: dict[str, dict[str, None]] = {}
    targets = list(_targets(draft, filters))
    indices = {str(entry.get("name")): index for index, entry in entries(draft.raw.get("evaluate"))}
    pair_suites = _pair_suites(draft, suites, indices, [target.text for target in targets], problems)
    other_suites = indices.keys() - pair_suites.keys()
    for target in targets:
        if target.text.partition("/")[0] not in other_suites and not _is_scored(target.text, pair_suites):
            is_known, hint = _look_up(target.text, pair_suites)
            if is_known:
                unscored.setdefault(target.condition, {})[target.text] = None
            else:
                parameters = {"owner": target.owner, "target": target.text}
                problems.append(draft.problem("FICT615", *target.key_path, hint=hint, **parameters))
    if not pair_suites:
        return []
    conditions = [entry for _, entry in entries(draft.raw.get("condition"))]
    if conditions and not targets and not any(nested(entry, GENERATED_PARADIGM) for entry in conditions):
        return [RunWarning("no-targets", "", f"no condition has targets: {TARGET_HINT}")]
    return [
        RunWarning(
            "target",
            f"condition {condition}",
            f"{joined_names(list(names))} {inflected(len(names), 'is', 'are')} not among the scored paradigms",
        )
        for condition, names in unscored.items()
    ]


def _pair_suites(
    draft: ManifestText,
    suites: Iterable[SuiteEntry],
    indices: Mapping[str, int],
    targets: Sequence[str],
    problems: list[Diagnostic],
) -> dict[str, PairSuite]:
    by_name: dict[str, PairSuite] = {}
    for suite in suites:
        if suite.kind != "pairs" or suite.corrupt is not None:
            continue
        # a target in a suite that the manifest lacks is looked up in every suite
        split = (target.partition("/") for target in targets)
        looked_up = [name for prefix, _, name in split if prefix == suite.name or prefix not in indices]
        try:
            pair_suite = by_name[suite.name] = PairSuite.read(suite, looked_up)
        except InputError as error:
            problems += error.diagnostics
            continue
        for number, name in enumerate(suite.paradigms):
            if name not in pair_suite.names:
                path = ("evaluate", indices[suite.name], "paradigms", number)
                hint = did_you_mean(name, sorted(pair_suite.paradigms))
                problems.append(draft.problem("FICT605", *path, kind="paradigm", name=name, hint=hint))
    return by_name


def _targets(draft: ManifestText, filters: Mapping[str, FiltersByKey]) -> Iterator[Target]:
    for index, entry in entries(draft.raw.get("condition")):
        name, table_path = str(entry.get("name")), ("condition", index)
        for target_index, text in strings(entry.get("targets")):
            yield Target(text, f"condition {name}", name, (*table_path, "targets", target_index))
        for key, compiled_filters in filters.get(name, {}).items():
            for compiled in compiled_filters if key != "inject.without" else ():
                for text in compiled.metadata.targets:
                    yield Target(text, f"filter {compiled.name}", name, (*table_path, *key.split(".")))


def _is_scored(target: str, suites: PairSuites) -> bool:
    suite, _, name = target.partition("/")
    return any(pair_suite.evaluates(name) for pair_suite in ([suites[suite]] if suite in suites else suites.values()))


def _look_up(target: str, suites: PairSuites) -> tuple[bool, str | None]:
    suite, _, name = target.partition("/")
    if suite not in suites and suite not in KNOWN_SUITES:
        nearest_name = misspelled_suite(suite, suites)
        return nearest_name is None, f"the nearest suite is `{nearest_name}`"
    known = {*TARGETS.get(suite, ()), *(suites[suite].names if suite in suites else ())}
    nearest_name = nearest(name, sorted(known))
    return name in known, f"the nearest name is `{suite}/{nearest_name}`" if nearest_name else None
