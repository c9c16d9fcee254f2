"""Fuzz `lint`, `fmt`, `test`, `explain`, `compile` and `lsp` with damaged filters, lists, settings and examples."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

from fictdsl.installation import shipped
from tests.fuzz import mutate
from tests.fuzz.sandbox import Failure, Sandbox, check_unchanged, contents
from tests.properties.test_never_crashes import KITCHEN, PIECES
from tests.unit.runner.corpus.test_conllu_reader import GOOD

LISTS = 'fict 1\nlist npi = {any, "at all", ever}\npattern p(A, B) { A -[nsubj]-> B }\n'
SETTINGS = '[lint]\nselect = ["FICT5"]\nignore = ["unused-list"]\nstrict = true\n[lint.per-file-ignores]\n"f*.fict" = ["FICT501"]\n'
READING = (
    *(["lint", "{}"], ["lint", "{}", "--format", "json"], ["lint", "{}", "--format", "sarif", "--strict"]),
    *(["lint", "{}", "--diff"], ["lint", "{}", "--format", "junit"], ["lint", "{}", "--format", "github"]),
    *(["lint", "{}", "--format", "concise"], ["lint", "."], ["lint", "{}", "--baseline", "baseline.json"]),
    *(["fmt", "{}", "--check"], ["fmt", "{}", "--diff"], ["fmt", ".", "--check"]),
    *(["test", "{}", "--reference-only"], ["test", "{}", "--branches", "--reference-only"]),
    *(["test", "{}", "--format", "json", "--reference-only"], ["test", "."]),
    *(["explain", "{}"], ["explain", "{}", "--ir", "--plan", "--sql", "--dialect", "all"]),
    *(["compile", "{}"], ["compile", "{}", "--emit", "ast"], ["compile", "{}", "--emit", "ir"]),
    *(
        ["compile", "{}", "--emit", "plan"],
        ["compile", "{}", "--dialect", "spark"],
        ["compile", "{}", "--columns", "conllu"],
    ),
)
WRITING = (["fmt", "{}"], ["lint", "{}", "--fix"], ["fmt", "."], ["lint", "{}", "--write-baseline", "baseline.json"])
LSP = ["lsp"]
QUERYING = (
    *(["show", "{}", "-c", "c.conllu"], ["show", "{}", "-c", "c.conllu", "--near-miss"], ["explain", "{}"]),
    *(["match", "{}", "-c", "c.conllu"], ["count", "{}", "-c", "c.conllu"], ["count", "{}", "{}", "-c", "c.conllu"]),
)


@cache
def samples() -> list[tuple[bytes, bytes]]:
    """Return each shipped filter with its examples, and one filter with every construct."""
    paths = sorted(path for path in shipped("filters").rglob("*.fict") if "words" not in path.parts)
    pairs = [(path.read_bytes(), (path.parent / "examples" / f"{path.stem}.conllu").read_bytes()) for path in paths]
    return [*pairs, *[(KITCHEN.encode(), pairs[0][1])] * 8]


def make(rng: random.Random, folder: Path) -> None:
    """Write a partly damaged project: a filter that uses another file, a list, examples, settings and a baseline."""
    filters = [content for content, _ in samples()]
    text, examples = rng.choice(samples())
    files = {
        "f.fict": text.replace(b"../words/lists.fict", b"lists.fict").replace(b"words.txt", b"words.txt"),
        "lists.fict": LISTS.encode() if text == KITCHEN.encode() else _shipped_lists(),
        "words.txt": b"any\nat all\never\n",
        "examples/f.conllu": examples,
        "fictc.toml": SETTINGS.encode() if rng.random() < 0.3 else b"",
        "baseline.json": b'{"baseline": 1, "findings": []}',
    }
    for name in ("det_nouns.txt", "npi.txt", "occupations.txt", "passive_verbs.txt", "sv_nouns.txt"):
        files[name] = (shipped("filters") / "words" / name).read_bytes()[:2_000]
    damaged = ["f.fict"] if rng.random() < 0.75 else rng.sample(sorted(files), rng.choice([1, 2]))
    others = [*filters, *(piece.encode("utf-8", "surrogatepass") for piece in PIECES)]
    for name in damaged:
        files[name] = _damaged(rng, name, files[name], others)
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    if rng.random() < 0.05:
        mutate.replace_file(rng, folder / rng.choice(sorted(files)))
    commands = rng.sample(READING, 2)
    if rng.random() < 0.3:
        commands.append(rng.choice(WRITING))
    if rng.random() < 0.15:
        commands.append(LSP)
    if rng.random() < 0.3:
        commands = [_query(rng, others)]
        (folder / "c.conllu").write_text(f"{GOOD}\n")
    (folder / "commands.json").write_text(
        json.dumps([[part.replace("{}", "f.fict") for part in each] for each in commands])
    )


def _query(rng: random.Random, others: list[bytes]) -> list[str]:
    """Return a command with a damaged clause, or several, of the filter with every construct as its query."""
    lines = KITCHEN[KITCHEN.index("match {") :].splitlines()[1:10]
    query = "\n".join(rng.sample(lines, rng.choice([1, 1, 2, 5]))).encode()
    text = mutate.data(rng, query, others).decode(errors="replace").replace("\0", "\ufffd")[:20_000]
    return [part.replace("{}", text) for part in rng.choice(QUERYING)]


@cache
def _shipped_lists() -> bytes:
    return (shipped("filters") / "words" / "lists.fict").read_bytes()


def _damaged(rng: random.Random, name: str, content: bytes, others: list[bytes]) -> bytes:
    if name == "baseline.json":
        finding = {"path": "f.fict", "code": "FICT501", "message": "x", "count": 1}
        return mutate.dump(mutate.value(rng, {"baseline": 1, "findings": [finding]}))
    if rng.random() < 0.03:
        return b"fict 1\n" + rng.randbytes(rng.choice([0, 3, 50, 2_000]))
    return mutate.data(rng, content, others)


def check(folder: Path, sandbox: Sandbox) -> None:
    """Check that reading commands change nothing, and that writing ones change only their files."""
    for command in json.loads((folder / "commands.json").read_text()):
        before = contents(folder)
        if command == LSP:
            _edit(folder, sandbox)
            check_unchanged(before, folder)
            continue
        ended = sandbox.run(command, folder)
        if command in [[part.replace("{}", "f.fict") for part in each] for each in WRITING]:
            written = (
                ["baseline.json"]
                if "--write-baseline" in command
                else [name for name in before if name.endswith(".fict")]
            )
            check_unchanged(
                before, folder, written if ended.code != 2 or command[0] == "fmt" or "--fix" in command else ()
            )
            if command[0] == "fmt" and ended.code == 0:
                again = sandbox.run([*command, "--check"], folder)
                if again.code != 0:
                    raise Failure("fmt does not accept its own output", again.err.decode(errors="replace"))
        else:
            check_unchanged(before, folder)


def _edit(folder: Path, sandbox: Sandbox) -> None:
    """Open, query, change and close the filter as an editor does."""
    path = folder / "f.fict"
    text = path.read_bytes().decode(errors="replace") if path.is_file() and not path.is_symlink() else "fict 1\n"
    document = {"uri": path.as_uri()}
    messages: list[dict[str, object]] = [
        {
            "id": 1,
            "method": "initialize",
            "params": {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}},
        },
        {"method": "initialized", "params": {}},
        {
            "method": "textDocument/didOpen",
            "params": {"textDocument": {**document, "languageId": "fict", "version": 1, "text": text}},
        },
    ]
    number = 1
    lines = text.split("\n")
    for line in range(0, len(lines), max(1, len(lines) // 5)):
        for kind in ("completion", "hover", "definition", "references", "documentHighlight"):
            number += 1
            params: dict[str, object] = {
                "textDocument": document,
                "position": {"line": line, "character": len(lines[line]) // 2},
            }
            if kind == "references":
                params["context"] = {"includeDeclaration": True}
            messages.append({"id": number, "method": f"textDocument/{kind}", "params": params})
    for kind in ("documentSymbol", "formatting", "foldingRange", "semanticTokens/full"):
        number += 1
        options = {"options": {"tabSize": 2, "insertSpaces": True}} if kind == "formatting" else {}
        messages.append(
            {"id": number, "method": f"textDocument/{kind}", "params": {"textDocument": document, **options}}
        )
    messages.append(
        {
            "method": "textDocument/didChange",
            "params": {
                "textDocument": {**document, "version": 2},
                "contentChanges": [{"text": text[: len(text) // 2]}],
            },
        }
    )
    messages += [{"id": number + 1, "method": "shutdown", "params": None}, {"method": "exit", "params": None}]
    ended = sandbox.run(LSP, folder, stdin=b"".join(map(_framed, messages)))
    if ended.code != 0:
        raise Failure(f"lsp ends with {ended.code}", ended.err.decode(errors="replace"))
    errors = [answer["error"] for answer in _answers(ended.out) if answer.get("error", {}).get("code") == -32603]
    if errors:
        raise Failure("lsp answers with an internal error", json.dumps(errors[0], indent=1))


def _framed(message: dict[str, object]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def _answers(out: bytes) -> list[dict[str, dict[str, object]]]:
    answers = []
    while out:
        head, _, rest = out.partition(b"\r\n\r\n")
        size = int(head.partition(b"Content-Length: ")[2].partition(b"\r\n")[0])
        answers.append(json.loads(rest[:size]))
        out = rest[size:]
    return answers
