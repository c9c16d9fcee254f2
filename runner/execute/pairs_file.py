"""A suite as one JSON-lines file that holds every field of its pairs, so that cells need not read its origin."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from runner.score.suite import Pair, Suite
from runner.workspace import write_text


def write_pairs(suite: Suite, path: Path) -> None:
    """Write the name of the suite on the first line and a pair on each of the others."""
    lines = [json.dumps({"suite": suite.name})]
    lines += [json.dumps(asdict(pair), ensure_ascii=False) for pair in suite.items]
    write_text(path, "\n".join(lines) + "\n")


def read_pairs(path: Path) -> Suite:
    """Read what `write_pairs` wrote."""
    first, *others = path.read_text(encoding="utf-8").split("\n")[:-1]
    return Suite(json.loads(first)["suite"], [_pair(json.loads(line)) for line in others])


def _pair(record: dict[str, Any]) -> Pair:
    fields: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in record.items()}
    return Pair(**fields)
