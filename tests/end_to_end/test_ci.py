"""The hooks by pre-commit itself, and the GitHub Action's step by the shell that it is for, on a repository of filters.

Both install fictc from a checkout, with the packages that every installation has and no other.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("git") is None or not (ROOT / ".git").exists(), reason="needs a git checkout"),
]

TIDY = 'fict 1\n\nfilter plural {\n  about   "A plural noun."\n  source  "a test"\n  targets blimp/passive_1\n  match {\n    N:NOUN[Number = Plur]\n  }\n}\n'
WORDS = "1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t0\troot\t_\t_\n"
EXAMPLES = f"# expect = match\n{WORDS}\n# expect = pass\n{WORDS.replace('Plur', 'Sing')}\n"


def run(*command: object, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTHON"))}
    given = [str(part) for part in command]
    return subprocess.run(given, cwd=cwd, env={**clean, **env}, capture_output=True, text=True, check=False)


def git(*command: str, cwd: Path) -> str:
    named = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    done = run("git", *named, *command, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of its own with the files of this one as they are now."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in git("ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git("init", "-q", cwd=folder)
    git("add", "-A", cwd=folder)
    git("commit", "-q", "-m", "all", cwd=folder)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with one filter that is right in all respects, and its examples."""
    folder = tmp_path / "project"
    (folder / "filters/examples").mkdir(parents=True)
    (folder / "filters/plural.fict").write_text(TIDY)
    (folder / "filters/examples/plural.conllu").write_text(EXAMPLES)
    git("init", "-q", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps its environments: made once for all tests."""
    return tmp_path_factory.mktemp("pre-commit")


def pre_commit(project: Path, checkout: Path, cache: Path) -> tuple[int, str]:
    hooks = [{"id": name} for name in ("fictc-lint", "fictc-fmt", "fictc-test")]
    revision = git("rev-parse", "HEAD", cwd=checkout).strip()
    config = {"repos": [{"repo": str(checkout), "rev": revision, "hooks": hooks}]}
    (project / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    git("add", "-A", cwd=project)
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never"]
    done = run(*command, cwd=project, PRE_COMMIT_HOME=str(cache))
    return done.returncode, done.stdout + done.stderr


def outcomes(shown: str) -> dict[str, str]:
    return dict(re.findall(r"^(fictc \w+)\.+(\w+)$", shown, flags=re.MULTILINE))


def test_the_hooks_pass_what_is_right(project: Path, checkout: Path, cache: Path) -> None:
    code, shown = pre_commit(project, checkout, cache)
    assert (code, outcomes(shown)) == (0, dict.fromkeys(("fictc lint", "fictc fmt", "fictc test"), "Passed")), shown


def test_the_hooks_stop_what_is_wrong(project: Path, checkout: Path, cache: Path) -> None:
    filter_file = project / "filters/plural.fict"
    filter_file.write_text(
        TIDY.replace("  match {\n    N:NOUN[Number = Plur]\n  }", "  match { N:NOUN[ Number=Plu ] }")
    )
    code, shown = pre_commit(project, checkout, cache)
    assert code == 1
    assert outcomes(shown) == {"fictc lint": "Passed", "fictc fmt": "Failed", "fictc test": "Failed"}
    assert filter_file.read_text() == TIDY.replace("Plur]", "Plu]"), "fmt writes the layout"
    filter_file.write_text(TIDY.replace("upos", "upps").replace("Number =", "numbr ="))
    code, shown = pre_commit(project, checkout, cache)
    assert outcomes(shown)["fictc lint"] == "Failed" and "filters/plural.fict:8:" in shown


def action(project: Path, checkout: Path, tmp_path: Path, **inputs: str) -> tuple[int, str]:
    """The steps of action.yml that are run by a shell, as a runner runs them."""
    described = yaml.safe_load((checkout / "action.yml").read_text())
    values = {f"inputs.{name}": about["default"] for name, about in described["inputs"].items()}
    values |= {f"inputs.{name}": value for name, value in inputs.items()} | {"github.action_path": str(checkout)}

    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda match: values[match[1]], text)

    [step] = [step for step in described["runs"]["steps"] if "run" in step]
    assert step["shell"] == "bash"
    script = tmp_path / "step.sh"
    script.write_text(filled(step["run"]))
    env = {name: filled(value) for name, value in step["env"].items()}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script]
    done = run(*command, cwd=project, PATH=path, RUNNER_TEMP=str(tmp_path), **env)
    return done.returncode, done.stdout + done.stderr


def test_the_action_passes_what_is_right(project: Path, checkout: Path, tmp_path: Path) -> None:
    code, shown = action(project, checkout, tmp_path, strict="true")
    assert code == 0, shown
    assert re.findall(r"^::group::(.*)$", shown, re.MULTILINE) == [
        "Install fictc",
        "fictc lint",
        "fictc fmt",
        "fictc test",
    ]
    assert "::error" not in shown and "::warning" not in shown


def test_the_action_annotates_what_is_wrong_and_runs_to_its_end(project: Path, checkout: Path, tmp_path: Path) -> None:
    (project / "more, and").mkdir()
    (project / "more, and/odd.fict").write_text(TIDY.replace("plural", "odd").replace("    N", "  N"))
    (project / "filters/plural.fict").write_text(TIDY.replace("Plur]", "Plu]"))
    code, shown = action(project, checkout, tmp_path, paths="filters/\n  more, and\n", strict="true")
    assert code == 1, shown
    assert "::warning file=filters/plural.fict,line=8," in shown
    assert "::error file=more%2C and/odd.fict,title=fictc fmt::" in shown and "+    N:NOUN" in shown
    assert "plural" in shown[shown.index("::group::fictc test") :]


def test_the_action_tells_findings_from_what_could_not_be_done(project: Path, checkout: Path, tmp_path: Path) -> None:
    (project / "filters/plural.fict").write_text(TIDY.replace("Plur]", "Plu]"))
    assert action(project, checkout, tmp_path, paths="filters/plural.fict\nnowhere.fict")[0] == 2
