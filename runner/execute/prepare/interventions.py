"""Write the edits of a condition and the units that it injects into the folders of their steps."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from runner.corpus.ingest.import_conllu import import_files
from runner.corpus.store.opening import Store
from runner.errors import InputError
from runner.execute.prepare.corpora import control_short
from runner.execute.prepare.generated import write_generated
from runner.generate.documents import Constraints
from runner.intervene.edit_random import random_edits
from runner.intervene.edits import filter_edits, write_edits
from runner.intervene.inserts import read_store_units, read_text_units, shuffle_units, write_units
from runner.intervene.remove_random import ShortError
from runner.intervene.substitute import Boundary, Substitution, form_frequencies
from runner.manifest.condition import Substitute
from runner.steps.condition_filters import INJECTION_KEYS
from runner.steps.interventions import edit_content, edit_filters, injection
from runner.steps.plan import Plan
from runner.workspace import write_text

EDITS, UNITS, SUBSTITUTED = "edits.parquet", "units.parquet", "substituted.json"
JUDGED = "judged.json"


def make_edits(plan: Plan, name: str, store: Store, base: Store, folder: Path) -> None:
    """Write the sentences of a store that a condition edits; rare words are those of the base corpus."""
    condition = plan.resolved.condition(name.partition("/")[0])
    assert condition is not None
    if condition.substitute is not None:
        _substitute(condition.substitute, plan.resolved.manifest.tokenizer.lowercase, store, base, folder)
        return
    filters = edit_filters(plan.resolved, name)
    if edit_content(condition, plan.resolved).keys() == {"filters"}:
        edits = filter_edits(store, filters)
    else:
        edits = random_edits(store, filters, condition.seed, condition.disjoint)
    try:
        write_edits(edits, folder / EDITS)
    except ShortError as short:
        raise InputError(control_short(plan, condition, short)) from short


def _substitute(settings: Substitute, lowercase: bool, store: Store, base: Store, folder: Path) -> None:
    result = substitution(settings, base, lowercase=lowercase)
    write_edits(result.edits(store), folder / EDITS)
    word, frequency = result.boundary.rarest_kept or (None, None)
    content: dict[str, Any] = {"kept_words": len(result.boundary.kept_words), "boundary": word, "frequency": frequency}
    content |= {
        "substituted": dict(sorted(result.substituted.items())),
        "left_as_words": dict(sorted(result.unsubstituted.items())),
    }
    write_text(folder / SUBSTITUTED, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def substitution(settings: Substitute, base: Store, *, lowercase: bool) -> Substitution:
    """Return the substitution of words that are rare in the base corpus."""
    return Substitution(
        Boundary.of(form_frequencies(base, lowercase=lowercase), settings.alpha), settings.tags, lowercase
    )


def make_units(
    plan: Plan, name: str, store: Callable[[], Store], constraints: Callable[[], Constraints], folder: Path
) -> None:
    """Write the units of the texts that a condition injects, in the order in which they are used.

    A text may be generated, with lemmas of the `store` and under `constraints`.
    """
    resolved = plan.resolved
    condition = resolved.condition(name)
    inject = None if condition is None else injection(condition, resolved)
    assert inject is not None
    files = resolved.inserts.get(name, ())
    units = [unit for file in files if not file.parsed for unit in read_text_units(file.path, file.label, inject.unit)]
    parsed = [file.path for file in files if file.parsed]
    if inject.generate is not None:
        parsed.append(write_generated(inject.generate, store, constraints(), folder))
    if parsed:
        only, without = (resolved.filters_of(name, key) for key in INJECTION_KEYS)
        selected, left_out = read_store_units(import_files(parsed, folder / "store"), inject.unit, only, without)
        units += selected
        counts = {"units": len(selected), "units_left_out": left_out}
        counts |= {"target_sentences": sum(line.target for unit in selected for line in unit)}
        write_text(folder / JUDGED, json.dumps(counts, indent=1) + "\n")
    write_units(shuffle_units(units, inject.seed), folder / UNITS)
