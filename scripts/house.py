"""Measure how much there is to know before the code can be changed: `python scripts/house.py`.

It prints a row for each measure with its first value, its value now and the goal; the first values and the goals are in
`scripts/house.md`, whose column `now` is rewritten with `--write`.

* Sizes are of `fictc`, `fictdsl` and `runner`: their *.py files, the lines of these, and the folders that hold one.
* A command *enters* a module when it runs code of one of its functions or classes; importing the module is not enough.
  This is traced with `sys.setprofile` in a process of its own, with an empty cache.
* A module *names* a kind of suite if an identifier, an import or a string of it, docstrings aside, contains its name.
* A type *of a condition* is a class that has `Condition` in its name, or whose fields say which draw of a condition it
  is, its filters by key, or two arrays of sentence numbers. The explorer and the statistics of the report are left out.
* Assertions are the `assert` statements and the calls of `pytest.raises` and `pytest.warns` in test modules.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = Path(__file__).with_suffix(".md")
PACKAGES = ("fictc", "fictdsl", "runner")
SHORT = 40  # lines
SUITES = {"SyntaxGym": r"syntax_?gym", "preference": r"preference", "WinoBias": r"wino_?bias"}
# no representations of one condition, but pages and comparisons
APART = ("runner/explore/", "runner/report/contrasts.py", "runner/report/figures/", "runner/report/sections/")
COMMANDS = {
    "match": "match fict15/passive --corpus store",
    "lint": f"lint {ROOT / 'filters' / 'fict15' / 'passive.fict'}",
    "plan": f"plan {ROOT / 'experiments' / 'demo' / 'manifest.toml'} --output run",
    "report": "report results.csv",
}
BEFORE = ("sample --output sample --sentences 300 --pairs 2", "import sample/train.conllu --output store")

Trees = dict[Path, ast.Module]


def main() -> None:
    """Print the table, as JSON with `--json`; `--write` writes it into the page."""
    parser = argparse.ArgumentParser(description="Measure the house.")
    parser.add_argument("--json", action="store_true", help="print JSON, with the names behind the numbers")
    parser.add_argument("--write", action="store_true", help=f"write the numbers into {PAGE.name}")
    options = parser.parse_args()
    found = measures(ROOT)
    if options.json:
        print(json.dumps({name: names if names else number for name, (number, names) in found.items()}, indent=1))
        return
    page = PAGE.read_text(encoding="utf-8")
    text = with_numbers(page, {name: number for name, (number, _) in found.items()})
    if options.write:
        PAGE.write_text(text, encoding="utf-8")
    print(text[text.index("|") :], end="")
    print("largest modules:", ", ".join(f"{name} {lines}" for name, lines in largest(parsed(ROOT, PACKAGES), ROOT)))


def measures(root: Path) -> dict[str, tuple[int, list[str]]]:
    """Return every measure with the names of what it counts, or none where these are too many."""
    trees = parsed(root, PACKAGES)
    listed: dict[str, Iterable[Path | str]] = {
        "modules under 40 lines": short(trees),
        "`__init__` with only a docstring": empty_faces(trees),
        "modules with a single importer, in their folder": single_importers(trees, root),
        "modules named as their folder": (path for path in trees if path.stem == path.parent.name),
        "types of a condition": condition_types(trees, root),
    }
    listed |= {f"modules that name {kind}": naming(trees, pattern) for kind, pattern in SUITES.items()}
    listed |= {f"modules entered by `fictc {command}`": names for command, names in entered().items()}
    sizes = {
        "lines": sum(map(lines_of, trees)),
        "modules": len(trees),
        "folders": len({path.parent for path in trees}),
        "assertions": sum(map(assertions, parsed(root, ("tests",)).values())),
    }
    names = {name: sorted(short_name(path, root) for path in paths) for name, paths in listed.items()}
    return {name: (number, []) for name, number in sizes.items()} | {
        n: (len(found), found) for n, found in names.items()
    }


def parsed(root: Path, packages: Iterable[str]) -> Trees:
    """Return the syntax tree of every module."""
    paths = (path for package in packages for path in sorted((root / package).rglob("*.py")))
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def short_name(path: Path | str, root: Path) -> str:
    """Return a path below the root; other names as they are."""
    return str(path.relative_to(root)) if isinstance(path, Path) else path


def lines_of(path: Path) -> int:
    """Return the number of lines of a file."""
    return path.read_bytes().count(b"\n")


def largest(trees: Trees, root: Path, number: int = 5) -> list[tuple[str, int]]:
    """Return the longest modules with their lines."""
    return [(short_name(path, root), lines_of(path)) for path in sorted(trees, key=lines_of, reverse=True)[:number]]


def short(trees: Trees) -> Iterator[Path]:
    """Yield the modules of fewer than 40 lines, but for `__init__` and `__main__`."""
    return (path for path in trees if lines_of(path) < SHORT and not path.stem.startswith("__"))


def empty_faces(trees: Trees) -> Iterator[Path]:
    """Yield each `__init__` that has a docstring or nothing."""
    return (path for path, tree in trees.items() if path.stem == "__init__" and not without_docstring(tree.body))


def single_importers(trees: Trees, root: Path) -> Iterator[Path]:
    """Yield the modules that one module imports, which is in the same folder."""
    by_name = {dotted(path, root): path for path in trees}
    importers: dict[Path, set[Path]] = {}
    for path, tree in trees.items():
        for name in imported(tree):
            if (target := by_name.get(name)) is not None and target != path:
                importers.setdefault(target, set()).add(path)
    for path, paths in importers.items():
        if path.stem != "__init__" and len(paths) == 1 and next(iter(paths)).parent == path.parent:
            yield path


def dotted(path: Path, root: Path) -> str:
    """Return the name by which a module is imported."""
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module imports: of modules, and of what may be a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def naming(trees: Trees, pattern: str) -> Iterator[Path]:
    """Yield the modules with an identifier, import or string, docstrings aside, that contains a pattern."""
    matches = re.compile(pattern, re.IGNORECASE).search
    return (path for path, tree in trees.items() if any(map(matches, words(tree))))


def words(tree: ast.AST) -> Iterator[str]:
    """Yield the identifiers and strings below a node, but for docstrings."""
    for name, value in ast.iter_fields(tree):
        if isinstance(value, str):
            yield value
        elif isinstance(value, ast.AST):
            yield from words(value)
        elif isinstance(value, list):
            inner = without_docstring(value) if name == "body" else value
            for part in inner:
                yield from words(part) if isinstance(part, ast.AST) else [part] if isinstance(part, str) else []


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a body but a string at its start."""
    first = body[0] if body else None
    documented = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return body[1:] if documented else body


