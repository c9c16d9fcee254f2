"""Make a condition of a manifest from a query: its TOML, what it takes from a store, and the plan that it changes."""

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
_VERBS = {"mask": "mask", "drop": "remove"}  # the action that a filter must have


@dataclass(frozen=True)
class NewCondition:
    """A condition with a query as its filter, and whether a random control of the same size goes with it.

    Without a title it is named after the first filter of the query.
    """

    query: Query
    title: str
    kind: str
    control: bool

    @property
    def name(self) -> str:
        """The name of the condition, and of its file."""
        return self.title or (self.query.names[0] if self.query.is_file else "condition")

    def toml(self, file: Path, folder: Path) -> str:
        """Return its tables for a manifest in `folder`, if `file` has the query."""
        path = Path(os.path.relpath(file, folder)).as_posix()
        selected = (self.query.rewrite if self.kind == "rewrite" else None) or self.query.filter
        reference = path if len(self.query.names) == 1 else f"{path}::{selected.name}"
        tables = _table(self.name, f"{self.kind} = [{json.dumps(reference, ensure_ascii=False)}]")
        if self.control:
            tables += "\n" + _table(f"{self.name}-random", f'{_control(self.kind)} = "{self.name}"')
        return tables

    def problem(self, reason: str) -> InputError:
        """Return FICT852."""
        return InputError(diagnostic("FICT852", name=self.name, reason=reason))


def preview_condition(number: int, wanted: NewCondition, folder: Path | None, manifest: Path | None) -> str:
    """Return what a condition takes from a store, and its tables for a manifest.

    Raises InputError as `add_condition` does.
    """
    folder = folder or Path()
    file, _ = filter_file(wanted.query, wanted.name, folder)
    toml = wanted.toml(file, folder if manifest is None else manifest.parent)
    return lines_html([_taken(store_of(number), wanted)]) + text_html(toml)


def add_condition(
    number: int, wanted: NewCondition, folder: Path, manifest: Path | None, data: Path | None = None
) -> str:
    """Write the filter to a file, add the condition to a manifest, if any, and return what `plan` shows.

    A file that has the same filter is used. Raises InputError for a name that is none or that is taken (FICT851), a
    query without the action (FICT852), and every mistake of the changed manifest; then nothing is written.
    """
    file, text = filter_file(wanted.query, wanted.name, folder)
    taken, is_new = _taken(store_of(number), wanted), not (file.exists() or file.is_symlink())
    if not is_new and (file.is_symlink() or file.read_text(encoding="utf-8") != text):
        raise InputError(diagnostic("FICT851", name=wanted.name, reason=f"{file} exists and has another filter"))
    if is_new:
        write_text(file, text)
    toml = wanted.toml(file, folder if manifest is None else manifest.parent)
    written = [f"Wrote {file}."] if is_new else []
    if manifest is None:
        return lines_html([*written, taken]) + text_html(toml)
    try:
        plan = _add(wanted, toml, manifest, folder, data)
    except BaseException:
        if is_new:
            file.unlink(missing_ok=True)
        raise
    return lines_html([*written, f"Changed {manifest}.", taken]) + text_html(toml) + text_html("\n".join(plan))


def _add(wanted: NewCondition, toml: str, manifest: Path, folder: Path, data: Path | None) -> list[str]:
    """Write a manifest with new tables, and return the lines of its plan."""
    from runner.manifest.insert import insert_conditions
    from runner.manifest.load import draft_of, read_draft
    from runner.readers import read_document, real_path

    path = real_path(manifest)
    if manifest.is_symlink() or not path.is_relative_to(real_path(folder)):
        raise wanted.problem(f"{manifest} is not in {folder}")
    read_draft(path)  # raises what makes the manifest unreadable
    text = insert_conditions(read_document(path).decode("utf-8-sig"), toml)
    if text is None:
        raise wanted.problem(f"the conditions of {manifest} are not tables [[condition]]")
    lines = list(_plan_lines(draft_of(Source.of(text, str(manifest), path)), data))
    write_text(path, text)
    return lines


def _plan_lines(draft: Draft, data: Path | None) -> Iterator[str]:
    from runner.execute.estimate import estimate
    from runner.execute.planned import plan_lines, plan_of, plan_warnings
    from runner.execute.state import states

    plan, cache, out = plan_of(draft, data)
    notes, step_states = plan_warnings(plan, cache), states(plan, cache, out)
    yield from plan_lines(plan, step_states)
    yield f"\n{estimate(plan, step_states)}"
    yield from map(str, notes)


def _table(name: str, line: str) -> str:
    return f'[[condition]]\nname = "{name}"\n{line}\n'


def _control(kind: str) -> str:
    from runner.interventions.registry import INTERVENTIONS

    return next(item.key for item in INTERVENTIONS if kind in item.controls)


def _taken(store: Store, wanted: NewCondition) -> str:
    """Return how many sentences and tokens of a store a condition takes."""
    sentences, tokens, verb = {
        "remove": _matched,
        "keep": _matched,
        "mask": _edited,
        "drop": _edited,
        "rewrite": _rewritten,
    }[wanted.kind](store, wanted)
    info = store.info
    counts = (
        f"{sentences:,} of {info.sentences:,} sentences ({sentences / max(1, info.sentences):.2%})",
        f"{tokens:,} of {info.words:,} tokens ({tokens / max(1, info.words):.2%})",
    )
    if wanted.kind in _VERBS:
        return f"{wanted.name} {verb} {counts[1]} in {counts[0]} of {store.path.name}."
    return f"{wanted.name} {verb} {counts[0]}, which have {counts[1]}, of {store.path.name}."


def _matched(store: Store, wanted: NewCondition) -> tuple[int, int, str]:
    from runner.corpus.query.tally import tally

    counts = tally(store, [store.statement(wanted.query.filter)])
    return counts.sentences[0], counts.words[0], f"{wanted.kind}s"


def _edited(store: Store, wanted: NewCondition) -> tuple[int, int, str]:
    from runner.corpus.actions.targets import action_targets

    compiled, verb = wanted.query.filter, _VERBS[wanted.kind]
    if not any(action.verb == verb and action.target != "sentence" for action in compiled.ir.actions):
        raise wanted.problem(f"{wanted.kind} needs an action of the query, such as `{verb} node(X)`")
    words: dict[int, set[int]] = {}
    for chunk in action_targets(store, [compiled]):
        for sid, targets in chunk.items():
            words[sid] = {word for target in targets for word in target.words}
    verb = "masks" if wanted.kind == "mask" else "drops"
    return sum(map(bool, words.values())), sum(map(len, words.values())), verb


def _rewritten(store: Store, wanted: NewCondition) -> tuple[int, int, str]:
    from runner.corpus.rewriting.changes import changed_sids
    from runner.corpus.sentences.arrays import read_sentences

    rewrite = wanted.query.rewrite
    if rewrite is None:
        raise wanted.problem("the query has no rewrite")
    sids = changed_sids(store, rewrite, 0)
    return len(sids), int(read_sentences(store).words[sids].sum()), "changes"
