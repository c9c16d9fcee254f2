"""Scripted sessions with `fictc lsp` over its standard input and output, as an editor has them."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from runner.cli import fictc
from tests.support.editor import Editor

PASSIVE = """fict 1

use "words.fict"

# The passives.
filter passive {
  about   "A passive of a listed verb."
  match {
    V:VERB[Voice = Pass, lemma in @verbs]
    V -[nsubj:pass]-> S
    modified(S)
  }
  remove sentence
}
"""
WORDS = """fict 1
list verbs = {see, sell}
pattern modified(N) { N -[amod]-> _ }
"""


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    (tmp_path / "fictc.toml").touch()
    (tmp_path / "words.fict").write_text(WORDS, encoding="utf-8")
    (tmp_path / "passive.fict").write_text(PASSIVE, encoding="utf-8")
    editor = Editor(tmp_path)
    yield editor
    editor.process.kill()
    editor.process.wait()


def codes(diagnostics):
    return [diagnostic["code"] for diagnostic in diagnostics]


def place(text, needle, within=None):
    """Line and character, in UTF-16, of where a piece of text begins."""
    at = text.index(within or needle) + (within or needle).index(needle)
    line = text.count("\n", 0, at)
    return line, len(text[text.rfind("\n", 0, at) + 1 : at].encode("utf-16-le")) // 2


def applied(text, edits):
    """The text after edits, which are counted in UTF-16."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode("utf-16-le")) // 2 + 1)
    data = text.encode("utf-16-le")

    def offset(position):
        return 2 * (starts[position["line"]] + position["character"])

    for edit in sorted(edits, key=lambda edit: offset(edit["range"]["start"]), reverse=True):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        data = data[:start] + edit["newText"].encode("utf-16-le") + data[end:]
    return data.decode("utf-16-le")


def test_a_session_from_opening_a_file_to_saying_goodbye(editor):
    capabilities = editor.start()
    assert capabilities["renameProvider"]
    assert editor.open("passive.fict", PASSIVE) == []

    # An edit with two errors, and what is said of them.
    wrong = PASSIVE.replace("V:VERB", "V:VREB").replace("nsubj:pass", "nsubj:psas")
    editor.change("passive.fict", wrong)
    found = editor.diagnostics("passive.fict")
    assert codes(found) == ["FICT501", "FICT529"]
    line, character = place(wrong, "VREB")
    assert found[0]["range"]["start"] == {"line": line, "character": character}
    assert found[0]["range"]["end"] == {"line": line, "character": character + 4}
    assert (found[0]["severity"], found[0]["source"]) == (1, "fictc")
    assert "`VERB`" in found[0]["message"]

    # Completion where a value is wanted.
    typed = PASSIVE.replace("Voice = Pass", "Voice = ")
    editor.change("passive.fict", typed)
    assert codes(editor.diagnostics("passive.fict")) == ["FICT110"]
    items = editor.at("passive.fict", *place(typed, ", lemma"), "completion")
    assert [item["label"] for item in items][:3] == ["Act", "Antip", "Bfoc"]
    passive = next(item for item in items if item["label"] == "Pass")
    assert passive["documentation"]["value"].startswith("passive")
    typed = applied(typed, [passive["textEdit"]])
    assert typed == PASSIVE
    editor.change("passive.fict", typed)
    assert editor.diagnostics("passive.fict") == []

    # Hover, definition, rename.
    said = editor.at("passive.fict", *place(PASSIVE, "nsubj"), "hover")["contents"]["value"]
    assert said.startswith("`nsubj:pass` subject of a passive")
    said = editor.at("passive.fict", *place(PASSIVE, "verbs]"), "hover")["contents"]["value"]
    assert said == "list `@verbs`, 2 entries: see, sell"
    target = editor.at("passive.fict", *place(PASSIVE, "modified"), "definition")
    assert target["uri"] == editor.uri("words.fict")
    assert target["range"]["start"] == dict(zip(("line", "character"), place(WORDS, "modified"), strict=True))
    edit = editor.at("passive.fict", *place(PASSIVE, "V -"), "rename", newName="Verb")
    renamed = applied(PASSIVE, edit["changes"][editor.uri("passive.fict")])
    assert renamed == PASSIVE.replace("V:VERB", "Verb:VERB").replace("V -", "Verb -")

    # Formatting.
    ragged = PASSIVE.replace("    V:VERB", "V:VERB").replace("\n  remove", "   remove")
    editor.change("passive.fict", ragged)
    assert editor.diagnostics("passive.fict") == []
    options = {"options": {"tabSize": 2, "insertSpaces": True}}
    edits = editor.at("passive.fict", 0, 0, "formatting", **options)
    assert applied(ragged, edits) == PASSIVE
    editor.change("passive.fict", PASSIVE)
    assert editor.diagnostics("passive.fict") == []
    assert editor.at("passive.fict", 0, 0, "formatting", **options) == []

    assert editor.stop() == 0
    assert editor.process.stderr.read() == b""


