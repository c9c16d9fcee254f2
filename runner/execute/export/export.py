"""Export the corpora of all conditions, and the validation and test texts, to a folder for other trainers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
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
from runner.steps.step import Step
from runner.workspace import atomic_write, sha256_file, write_text

RECORD, CARD, TARGETS = "corpora.json", "README.md", "targets.csv"
VERSION = 2  # increase it when the same corpus is exported with other bytes


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """A corpus to write: its name in the plan, its path without suffix, and its step."""

    name: str
    path: str
    step: Step


def export(preparation: Preparation, folder: Path, output_format: Format) -> list[Path]:
    """Write all corpora that are not in `folder` yet, and return the files of all corpora.

    Files are recorded in `corpora.json` and published one by one, so that an interrupted export continues and ends
    with the same bytes. Files of an earlier export that this one does not have are removed.

    Raises InputError as `Preparation.corpora` does, and (FICT791) if a file would replace one that no export has
    written.
    """
    record = _read_record(folder)
    extra_names = (TARGETS, CARD) if output_format == "hf" else (TARGETS,)
    suffix, write = WRITERS[output_format]
    corpus_files = list(_corpus_files(preparation.plan))
    for name in (*(f"{corpus_file.path}{suffix}" for corpus_file in corpus_files), *extra_names):
        if (folder / name).exists() and not record.owns(folder, name):
            raise not_exported(folder / name)
    preparation.corpora()
    recorded = record.files
    written: dict[str, dict[str, Any]] = {}
    for corpus_file in corpus_files:
        path = f"{corpus_file.path}{suffix}"
        key = f"{preparation.cache.known_key(corpus_file.step)}/{output_format}/{VERSION}"
        preparation.listener({"event": "start", "step": path})
        entry = recorded.get(path)
        is_cached = entry is not None and entry.get("key") == key and _is_intact(folder / path, entry)
        if entry is None or not is_cached:
            corpus = corpus_of(preparation, corpus_file.name)
            with atomic_write(folder / path) as temp:
                write(corpus, temp)
                entry = {"key": key, "sha256": sha256_file(temp), "sentences": corpus.rows.num_rows}
                _write_record(folder, replace(record, files={**recorded, **written, path: entry}))
        written[path] = entry
        preparation.listener({"event": "done", "step": path, "cached": is_cached})
    for path in recorded.keys() - written.keys():
        (folder / path).unlink(missing_ok=True)
    if CARD not in extra_names and record.owns(folder, CARD):
        (folder / CARD).unlink(missing_ok=True)
    corpora = _exported_corpora(preparation.plan, written, suffix)
    extras = {TARGETS: _targets(preparation.plan)}
    if CARD in extra_names:
        extras[CARD] = dataset_card(preparation.plan, corpora)
    hashes = {name: [hashlib.sha256(text.encode("utf-8")).hexdigest()] for name, text in extras.items()}
    descriptions = {name: describe_condition(name, preparation.plan.resolved) for name in preparation.plan.conditions}
    either = {name: [*record.extras.get(name, []), *hashes[name]] for name in extras}
    _write_record(folder, _Record(written, either, descriptions))  # an interruption leaves the old or the new file
    for name, text in extras.items():
        write_text(folder / name, text)
    _write_record(folder, _Record(written, hashes, descriptions))
    return [folder / path for path in written]


@dataclass(frozen=True, slots=True)
class _Record:
    """The content of `corpora.json`: entries and descriptions, and the possible hashes of README.md and targets.csv."""

    files: dict[str, dict[str, Any]]
    extras: dict[str, list[str]]
    conditions: dict[str, str]

    def owns(self, folder: Path, name: str) -> bool:
        """Return whether an export has written a file of `folder`; README.md or targets.csv, as it is now."""
        if name in self.files:
            return True
        if not self.extras:  # of an export before hashes were recorded
            has_card = any("/hf/" in str(entry.get("key")) for entry in self.files.values())
            return has_card if name == CARD else bool(self.files)
        return (folder / name).is_file() and sha256_file(folder / name) in self.extras.get(name, [])


def _targets(plan: Plan) -> str:
    """Return the paradigms that each condition targets, in the format of `fictc report --targets`."""
    rows = ["corpus,benchmark"]
    for name in plan.conditions:
        filters = plan.resolved.filters_of(name, *FILTER_LISTS)
        condition_targets = condition_facts(name, plan.resolved).get("targets", ())
        targets = [*condition_targets, *(target for compiled in filters for target in compiled.metadata.targets)]
        rows += [f"{name},{target}" for target in dict.fromkeys(targets)]
    return "".join(f"{row}\n" for row in rows)


def _corpus_files(plan: Plan) -> Iterator[CorpusFile]:
    """Yield the corpora of conditions, the shared texts, and the texts that a condition rewrites."""
    for name, step in plan.corpora.items():
        yield CorpusFile(name, f"{name}/train", step)
    for text in TEXTS:
        if text in plan.stores:
            yield CorpusFile(text, text, plan.stores[text])
    for name, step in plan.edits.items():
        if name not in plan.corpora:
            yield CorpusFile(name, name, step)


def _exported_corpora(plan: Plan, written: dict[str, dict[str, Any]], suffix: str) -> list[ExportedCorpus]:
    corpora = []
    texts = [text for text in TEXTS if text in plan.stores]
    for name, variant in plan.variants.items():
        files = {"train": f"{name}/train{suffix}"}
        files |= {text: f"{variant_for(plan.edits, variant.condition, text)}{suffix}" for text in texts}
        corpora.append(ExportedCorpus(variant, written[files["train"]]["sentences"], files))
    return corpora


def _read_record(folder: Path) -> _Record:
    """Return the record of an earlier export, which has no files and no hashes if there was none.

    Raises InputError (FICT791) if `corpora.json` is another file.
    """
    if not (folder / RECORD).exists():
        return _Record({}, {TARGETS: [], CARD: []}, {})
    try:
        content = parse_json((folder / RECORD).read_text(encoding="utf-8"))
        files, extras = content["files"], content.get("extras", {})
        is_record = isinstance(files, dict) and all(isinstance(hashes, list) for hashes in extras.values())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise not_exported(folder / RECORD) from error
    if not is_record:
        raise not_exported(folder / RECORD)
    safe_paths = (path for path in files if not path.startswith("/") and ".." not in Path(path).parts)
    return _Record({path: files[path] for path in safe_paths if isinstance(files[path], dict)}, extras, {})


def not_exported(path: Path) -> InputError:
    """Return the error for a file that an export would replace, but has not written."""
    reason = "the file is not from `fictc corpora`, or was edited since; move it, or choose another folder"
    return InputError(diagnostic("FICT791", path=path, reason=reason))


def _is_intact(path: Path, entry: dict[str, Any]) -> bool:
    return path.is_file() and sha256_file(path) == entry.get("sha256") and isinstance(entry.get("sentences"), int)


def _write_record(folder: Path, record: _Record) -> None:
    write_text(folder / RECORD, json.dumps(asdict(record), indent=1, sort_keys=True, ensure_ascii=False) + "\n")
