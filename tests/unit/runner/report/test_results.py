"""Reading results: what is there comes back as written, what is broken is named."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runner.errors import InputError
from runner.report.analysis import analyse
from runner.report.answer import answer
from runner.report.page import write_report
from runner.report.results import read_results
from tests.support.results import HOSTILE, Fabricated


def code(error: pytest.ExceptionInfo[InputError]) -> str:
    return error.value.diagnostics[0].code


def message(error: pytest.ExceptionInfo[InputError]) -> str:
    return error.value.diagnostics[0].message


def test_reads_what_was_written(tmp_path: Path) -> None:
    made = Fabricated(items=6)
    results = read_results(made.write(tmp_path / "results"))
    assert results.suites == ("blimp",)
    assert results.models == ("lstm-128", "transformer-128")
    assert [p.name for p in results.paradigms] == [row[1] for row in made.paradigms]
    first = results.paradigms[0]
    seeds, good, bad = first.scores("agr-pp-mod", "lstm-128")
    assert seeds == (1, 2, 3)
    assert good.shape == bad.shape == (3, 6)
    written = [
        row
        for row in made.item_table().to_pylist()
        if (row["paradigm"], row["condition"], row["model"], row["seed"]) == (first.name, "agr-pp-mod", "lstm-128", 2)
    ]
    assert good[1, :5].tolist() == [row["score_good"] for row in written[:5]]
    assert np.isnan(good[:, 5]).all()
    assert all(cell == [False] * 5 + [True] for cell in first.identical.tolist())
    assert all(cell == [True] + [False] * 4 + [True] for cell in first.unknown.tolist())
    assert HOSTILE in first.good[0]
    assert first.scores("full", "unigram")[0] == (-1,)
    assert first.scores("full", "no-such-model")[1].shape == (0, 6)
    assert results.condition("det-noun.random").control_of == "det-noun"
    assert results.condition("agr-pp-mod").examples[0].words[1].node == "S"
    assert results.run.report.ties == "half"


def test_row_order_and_encoding_do_not_matter(tmp_path: Path) -> None:
    made = Fabricated(items=4)
    plain = read_results(made.write(tmp_path / "plain"))
    table = made.item_table()
    per_cell = [table.slice(i, 4) for i in range(0, table.num_rows, 4)]
    by_cell = pa.concat_tables(sorted(per_cell, key=lambda t: (t["condition"][0].as_py(), t["seed"][0].as_py())))
    encoded = by_cell.set_column(0, "condition", by_cell["condition"].dictionary_encode())
    made.write(tmp_path / "other")
    pq.write_table(encoded, tmp_path / "other" / "items.parquet", row_group_size=7)
    other = read_results(tmp_path / "other")
    assert [p.name for p in other.paradigms] == [p.name for p in plain.paradigms]
    for ours, theirs in zip(plain.paradigms, other.paradigms, strict=True):
        assert ours.cells == theirs.cells
        np.testing.assert_array_equal(ours.score_good, theirs.score_good)


@pytest.mark.parametrize("name", ["items.parquet", "perplexity.parquet", "conditions.json", "run.json"])
def test_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = Fabricated(items=3).write(tmp_path / "results")
    (folder / name).unlink()
    with pytest.raises(InputError) as error:
        read_results(folder)
    assert code(error) == "FICT890"
    assert name in message(error)


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read_results(tmp_path / "nowhere")
    assert code(error) == "FICT890"


@pytest.mark.parametrize("name", ["items.parquet", "perplexity.parquet"])
def test_damaged_tables_never_give_numbers(tmp_path: Path, name: str) -> None:
    folder = Fabricated(items=3).write(tmp_path / "results")
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError) as error:
        read_results(folder)
    assert code(error) == "FICT891"
    table = pq.read_table(pa.BufferReader(whole)).drop_columns(["seed"])
    pq.write_table(table, folder / name)
    with pytest.raises(InputError) as error:
        read_results(folder)
    assert "`seed`" in message(error)


def test_a_loss_that_is_not_finite_is_left_out_and_told(tmp_path: Path) -> None:
    folder = Fabricated(items=3).write(tmp_path / "results")
    whole = len(read_results(folder).perplexity)
    rows = pq.read_table(folder / "perplexity.parquet").to_pylist()
    rows[0]["nll"] = float("inf")
    pq.write_table(pa.Table.from_pylist(rows), folder / "perplexity.parquet")
    results = read_results(folder)
    assert len(results.perplexity) == whole - 1
    cell = "{condition}/{model}/{seed}".format(**rows[0])
    (caution,) = (one for one in answer(analyse(results)).cautions if "finite" in one)
    assert caution == f"The loss of {rows[0]['text']} is not finite under {cell}; it is left out."
    write_report(folder, tmp_path)
    assert cell in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_broken_json_says_where(tmp_path: Path) -> None:
    folder = Fabricated(items=3).write(tmp_path / "results")
    (folder / "run.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_results(folder)
    assert code(error) == "FICT891"
    Fabricated(items=3).write(folder)
    conditions = json.loads((folder / "conditions.json").read_text())
    del conditions[1]["sentences"]
    (folder / "conditions.json").write_text(json.dumps(conditions))
    with pytest.raises(InputError) as error:
        read_results(folder)
    assert "1.sentences" in message(error)


def rewritten(folder: Path, change) -> None:
    rows = pq.read_table(folder / "items.parquet").to_pylist()
    schema = pq.read_schema(folder / "items.parquet")
    pq.write_table(pa.Table.from_pylist(change(rows), schema), folder / "items.parquet")


def other_sentence(rows: list[dict]) -> list[dict]:
    rows[-1] = rows[-1] | {"good": "Another sentence."}
    return rows


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: rows[1:], "pairs in"),
        (other_sentence, "has different pairs"),
        (lambda rows: [row | {"item": 0} for row in rows], "same number"),
        (lambda rows: [row | {"condition": row["condition"] + "?"} for row in rows], "not described"),
    ],
)
def test_cells_that_scored_different_things_are_refused(tmp_path: Path, change, words: str) -> None:
    folder = Fabricated(items=3).write(tmp_path / "results")
    rewritten(folder, change)
    with pytest.raises(InputError) as error:
        read_results(folder)
    assert code(error) == "FICT892"
    assert words in message(error)


def test_conditions_must_fit_together(tmp_path: Path) -> None:
    folder = Fabricated(items=3).write(tmp_path / "results")
    conditions = json.loads((folder / "conditions.json").read_text())
    conditions[2]["control_of"] = "nothing"
    (folder / "conditions.json").write_text(json.dumps(conditions))
    with pytest.raises(InputError) as error:
        read_results(folder)
    assert "control of nothing" in message(error)
    conditions[2]["control_of"] = None
    (folder / "conditions.json").write_text(json.dumps([*conditions, conditions[0]]))
    with pytest.raises(InputError) as error:
        read_results(folder)
    assert "described twice" in message(error)


def test_failed_cells_are_simply_absent(tmp_path: Path) -> None:
    failed = [{"condition": "det-noun", "model": "lstm-128", "seed": 2, "error": "loss is not finite"}]
    results = read_results(Fabricated(items=3, failed=failed).write(tmp_path / "results"))
    assert results.paradigms[0].scores("det-noun", "lstm-128")[0] == (1, 3)
    assert results.run.failed[0].error == "loss is not finite"
