"""A query as a condition of a manifest: its TOML, and its effect on a store."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from runner.corpus.store.opening import Store
from runner.errors import InputError
from runner.explore.queries.query import Query
from runner.explore.queries.saving import filter_file
from runner.explore.queries.settings import store_of
from runner.explore.views.tables import copied_html, lines_html

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

    def toml(self, file: str) -> str:
        """Return the condition's tables for a manifest. They refer to `file`, which contains the query."""
        selected = (self.query.rewrite if self.kind == "rewrite" else None) or self.query.filter
        reference = file if len(self.query.names) == 1 else f"{file}::{selected.name}"
        tables = _table(self.name, f"{self.kind} = [{json.dumps(reference, ensure_ascii=False)}]")
        if self.control:
            tables += "\n" + _table(f"{self.name}-random", f'{_control_key(self.kind)} = "{self.name}"')
        return tables

    def problem(self, reason: str) -> InputError:
        """Return an InputError with the diagnostic FICT852."""
        return InputError(diagnostic("FICT852", name=self.name, reason=reason))


def condition_html(store_index: int, condition: NewCondition, folder: Path | None) -> str:
    """Return, as HTML, the effect of a condition on a store, its tables for a manifest, and its filter file.

    Raises InputError if the name is invalid (FICT851) or the query is unsuitable for the condition's kind (FICT852).
    """
    file, text = filter_file(condition.query, condition.name, folder or Path())
    effect = _effect(store_of(store_index), condition)
    return (
        lines_html([effect, "For a manifest:"])
        + copied_html(condition.toml(file.name))
        + lines_html([f"For {file.name}, beside the manifest:"])
        + copied_html(text)
    )


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
