"""Export the corpora of all conditions, and the validation and test texts, for other trainers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from runner.conditions.corpus import Flags
from runner.conditions.injected_text import read_units
from runner.corpus.sentence_arrays import PROVENANCE, Indices, read_provenance
from runner.errors import InputError
from runner.execute.builder import Builder
from runner.execute.prepared import INJECTED, Prepared
from runner.readers import parse_json
from runner.steps.names import TextName
from runner.steps.plan import RunPlan, text_for
from runner.steps.step import Step
from runner.steps.variants import describe_condition, targets_of
from runner.workspace import atomic_write, sha256_file, write_text

SPLITS = {"train": "train", "valid": "validation", "test": "test"}  # split in `datasets` by text of the manifest


def dataset_card(plan: RunPlan, sentences: Mapping[TextName, int], suffix: str) -> str:
    experiment = plan.resolved.manifest.experiment
    names = {corpus: str(corpus).replace("/", "-") for corpus in plan.corpora}  # of configurations
    front_matter, rows = [f"pretty_name: {json.dumps(experiment.name)}", "configs:"], list[str]()
    for corpus, condition in plan.conditions_by_corpus.items():
        front_matter.append(f"- config_name: {json.dumps(names[corpus])}")
        front_matter += ["  default: true"] if not rows else []
        front_matter.append("  data_files:")
        texts = {text: str(text_for(plan.edits, condition.name, text)) for text in plan.texts}
        for text, path in ({"train": f"{corpus}/train"} | texts).items():
            front_matter += [f"  - split: {SPLITS[text]}", f"    path: {json.dumps(f'{path}{suffix}')}"]
        description = describe_condition(condition).replace("|", r"\|")
        rows.append(f"| `{names[corpus]}` | {description} | {sentences[corpus]:,} |")
    description = f"{experiment.description}\n\n" if experiment.description else ""
    example = list(names.values())[-1]
    template = Path(__file__).with_name("corpora.md").read_text(encoding="utf-8")
    body = template.format(name=experiment.name, description=description, rows="\n".join(rows), example=example)
    return "\n".join(["---", *front_matter, "---", "", body])


REWRITTEN = "-rewritten"  # suffix of the sent_id of an edited line whose original is also in the corpus


@dataclass(frozen=True)
class Corpus:
    """A row for each line: `text` and the columns of `PROVENANCE`. `starts` are the first lines of documents."""

    rows: pa.Table
    starts: Indices
    has_documents: bool


def corpus_of(prepared: Prepared, name: TextName) -> Corpus:
    provenance, sids = read_provenance(prepared.store(name.split)), prepared.sids(name)
    has_documents = provenance["document"].null_count < provenance.num_rows
    provenance = _with_injected(provenance, sids, prepared.units_of(name))
    if name in prepared.plan.corpora:
        provenance = _mark_rewritten(provenance, sids, prepared.is_edited(name))
    texts = pa.array(prepared.lines(name), pa.string())
    return Corpus(provenance.add_column(0, "text", texts), prepared.documents(name), has_documents)


def _mark_rewritten(rows: pa.Table, sids: Indices, is_edited: Flags) -> pa.Table:
    has_original = np.isin(sids, sids[~is_edited]) & is_edited
    if not has_original.any():
        return rows
    sent_ids = rows["sent_id"].combine_chunks()
    marked_ids = pc.binary_join_element_wise(sent_ids, REWRITTEN, "")
    column_index = rows.schema.get_field_index("sent_id")
    return rows.set_column(
        column_index, rows.schema.field(column_index), pc.if_else(pa.array(has_original), marked_ids, sent_ids)
    )


def _with_injected(provenance: pa.Table, sids: Indices, units: Path | None) -> pa.Table:
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
    document_starts = frozenset(corpus.starts.tolist()) - {0} if corpus.has_documents else frozenset()
    with path.open("w", encoding="utf-8", newline="\n") as file:
        batches = corpus.rows.to_batches(_BATCH_ROWS)
        for index, text in enumerate(text for batch in batches for text in batch.column("text").to_pylist()):
            file.write(f"\n{text}\n" if index in document_starts else f"{text}\n")


def write_json_lines(corpus: Corpus, path: Path) -> None:
    """Write an object per sentence. `metadata` maps a key to its value, or to a list if the key is repeated."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for record in _records(corpus.rows):
            values: dict[str, list[str]] = {}
            for comment in record["metadata"] or []:
                values.setdefault(comment["key"], []).append(comment["value"])
            record["metadata"] = {key: entries[0] if len(entries) == 1 else entries for key, entries in values.items()}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def write_parquet(corpus: Corpus, path: Path) -> None:
    pq.write_table(corpus.rows, path, row_group_size=_BATCH_ROWS, write_page_checksum=True)


def _records(rows: pa.Table) -> Iterator[dict[str, Any]]:
    return (record for batch in rows.to_batches(_BATCH_ROWS) for record in batch.to_pylist())


WRITERS: Mapping[str, tuple[str, Callable[[Corpus, Path], None]]] = {  # suffix and writer by format
    "text": (".txt", write_lines),
    "jsonl": (".jsonl", write_json_lines),
    "parquet": (".parquet", write_parquet),
    "hf": (".parquet", write_parquet),
}


