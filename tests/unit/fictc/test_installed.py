"""A package `runner` of somebody else is noticed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fictc
from fictc.installed import foreign_runner

ROOT = Path(fictc.__file__).parent.parent


def test_our_own_package_is_not_foreign() -> None:
    assert foreign_runner() is None


@pytest.mark.parametrize("form", ["module", "package"])
@pytest.mark.parametrize("way", ["command", "library"])
def test_a_foreign_runner_is_reported_and_not_run(form: str, way: str, tmp_path: Path) -> None:
    foreign = tmp_path / ("runner.py" if form == "module" else "runner/__init__.py")
    foreign.parent.mkdir(exist_ok=True)
    foreign.write_text("open('it-ran', 'w')")
    code = "import fictc; fictc.compile_text" if way == "library" else "from fictc.__main__ import main; main()"
    script = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]; {code}"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert str(foreign) in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "it-ran").exists()


def test_replaced_files_are_noticed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "fictc", tmp_path / "fictc")
    (tmp_path / "runner").mkdir()
    (tmp_path / "runner/__init__.py").touch()
    script = "from fictc.installed import foreign_runner; print(foreign_runner())"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == f"another one: {tmp_path / 'runner'}, with files of another distribution\n"


def test_a_missing_runner_is_not_called_another_one(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "fictc", tmp_path / "fictc")
    command = [sys.executable, "-I", "-S", "-c", "import sys; sys.path[:0] = ['.']; import fictc; fictc.compile_text"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    message = "fictc needs its own package `runner`, but Python finds no package of this name\nReinstall fictc.\n"
    assert done.stderr == message
