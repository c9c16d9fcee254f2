"""One made-up run, read and analysed once a session."""

import pytest

from runner.report.analysis import analyse
from runner.report.results import read_results
from tests.support.results import Fabricated


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return Fabricated(items=60).write(tmp_path_factory.mktemp("run") / "results")


@pytest.fixture(scope="session")
def results(folder):
    return read_results(folder)


@pytest.fixture(scope="session")
def analysis(results):
    return analyse(results)
