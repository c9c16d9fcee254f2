"""The VS Code extension: what it contributes is there, and it starts the server that its setting names."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.textmate import GRAMMAR

EXTENSION = GRAMMAR.parent.parent
PACKAGE = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))


def test_every_file_that_the_extension_names_is_there_and_fits():
    contributed = PACKAGE["contributes"]
    (language,), (grammar,) = contributed["languages"], contributed["grammars"]
    configuration = json.loads((EXTENSION / language["configuration"]).read_text(encoding="utf-8"))
    assert (EXTENSION / PACKAGE["main"]).is_file()
    assert (EXTENSION / grammar["path"]).samefile(GRAMMAR)
    assert json.loads(GRAMMAR.read_text(encoding="utf-8"))["scopeName"] == grammar["scopeName"]
    assert (language["id"], language["extensions"]) == (grammar["language"], [".fict"])
    assert configuration["comments"] == {"lineComment": "#"}
    assert re.match(language["firstLine"], "fict 1")


def started(settings: dict[str, str], *, fails: bool = False) -> dict[str, list]:
    """What the extension does in an editor that only writes down what it is asked."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node")
    script = Path(__file__).with_name("editor.js")
    given = json.dumps({"settings": settings, "fails": fails})
    done = subprocess.run([node, script, EXTENSION / "extension.js", given], capture_output=True, check=True)
    return json.loads(done.stdout)


def test_the_extension_starts_the_server_that_is_set_and_stops_it():
    assert started({}) == {"started": [["fictc", "lsp"], ["fictc", "lsp"]], "stopped": 2, "messages": []}
    assert started({"command": "/opt/fictc"})["started"][0] == ["/opt/fictc", "lsp"]
    assert started({"command": "./.venv/bin/fictc"})["started"][0] == ["/folder/.venv/bin/fictc", "lsp"]


def test_a_server_that_does_not_start_is_one_message():
    found = started({"command": "nowhere"}, fails=True)
    assert found["stopped"] == 0
    assert "nowhere lsp does not start. Run pipx install '.[lsp]' in a clone of fictc" in found["messages"][0]