def test_a_new_name_goes_through_the_project_and_impossible_ones_are_refused(editor):
    editor.start()
    editor.open("words.fict", WORDS)
    edit = editor.at("words.fict", *place(WORDS, "verbs"), "rename", newName="chosen")
    (editor.root / "words.fict").write_text(applied(WORDS, edit["changes"][editor.uri("words.fict")]))
    (editor.root / "passive.fict").write_text(applied(PASSIVE, edit["changes"][editor.uri("passive.fict")]))
    listed = editor.at("words.fict", *place(WORDS, "verbs"), "references", context={"includeDeclaration": True})
    assert [place["uri"] for place in listed] == [editor.uri("words.fict")]  # it is renamed on disk
    checked = subprocess.run(
        [sys.executable, "-m", "runner.cli", "lint", "--strict", str(editor.root)], capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stdout.decode()
    for name, reason in [("not a name", "letter"), ("list", "reserved"), ("", "letter")]:
        with pytest.raises(LookupError, match=reason):
            editor.at("words.fict", *place(WORDS, "modified"), "rename", newName=name)
    assert editor.stop() == 0


def test_a_quick_fix_does_what_it_says(editor):
    editor.start()
    text = PASSIVE.replace("V:VERB[Voice = Pass, ", "V:VREB[Voice = Pass, Voice = Pass, ")
    found = editor.open("passive.fict", text)
    assert codes(found) == ["FICT501", "FICT516"]
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    ask = {"range": whole, "context": {"diagnostics": found}}
    offered = editor.at("passive.fict", 0, 0, "codeAction", **ask)
    assert [action["title"] for action in offered] == [
        "Replace `VREB` with `VERB`",
        "Ignore FICT501 on this line, with a reason",
        "Remove `, Voice = Pass`",
        "Ignore FICT516 on this line, with a reason",
    ]
    for action, left in zip(offered, (["FICT516"], ["FICT516"], ["FICT501"], ["FICT501"]), strict=True):
        editor.change("passive.fict", applied(text, action["edit"]["changes"][editor.uri("passive.fict")]))
        assert codes(editor.diagnostics("passive.fict")) == left
        editor.change("passive.fict", text)
        editor.diagnostics("passive.fict")
    ask["context"]["only"] = ["source.fixAll"]
    (action,) = editor.at("passive.fict", 0, 0, "codeAction", **ask)
    edits = action["edit"]["changes"][editor.uri("passive.fict")]
    assert applied(text, edits) == text.replace("Voice = Pass, Voice = Pass", "Voice = Pass")
    assert editor.stop() == 0


def test_what_is_not_saved_yet_counts_in_the_files_that_use_it(editor):
    editor.start()
    assert editor.open("passive.fict", PASSIVE) == []
    assert editor.open("words.fict", WORDS) == []
    editor.change("words.fict", WORDS.replace("verbs", "other"))
    found = editor.diagnostics("passive.fict")
    while not found:
        found = editor.diagnostics("passive.fict")
    assert codes(found) == ["FICT201"]
    editor.change("words.fict", WORDS.replace("{see", "{see, $"))
    found = editor.diagnostics("passive.fict")
    assert codes(found)[:1] == codes(editor.diagnostics("words.fict"))[:1]
    assert found[0]["range"]["start"] == dict(zip(("line", "character"), place(PASSIVE, '"words'), strict=True))
    assert found[0]["relatedInformation"][0]["location"]["uri"] == editor.uri("words.fict")
    editor.notify("textDocument/didClose", {"textDocument": {"uri": editor.uri("words.fict")}})
    assert editor.diagnostics("passive.fict") == []
    assert editor.stop() == 0


def test_letters_outside_the_basic_plane_count_as_the_protocol_says(editor):
    editor.start()
    text = 'fict 1\nfilter f { about "\U0001d54f\U0001f600" match { V:VREB } }  # \U0001f600\n'
    (found, *_) = editor.open("f.fict", text)
    assert found["range"]["start"] == {"line": 1, "character": place(text, "VREB")[1]}
    assert editor.at("f.fict", *place(text, "V:"), "prepareRename")["start"]["character"] == place(text, "V:")[1]
    edit = editor.at("f.fict", *place(text, "V:"), "rename", newName="X")
    assert applied(text, edit["changes"][editor.uri("f.fict")]) == text.replace("V:", "X:")
    assert editor.stop() == 0


def test_an_editor_may_count_in_bytes_and_take_snippets(editor):
    item = {"snippetSupport": True}
    capabilities = editor.start(
        general={"positionEncodings": ["utf-8"]}, textDocument={"completion": {"completionItem": item}}
    )
    assert capabilities["positionEncoding"] == "utf-8"
    text = 'fict 1\nfilter f { about "\U0001d54f" match { V:VREB } }\n'
    (found, *_) = editor.open("f.fict", text)
    line = text.split("\n")[1].encode()
    assert found["range"]["start"] == {"line": 1, "character": line.index(b"VREB")}
    items = editor.at("f.fict", 1, line.index(b"V:"), "completion", context={"triggerKind": 1})
    either = next(item for item in items if item["label"] == "either")
    assert (either["insertTextFormat"], either["textEdit"]["newText"]) == (2, "either {\n\t$1\n} or {\n\t$0\n}")
    assert (
        editor.at("f.fict", 1, line.index(b"V:"), "completion", context={"triggerKind": 2, "triggerCharacter": " "})
        == []
    )
    assert editor.stop() == 0


def test_no_text_ends_the_session(editor):
    editor.start()
    editor.open("x.fict", "")
    for text in (
        "\0\ud800{[(",
        "fict 2",
        "fict 1 " + "filter a { match { " * 50,
        "\u2028\r\r\n\x0b#",
        "{" * 5000,
        PASSIVE * 3,
    ):
        editor.change("x.fict", text)
        assert editor.diagnostics("x.fict")
        for method in ("completion", "hover", "definition", "documentHighlight"):
            editor.at("x.fict", 0, 3, method)
        editor.at("x.fict", 0, 0, "documentSymbol")
        editor.at("x.fict", 0, 0, "formatting", options={"tabSize": 2, "insertSpaces": True})
    assert editor.open("untitled", "fict 1\nfilter f { match { V } }\n")
    assert editor.stop() == 0


def test_it_serves_a_socket_too(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "runner.cli", "lsp", "--tcp", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert process.stderr
        assert f"127.0.0.1:{port}".encode() in process.stderr.readline()
        body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}'
        for _ in range(100):
            try:
                connection = socket.create_connection(("127.0.0.1", port), timeout=30)
                break
            except ConnectionRefusedError:
                process.poll()
                os.sched_yield()
        with connection:
            connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            assert b"Content-Length" in connection.recv(4096)
        process.kill()


def test_requests_are_answered_while_a_large_file_is_analysed(tmp_path: Path) -> None:
    blocks = "".join(
        f'filter f{n} {{\n  about "Number {n}."\n  match {{\n    V:VERB[Voice = Pass]\n    V -[nsubj]-> S{n}\n  }}\n}}\n\n'
        for n in range(400)
    )
    text = f"fict 1\n\n{blocks}"
    editor = Editor(tmp_path)
    editor.start()
    editor.open("large.fict", text)
    changed = text.replace("Voice = Pass", "Voice = Pas", 1)
    editor.change("large.fict", changed)
    editor.notify("workspace/didChangeWatchedFiles", {"changes": []})  # begins the analysis at once
    line = changed.count("\n") - 5
    said = editor.at("large.fict", line, 6, "hover")
    offered = editor.at("large.fict", line, 6, "completion")
    before = [each for each in editor.kept() if each.get("method") == "textDocument/publishDiagnostics"]
    assert "VERB" in said["contents"]["value"]
    assert any(each["label"] == "VERB" for each in offered)
    assert all(each["params"]["version"] == 1 for each in before)
    shown = editor.diagnostics("large.fict")
    path = tmp_path / "large.fict"
    path.write_text(changed, encoding="utf-8")
    linted = json.loads(CliRunner().invoke(fictc, ["lint", "--format", "json", str(path)]).stdout)
    assert sorted(each["code"] for each in shown) == sorted(each["code"] for each in linted)
    assert editor.stop() == 0
