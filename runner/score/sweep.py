"""Score a model, or each checkpoint in a folder, on a suite, and write, read and summarize files of scores."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.words import counted
from runner.errors import InputError
from runner.machine import AUTO, choose
from runner.model.saved import SavedModel, load_model, position_limit
from runner.model.tokenizer import tokenized
from runner.readers import parquet_reason, parse_json
from runner.score.any_suite import KINDS, prepare_any
from runner.score.convention import Convention, preset_for
from runner.score.measures import TIE_VALUE, Ties
from runner.score.pair_matrices import Score
from runner.score.score_table import SentenceSource, rescored, token_counts
from runner.score.sentence_scores import Prepared, Progress, length_limit, read_tokens, score
from runner.score.suite_kind import AnySuite, Scores
from runner.score.word_surprisals import with_word_boundaries, word_table
from runner.workspace import atomic_write

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray


def summary_values(suite: str, summary: Mapping[str, Any], ties: Ties) -> Iterator[tuple[str, str, float]]:
    if summary.get("pearson") is not None:
        yield suite, "pearson", summary["pearson"]
    if summary.get("paradigm") is None:
        return
    benchmark = f"{suite}/{summary['paradigm']}"
    identical = 0 if ties == "half" else summary.get("identical", 0)  # as in `measures.decisions`
    if pair_count := summary["pairs"] + identical:
        yield benchmark, "accuracy", (summary["right"] + TIE_VALUE[ties] * (summary["ties"] + identical)) / pair_count
    if summary["delta"] is not None:
        yield benchmark, "delta", summary["delta"]


CHECKPOINT = "checkpoint"  # column with the name of the checkpoint, if there are several
# Fields of a convention that can be changed without the model, since saved token scores do not depend on them.
_RESCORED_FIELDS = ("normalise", "ties")
CHECKPOINT_CONVENTIONS = "conventions"  # key of the metadata: the convention of each checkpoint, if they differ


def models_in(folder: Path) -> list[Path]:
    """Return the models in `folder` in natural order, or `folder` itself if it is a model or has none."""
    folders = [path.parent for path in folder.glob("*/config.json")]
    if (folder / "config.json").is_file() or not folders:
        return [folder]
    return sorted(folders, key=lambda path: _natural_key(path.name))


def _natural_key(name: str) -> tuple[list[str | int], str]:
    parts = enumerate(re.split(r"(\d+)", name))  # text and numbers in turn
    return [int(part) if index % 2 else part for index, part in parts], name


def sweep(
    folder: Path,
    suite: AnySuite,
    choose_convention: Callable[[SavedModel], Convention],
    on_progress: Progress | None = None,
    *,
    words: bool = False,
    device: str = AUTO,
    unigram_text: SentenceSource | None = None,
    skip_long: bool = False,
    on_note: Callable[[Diagnostic], None] | None = None,
) -> Iterator[Scores]:
    """Score every model in a folder, with the surprisal of every word if `words` is set.

    A suite is encoded once for all models with the same tokenizer and convention. Unigrams come from `unigram_text` or
    from the counts saved with a model. With `skip_long`, sentences that are too long have no score.
    Raises InputError: FICT808 for the device, and those of `load_model`, `SuiteKind.prepare` and `score`.
    """
    folders, chosen_device = models_in(folder), choose(device)
    prepared: Prepared | None = None
    encoding_key: object = None
    counts: NDArray[np.int64] | None = None
    for path in folders:
        saved = load_model(path, chosen_device)
        convention = choose_convention(saved)
        if unigram_text is not None:
            if counts is None or encoding_key != _encoding_key(saved, convention):
                counts = token_counts(saved, unigram_text(), convention)
            saved = replace(saved, counts=counts)
        if prepared is None or encoding_key != _encoding_key(saved, convention):
            prepared = prepare_any(saved, suite, convention, include_identical=words, skip_long=skip_long)
            encoding_key = _encoding_key(saved, convention)
            if on_note is not None:
                for note in (*_length_notes(saved, prepared, skip_long=skip_long), *_bos_notes(saved, convention)):
                    on_note(note)
            prepared = with_word_boundaries(saved, prepared) if words else prepared
        name = path.name if len(folders) > 1 else ""
        scored = score(saved, prepared, on_progress)
        word_scores = word_table(saved.tokenizer, prepared, scored) if words else None
        yield Scores(folder.name, name, suite.name, convention, scored.table, word_scores)


def _length_notes(saved: SavedModel, prepared: Prepared, *, skip_long: bool) -> Iterator[Diagnostic]:
    limit = length_limit(saved)
    lengths = [read_tokens(sentence, prepared.convention) for sentence in prepared.sentences]
    too_long = [length for length in lengths if limit is not None and length > limit]
    if too_long:
        model, count, longest = saved.folder.name, counted(len(too_long), "sentence"), max(too_long)
        if skip_long:
            yield diagnostic("FICT827", model=model, count=count, longest=longest, limit=limit)
        else:
            yield diagnostic("FICT828", model=model, count=count, longest=longest, limit=limit)


def _bos_notes(saved: SavedModel, convention: Convention) -> Iterator[Diagnostic]:
    ids = [] if convention.masked or convention.context != "none" else tokenized(saved.tokenizer, ["a"])["input_ids"][0]
    plain = tokenized(saved.tokenizer, ["a"], add_special_tokens=False)["input_ids"][0] if ids else []
    if len(ids) > len(plain) and ids[: len(plain)] != plain:
        token = saved.tokenizer.convert_ids_to_tokens(ids[0])
        yield diagnostic("FICT829", model=saved.folder.name, token=token)


def _encoding_key(saved: SavedModel, convention: Convention) -> object:
    tokenizer = saved.tokenizer
    tokenizer_state = tokenizer.backend_tokenizer.to_str() if tokenizer.is_fast else saved.folder
    special_tokens = json.dumps(tokenizer.special_tokens_map, default=str, sort_keys=True)
    return tokenizer_state, special_tokens, saved.about.get("context", -1), position_limit(saved), convention


def write_scores(scores: Sequence[Scores], preset: str, path: Path) -> None:
    """Write scores to one Parquet file, with cell, preset and conventions (of each checkpoint, if they differ)."""
    first = scores[0]
    convention = json.dumps({"name": preset, **asdict(first.convention)})
    labels = {"model": first.model, "suite": first.suite, "convention": convention}
    metadata = {**(first.table.schema.metadata or {}), **labels}
    if first.cell is not None:
        metadata["cell"] = json.dumps(asdict(first.cell))
    if any(entry.convention != first.convention for entry in scores):
        conventions = {entry.checkpoint: asdict(entry.convention) for entry in scores}
        metadata[CHECKPOINT_CONVENTIONS] = json.dumps(conventions)
    write_tables([(entry.checkpoint, entry.table) for entry in scores], path, metadata)


def write_tables(tables: Sequence[tuple[str, pa.Table]], path: Path, metadata: Mapping[Any, str] | None = None) -> None:
    """Write tables one after the other, as CSV or as Parquet by the suffix; several get a column `checkpoint`."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet as pq

    labelled = [table for _, table in tables]
    if len(tables) > 1:
        labels = [pa.array([label] * table.num_rows, pa.string()) for label, table in tables]
        labelled = [table.add_column(0, CHECKPOINT, column) for table, column in zip(labelled, labels, strict=True)]
    combined = pa.concat_tables(labelled).replace_schema_metadata(metadata)
    with atomic_write(path) as temp:
        if path.suffix.lower() == ".csv":
            pyarrow.csv.write_csv(combined, temp)
        else:
            pq.write_table(combined, temp, write_page_checksum=True)


