"""Export the corpora of all conditions, and the validation and test texts, to a folder for other trainers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.execute.export.card import ExportedCorpus, dataset_card
from runner.execute.export.formats import WRITERS, Format
from runner.execute.export.rows import corpus_of
from runner.execute.prepare.prepare import Preparation
from runner.interventions.registry import FILTER_LISTS
from runner.readers import parse_json
from runner.steps.cells import variant_for
from runner.steps.corpus_steps import TEXTS
from runner.steps.interventions import condition_facts, describe_condition
from runner.steps.plan import Plan
from runner.workspace import atomic_write, sha256_file, write_text

RECORD, CARD, TARGETS = "corpora.json", "README.md", "targets.csv"
VERSION = 1  # increase it when the same corpus is exported with other bytes


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """A corpus to write: its name in the plan, its path without suffix, and the content key of its step."""

    name: str
    path: str
    key: str


def export(preparation: Preparation, folder: Path, output_format: Format) -> list[Path]:
    """Write all corpora that are not in `folder` yet, and return the files of all corpora.

    Files are published one by one and recorded in `corpora.json`, so that an interrupted export continues and ends
    with the same bytes. Files of an earlier export that this one does not have are removed.

    Raises InputError as `Preparation.corpora` does.
    """
    preparation.corpora()
    suffix, write = WRITERS[output_format]
    recorded = _read_record(folder)
    written: dict[str, dict[str, Any]] = {}
    for corpus_file in _corpus_files(preparation.plan):
        path, key = f"{corpus_file.path}{suffix}", f"{corpus_file.key}/{output_format}/{VERSION}"
        preparation.listener({"event": "start", "step": path})
        entry = recorded.get(path)
        is_cached = entry is not None and entry.get("key") == key and _is_intact(folder / path, entry)
        if entry is None or not is_cached:
            corpus = corpus_of(preparation, corpus_file.name)
            with atomic_write(folder / path) as temp:
                write(corpus, temp)
            entry = {"key": key, "sha256": sha256_file(folder / path), "sentences": corpus.rows.num_rows}
            _write_record(folder, {**recorded, **written, path: entry})
        written[path] = entry
        preparation.listener({"event": "done", "step": path, "cached": is_cached})
    for path in recorded.keys() - written.keys():
        (folder / path).unlink(missing_ok=True)
    if output_format != "hf" and any(str(entry.get("key")).endswith(f"/hf/{VERSION}") for entry in recorded.values()):
        (folder / CARD).unlink(missing_ok=True)
    corpora = _exported_corpora(preparation.plan, written, suffix)
    descriptions = {name: describe_condition(name, preparation.plan.resolved) for name in preparation.plan.conditions}
    _write_record(folder, written, descriptions)
    _write_targets(preparation.plan, folder / TARGETS)
    if output_format == "hf":
        write_text(folder / CARD, dataset_card(preparation.plan, corpora))
    return [folder / path for path in written]


def _write_targets(plan: Plan, path: Path) -> None:
    """Write the paradigms that each condition targets, in the format of `fictc report --targets`."""
    rows = ["corpus,benchmark"]
    for name in plan.conditions:
        filters = plan.resolved.filters_of(name, *FILTER_LISTS)
        condition_targets = condition_facts(name, plan.resolved).get("targets", ())
        targets = [*condition_targets, *(target for compiled in filters for target in compiled.metadata.targets)]
        rows += [f"{name},{target}" for target in dict.fromkeys(targets)]
    write_text(path, "".join(f"{row}\n" for row in rows))


def _corpus_files(plan: Plan) -> Iterator[CorpusFile]:
    """Yield the corpora of conditions, the shared texts, and the texts that a condition rewrites."""
    for name, step in plan.corpora.items():
        yield CorpusFile(name, f"{name}/train", step.key)
    for text in TEXTS:
        if text in plan.stores:
            yield CorpusFile(text, text, plan.stores[text].key)
    for name, step in plan.edits.items():
        if name not in plan.corpora:
            yield CorpusFile(name, name, step.key)


def _exported_corpora(plan: Plan, written: dict[str, dict[str, Any]], suffix: str) -> list[ExportedCorpus]:
    corpora = []
    texts = [text for text in TEXTS if text in plan.stores]
    for name, variant in plan.variants.items():
        files = {"train": f"{name}/train{suffix}"}
        files |= {text: f"{variant_for(plan.edits, variant.condition, text)}{suffix}" for text in texts}
        corpora.append(ExportedCorpus(variant, written[files["train"]]["sentences"], files))
    return corpora


def _read_record(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the entries of an earlier export by path, or {} if there was none."""
    try:
        files = parse_json((folder / RECORD).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    if not isinstance(files, dict):
        return {}
    safe_paths = (path for path in files if not path.startswith("/") and ".." not in Path(path).parts)
    return {path: files[path] for path in safe_paths if isinstance(files[path], dict)}


def _is_intact(path: Path, entry: dict[str, Any]) -> bool:
    return path.is_file() and sha256_file(path) == entry.get("sha256") and isinstance(entry.get("sentences"), int)


def _write_record(folder: Path, files: dict[str, dict[str, Any]], conditions: dict[str, str] | None = None) -> None:
    content = {"conditions": conditions or {}, "files": files}
    write_text(folder / RECORD, json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
