"""Save a query as a filter file, or make a condition for a manifest from it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from fictdsl.compiler import compile_text
from fictdsl.syntax.printer import format_text
from runner.corpus.filter_arguments import load_matching, load_rewrites
from runner.corpus.sentence_texts import locate
from runner.corpus.store import Store
from runner.errors import InputError
from runner.examples.example_files import accept
from runner.explore.markup import markup
from runner.explore.query import Query, existing_sid, store_of
from runner.workspace import write_text

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MAX_NAME = 100  # characters


def save_filter(query: Query, name: str, folder: Path) -> str:
    path, text = filter_file(query, name, folder)
    if path.exists() or path.is_symlink():
        raise InputError.of("FICT851", name=name, reason=f"{path} exists")
    write_text(path, text)
    return str(path)


def filter_file(query: Query, name: str, folder: Path) -> tuple[Path, str]:
    path = _path(name, folder)
    text = query.file_text if query.is_file else query.file_text.replace("filter query", f"filter {name}", 1)
    compilation = compile_text(text, path.name, folder)
    if compilation.errors:
        raise InputError(compilation.errors)
    return path, format_text(text, path.name).text or text


def keep_example(store_index: int, sid: int, name: str, folder: Path) -> list[str]:
    import numpy as np

    store = store_of(store_index)
    (location,) = locate(store, np.array([existing_sid(store_index, sid)], np.int64))
    file = str(_path(name, folder))
    filters = load_matching([file])
    compiled = next((each for each in filters if each.name == name), filters[0])
    rewrite = next((each for each in load_rewrites([file]) if each.name == compiled.name), None)
    return list(accept(compiled, rewrite, store.path, f"{location.source}:{location.number}", None, force=False))


def _path(name: str, folder: Path) -> Path:
    if not _NAME.fullmatch(name) or len(name) > _MAX_NAME:
        reason = (
            "a filter name has lowercase letters and digits, may have single hyphens between them, and starts with a "
            "letter"
        )
        raise InputError.of("FICT851", name=name, reason=reason)
    return folder / f"{name}.fict"


KINDS = ("remove", "keep", "mask", "drop", "rewrite")
_VERBS = {"mask": "mask", "drop": "remove"}  # kind of condition → verb of the action that its filter must have


@dataclass(frozen=True)
class NewCondition:
    """A condition with a query as its filter and, if `control` is set, a random control of the same size."""

    query: Query
    title: str
    kind: str
    control: bool

    @property
    def name(self) -> str:
        return self.title or (self.query.names[0] if self.query.is_file and self.query.names else "condition")

    def toml(self, file: str) -> str:
        selected = (self.query.rewrite if self.kind == "rewrite" else None) or self.query.filter
        reference = file if len(self.query.names) == 1 else f"{file}::{selected.name}"
        tables = _table(self.name, f"{self.kind} = [{json.dumps(reference, ensure_ascii=False)}]")
        if self.control:
            from runner.conditions.registry import INTERVENTIONS

            key = next(intervention.key for intervention in INTERVENTIONS if self.kind in intervention.controls)
            tables += "\n" + _table(f"{self.name}-random", f'{key} = "{self.name}"')
        return tables

    def problem(self, reason: str) -> InputError:
        return InputError.of("FICT852", name=self.name, reason=reason)


def condition_html(store_index: int, condition: NewCondition, folder: Path | None) -> str:
    file, text = filter_file(condition.query, condition.name, folder or Path())
    effect = _effect(store_of(store_index), condition)
    return (
        markup("lines", [effect, "For a manifest:"])
        + markup("copied", condition.toml(file.name))
        + markup("lines", [f"For {file.name}, beside the manifest:"])
        + markup("copied", text)
    )


def _table(name: str, line: str) -> str:
    return f'[[condition]]\nname = "{name}"\n{line}\n'


def _effect(store: Store, condition: NewCondition) -> str:
    count = _edited_counts if condition.kind in _VERBS else _matched_counts
    sentences, tokens, verb = (_rewritten_counts if condition.kind == "rewrite" else count)(store, condition)
    info = store.info
    counts = (
        f"{sentences:,} of {info.sentences:,} sentences ({sentences / max(1, info.sentences):.2%})",
        f"{tokens:,} of {info.words:,} tokens ({tokens / max(1, info.words):.2%})",
    )
    if condition.kind in _VERBS:
        return f"{condition.name} {verb} {counts[1]} in {counts[0]} of {store.path.name}."
    return f"{condition.name} {verb} {counts[0]} of {store.path.name}. They have {counts[1]}."


def _matched_counts(store: Store, condition: NewCondition) -> tuple[int, int, str]:
    from runner.corpus.engine import LocalEngine

    compiled = condition.query.filter
    if condition.query.is_rewrite:
        raise condition.problem(f"{condition.kind} needs a filter, but {compiled.name} is a rewrite")
    counts = LocalEngine(store).tally([compiled])
    return counts.sentences[0], counts.words[0], f"{condition.kind}s"


def _edited_counts(store: Store, condition: NewCondition) -> tuple[int, int, str]:
    from runner.conditions.filtered import unsuitable_action
    from runner.corpus.actions import action_targets

    compiled, needed_verb = condition.query.filter, _VERBS[condition.kind]
    if not any(action.verb == needed_verb and action.target != "sentence" for action in compiled.ir.actions):
        raise condition.problem(f"{condition.kind} needs a query with an action such as `{needed_verb} node(X)`")
    if (action := unsuitable_action(compiled, needed_verb)) is not None:
        raise condition.problem(
            f"filter {compiled.name} has the action `{action}`, which {condition.kind} does not apply"
        )
    words = [
        {word for target in targets for word in target.words}
        for chunk in action_targets(store, [compiled])
        for targets in chunk.values()
    ]
    return sum(map(bool, words)), sum(map(len, words)), f"{condition.kind}s"


def _rewritten_counts(store: Store, condition: NewCondition) -> tuple[int, int, str]:
    from runner.corpus import sentence_arrays
    from runner.corpus.rewrite import changed_sids

    rewrite = condition.query.rewrite
    if rewrite is None:
        raise condition.problem("the query has no rewrite")
    sids = changed_sids(store, rewrite, 0)
    return len(sids), int(sentence_arrays.read_sentences(store).words[sids].sum()), "changes"
