"""Make a condition for a manifest from a query: its TOML, its effect on a store, and the plan of the manifest."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.source import Source
from runner.corpus.store.opening import Store
from runner.errors import InputError
from runner.explore.queries.query import Query
from runner.explore.queries.saving import filter_file
from runner.explore.queries.settings import store_of
from runner.explore.views.tables import lines_html, text_html
from runner.workspace import write_text

if TYPE_CHECKING:
    from runner.manifest.load import Draft

KINDS = ("remove", "keep", "mask", "drop", "rewrite")
_VERBS = {"mask": "mask", "drop": "remove"}  # kind of condition → verb of the action that its filter must have


@dataclass(frozen=True)
class NewCondition:
    """A condition with a query as its filter. If `control` is set, a random control of the same size is added.

    Without a title, it has the name of the first filter of the file, or `condition` if the query is not a whole file.
    """

    query: Query
    title: str
    kind: str
    control: bool

    @property
    def name(self) -> str:
        """The name of the condition, and of its file."""
        return self.title or (self.query.names[0] if self.query.is_file and self.query.names else "condition")

    def toml(self, file: Path, folder: Path) -> str:
        """Return the condition's tables for a manifest in `folder`. They refer to `file`, which contains the query."""
        path = Path(os.path.relpath(file, folder)).as_posix()
        selected = (self.query.rewrite if self.kind == "rewrite" else None) or self.query.filter
        reference = path if len(self.query.names) == 1 else f"{path}::{selected.name}"
        tables = _table(self.name, f"{self.kind} = [{json.dumps(reference, ensure_ascii=False)}]")
        if self.control:
            tables += "\n" + _table(f"{self.name}-random", f'{_control_key(self.kind)} = "{self.name}"')
        return tables

    def problem(self, reason: str) -> InputError:
        """Return an InputError with the diagnostic FICT852."""
        return InputError(diagnostic("FICT852", name=self.name, reason=reason))


def preview_condition(store_index: int, condition: NewCondition, folder: Path | None, manifest: Path | None) -> str:
    """Return, as HTML, the effect of a condition on a store and its tables for a manifest.

    Raises InputError if the name is invalid (FICT851) or the query is unsuitable for the condition's kind (FICT852).
    """
    folder = folder or Path()
    file, _ = filter_file(condition.query, condition.name, folder)
    toml = condition.toml(file, folder if manifest is None else manifest.parent)
    return lines_html([_effect(store_of(store_index), condition)]) + text_html(toml)


def add_condition(
    store_index: int, condition: NewCondition, folder: Path, manifest: Path | None, data: Path | None = None
) -> str:
    """Write the filter to a file, add the condition to a manifest, if any, and return the manifest's plan as HTML.

    An existing file with the same filter is reused. Raises InputError, and leaves no new file, if the name is invalid
    or belongs to another filter (FICT851), if the query is unsuitable for the kind of the condition (FICT852), or if
    the changed manifest has errors.
    """
    file, text = filter_file(condition.query, condition.name, folder)
    effect, is_new = _effect(store_of(store_index), condition), not (file.exists() or file.is_symlink())
    if not is_new and (file.is_symlink() or file.read_text(encoding="utf-8") != text):
        raise InputError(
            diagnostic("FICT851", name=condition.name, reason=f"{file} exists and contains another filter")
        )
    if is_new:
        write_text(file, text)
    toml = condition.toml(file, folder if manifest is None else manifest.parent)
    messages = [f"Wrote {file}."] if is_new else []
    if manifest is None:
        return lines_html([*messages, effect]) + text_html(toml)
    try:
        plan = _add_to_manifest(condition, toml, manifest, folder, data)
    except BaseException:
        if is_new:
            file.unlink(missing_ok=True)
        raise
    return lines_html([*messages, f"Changed {manifest}.", effect]) + text_html(toml) + text_html("\n".join(plan))


