"""The committed experiments: every manifest is right but for the data that is not here."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.errors import InputError
from runner.manifest.text import read_draft
from runner.steps.paths import Roots
from runner.steps.resolve import resolve

EXPERIMENTS = Path(__file__).parents[4] / "experiments"
MANIFESTS = sorted(EXPERIMENTS.glob("*/*.toml"))
STUDIES = ("fict", "injection", "decaf", "hybrid", "aann", "dative", "impossible")


@pytest.mark.parametrize("path", MANIFESTS, ids=[f"{path.parent.name}/{path.stem}" for path in MANIFESTS])
def test_a_manifest_lacks_data_at_most(path: Path) -> None:
    draft = read_draft(path)
    assert not draft.problems
    try:
        resolve(draft, Roots.of(draft.folder))
    except InputError as error:
        assert {problem.code for problem in error.diagnostics} == {"FICT609"}
    else:
        assert "${data}" not in path.read_text(encoding="utf-8")


def test_there_is_one_of_each_kind() -> None:
    names = {f"{path.parent.name}/{path.stem}" for path in MANIFESTS}
    assert names >= {f"{folder}/paper" for folder in STUDIES}
    assert names >= {"fict/small-matrix", "fict/small-controls", "injection/small", "decaf/small", "hybrid/small"}
    assert names >= {"aann/small", "dative/small", "impossible/small"}
    assert all((EXPERIMENTS / folder / "README.md").is_file() for folder in STUDIES)