def read_scores(path: Path) -> tuple[list[Scores], str]:
    """Read what `write_scores` wrote: the scores and the name of the preset. Raises InputError (FICT819)."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, page_checksum_verification=True)
        metadata = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
        if "convention" not in metadata:
            raise ValueError("it is not a file that `fictc score --output` wrote")
        convention: dict[str, Any] = parse_json(metadata["convention"])
        preset = convention.pop("name")
        kept_keys = {key for kind in KINDS for key in kind.metadata}
        table = table.replace_schema_metadata({key: metadata[key] for key in metadata if key in kept_keys})
        cell = Score(**parse_json(metadata["cell"])) if "cell" in metadata else None
        suite, shared_convention = metadata["suite"], Convention(**convention)
        if CHECKPOINT not in table.column_names:
            return [Scores(metadata["model"], "", suite, shared_convention, table, cell=cell)], preset
        conventions: dict[str, dict[str, Any]] = parse_json(metadata.get(CHECKPOINT_CONVENTIONS, "{}"))
        labels, columns = table.column(CHECKPOINT), table.drop_columns([CHECKPOINT])
        scores = []
        for label in labels.unique().to_pylist():
            own = Convention(**conventions[label]) if label in conventions else shared_convention
            rows = columns.filter(pc.equal(labels, label))
            scores.append(Scores(metadata["model"], label, suite, own, rows, cell=cell))
        return scores, preset
    except FileNotFoundError as error:
        raise InputError.of("FICT819", path=path, reason="no such file") from error
    except (OSError, KeyError, TypeError, ValueError, pa.ArrowException) as error:
        raise InputError.of("FICT819", path=path, reason=parquet_reason(error)) from error


def rescore_file(path: Path, overrides: Mapping[str, str], preset: str | None = None) -> tuple[list[Scores], str]:
    """Recompute stored scores with other `normalise` and `ties`. Raises InputError (FICT814, FICT819)."""
    stored, stored_preset = read_scores(path)
    unsupported = [field for field in overrides if field not in _RESCORED_FIELDS]
    if preset is not None and not all(_differs_only_in_aggregation(entry.convention, preset) for entry in stored):
        unsupported.insert(0, "convention")
    if unsupported:
        raise InputError.of("FICT819", path=path, reason=f"`{unsupported[0]}` needs the model")
    rescored_scores = []
    for entry in stored:
        base = entry.convention if preset is None else preset_for(preset, masked=entry.convention.masked)
        convention = replace(base, **overrides)  # type: ignore[arg-type]
        try:
            table = rescored(entry.table, convention.normalise)
        except ValueError:
            hint = "score the model again with --counts, which names a store or a text"
            raise InputError.of("FICT814", name=convention.normalise, hint=hint) from None
        rescored_scores.append(replace(entry, convention=convention, table=table))
    return rescored_scores, preset or stored_preset


def _differs_only_in_aggregation(convention: Convention, preset: str) -> bool:
    preset_convention = preset_for(preset, masked=convention.masked)
    stored_fields = {field: getattr(convention, field) for field in _RESCORED_FIELDS}
    return replace(preset_convention, **stored_fields) == convention