def _add_to_manifest(condition: NewCondition, toml: str, manifest: Path, folder: Path, data: Path | None) -> list[str]:
    """Write a manifest with new tables, and return the lines of its plan."""
    from runner.manifest.insert import insert_conditions
    from runner.manifest.load import draft_of, read_draft
    from runner.readers import read_document, real_path

    path = real_path(manifest)
    if manifest.is_symlink() or not path.is_relative_to(real_path(folder)):
        raise condition.problem(f"{manifest} is not a regular file in {folder}")
    read_draft(path)  # raises InputError if the manifest cannot be read
    text = insert_conditions(read_document(path).decode("utf-8-sig"), toml)
    if text is None:
        raise condition.problem(f"the conditions of {manifest} are not `[[condition]]` tables")
    lines = list(_plan_lines(draft_of(Source.of(text, str(manifest), path)), data))
    write_text(path, text)
    return lines


def _plan_lines(draft: Draft, data: Path | None) -> Iterator[str]:
    from runner.execute.estimate import estimate
    from runner.execute.planned import plan_lines, plan_of, plan_warnings
    from runner.execute.state import states

    plan, cache, out = plan_of(draft, data)
    warnings, step_states = plan_warnings(plan, cache), states(plan, cache, out)
    yield from plan_lines(plan, step_states)
    yield f"\n{estimate(plan, step_states)}"
    yield from map(str, warnings)


def _table(name: str, line: str) -> str:
    return f'[[condition]]\nname = "{name}"\n{line}\n'


def _control_key(kind: str) -> str:
    from runner.interventions.registry import INTERVENTIONS

    return next(intervention.key for intervention in INTERVENTIONS if kind in intervention.controls)


def _effect(store: Store, condition: NewCondition) -> str:
    """Return a sentence that states how many sentences and tokens of a store a condition removes, keeps or changes."""
    sentences, tokens, verb = {
        "remove": _matched_counts,
        "keep": _matched_counts,
        "mask": _edited_counts,
        "drop": _edited_counts,
        "rewrite": _rewritten_counts,
    }[condition.kind](store, condition)
    info = store.info
    counts = (
        f"{sentences:,} of {info.sentences:,} sentences ({sentences / max(1, info.sentences):.2%})",
        f"{tokens:,} of {info.words:,} tokens ({tokens / max(1, info.words):.2%})",
    )
    if condition.kind in _VERBS:
        return f"{condition.name} {verb} {counts[1]} in {counts[0]} of {store.path.name}."
    return f"{condition.name} {verb} {counts[0]} of {store.path.name}. They have {counts[1]}."


def _matched_counts(store: Store, condition: NewCondition) -> tuple[int, int, str]:
    from runner.corpus.query.tally import tally

    compiled = condition.query.filter
    if condition.query.is_rewrite:
        raise condition.problem(f"{condition.kind} needs a filter, but {compiled.name} is a rewrite")
    counts = tally(store, [store.statement(compiled)])
    return counts.sentences[0], counts.words[0], f"{condition.kind}s"


def _edited_counts(store: Store, condition: NewCondition) -> tuple[int, int, str]:
    from runner.corpus.actions.targets import action_targets
    from runner.interventions.filters import unsuitable_action

    compiled, needed_verb = condition.query.filter, _VERBS[condition.kind]
    if not any(action.verb == needed_verb and action.target != "sentence" for action in compiled.ir.actions):
        raise condition.problem(f"{condition.kind} needs a query with an action such as `{needed_verb} node(X)`")
    if (action := unsuitable_action(compiled, needed_verb)) is not None:
        raise condition.problem(
            f"filter {compiled.name} has the action `{action}`, which {condition.kind} does not apply"
        )
    words: dict[int, set[int]] = {}
    for chunk in action_targets(store, [compiled]):
        for sid, targets in chunk.items():
            words[sid] = {word for target in targets for word in target.words}
    verb = "masks" if condition.kind == "mask" else "drops"
    return sum(map(bool, words.values())), sum(map(len, words.values())), verb


def _rewritten_counts(store: Store, condition: NewCondition) -> tuple[int, int, str]:
    from runner.corpus.rewriting.changes import changed_sids
    from runner.corpus.sentences.arrays import read_sentences

    rewrite = condition.query.rewrite
    if rewrite is None:
        raise condition.problem("the query has no rewrite")
    sids = changed_sids(store, rewrite, 0)
    return len(sids), int(read_sentences(store).words[sids].sum()), "changes"
