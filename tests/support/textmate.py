"""Scopes of a text under a TextMate grammar, as editors compute them.

babi implements the algorithm over Oniguruma, the regex engine that these grammars are written for.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from babi.highlight import Grammars, highlight_line

GRAMMAR = Path(__file__).parent.parent.parent / "editors" / "vscode" / "syntaxes" / "fict.tmLanguage.json"


def scopes(text: str, folder: Path) -> list[tuple[str, ...]]:
    """Return the scopes of each character, the outermost first; `folder` is for a copy of the grammar."""
    (folder / "source.fict.json").write_bytes(GRAMMAR.read_bytes())
    compiler = Grammars(str(folder)).compiler_for_scope("source.fict")
    state, by_character = compiler.root_state, []
    for number, line in enumerate(text.splitlines(keepends=True)):
        state, regions = highlight_line(compiler, state, line, number == 0)
        for start, end, scope in regions:
            by_character += [scope] * (end - start)
    return by_character


def vscode_scopes(texts: list[str]) -> list[list[tuple[str, ...]]]:
    """Return the scopes of several texts by VS Code's own engine; skip the test if it is not installed."""
    modules = Path(os.environ.get("FICTC_NODE_MODULES") or GRAMMAR.parent.parent / "node_modules")
    if not (modules / "vscode-textmate").is_dir() or not (modules / "vscode-oniguruma").is_dir():
        pytest.skip("vscode-textmate and vscode-oniguruma are not in editors/vscode/node_modules: `npm install` there")
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    script = Path(__file__).with_name("textmate.js")
    done = subprocess.run(
        [node, script, modules, GRAMMAR], input=json.dumps(texts).encode(), capture_output=True, check=True
    )
    return [[tuple(names) for names in text] for text in json.loads(done.stdout)]
