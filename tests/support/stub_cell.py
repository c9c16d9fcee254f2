"""A cell that trains nothing: publishes what `fictc run-cell JOB` does, from made-up scores; fails on demand.

`python -S stub_cell.py SCORES MISHAPS JOB`: SCORES is a folder with a table of scores per suite and seed, MISHAPS a
file with `fail`, `kill` or `stop` for names of cells. It uses only the standard library, so hundreds of cells take
seconds.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

TRAINING = b'{"parameters": 7, "best_step": 1, "steps": 1, "tokens": 10}'


def main(scores: Path, mishaps: Path, job: dict[str, Any]) -> int:
    """Publish the results of a cell."""
    match json.loads(mishaps.read_text()).get(job["name"]):
        case "fail":
            print(json.dumps({"event": "failed", "error": "made up"}))
            print("made up", file=sys.stderr)
            return 1
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "stop":
            Path(job["record"]).write_text(json.dumps({"state": "stopped", "key": key(job)}))
            return 130
    publish(job["train_folder"], job["train_key"], {"training.json": TRAINING, "train.jsonl": b""})
    done(job, f"train:{job['name']}")
    perplexity = {text: {"nll": 40.0 + job["seed"], "tokens": 10} for text in job["texts"]}
    publish(job["perplexity_folder"], job["perplexity_key"], {"perplexity.json": json.dumps(perplexity).encode()})
    done(job, f"perplexity:{job['name']}")
    for score in job["scores"]:
        table = (scores / f"{score['suite']}-{job['seed']}.parquet").read_bytes()
        publish(score["folder"], score["key"], {"scores.parquet": table})
        done(job, f"score:{job['name']}/{score['suite']}")
    return 0


def done(job: dict[str, Any], step: str) -> None:
    """Report a finished step."""
    print(json.dumps({"event": "done", "step": step, "cell": job["name"]}), flush=True)


def key(job: dict[str, Any]) -> str:
    """Return the key of all results of a job, from its record."""
    keys = [job["train_key"], job["perplexity_key"], *(score["key"] for score in job["scores"])]
    return hashlib.sha256(json.dumps(keys, separators=(",", ":")).encode()).hexdigest()


def publish(folder: str, key: str, files: dict[str, bytes]) -> None:
    """Publish a finished step by one rename."""
    temp = Path(f"{folder}.{os.getpid()}")
    shutil.rmtree(temp, ignore_errors=True)
    temp.mkdir(parents=True)
    for name, content in files.items():
        (temp / name).write_bytes(content)
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    (temp / "done.json").write_text(json.dumps({"key": key, "inputs": {}, "files": sums}))
    temp.rename(folder)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), json.loads(Path(sys.argv[3]).read_text())))
