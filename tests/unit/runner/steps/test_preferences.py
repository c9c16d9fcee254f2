"""`[[evaluate]] kind = "preference"`: its mistakes, found by the plan, and what enters its key."""

from __future__ import annotations

import pytest

from runner.errors import InputError
from tests.support.experiments import planned
from tests.unit.runner.execute.test_corpora import BASE, manifest


def evaluated(folder, settings: str, text: str = "first,second,x,y\na b,b a,1,2\nc d,d c,2,5\n"):
    (folder / "d.csv").write_text(text, encoding="utf-8")
    return planned(manifest(folder, base=f'{BASE}[[evaluate]]\nname = "d"\npath = "d.csv"\n{settings}\n'))


def test_covariates_enter_the_key_of_the_suite(tmp_path) -> None:
    kind = 'kind = "preference"'
    keys = [evaluated(tmp_path, f"{kind}\n{more}").suites["d"].recipe for more in ("", 'covariates = ["x"]')]
    assert keys[0] != keys[1]
    assert evaluated(tmp_path, kind).unigrams == {}


@pytest.mark.parametrize(
    ("settings", "code", "message"),
    [
        ('kind = "preferences"', "FICT604", "'preference'"),
        (
            'kind = "preference"\ncovariates = ["z"]',
            "FICT811",
            "it has no column z; its columns are first, second, x, y",
        ),
        ('kind = "preference"\ncovariates = ["z", "w"]', "FICT811", "it has no column z and no column w"),
        ('covariates = ["x"]', "FICT604", 'covariates requires kind = "preference"'),
        ('kind = "preference"\nparadigms = ["p"]', "FICT604", "exclude each other"),
        ('kind = "preference"\ncorrupt = {}', "FICT604", "exclude each other"),
    ],
)
def test_a_mistake_is_refused_by_the_plan(tmp_path, settings, code, message) -> None:
    with pytest.raises(InputError) as caught:
        evaluated(tmp_path, settings)
    assert any(problem.code == code and message in problem.message for problem in caught.value.diagnostics), [
        str(problem) for problem in caught.value.diagnostics
    ]
