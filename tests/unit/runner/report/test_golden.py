"""What a report says in words, for each way a run can turn out, as `sentences.md` has it.

`python -m tests.unit.runner.report.test_golden` writes the file again, to be read as a stranger would.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from runner.report.analysis import analyse
from runner.report.answer import answer
from runner.report.results import Results, read_results
from runner.report.scored_results import results_with_scores
from runner.score.convention import Convention
from runner.score.pair_matrices import Score
from runner.score.suite_kind import Scores
from runner.score.sweep import write_scores
from tests.support.results import EFFECTS, PARADIGMS, Fabricated

GOLDEN = Path(__file__).with_name("sentences.md")
CONVENTION = {"convention": {"blimp": asdict(Convention())}}


def made(folder: Path, **changes: object) -> Results:
    return read_results(written(folder, **changes))


def written(folder: Path, **changes: object) -> Path:
    return Fabricated(**{"items": 60, "seeds": (1, 2, 3, 4), "card": CONVENTION} | changes).write(folder / "results")


def edited(folder: Path, name: str, change: Callable[[dict], dict]) -> None:
    """Change each record of a JSON file or the rows of a Parquet file."""
    path = folder / name
    if path.suffix == ".json":
        content = json.loads(path.read_text())
        path.write_text(json.dumps([change(row) for row in content] if isinstance(content, list) else change(content)))
    else:
        table = pq.read_table(path)
        rows = [change(row) for row in table.to_pylist()]
        pq.write_table(pa.Table.from_pylist(rows, None if "frequencies" in rows[0] else table.schema), path)


def joined(folder: Path) -> Results:
    run = written(folder)
    table = pq.read_table(run / "items.parquet")
    of_cell = [
        pc.equal(table[name], value) for name, value in (("condition", "full"), ("model", "lstm-128"), ("seed", 1))
    ]
    rows = table.filter(pc.and_(pc.and_(of_cell[0], of_cell[1]), of_cell[2]))
    rows = rows.drop_columns(["condition", "model", "seed", "suite"])
    scores = Scores("gpt2", "", "blimp", Convention(), rows, cell=Score("full", "gpt2-mine", 1))
    write_scores([scores], "default", folder / "gpt2.parquet")
    return results_with_scores(run, [folder / "gpt2.parquet"])


def unlearned(folder: Path, conditions: tuple[str, ...]) -> Results:
    run = written(folder)

    def with_frequencies(row: dict) -> dict:
        poor = row["model"] == "lstm-128" and row["condition"] in conditions
        return row | {"frequencies": row["nll"] + row["tokens"] * (-0.02 if poor else 1.0)}

    edited(run, "perplexity.parquet", with_frequencies)
    return read_results(run)


def unanimous(folder: Path) -> Results:
    run = written(folder, seeds=(1, 2, 3))

    def decided(row: dict) -> dict:
        if row["paradigm"] != "determiner_noun_agreement_1" or row["identical"]:
            return row
        return row | {"score_good": -1.0, "score_bad": -2.0}

    edited(run, "items.parquet", decided)
    return read_results(run)


def controlled_by(folder: Path, by: str, words: int) -> Results:
    run = written(folder)
    edited(run, "conditions.json", lambda row: row | ({"by": by, "words": words} if row["control_of"] else {}))
    return read_results(run)


def audited(folder: Path) -> Results:
    run = written(folder)
    estimates = {"precision": [0.9, 0.8, 0.95], "recall": [0.6, 0.4, 0.8], "remaining": [0.4, 0.2, 0.6]}
    audit = {"filter": "det-noun", "key": "k", "corpus": "wiki", "sentences": 300, "judged": 300, **estimates}
    audit |= {"per_million": [444.4, 191.1, 1322.36]}
    edited(run, "conditions.json", lambda row: row | ({"audits": [audit]} if row["name"] == "det-noun" else {}))
    return read_results(run)


def of_cells(folder: Path, *, planned: int, changed: bool) -> Results:
    run = written(folder)
    cell = {"name": "full/lstm-128/1", "key": "old"}
    edited(run, "run.json", lambda card: card | {"cells": [cell], "planned": planned})
    (folder / "cells.json").write_text(json.dumps([cell | {"key": "new" if changed else "old"}]))
    return read_results(run)


SMALL = dict.fromkeys(EFFECTS, -0.025)
FAILED = [{"condition": "det-noun", "model": "lstm-128", "seed": seed, "error": "x"} for seed in (1, 2, 3)]
CASES: Mapping[str, Callable[[Path], Results]] = {
    "trained": made,
    "a model joined": joined,
    "one seed": lambda folder: made(folder, seeds=(1,)),
    "two seeds": lambda folder: made(folder, seeds=(1, 2)),
    "one pair": lambda folder: made(folder, items=3, paradigms=PARADIGMS[:1]),
    "one paradigm": lambda folder: made(folder, paradigms=PARADIGMS[:1]),
    "a model worse than word frequencies everywhere": lambda folder: unlearned(folder, ("full",)),
    "a model worse than word frequencies under a control": lambda folder: unlearned(folder, ("det-noun.random",)),
    "no control": lambda folder: made(folder, conditions=("full", "agr-pp-mod", "det-noun")),
    "one draw for all seeds": lambda folder: made(
        folder, card=CONVENTION | {"size": {"by": "lines", "redraw": "none"}}
    ),
    "unanimous seeds": unanimous,
    "small changes": lambda folder: made(folder, items=400, seeds=tuple(range(8)), effects=SMALL),
    "no change": lambda folder: made(folder, items=400, effects={}),
    "failed cells": lambda folder: made(folder, failed=FAILED),
    "controls with more words": lambda folder: controlled_by(folder, "sentences", 196_000),
    "controls of equal lengths": lambda folder: controlled_by(folder, "lengths", 188_552),
    "an audited filter": audited,
    "nothing but the full corpus": lambda folder: made(folder, conditions=("full",)),
    "no pairs": lambda folder: made(folder, paradigms=()),
    "an interim report": lambda folder: of_cells(folder, planned=40, changed=False),
    "a stale report": lambda folder: of_cells(folder, planned=1, changed=True),
}


def sentences(results: Results) -> str:
    found = answer(analyse(results))
    parts = [*(f"**{alert}**" for alert in found.alerts), found.question, found.paragraph]
    parts += ["\n".join(f"- {caution}" for caution in found.cautions)]
    return "\n\n".join(filter(None, parts))


def section(name: str, folder: Path) -> str:
    return f"## {name}\n\n{sentences(CASES[name](folder))}\n"


@pytest.mark.parametrize("name", CASES)
def test_a_report_says_what_a_person_has_read(tmp_path: Path, name: str) -> None:
    assert section(name, tmp_path) in GOLDEN.read_text(encoding="utf-8") + "\n"


def main() -> None:
    """Write the file."""
    texts = []
    for name in CASES:
        with tempfile.TemporaryDirectory() as folder:
            texts.append(section(name, Path(folder)))
    GOLDEN.write_text("# What reports say in words\n\n" + "\n".join(texts), encoding="utf-8")


if __name__ == "__main__":
    main()
