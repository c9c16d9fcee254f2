"""Check the paradigms that a manifest names: those to score, and the targets of filters and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean, nearest
from fictdsl.lint.vocabulary import PARADIGMS, misspelled_suite, target_names
from runner.errors import InputError
from runner.interventions.context import FiltersByKey
from runner.manifest.load import Draft
from runner.steps.checks.suite_names import PairSuite
from runner.steps.checks.warning import RunWarning, joined_names
from runner.steps.suites import Suite
from runner.toml_text import entries, nested, strings

PairSuites: TypeAlias = Mapping[str, PairSuite]  # by name

GENERATED_PARADIGM = "inject.generate.paradigm"  # key of a paradigm that is a target of its condition
TARGET_HINT = (
    "name the paradigms in the filter (`targets blimp/passive_1`) or in its condition"
    ' (`targets = ["blimp/passive_1"]`); the report compares them first'
)


@dataclass(frozen=True, slots=True)
class Target:
    """The text of a target, the filter or condition that names it, and its place in the manifest."""

    text: str
    owner: str
    condition: str
    key_path: tuple[str | int, ...]


def check_targets(
    draft: Draft, filters: Mapping[str, FiltersByKey], suites: Iterable[Suite], problems: list[Diagnostic]
) -> list[RunWarning]:
    """Append FICT615 for each target that no known suite has. Return warnings about targets that are not scored.

    A target in an unknown suite is accepted if no suite has a similar name, because another manifest may use it. The
    names in suites other than minimal pairs are known only after the run. Append also FICT605 for selected paradigms
    that a suite of minimal pairs does not have, and the diagnostics of unreadable ones.
    """
    unscored_targets: dict[str, dict[str, None]] = {}
    targets = list(_targets(draft, filters))
    indices = {str(entry.get("name")): index for index, entry in entries(draft.raw.get("evaluate"))}
    pair_suites = _pair_suites(draft, suites, indices, [target.text for target in targets], problems)
    other_suites = indices.keys() - pair_suites.keys()
    for target in targets:
        if target.text.partition("/")[0] not in other_suites and not _is_scored(target.text, pair_suites):
            is_known, hint = _look_up(target.text, pair_suites)
            if is_known:
                unscored_targets.setdefault(target.condition, {})[target.text] = None
            else:
                parameters = {"owner": target.owner, "target": target.text}
                problems.append(draft.problem("FICT615", *target.key_path, hint=hint, **parameters))
    if not pair_suites:
        return []
    conditions = [entry for _, entry in entries(draft.raw.get("condition"))]
    if conditions and not targets and not any(nested(entry, GENERATED_PARADIGM) for entry in conditions):
        return [RunWarning("no-targets", "", f"no condition has targets: {TARGET_HINT}")]
    return [_unscored_warning(condition, list(names)) for condition, names in unscored_targets.items()]


def _pair_suites(
    draft: Draft,
    suites: Iterable[Suite],
    indices: Mapping[str, int],
    targets: Sequence[str],
    problems: list[Diagnostic],
) -> dict[str, PairSuite]:
    """Return the readable suites of minimal pairs that exist before the run, by name.

    `indices` maps the names of `[[evaluate]]` to their indices.
    """
    by_name: dict[str, PairSuite] = {}
    for suite in suites:
        if suite.kind == "pairs" and suite.corrupt is None:
            # a target in a suite that the manifest lacks is looked up in every suite
            names = [
                name
                for prefix, _, name in (target.partition("/") for target in targets)
                if prefix == suite.name or prefix not in indices
            ]
            try:
                pair_suite = by_name[suite.name] = PairSuite.read(indices[suite.name], suite, names)
                problems += _unknown_paradigms(draft, pair_suite)
            except InputError as error:
                problems += error.diagnostics
    return by_name


def _unknown_paradigms(draft: Draft, suite: PairSuite) -> Iterator[Diagnostic]:
    paradigms = sorted(suite.names.paradigms)
    for index, name in enumerate(suite.selected_paradigms):
        if name not in suite.names:
            key_path = ("evaluate", suite.index, "paradigms", index)
            yield draft.problem("FICT605", *key_path, kind="paradigm", name=name, hint=did_you_mean(name, paradigms))


def _unscored_warning(condition: str, names: list[str]) -> RunWarning:
    verb = "is" if len(names) == 1 else "are"
    return RunWarning(
        "target", f"condition {condition}", f"{joined_names(names)} {verb} not among the scored paradigms"
    )


def _targets(draft: Draft, filters: Mapping[str, FiltersByKey]) -> Iterator[Target]:
    for index, entry in entries(draft.raw.get("condition")):
        name, table_path = str(entry.get("name")), ("condition", index)
        for target_index, text in strings(entry.get("targets")):
            yield Target(text, f"condition {name}", name, (*table_path, "targets", target_index))
        for key, compiled_filters in filters.get(name, {}).items():
            for compiled in compiled_filters if key != "inject.without" else ():
                for text in compiled.metadata.targets:
                    yield Target(text, f"filter {compiled.name}", name, (*table_path, *key.split(".")))


def _is_scored(target: str, suites: PairSuites) -> bool:
    """Return whether a suite scores a target. If the manifest lacks the suite that it names, any suite may score it."""
    suite, _, name = target.partition("/")
    return any(pair_suite.evaluates(name) for pair_suite in ([suites[suite]] if suite in suites else suites.values()))


def _look_up(target: str, suites: PairSuites) -> tuple[bool, str | None]:
    """Return whether a target that is not scored exists or cannot be checked, and a hint if it does not exist."""
    suite, _, name = target.partition("/")
    if suite not in suites and suite not in PARADIGMS:
        nearest_name = misspelled_suite(suite, suites)
        return nearest_name is None, f"the nearest suite is `{nearest_name}`"
    known = set(target_names(suite))
    if suite in suites:
        known |= suites[suite].names.paradigms | suites[suite].names.phenomena
    nearest_name = nearest(name, sorted(known))
    return name in known, f"the nearest name is `{suite}/{nearest_name}`" if nearest_name else None
