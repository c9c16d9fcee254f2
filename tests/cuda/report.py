"""Run the parts one after the other, and print a table of what they measured."""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

OURS = ("tests", "runner", "fictdsl", "fictc")
PARTS = ("scores", "training", "paper", "blimp", "stanza")  # functions of `tests.cuda.parts`
HEADER = "| part | case | result | required | |\n|---|---|--:|--:|---|"


@dataclass(frozen=True)
class Row:
    """A measurement; `ok` is None if nothing is required of it."""

    part: str
    case: str
    result: str
    required: str = ""
    ok: bool | None = None

    def __str__(self) -> str:
        verdict = {True: "ok", False: "FAILED", None: ""}[self.ok]
        return f"| {self.part} | {self.case} | {self.result} | {self.required} | {verdict} |"


Part = Callable[[str, bool], Iterator[Row]]


def main(arguments: Sequence[str]) -> int:
    """Run the parts; return 1 if one failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.cuda")
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], default=[])
    parser.add_argument("--device", default="cuda")
    parser.add_argument(
        "--tiny", action="store_true", help="models of a few thousand parameters, to try the parts on a CPU"
    )
    options = parser.parse_args(arguments)
    reason = missing(options.device)
    if reason is not None:
        print(f"skipped: {reason}")
        return 0
    rows: list[Row] = []
    print(HEADER, flush=True)
    for name in options.parts or PARTS:
        for row in run(name, options.device, tiny=options.tiny):
            print(row, flush=True)
            rows.append(row)
    return int(any(row.ok is False for row in rows))


def missing(device: str) -> str | None:
    """Return why no part can run on a device, or None."""
    try:
        import torch
    except ImportError as error:
        return f"`{error.name or 'torch'}` cannot be imported"
    if device == "cuda" and not torch.cuda.is_available():
        return f"torch {torch.__version__} finds no GPU"
    return None


def run(name: str, device: str, *, tiny: bool) -> Iterator[Row]:
    """Yield the rows of a part, of its failure, or of the package that it lacks, and the time that it took."""
    begin = time.monotonic()
    try:
        part: Part = getattr(importlib.import_module("tests.cuda.parts"), name)
        yield from part(device, tiny)
    except ImportError as error:
        package = (error.name or str(error)).partition(".")[0]
        if package in OURS:
            raise
        yield Row(name, "skipped", f"`{package}` cannot be imported")
    except Exception as error:  # noqa: BLE001 - the other parts still run
        yield Row(name, type(error).__name__, (str(error).splitlines() or [""])[0], ok=False)
    yield Row(name, "seconds", f"{time.monotonic() - begin:.0f}")
