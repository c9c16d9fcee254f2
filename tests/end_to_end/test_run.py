"""`fictc plan` and `fictc run`: one small experiment from its manifest to its report, repeated, killed, broken."""

import json
import subprocess
import sys

import pytest

from tests.cases.test_manifest_page import not_in_any_run, not_on_the_page
from tests.support.killing import FICTC, differences, fictc, run_with_kills, run_with_kills_after

MANIFEST = """
[experiment]
name = "small"
description = "A test of the path, not of English."
seeds = [1]

[corpus]
sample = { sentences = 300, pairs = 4, seed = 5 }

[[condition]]
name = "agr-pp-mod"
remove = ["${filters}/fict15/agr-pp-mod.fict"]

[[condition]]
name = "control"
remove-random = "agr-pp-mod"

[tokenizer]
size = 400
lowercase = true

[[model]]
preset = "lstm-128"

[training]
epochs = 0.5
validations = 2

[[evaluate]]
name = "blimp"
path = "sample"
paradigms = ["distractor_agreement_relational_noun"]
"""


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    (folder / "manifest.toml").write_text(MANIFEST)
    fictc("run", "manifest.toml", cwd=folder)
    return folder


def steps(work, *options, manifest="manifest.toml"):
    return json.loads(fictc("plan", manifest, "--format", "json", *options, cwd=work).stdout)


def test_a_run_leaves_its_corpora_models_scores_and_report(work):
    run = work / "runs" / "small"
    conditions = {c["name"]: c for c in json.loads((run / "results" / "conditions.json").read_text())}
    assert conditions.keys() == {"full", "agr-pp-mod", "control"}
    filtered, control = conditions["agr-pp-mod"], conditions["control"]
    assert filtered["removed_sentences"] == control["removed_sentences"] > 0
    assert filtered["matched"] == {"agr-pp-mod": filtered["removed_sentences"]}
    assert len({c["sentences"] for c in conditions.values()}) == 1
    assert filtered["examples"]
    assert all({word["node"] for word in e["words"]} >= {"V", "S", "M"} for e in filtered["examples"])
    for name, condition in conditions.items():
        lines = (run / "corpora" / name / "text.txt").read_text().split("\n")[:-1]
        assert len(lines) == condition["sentences"]
        assert (run / "cells" / name / "lstm-128" / "1" / "model" / "model.safetensors").is_file()
    page = (run / "report.html").read_text()
    assert "distractor_agreement_relational_noun" in page
    assert "src=" not in page.replace("src='data:", "").replace('src="data:', "")


def test_the_page_names_every_file_of_a_run_and_no_other(work):
    run = work / "runs" / "small"
    files = {path.relative_to(run).as_posix() for path in run.rglob("*") if path.is_file()}
    assert not_on_the_page(files) == []
    assert not_in_any_run(files) == []


@pytest.mark.long
def test_a_suite_that_is_taken_out_of_a_manifest_is_in_no_result_of_its_folder(work):
    before, evaluate = MANIFEST.split("[[evaluate]]")
    run = work / "runs" / "two"
    found = []
    for suite in ("[[evaluate]]" + evaluate, ""):
        (work / "two.toml").write_text(before + suite)
        fictc("run", "two.toml", "--output", "runs/two", cwd=work)
        found.append({path.relative_to(run).as_posix() for path in run.rglob("*") if path.is_file()})
    with_suite, without = found
    gone = {
        "results/items.parquet",
        *(f"cells/{c}/lstm-128/1/blimp.parquet" for c in ("full", "agr-pp-mod", "control")),
    }
    assert gone <= with_suite - without
    assert all(name in gone or name.startswith(("report/", "jobs/")) for name in with_suite - without)
    assert "report/heatmap-blimp.svg" in with_suite - without


def test_conditions_share_every_sentence_that_both_could_keep(work):
    run = work / "runs" / "small"
    full = (run / "corpora" / "full" / "text.txt").read_text().split("\n")
    filtered = set((run / "corpora" / "agr-pp-mod" / "text.txt").read_text().split("\n"))
    gone = json.loads((run / "results" / "conditions.json").read_text())[1]["removed_sentences"]
    assert sum(line not in filtered for line in full) <= gone


def test_a_second_plan_has_nothing_to_do_and_a_second_run_changes_nothing(work):
    assert all(step["cached"] for step in steps(work))
    before = (work / "runs" / "small" / "results" / "items.parquet").read_bytes()
    fictc("run", "manifest.toml", cwd=work)
    assert (work / "runs" / "small" / "results" / "items.parquet").read_bytes() == before


