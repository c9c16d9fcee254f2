"""The warning of `fictc plan` about too few seeds or pairs."""

from pathlib import Path

import pytest

from runner.execute.planned import low_power_warning
from tests.support.experiments import planned

MANIFEST = """
[experiment]
name = "x"
seeds = [1, 2]
[corpus]
sample = { sentences = 120 }
[[model]]
preset = "lstm-128"
[[condition]]
name = "a"
remove = ["${filters}/fict15/passive.fict"]
[[evaluate]]
name = "blimp"
path = "blimp"
"""


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_the_pairs_of_a_file_are_its_lines_however_it_ends(tmp_path: Path, end: str) -> None:
    (tmp_path / "m.toml").write_text(MANIFEST)
    (tmp_path / "blimp").mkdir()
    for name, count in (("p", 3), ("q", 1)):
        lines = [f'{{"good": "a", "bad": "b", "UID": "{name}"}}'] * count
        (tmp_path / "blimp" / f"{name}.jsonl").write_text("\n".join(lines) + end)
    assert "2 seeds and 1 pair of the suite blimp prove" in low_power_warning(planned(tmp_path / "m.toml"))


def test_the_pairs_are_those_of_targeted_paradigms_and_their_suite_is_named(tmp_path: Path) -> None:
    suites = '[[evaluate]]\nname = "small"\npath = "small.jsonl"\n[[evaluate]]\nname = "blimp"\npath = "blimp"\n'
    head = MANIFEST.partition("[[evaluate]]")[0].replace("passive.fict", "agr-pp-mod.fict")
    (tmp_path / "m.toml").write_text(head + 'targets = ["blimp/q"]\n' + suites)
    (tmp_path / "blimp").mkdir()
    pair = '{"good": "a", "bad": "b"}\n'
    for path, count in (("small.jsonl", 4), ("blimp/p.jsonl", 5), ("blimp/q.jsonl", 6)):
        (tmp_path / path).write_text(pair * count)
    assert "2 seeds and 6 pairs of the suite blimp prove" in low_power_warning(planned(tmp_path / "m.toml"))
