"""The files of the sample: what is there, and that the bytes depend on the arguments alone."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from runner.corpus.conllu_reader import features_missing_in
from runner.sample import COMMON_FEATURES, MIN_SENTENCES
from runner.sample.corpus import FILTERS, generate, split_sentences
from runner.sample.paradigms import PARADIGMS


def fingerprint(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}


def test_files_and_counts(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    summary = generate(tmp_path / "s", sentences=201, pairs=4, seed=3, progress=lambda *done: told.append(done))
    expected = {f"{split}.conllu" for split in ("train", "valid", "test")} | {"counts.json", "README.md"}
    expected |= {f"pairs/{paradigm.uid}.jsonl" for paradigm in PARADIGMS}
    assert set(fingerprint(tmp_path / "s")) == expected
    counts = json.loads((tmp_path / "s" / "counts.json").read_text("utf-8"))
    for split, size in {"train": 201, "valid": 11, "test": 11}.items():
        blocks = (tmp_path / "s" / f"{split}.conllu").read_text("utf-8").strip("\n").split("\n\n")
        assert len(blocks) == size == counts[split]["sentences"] == summary.splits[split].sentences
        held = [next(line for line in block.split("\n") if line.startswith("# constructions")) for block in blocks]
        for name in FILTERS:
            number = sum(name in line.removeprefix("# constructions = ").split(", ") for line in held)
            assert counts[split]["filters"][name] == number
        rows = [line.split("\t")[0] for block in blocks for line in block.split("\n") if line[0] != "#"]
        assert counts[split]["words"] == sum(row.isdigit() for row in rows)
    assert counts["pairs"] == {paradigm.uid: 4 for paradigm in PARADIGMS}
    assert all(len((tmp_path / "s" / "pairs" / f"{p.uid}.jsonl").read_text().splitlines()) == 4 for p in PARADIGMS)
    assert told[-1] == (223, 223)


@pytest.mark.parametrize("seed", range(4))
def test_each_sample_has_the_common_features(seed: int) -> None:
    sentences = split_sentences("train", MIN_SENTENCES, seed, set())
    assert features_missing_in((sentence.conllu().encode() for sentence in sentences), COMMON_FEATURES) == set()


def test_bytes_depend_on_the_arguments_alone(tmp_path: Path) -> None:
    generate(tmp_path / "a", sentences=300, pairs=6, seed=1)
    program = (
        "import sys; from pathlib import Path; from runner.sample.corpus import generate; "
        "generate(Path(sys.argv[1]), sentences=300, pairs=6, seed=1)"
    )
    for folder, hash_seed in (("b", "1"), ("c", "2")):
        subprocess.run(
            [sys.executable, "-c", program, tmp_path / folder], env={"PYTHONHASHSEED": hash_seed}, check=True
        )
    assert fingerprint(tmp_path / "a") == fingerprint(tmp_path / "b") == fingerprint(tmp_path / "c")
    generate(tmp_path / "d", sentences=300, pairs=6, seed=2)
    assert fingerprint(tmp_path / "a")["train.conllu"] != fingerprint(tmp_path / "d")["train.conllu"]
