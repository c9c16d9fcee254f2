"""The line about the machine of a benchmark."""

from __future__ import annotations

import platform

import pytest

from benchmarks.machine import describe_machine, version_of


@pytest.mark.parametrize(
    ("packages", "versions"),
    [((), ""), (("no-such-package",), ""), (("no-such-package", "pytest"), f", pytest {version_of('pytest')}")],
)
def test_only_installed_packages_are_listed(packages: tuple[str, ...], versions: str) -> None:
    assert f"; Python {platform.python_version()}{versions}; 2" in describe_machine(packages)
