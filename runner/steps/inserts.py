"""The texts that conditions inject: found, hashed, and held against the filters that are to judge them."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from runner.corpus.conllu.features import missing_features
from runner.corpus.files.labels import labels
from runner.corpus.text.units import read_lines
from runner.errors import InputError
from runner.generate.targets import TARGETS as PARADIGMS
from runner.manifest.load import Draft
from runner.steps.condition_filters import INJECTED, ByKey
from runner.steps.paths import Roots, conllu_at
from runner.steps.raw import entries, nested, strings
from runner.workspace import sha256_file


@dataclass(frozen=True)
class InsertFile:
    """A file of an injected text: CoNLL-U, or text with a sentence a line."""

    label: str
    path: Path
    sha256: str

    @property
    def parsed(self) -> bool:
        """Whether it holds trees, which filters can judge."""
        return ".conllu" in self.path.name


def insert_files(
    draft: Draft, roots: Roots, filters: Mapping[str, ByKey], problems: list[Diagnostic]
) -> dict[str, tuple[InsertFile, ...]]:
    """The files of each condition that injects; what is wrong with them goes to `problems`."""
    found: dict[str, tuple[InsertFile, ...]] = {}
    for index, entry in entries(draft.raw.get("condition")):
        problems += _unknown_paradigm(draft, index, entry)
        paths: list[Path] = []
        for number, text in strings(nested(entry, "inject.text")):
            where = ("condition", index, "inject", "text", number)
            some, wrong = conllu_at(draft, roots, text, "text", where)
            paths += some
            problems += wrong
        paths = list(dict.fromkeys(paths))
        if paths:
            name = str(entry.get("name"))
            made = zip(labels(paths), paths, strict=True)
            found[name] = tuple(InsertFile(label, path, sha256_file(path)) for label, path in made)
            problems += [problem for file in found[name] if not file.parsed for problem in _unreadable(file.path)]
            problems += _unjudged(draft, index, found[name], filters.get(name, {}), entry.get("allow-missing") is True)
    return found


def _unreadable(path: Path) -> tuple[Diagnostic, ...]:
    """What keeps a text from being read: bytes that are no UTF-8."""
    try:
        deque(read_lines(path), maxlen=0)
    except InputError as error:
        return error.diagnostics
    return ()


def _unknown_paradigm(draft: Draft, index: int, entry: Any) -> list[Diagnostic]:
    """A paradigm for which there is no template, and a control whose condition neither generates nor has a text."""
    name, like = nested(entry, "inject.generate.paradigm"), nested(entry, "inject.like")
    if isinstance(name, str) and name not in PARADIGMS:
        hint = did_you_mean(name, PARADIGMS) or f"paradigms: {', '.join(PARADIGMS)}"
        where = ("condition", index, "inject", "generate", "paradigm")
        return [draft.problem("FICT605", *where, kind="paradigm", name=name, hint=hint)]
    other = next((e for _, e in entries(draft.raw.get("condition")) if e.get("name") == like), {}) if like else {}
    if like and not nested(entry, "inject.text") and nested(other, "inject.text"):
        return [draft.problem("FICT603", "condition", index, "inject", key="text", where="inject")]
    return []


def _unjudged(
    draft: Draft, index: int, files: tuple[InsertFile, ...], by_key: ByKey, lenient: bool
) -> list[Diagnostic]:
    """Filters that cannot judge a text: it has no trees, or never has a feature that they ask for."""
    found: list[Diagnostic] = []
    plain = [file for file in files if not file.parsed]
    for key in INJECTED:
        where: tuple[str | int, ...] = ("condition", index, *key.split("."))
        items = by_key.get(key, ())
        if items and plain:
            found.append(draft.problem("FICT642", *where, path=plain[0].label))
            continue
        missing = missing_features([file.path for file in files], {f for i in items for f in i.statement().features})
        for item in () if lenient else items:
            for feature in sorted(missing & set(item.statement().features)):
                hint = "`allow-missing = true` on the condition lets it through"
                told = {"filter": item.name, "feature": feature, "corpus": files[0].label}
                found.append(draft.problem("FICT610", *where, hint=hint, **told))
    return found
