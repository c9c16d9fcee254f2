"""Record snapshots anew: `python -m tests.snapshots [GROUP…]`."""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path

from tests.snapshots import calling, world

HERE = Path(__file__).parent
GROUPS = sorted(path.stem for path in (HERE / "commands").glob("*.txt"))


def main() -> None:
    """Record groups: each in its own copy of the inputs, which are made first."""
    parser = argparse.ArgumentParser(prog="python -m tests.snapshots", description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP", default=[])
    parser.add_argument("--output", type=Path, default=HERE / "recorded", help="folder of the records")
    options = parser.parse_args()
    groups = options.groups or GROUPS
    if unknown := set(groups) - set(GROUPS):
        parser.error(f"no such group: {', '.join(sorted(unknown))}; groups: {', '.join(GROUPS)}")
    options.output.mkdir(exist_ok=True)
    calling.import_everything()
    with tempfile.TemporaryDirectory() as temporary:
        inputs = Path(temporary).resolve() / "inputs"
        world.build(inputs)
        for group in groups:
            folder = inputs.with_name(group)
            shutil.copytree(inputs, folder)
            started = time.monotonic()
            (options.output / f"{group}.txt").write_text(recorded(group, folder), encoding="utf-8")
            print(f"{group}: {time.monotonic() - started:.0f} s", flush=True)
            shutil.rmtree(folder)


def recorded(group: str, folder: Path) -> str:
    """Return what the commands of a group do in a folder."""
    begin = f"# on a processor with {capability()}\n\n" if group == "trained" else ""
    lines = (HERE / "commands" / f"{group}.txt").read_text(encoding="utf-8").splitlines()
    return begin + "".join(calling.record(line, folder) for line in lines if line and not line.startswith("#"))


def capability() -> str:
    """Return the instructions that PyTorch uses on this processor; the last digits of what is trained depend on them."""
    import torch

    return torch.backends.cpu.get_cpu_capability()


if __name__ == "__main__":
    main()