RECORD, CARD, TARGETS = "corpora.json", "README.md", "targets.csv"
VERSION = 2  # increase it when the same corpus is exported with other bytes


def export(builder: Builder, folder: Path, output_format: Format) -> list[Path]:
    """Write all corpora that are not in `folder` yet, and return the files of all corpora.

    Files are recorded and published one by one, so that an interrupted export continues and ends with the same bytes.
    Raises InputError as `Builder.corpora` does, and (FICT791) if a file would replace one that no export has written.
    """
    plan, record = builder.plan, _read_record(folder)
    suffix, write = WRITERS[output_format]
    names = {f"{path}{suffix}": (name, step) for path, (name, step) in _corpus_files(plan).items()}
    extra_names = (TARGETS, CARD) if output_format == "hf" else (TARGETS,)
    for path in (*names, *extra_names):
        if (folder / path).exists() and not record.owns(folder, path):
            raise not_exported(folder / path)
    builder.corpora()
    written: dict[str, dict[str, Any]] = {}
    for path, (text_name, step) in names.items():
        key = f"{builder.cache.known_key(step)}/{output_format}/{VERSION}"
        builder.listener({"event": "start", "step": path})
        entry = record.files.get(path)
        is_cached = entry is not None and entry.get("key") == key and _is_intact(folder / path, entry)
        if entry is None or not is_cached:
            corpus = corpus_of(builder, text_name)
            with atomic_write(folder / path) as temp:
                write(corpus, temp)
                entry = {"key": key, "sha256": sha256_file(temp), "sentences": corpus.rows.num_rows}
                _write_record(folder, replace(record, files={**record.files, **written, path: entry}))
        written[path] = entry
        builder.listener({"event": "done", "step": path, "cached": is_cached})
    for path in record.files.keys() - written.keys():
        (folder / path).unlink(missing_ok=True)
    conditions = plan.resolved.conditions
    targets = (f"{name},{target}\n" for name, condition in conditions.items() for target in targets_of(condition))
    if CARD not in extra_names and record.owns(folder, CARD):
        (folder / CARD).unlink(missing_ok=True)
    extras = {TARGETS: "".join(["corpus,benchmark\n", *targets])}
    if CARD in extra_names:
        sentences = {name: written[f"{name}/train{suffix}"]["sentences"] for name in plan.corpora}
        extras[CARD] = dataset_card(plan, sentences, suffix)
    hashes = {name: [hashlib.sha256(text.encode("utf-8")).hexdigest()] for name, text in extras.items()}
    descriptions = {name: describe_condition(condition) for name, condition in conditions.items()}
    either = {name: [*record.extras.get(name, []), *hashes[name]] for name in extras}
    _write_record(folder, _Record(written, either, descriptions))  # an interruption leaves the old or the new file
    for name, text in extras.items():
        write_text(folder / name, text)
    _write_record(folder, _Record(written, hashes, descriptions))
    return [folder / path for path in written]


@dataclass(frozen=True, slots=True)
class _Record:
    files: dict[str, dict[str, Any]]
    extras: dict[str, list[str]]
    conditions: dict[str, str]

    def owns(self, folder: Path, name: str) -> bool:
        if name in self.files:
            return True
        return (folder / name).is_file() and sha256_file(folder / name) in self.extras.get(name, [])


def _corpus_files(plan: RunPlan) -> dict[str, tuple[TextName, Step]]:
    corpora = {f"{name}/train": (name, step) for name, step in plan.corpora.items()}
    texts = {TextName(split=text): plan.stores[text] for text in plan.texts}
    texts |= {name: step for name, step in plan.edits.items() if name not in plan.corpora}
    return corpora | {str(name): (name, step) for name, step in texts.items()}


def _read_record(folder: Path) -> _Record:
    if not (folder / RECORD).exists():
        return _Record({}, {}, {})
    try:
        content = parse_json((folder / RECORD).read_text(encoding="utf-8"))
        files, extras = content["files"], content["extras"]
        is_record = isinstance(files, dict) and all(isinstance(hashes, list) for hashes in extras.values())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise not_exported(folder / RECORD) from error
    if not is_record:
        raise not_exported(folder / RECORD)
    safe_paths = (path for path in files if not path.startswith("/") and ".." not in Path(path).parts)
    return _Record({path: files[path] for path in safe_paths if isinstance(files[path], dict)}, extras, {})


def not_exported(path: Path) -> InputError:
    reason = "the file is not from `fictc corpora`, or was edited since; move it, or choose another folder"
    return InputError.of("FICT791", path=path, reason=reason)


def _is_intact(path: Path, entry: dict[str, Any]) -> bool:
    return path.is_file() and sha256_file(path) == entry.get("sha256") and isinstance(entry.get("sentences"), int)


def _write_record(folder: Path, record: _Record) -> None:
    write_text(folder / RECORD, json.dumps(asdict(record), indent=1, sort_keys=True, ensure_ascii=False) + "\n")