def test_a_plan_says_what_is_stale_and_why(work):
    changed = MANIFEST.replace("epochs = 0.5", "epochs = 0.6")
    (work / "changed.toml").write_text(changed)
    by_step = {step["step"]: step for step in steps(work, manifest="changed.toml")}
    assert by_step["tokens:full"]["cached"]
    stale = by_step["train:full/lstm-128/1"]
    assert not stale["cached"]
    assert "training.epochs: 0.5 → 0.6" in stale["reason"]
    assert "model changed" in by_step["score:full/lstm-128/1/blimp"]["reason"]


def test_mistakes_of_a_manifest_are_one_message_each_with_a_line_and_exit_2(work):
    text = MANIFEST.replace("lowercase", "lowrecase").replace("agr-pp-mod.fict", "agr-pp-mdo.fict")
    (work / "broken.toml").write_text(text.replace('"lstm-128"', '"lstm-129"'))
    done = fictc("run", "broken.toml", cwd=work, code=2)
    assert "Traceback" not in done.stderr
    for place, word in ((":20:", "lowercase"), (":12:", "agr-pp-mod.fict"), (":23:", "lstm-128")):
        assert place in done.stderr
        assert word in done.stderr
    assert done.stdout == ""


@pytest.mark.long
def test_a_cell_that_fails_stops_no_other(work):
    text = MANIFEST.replace(
        "[training]",
        "[[model]]\nname = 'wild'\npreset = 'lstm-128'\ntraining = { learning-rate = 1000, weight-decay = 1000, epochs = 20, clip = 0 }\n\n[training]",
    )
    (work / "wild.toml").write_text(text.replace('"small"', '"wild"'))
    done = fictc("run", "wild.toml", cwd=work, code=1)
    assert "FICT8" in done.stderr
    run = json.loads((work / "runs" / "wild" / "results" / "run.json").read_text())
    assert {cell["model"] for cell in run["failed"]} == {"wild"}
    assert len(run["failed"]) == 3
    assert "report:" in done.stdout


@pytest.mark.slow
def test_a_run_killed_at_random_moments_ends_as_one_in_peace(work, tmp_path):
    (tmp_path / "manifest.toml").write_text(MANIFEST)
    command = [*FICTC, "run", "manifest.toml", "--cache", str(tmp_path / "cache")]
    moments = [1.5, 3, 4.5, 6, 7.5, 9, 11, 13, 15, 17]
    assert run_with_kills(command, moments, tmp_path) == 0
    assert differences(work / "runs" / "small", tmp_path / "runs" / "small") == []


KILLED = """
[experiment]
name = "killed"
seeds = [1]
[corpus]
sample = { sentences = 300, pairs = 4, seed = 5 }
[[condition]]
name = "agr-pp-mod"
remove = ["${filters}/fict15/agr-pp-mod.fict"]
[tokenizer]
size = 400
[[model]]
preset = "lstm-128"
[training]
epochs = 12
checkpoints = [5000, 10000]
[[evaluate]]
name = "blimp"
path = "sample"
paradigms = ["distractor_agreement_relational_noun"]
"""


@pytest.mark.slow
def test_two_cells_at_once_killed_ten_times_end_as_in_peace_with_both_their_checkpoints(tmp_path):
    (tmp_path / "manifest.toml").write_text(KILLED)
    command = [*FICTC, "run", "manifest.toml", "--jobs", "2"]
    fictc(*command[len(FICTC) :], "--output", "peaceful", "--cache", "c1", cwd=tmp_path)
    for cell in ("full", "agr-pp-mod"):
        folder = tmp_path / "peaceful" / "cells" / cell / "lstm-128" / "1" / "checkpoints"
        assert sorted(path.name for path in folder.iterdir()) == ["10000", "5000"]
    counts = [
        12,
        25,
        40,
        60,
        50,
        45,
        70,
        55,
        38,
        65,
    ]  # a start anew tells of some 33 events before it trains, of some 190 then
    killed = tmp_path / "killed"
    code, last = run_with_kills_after(
        [*command, "--output", str(killed), "--cache", "c2"], counts, killed / "events.jsonl", tmp_path
    )
    assert code == 0
    assert len(last) == 10
    assert last.count("train") >= 5
    assert differences(tmp_path / "peaceful", killed) == []


def test_the_command_line_starts_without_heavy_packages():
    code = (
        "import sys; from runner.cli import fictc; "
        "fictc(['run', '--help'], standalone_mode=False); fictc(['plan', '--help'], standalone_mode=False); "
        "heavy = {'torch', 'duckdb', 'stanza', 'transformers', 'pyarrow', 'pydantic'} & sys.modules.keys(); "
        "sys.exit(str(heavy) if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
