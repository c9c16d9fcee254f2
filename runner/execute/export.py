"""Export the corpora of all conditions, and the validation and test texts, for other trainers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from fictdsl.diagnostics.codes import diagnostic
from runner.conditions.condition import Condition
from runner.conditions.corpus import Flags
from runner.conditions.injected_text import read_units
from runner.conditions.registry import FILTER_LISTS
from runner.corpus.sentence_arrays import PROVENANCE, Indices, read_provenance
from runner.errors import InputError
from runner.execute.builder import Builder
from runner.execute.prepared import INJECTED, Prepared
from runner.readers import parse_json
from runner.steps.plan import RunPlan
from runner.steps.step import Step
from runner.steps.trainings import variant_for
from runner.steps.variants import TEXTS, condition_facts, describe_condition
from runner.workspace import atomic_write, sha256_file, write_text

SPLITS = {"train": "train", "valid": "validation", "test": "test"}  # split in `datasets` by text of the manifest
_BODY = """# {name}

{description}The training corpora of an experiment in filtered corpus training, written by `fictc corpora`. All are
derived from one base corpus; some may also contain injected text. They share the validation and test texts, except
where a condition rewrites these. The licence is that of the base corpus, and for injected text that of its source.

| configuration | training corpus | sentences |
|---|---|---|
{rows}

```python
from datasets import load_dataset

load_dataset("PATH", "{example}")
```

| column | content |
|---|---|
| `text` | the sentence, as the models of this condition read it |
| `source`, `number` | the file that it comes from and its number there; `injected` for injected text |
| `sent_id`, `document` | its identifier and its document in that file, if it has them |
| `metadata` | its other comments in CoNLL-U, as keys and values |
"""


@dataclass(frozen=True, slots=True)
class ExportedCorpus:
    """A training corpus with its number of sentences, and the file of each of its texts, relative to the folder."""

    condition: Condition
    sentences: int
    files: Mapping[str, str]

    @property
    def name(self) -> str:
        """The name of the configuration: CONDITION, CONDITION-seed-N or CONDITION-draw-K."""
        return self.condition.corpus.replace("/", "-")


def dataset_card(plan: RunPlan, corpora: Sequence[ExportedCorpus]) -> str:
    """Return the card, with a configuration for each training corpus."""
    experiment = plan.resolved.manifest.experiment
    front_matter = [f"pretty_name: {json.dumps(experiment.name)}", "configs:"]
    for corpus in corpora:
        front_matter += _configuration(corpus, is_default=corpus is corpora[0])
    description = f"{experiment.description}\n\n" if experiment.description else ""
    rows = "\n".join(_row(plan, corpus) for corpus in corpora)
    body = _BODY.format(name=experiment.name, description=description, rows=rows, example=corpora[-1].name)
    return "\n".join(["---", *front_matter, "---", "", body])


def _row(plan: RunPlan, corpus: ExportedCorpus) -> str:
    description = describe_condition(corpus.condition.name, plan.resolved).replace("|", r"\|")
    return f"| `{corpus.name}` | {description} | {corpus.sentences:,} |"


def _configuration(corpus: ExportedCorpus, *, is_default: bool) -> list[str]:
    lines = [f"- config_name: {json.dumps(corpus.name)}"]
    if is_default:
        lines.append("  default: true")
    lines.append("  data_files:")
    for text, path in corpus.files.items():
        lines += [f"  - split: {SPLITS[text]}", f"    path: {json.dumps(path)}"]
    return lines


REWRITTEN = "-rewritten"  # suffix of the sent_id of an edited line whose original is also in the corpus


@dataclass(frozen=True)
class Corpus:
    """A row for each line: `text` and the columns of `PROVENANCE`.

    `starts` are the indices of the first lines of documents. `has_documents` says whether the store that the corpus is
    derived from has documents with names; otherwise, each of its sentences is a document.
    """

    rows: pa.Table
    starts: Indices
    has_documents: bool


def corpus_of(prepared: Prepared, name: str) -> Corpus:
    """Return the corpus of a condition, or of a text: valid, test, or CONDITION/TEXT if the condition rewrites it."""
    is_condition = name in prepared.plan.corpora
    provenance = read_provenance(prepared.store("train" if is_condition else name.rpartition("/")[2]))
    has_documents = provenance["document"].null_count < provenance.num_rows
    if not is_condition:
        provenance = provenance.take(pa.array(prepared.kept_sids(name)))
    else:
        provenance = _condition_provenance(provenance, prepared.sids(name), prepared.units_of(name))
        provenance = _mark_rewritten(provenance, prepared.sids(name), prepared.is_edited(name))
    texts = pa.array(prepared.lines(name), pa.string())
    return Corpus(provenance.add_column(0, "text", texts), prepared.documents(name), has_documents)


def _mark_rewritten(rows: pa.Table, sids: Indices, is_edited: Flags) -> pa.Table:
    """Append `-rewritten` to the sent_id of each edited line whose original is also in the corpus."""
    has_original = np.isin(sids, sids[~is_edited]) & is_edited
    if not has_original.any():
        return rows
    sent_ids = rows["sent_id"].combine_chunks()
    marked_ids = pc.binary_join_element_wise(sent_ids, REWRITTEN, "")
    column_index = rows.schema.get_field_index("sent_id")
    return rows.set_column(
        column_index, rows.schema.field(column_index), pc.if_else(pa.array(has_original), marked_ids, sent_ids)
    )


def _condition_provenance(provenance: pa.Table, sids: Indices, units: Path | None) -> pa.Table:
    """Return the rows of a condition's sentences. Each injected unit is a document of the source `INJECTED`."""
    is_injected = sids < 0
    rows = provenance.take(pa.array(np.where(is_injected, 0, sids), mask=is_injected))
    if units is None:
        return rows
    first_lines = np.array(read_units(units)[1])
    unit_numbers = np.searchsorted(first_lines, ~sids, "right")
    names = pa.array([f"{INJECTED}-{number}" for number in unit_numbers.tolist()], pa.string())
    mask = pa.array(is_injected)
    columns = {name: rows[name].combine_chunks() for name in PROVENANCE.names}
    columns["source"] = pc.if_else(mask, INJECTED, columns["source"])
    columns["document"] = pc.if_else(mask, names, columns["document"])
    return pa.table(columns, schema=PROVENANCE)


