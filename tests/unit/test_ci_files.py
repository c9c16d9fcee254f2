"""The pages on CI name hooks, inputs and options that there are."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import click
import yaml

from runner.cli import fictc

ROOT = Path(__file__).parents[2]
PAGES = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("ci.md", "formatting.md")]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def parsed(line: str) -> None:
    """Let click read a command line, without running it."""
    name, *words = shlex.split(re.sub(" [<>] .*", "", line), comments=True)[1:]
    command = fictc.get_command(click.Context(fictc), name)
    assert command is not None, line
    command.make_context(name, words)


def test_the_examples_of_the_page_are_of_this_repository() -> None:
    hooks, workflow = (yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGES[0], re.DOTALL))
    assert [hook["id"] for hook in hooks["repos"][0]["hooks"]] == [hook["id"] for hook in HOOKS]
    [step] = [step for step in workflow["jobs"]["filters"]["steps"] if step["uses"] == "./fictc"]
    assert set(step["with"]) <= set(ACTION["inputs"])
    assert re.findall(r"^\| `(\w+)` \| [^|]* \| [^|]* \|$", PAGES[0], re.MULTILINE) == list(ACTION["inputs"])


def test_the_commands_are_commands() -> None:
    lines = [
        line
        for page in PAGES
        for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
        for line in block.split("\n")
    ]
    commands = [line for line in lines if line.startswith("fictc ")]
    commands += [hook["entry"] for hook in HOOKS] + re.findall(r"\$\((fictc [^)]*)\)", "\n".join(lines))
    assert len(commands) > 10
    for command in commands:
        parsed(command)


def test_the_script_is_one() -> None:
    subprocess.run(["bash", "-n", ROOT / ".github/action/run.sh"], check=True)
    [step] = [step for step in ACTION["runs"]["steps"] if "run" in step]
    assert step["run"] == 'bash "${{ github.action_path }}/.github/action/run.sh"'
