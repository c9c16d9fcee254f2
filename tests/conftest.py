"""Hypothesis profiles, time limits and shared fixtures of all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)

# `HYPOTHESIS_PROFILE=nightly make test`; a test that sets `max_examples` keeps it in every profile.
for name, examples in {"dev": 40, "ci": 150, "nightly": 5_000}.items():
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        suppress_health_check=QUIET,
        derandomize=name == "ci",
        print_blob=True,
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

# time limits of tests in seconds by marker; the first marker of a test counts
LIMITS = {**dict.fromkeys(("slow", "spark", "peers", "slurm"), 3600), "long": 720}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use a browser. Give tests with a marker of `LIMITS` its time limit."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        limits = [limit for name, limit in LIMITS.items() if item.get_closest_marker(name)]
        if limits and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(limits[0]))


@pytest.fixture(autouse=True)
def environment() -> Iterator[None]:
    """Restore environment variables after a test: `run-cell`, called in this process, sets some."""
    before = dict(os.environ)
    yield
    for name in os.environ.keys() - before.keys() - {"PYTEST_CURRENT_TEST"}:
        del os.environ[name]
    os.environ.update({name: value for name, value in before.items() if os.environ.get(name) != value})


@pytest.fixture(scope="session", autouse=True)
def without_sync() -> Iterator[None]:
    """Do not wait for the disk in this process: `fsync` protects from a crash of the machine, and takes 2 ms each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the folder of real treebanks and benchmarks, for tests marked `shared`."""
    folder = os.environ.get("FICTC_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("FICTC_DATA is not a folder of real treebanks and benchmarks")
    return Path(folder)
