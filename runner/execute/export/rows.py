"""Build the table of a corpus: its lines with their provenance."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from runner.corpus.sentence_arrays import PROVENANCE, Indices, read_provenance
from runner.execute.prepare.prepare import Preparation
from runner.execute.prepare.row_changes import INJECTED
from runner.intervene.inserts import read_units
from runner.interventions.intervention import Flags

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


def corpus_of(preparation: Preparation, name: str) -> Corpus:
    """Return the corpus of a condition, or of a text: valid, test, or CONDITION/TEXT if the condition rewrites it."""
    is_condition = name in preparation.plan.corpora
    provenance = read_provenance(preparation.store("train" if is_condition else name.rpartition("/")[2]))
    has_documents = provenance["document"].null_count < provenance.num_rows
    if not is_condition:
        provenance = provenance.take(pa.array(preparation.kept_sids(name)))
    else:
        provenance = _condition_provenance(provenance, preparation.sids(name), preparation.units_of(name))
        provenance = _mark_rewritten(provenance, preparation.sids(name), preparation.is_edited(name))
    texts = pa.array(preparation.lines(name), pa.string())
    return Corpus(provenance.add_column(0, "text", texts), preparation.documents(name), has_documents)


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