Format: TypeAlias = Literal["text", "jsonl", "parquet", "hf"]

_BATCH_ROWS = 65_536  # rows per batch and per row group of Parquet


def write_lines(corpus: Corpus, path: Path) -> None:
    """Write a sentence per line, and an empty line between documents if the corpus has any."""
    document_starts = frozenset(corpus.starts.tolist()) - {0} if corpus.has_documents else frozenset()
    with path.open("w", encoding="utf-8", newline="\n") as file:
        index = 0
        for batch in corpus.rows.select(["text"]).to_batches(_BATCH_ROWS):
            for text in batch.column(0).to_pylist():
                file.write(f"\n{text}\n" if index in document_starts else f"{text}\n")
                index += 1


def write_json_lines(corpus: Corpus, path: Path) -> None:
    """Write an object per sentence. `metadata` maps a key to its value, or to a list if the key is repeated."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for record in _records(corpus.rows):
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def write_parquet(corpus: Corpus, path: Path) -> None:
    """Write a row per sentence. `metadata` is a list of keys and values."""
    pq.write_table(corpus.rows, path, row_group_size=_BATCH_ROWS, write_page_checksum=True)


def _records(rows: pa.Table) -> Iterator[dict[str, Any]]:
    for batch in rows.to_batches(_BATCH_ROWS):
        for record in batch.to_pylist():
            yield record | {"metadata": _values_by_key(record["metadata"] or [])}


def _values_by_key(comments: list[dict[str, str]]) -> dict[str, str | list[str]]:
    values: dict[str, list[str]] = {}
    for comment in comments:
        values.setdefault(comment["key"], []).append(comment["value"])
    return {key: entries[0] if len(entries) == 1 else entries for key, entries in values.items()}


WRITERS: Mapping[str, tuple[str, Callable[[Corpus, Path], None]]] = {  # suffix and writer by format
    "text": (".txt", write_lines),
    "jsonl": (".jsonl", write_json_lines),
    "parquet": (".parquet", write_parquet),
    "hf": (".parquet", write_parquet),
}


RECORD, CARD, TARGETS = "corpora.json", "README.md", "targets.csv"
VERSION = 2  # increase it when the same corpus is exported with other bytes


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """A corpus to write: its name in the plan, its path without suffix, and its step."""

    name: str
    path: str
    step: Step


def export(builder: Builder, folder: Path, output_format: Format) -> list[Path]:
    """Write all corpora that are not in `folder` yet, and return the files of all corpora.

    Files are recorded in `corpora.json` and published one by one, so that an interrupted export continues and ends
    with the same bytes. Files of an earlier export that this one does not have are removed.

    Raises InputError as `Preparation.corpora` does, and (FICT791) if a file would replace one that no export has
    written.
    """
    record = _read_record(folder)
    extra_names = (TARGETS, CARD) if output_format == "hf" else (TARGETS,)
    suffix, write = WRITERS[output_format]
    corpus_files = list(_corpus_files(builder.plan))
    for name in (*(f"{corpus_file.path}{suffix}" for corpus_file in corpus_files), *extra_names):
        if (folder / name).exists() and not record.owns(folder, name):
            raise not_exported(folder / name)
    builder.corpora()
    recorded = record.files
    written: dict[str, dict[str, Any]] = {}
    for corpus_file in corpus_files:
        path = f"{corpus_file.path}{suffix}"
        key = f"{builder.cache.known_key(corpus_file.step)}/{output_format}/{VERSION}"
        builder.listener({"event": "start", "step": path})
        entry = recorded.get(path)
        is_cached = entry is not None and entry.get("key") == key and _is_intact(folder / path, entry)
        if entry is None or not is_cached:
            corpus = corpus_of(builder, corpus_file.name)
            with atomic_write(folder / path) as temp:
                write(corpus, temp)
                entry = {"key": key, "sha256": sha256_file(temp), "sentences": corpus.rows.num_rows}
                _write_record(folder, replace(record, files={**recorded, **written, path: entry}))
        written[path] = entry
        builder.listener({"event": "done", "step": path, "cached": is_cached})
    for path in recorded.keys() - written.keys():
        (folder / path).unlink(missing_ok=True)
    if CARD not in extra_names and record.owns(folder, CARD):
        (folder / CARD).unlink(missing_ok=True)
    corpora = _exported_corpora(builder.plan, written, suffix)
    extras = {TARGETS: _targets(builder.plan)}
    if CARD in extra_names:
        extras[CARD] = dataset_card(builder.plan, corpora)
    hashes = {name: [hashlib.sha256(text.encode("utf-8")).hexdigest()] for name, text in extras.items()}
    descriptions = {name: describe_condition(name, builder.plan.resolved) for name in builder.plan.conditions}
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


def _targets(plan: RunPlan) -> str:
    """Return the paradigms that each condition targets, in the format of `fictc report --targets`."""
    rows = ["corpus,benchmark"]
    for name in plan.conditions:
        filters = plan.resolved.filters_of(name, *FILTER_LISTS)
        condition_targets = condition_facts(name, plan.resolved).get("targets", ())
        targets = [*condition_targets, *(target for compiled in filters for target in compiled.metadata.targets)]
        rows += [f"{name},{target}" for target in dict.fromkeys(targets)]
    return "".join(f"{row}\n" for row in rows)


def _corpus_files(plan: RunPlan) -> Iterator[CorpusFile]:
    """Yield the corpora of conditions, the shared texts, and the texts that a condition rewrites."""
    for name, step in plan.corpora.items():
        yield CorpusFile(name, f"{name}/train", step)
    for text in TEXTS:
        if text in plan.stores:
            yield CorpusFile(text, text, plan.stores[text])
    for name, step in plan.edits.items():
        if name not in plan.corpora:
            yield CorpusFile(name, name, step)


def _exported_corpora(plan: RunPlan, written: dict[str, dict[str, Any]], suffix: str) -> list[ExportedCorpus]:
    corpora = []
    texts = [text for text in TEXTS if text in plan.stores]
    for name, condition in plan.conditions_by_corpus.items():
        files = {"train": f"{name}/train{suffix}"}
        files |= {text: f"{variant_for(plan.edits, condition.name, text)}{suffix}" for text in texts}
        corpora.append(ExportedCorpus(condition, written[files["train"]]["sentences"], files))
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
