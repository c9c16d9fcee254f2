"""Read the cases of a gallery's pages, and render their diagnostics."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fictdsl.diagnostics.text import render_text
from runner.cli import fictc
from runner.cli.terminal import run_command
from runner.errors import InputError

_BLOCK = re.compile(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TEXT = re.compile(r"^```text\n.*?^```$", re.MULTILINE | re.DOTALL)
_ESCAPE = re.compile(r"\\x([0-9a-f]{2})|\\u([0-9a-f]{4})")
_MESSAGE = re.compile(r"^(?:error|warning|hint)\[FICT\d+\]")


@dataclass(frozen=True)
class Case:
    """One heading of a page, with its blocks: (kind, info, content)."""

    path: Path
    title: str
    blocks: tuple[tuple[str, str, str], ...]

    def all(self, kind: str) -> list[tuple[str, str]]:
        return [(info, content) for name, info, content in self.blocks if name == kind]

    def only(self, kind: str) -> tuple[str, str]:
        found = self.all(kind)
        assert len(found) == 1, f"{self.path.name}: {self.title}: needs one block ```{kind}"
        return found[0]


def cases(folder: Path) -> list[Case]:
    """Return the cases of all pages in a folder; each `##` heading starts one."""
    all_cases = []
    for path in sorted(folder.glob("*.md")):
        for section in re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            title, _, body = section.partition("\n")
            blocks = tuple((m[1], m[2].strip(), m[3]) for m in _BLOCK.finditer(body))
            all_cases.append(Case(path, title.strip(), blocks))
    return all_cases


def accept(case: Case, rendered: str) -> None:
    """Write the rendered output into the page."""
    page = case.path.read_text(encoding="utf-8")
    start = page.index(f"\n## {case.title}\n") + 1
    end = page.find("\n## ", start)
    end = len(page) if end < 0 else end + 1
    section, block = page[start:end], f"```text\n{rendered}```"
    if (old := _TEXT.search(section)) is not None:
        section = section[: old.start()] + block + section[old.end() :]
    else:
        section = section.rstrip("\n") + f"\n\n{block}\n" + ("\n" if end < len(page) else "")
    case.path.write_text(page[:start] + section + page[end:], encoding="utf-8")


def unescaped(text: str) -> str:
    r"""Return the text with `\x00` and `\ud800` as characters."""
    return _ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), text)


def put_files(case: Case, folder: Path) -> None:
    r"""Write the files of a case: blocks ```file NAME and, with `\xff` for a byte, ```bytes NAME."""
    for kind in ("file", "bytes"):
        for name, content in case.all(kind):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(unescaped(content).encode("latin-1") if kind == "bytes" else content.encode())


def raised(script: str, **names: object) -> str:
    """Run Python code; return the rendered diagnostics of its InputError, or an empty string."""
    try:
        exec(script, names)
    except InputError as error:
        return render_text(error.diagnostics, use_colours=False) + "\n"
    return ""


def printed(session: str) -> str:
    """Run command lines `$ fictc …` in this process, and return the diagnostics printed by the last one."""
    output = ""
    for line in session.splitlines():
        arguments = shlex.split(line.removeprefix("$ fictc "))
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            run_command(partial(fictc, args=arguments))
        out.seek(0)
        output = out.read()
    parts = [part.strip("\n") for part in output.split("\n\n")]
    return "\n\n".join(part for part in parts if _MESSAGE.match(part)) + "\n"