def condition_types(trees: Trees, root: Path) -> Iterator[str]:
    """Yield the classes that stand for one condition (see the docstring of this module)."""
    for path, tree in trees.items():
        place = short_name(path, root)
        for node in ast.walk(tree) if place.startswith("runner/") and not place.startswith(APART) else ():
            if isinstance(node, ast.ClassDef) and is_condition(node):
                yield f"{place} {node.name}"


def is_condition(node: ast.ClassDef) -> bool:
    """Return whether a class stands for one condition (see the docstring of this module)."""
    found = {field.target.id: ast.unparse(field.annotation) for field in node.body if is_field(field)}
    annotations = list(found.values())
    return (
        "Condition" in node.name
        or {"draw", "redraw"} <= found.keys()
        or "FiltersByKey" in annotations
        or annotations.count("Indices") > 1
    )


def is_field(node: ast.stmt) -> bool:
    """Return whether a statement of a class declares a field."""
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)


def assertions(tree: ast.Module) -> int:
    """Return the number of assertions of a module."""
    kinds = Counter(type(node) for node in ast.walk(tree))
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    expecting = (call for call in calls if isinstance(call, ast.Attribute) and call.attr in ("raises", "warns"))
    return kinds[ast.Assert] + sum(isinstance(call.value, ast.Name) and call.value.id == "pytest" for call in expecting)


def entered() -> dict[str, list[str]]:
    """Return the modules that each of `COMMANDS` enters."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "results.csv").write_text(results(), encoding="utf-8")
        for line in BEFORE:
            run([sys.executable, "-m", "fictc", *line.split()], folder, "made")
        return {name: traced(line.split(), folder, name) for name, line in COMMANDS.items()}


def results() -> str:
    """Return a table of 18 numbers in long form: two corpora, two models and three seeds."""
    models = (("lstm", 70), ("transformer", 78))
    rows = [
        f"{corpus},{model},{seed},blimp/passive_1,accuracy,{(value - loss + seed) / 100}"
        for corpus, loss in (("full", 0), ("passive", 6))
        for model, value in models
        for seed in (1, 2, 3)
    ]
    rows += [f"{corpus},lstm,{seed},test,ppl,{50 + seed}" for corpus in ("full", "passive") for seed in (1, 2, 3)]
    return "\n".join(["corpus,arch,seed,benchmark,metric,value", *rows, ""])


def traced(words: list[str], folder: Path, name: str) -> list[str]:
    """Run a command in a process that notes the modules entered, and return these."""
    note = folder / f"{name}.json"
    run([sys.executable, __file__, "--trace", str(note), *words], folder, name)
    return list(json.loads(note.read_text(encoding="utf-8")))


def run(command: list[str], folder: Path, cache: str) -> None:
    """Run a command in a folder with a cache of its own. Raises CalledProcessError if it fails."""
    environment = {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / ".cache" / cache), "OMP_NUM_THREADS": "1"}
    subprocess.run(command, cwd=folder, env=os.environ | environment, check=True, capture_output=True)


def trace(note: Path, words: list[str]) -> None:
    """Run `fictc` in this process, and write the names of the modules that it enters."""
    inside = tuple(f"{ROOT / package}{os.sep}" for package in PACKAGES)
    files: set[str] = set()

    def enter(frame: Any, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_name != "<module>" and code.co_filename.startswith(inside):
            files.add(code.co_filename)

    sys.path.insert(0, str(ROOT))
    sys.argv = ["fictc", *words]
    from fictc.__main__ import main as fictc

    threading.setprofile(enter)
    sys.setprofile(enter)
    with suppress(SystemExit):
        fictc()
    sys.setprofile(None)
    names = [str(Path(file).relative_to(ROOT)) for file in files if file.endswith(".py")]
    note.write_text(json.dumps(sorted(names)), encoding="utf-8")


def with_numbers(page: str, numbers: dict[str, int]) -> str:
    """Return the page with the numbers in the column `now` of its table. Raises KeyError for an unknown row."""
    rows = [re.split(r" *\| *", line.strip("| \n")) for line in page.splitlines() if line.startswith("|")]
    table = [row if index < 2 else [row[0], row[1], f"{numbers[row[0]]:,}", *row[3:]] for index, row in enumerate(rows)]
    widths = [max(len(row[column]) for row in table if row is not table[1]) for column in range(len(table[0]))]
    aligns: list[Callable[[str, int], str]] = [str.ljust, *([str.rjust] * (len(widths) - 1))]
    table[1] = ["-" * widths[0], *(f"{'-' * (width - 1)}:" for width in widths[1:])]
    lines = [f"| {' | '.join(align(c, w) for align, c, w in zip(aligns, row, widths, strict=True))} |" for row in table]
    return page[: page.index("|")] + "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--trace"]:
        trace(Path(sys.argv[2]), sys.argv[3:])
    else:
        main()
